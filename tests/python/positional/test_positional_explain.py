"""Pairs, zones and potentials explained, for both games."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree

import pytest

from zermelo.draw.board import view_svg
from zermelo.game import Explanation, Game, Limits
from zermelo.positional import HYPERGRAPH, MNK


def explained(game: Game, spec: str, kind: str, **options: str) -> Explanation:
    found = game.explain(game.parse(spec), kind, limits=Limits(seconds=60), options=options)
    picture = view_svg(found.view, players=game.players, areas=found.areas, caption=found.caption)  # type: ignore[arg-type]
    assert ElementTree.fromstring(picture).tag.endswith("svg")
    return found


def test_a_pairing_is_drawn_with_letters() -> None:
    found = explained(MNK, "5,5,5", "pairing")
    assert len(found.data["pairing"]) == 12 and found.data["maker_breaker"] == "breaker"
    assert sorted(area.label for area in found.areas) == sorted(2 * [chr(ord("a") + i) for i in range(12)])


def test_a_search_answers_every_first_move() -> None:
    found = explained(MNK, "7,7,5", "pairing")
    assert found.data["pairing"] is None and len(found.data["answers"]) == 10  # squares of the board up to symmetry
    assert all(answer["move"] != answer["reply"] for answer in found.data["answers"])


def test_the_reply_of_the_player_who_blocks_comes_with_its_pairs() -> None:
    found = explained(MNK, "5,2,3:a1", "pairing")
    assert found.data["answers"] == [{"move": None, "reply": "c1", "pairs": [["b2", "c2"], ["d2", "e2"]]}]
    assert {area.label for area in found.areas} == {"a", "b"}


def test_either_player_may_be_the_one_who_is_blocked() -> None:
    found = explained(MNK, "3,3,3:b2", "pairing", maker="O")
    assert len(found.data["pairing"]) == 4 and "whenever O takes" in found.caption[0]
    with pytest.raises(ValueError, match="belongs to strong games"):
        explained(HYPERGRAPH, "a b / b c", "zone", maker="breaker")


def test_zone_and_potential_name_their_vertices() -> None:
    assert set(explained(HYPERGRAPH, "a b / b c / c d / d a", "zone").data["zone"]) <= set("abcd")
    assert "this one alone is enough for X, whatever happens elsewhere" in explained(MNK, "1,1,1", "zone").lines
    small, large = explained(MNK, "5,5,5", "potential"), explained(MNK, "3,3,3", "potential")
    assert small.data["beck"] == pytest.approx(0.375)
    assert (small.data["maker_breaker"], small.winner) == ("breaker", "draw")  # as the text says: below 0.5
    assert (large.data["maker_breaker"], large.winner, large.limited) == (None, None, False)
    found = explained(HYPERGRAPH, "a b c / c d", "potential")
    assert found.data["weights"] == {"a": 1, "b": 1, "c": 3, "d": 2}
    assert "below 0.5" in found.lines[1]


def test_pairs_of_a_hypergraph_have_names_and_numbers() -> None:
    found = explained(HYPERGRAPH, "a b / c d", "pairing")
    assert sorted(map(sorted, found.data["pairing"])) == [["a", "b"], ["c", "d"]]
    assert {area.label[-1] for area in found.areas} == {"1", "2"}


@pytest.mark.parametrize("kind", ["pairing", "zone", "potential"])
def test_a_finished_game_has_nothing_to_explain(kind: str) -> None:
    with pytest.raises(ValueError, match="over"):
        explained(MNK, "3,1,1:a1", kind)

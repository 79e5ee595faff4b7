"""The page answers for every game: positions, marked moves, replies, who wins, why, and a walk through a proof."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from cases import CASES, brute, opened

from zermelo.game import DRAW, find_game, game_names

pytest.importorskip("fastapi")
from servers import answered, events, running, told

from zermelo.web.settings import Settings

FIRST = {name: next(spec for own, spec in CASES if own == name) for name in game_names()}


@pytest.fixture(scope="module")
def site() -> Iterator[str]:
    with running(Settings(seconds=20.0)) as address:
        yield address


def test_the_list_of_games_is_the_registry(site: str) -> None:
    assert [one["name"] for one in told(site, "games")] == list(game_names())


@pytest.mark.parametrize(("name", "spec"), CASES)
def test_a_position_and_all_its_moves_marked(site: str, name: str, spec: str) -> None:
    game, start = opened(name, spec)
    for player in game.starters(start, None):
        position = start.turn_of(player)
        view = told(site, f"{name}/position", spec=spec, to_move=player)
        legal = {str(move): move for move in position.moves(player)}
        assert {move["id"] for move in view["moves"]} == set(legal)
        assert (view["rows"], view["cols"]) == start.size
        found = events(site, f"{name}/moves", spec=spec, to_move=player)
        marks = {move: said["mark"] for said in found for move in said.get("moves", ())}
        assert set(marks) == set(legal)
        for move, mark in marks.items():
            winner = brute(position.after(move), game.other(player))
            assert mark == ("draw" if winner == DRAW else "win" if winner == player else "loss")
        reply = told(site, f"{name}/reply", spec=spec, to_move=player)
        assert (reply["move"] is None) == (not marks)
        if marks:
            assert marks[reply["move"]] == reply["mark"] == max(marks.values(), key=("loss", "draw", "win").index)


@pytest.mark.parametrize("name", game_names())
def test_who_wins_and_why(site: str, name: str) -> None:
    game, start = opened(name, FIRST[name])
    solved = told(site, f"{name}/solve", spec=FIRST[name])
    for player, answer in solved["starts"].items():
        assert answer["winner"] == brute(start, player)
    for kind in game.explanations:
        overlay = told(site, f"{name}/explain", spec=FIRST[name], kind=kind)
        assert overlay["caption"] or overlay["areas"]
    assert answered(site, f"{name}/position", spec="::::").status_code == 422


@pytest.mark.parametrize("name", game_names())
def test_a_proof_is_made_and_walked(site: str, name: str) -> None:
    game, start = opened(name, FIRST[name])
    player = game.starters(start, None)[0]
    proof = told(site, "proofs/prove", game=name, spec=FIRST[name], first=player)
    assert told(site, "proofs/verdict", proof=proof["id"])["verified"]
    moves = list[str]()
    for _ in range(20):
        node = told(site, "proofs/node", proof=proof["id"], moves=";".join(moves))
        assert node["text"] and node["view"]["rows"] == start.size[0]
        if node["kind"] == "leaf":
            break
        moves.append(node["move"] or node["view"]["moves"][0]["id"])
    assert node["kind"] == "leaf"


def test_every_example_is_shown(site: str) -> None:
    for name in game_names():
        for spec in find_game(name).examples:
            assert answered(site, f"{name}/position", spec=spec).status_code in (200, 422)  # too large for the page

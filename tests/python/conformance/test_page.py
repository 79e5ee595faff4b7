"""The page answers for every game: positions, marked moves, replies, who wins, why, and a walk through a proof."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from cases import CASES, brute, opened

from zermelo.game import DRAW, find_game, game_names

pytest.importorskip("fastapi")
from servers import ask_api, ask_json, events, running

from zermelo.web.settings import Settings

FIRST = {name: next(spec for own, spec in CASES if own == name) for name in game_names()}
MORE = [("domineering", "3x5"), ("domineering", "#..../...../..#.."), ("mnk", "4,3,3:b2,c2,c3")]
PROVABLE = [(name, spec) for name, spec in FIRST.items() if find_game(name).claim_codes]
WALKED = [("domineering", "8x8"), ("domineering", "torus:4x4"), ("domineering", "hcylinder:4x5"), ("mnk", "4,4,3")]


@pytest.fixture(scope="module")
def site() -> Iterator[str]:
    with running(Settings(seconds=20.0)) as address:
        yield address


def test_the_list_of_games_is_the_registry_and_every_example_is_shown(site: str) -> None:
    assert [one["name"] for one in ask_json(site, "games")] == list(game_names())
    for name in game_names():
        assert ask_api(site, f"{name}/position", spec="::::").status_code == 422
        for spec in find_game(name).examples:
            assert ask_api(site, f"{name}/position", spec=spec).status_code in (200, 422)  # too large for the page


@pytest.mark.parametrize(("name", "spec"), [*FIRST.items(), *MORE])
def test_a_position_its_moves_marked_and_a_reply(site: str, name: str, spec: str) -> None:
    game, start = opened(name, spec)
    for player in game.starters(start, None):
        position = start.turn_of(player)
        view = ask_json(site, f"{name}/position", spec=spec, to_move=player)
        legal = {str(move): move for move in position.moves(player)}
        assert {move["id"] for move in view["moves"]} == set(legal) and (view["rows"], view["cols"]) == start.size
        *found, done = events(site, f"{name}/moves", spec=spec, to_move=player)
        marks = {move: event["mark"] for event in found if event["event"] == "move" for move in event["moves"]}
        assert done["event"] == "done" and set(marks) == set(legal)
        for move, mark in marks.items():
            after = position.after(move)
            winner = brute(after, after.player_after(player))
            assert mark == ("draw" if winner == DRAW else "win" if winner == player else "loss")
        best = max(marks.values(), key=("loss", "draw", "win").index, default="loss")
        (outcome,) = (event for event in found if event["event"] == "outcome")
        assert outcome["why"] and outcome["mark"] == best
        reply = ask_json(site, f"{name}/reply", spec=spec, to_move=player)
        assert marks[reply["move"]] == reply["mark"] == best


@pytest.mark.parametrize("name", game_names())
def test_who_wins_and_why(site: str, name: str) -> None:
    game, start = opened(name, FIRST[name])
    for player, answer in ask_json(site, f"{name}/solve", spec=FIRST[name])["starts"].items():
        assert answer["winner"] == brute(start, player)
    for kind in game.explanations:
        overlay = ask_json(site, f"{name}/explain", spec=FIRST[name], kind=kind)
        assert overlay["caption"] or overlay["areas"]


@pytest.mark.parametrize(("name", "spec"), [*PROVABLE, *WALKED])
def test_a_proof_is_made_and_walked_to_leaves(site: str, name: str, spec: str) -> None:
    game, start = opened(name, spec)
    proof = ask_json(site, "proofs/prove", game=name, spec=spec, first=game.starters(start, None)[0])["id"]
    assert ask_json(site, "proofs/verdict", proof=proof)["verified"]
    for choice in (0, -1):
        moves = list[str]()
        while (node := ask_json(site, "proofs/node", proof=proof, moves=";".join(moves)))["kind"] != "leaf":
            assert node["text"] and node["view"]["rows"] == start.size[0]
            moves.append(node["move"] or node["view"]["moves"][choice]["id"])
        assert spec != "8x8" or len(moves) > 2
        taken = {tuple(square) for piece in node["view"]["pieces"] for square in piece["squares"]}
        marked = {tuple(square) for area in node["overlay"]["areas"] for square in area["squares"]}
        assert name != "domineering" or not taken & marked

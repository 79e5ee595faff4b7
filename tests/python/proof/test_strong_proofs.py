"""Certificates of strong games: written, verified by both checkers, walked; what breaks a rule is not verified."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from proving import verified_by_both

from zermelo.game import Game, Limits, Position
from zermelo.positional import HYPERGRAPH, MNK
from zermelo.proof.container import Bytes, read_claim, read_payload

LIMITS = Limits(seconds=60, memory=1 << 24)
STRONG_TIC_TAC_TOE = "strong: a b c / d e f / g h i / a d g / b e h / c f i / a e i / c e g"


def proved(game: Game, position: Position, first: str, path: Path) -> str | None:
    """Write a certificate, verify it with both checkers, and return who wins by it."""
    written = game.prove(position, first, path, limits=LIMITS)
    assert written.path == path and written.size == path.stat().st_size
    assert verified_by_both(path)
    claim = read_claim(Bytes(read_payload(path)))
    assert (claim.game, claim.starter, claim.winner) == (game.name, first, written.winner)
    return written.winner


@pytest.mark.parametrize(
    ("spec", "winner"),
    [("3,3,3", "draw"), ("4,3,3", "X"), ("5,5,4", "draw"), ("6,5,4", "X"), ("3,3,3:b2", "draw"), ("3,3,3:b2,b1", "X"),
     ("3,3,3:a1,b2,c3,b1", "draw"), ("3,3,3:a1,b2,b1,c1,c2", "O"), ("5,4,4:a1", "draw"),
     ("7,7,5:d4,c3", "draw"), ("2,1,1", "X")],
)  # fmt: skip
def test_the_outcome_that_is_printed_is_the_one_that_is_proved(tmp_path: Path, spec: str, winner: str) -> None:
    position = MNK.parse(spec)
    result = MNK.solve(position, limits=LIMITS)
    assert result.starts[position.to_move].winner == winner
    assert proved(MNK, position, position.to_move, tmp_path / "game.zc") == winner


@pytest.mark.parametrize("first", ["maker", "breaker"])
@pytest.mark.parametrize(
    "spec", [STRONG_TIC_TAC_TOE, "strong: a b / b c / c d", "strong: a b c / d e : maker a, breaker d"]
)
def test_strong_hypergraphs_are_certified_for_both_starters(tmp_path: Path, spec: str, first: str) -> None:
    position = HYPERGRAPH.parse(spec)
    winner = HYPERGRAPH.solve(position, first=first, limits=LIMITS).starts[first].winner
    assert proved(HYPERGRAPH, position, first, tmp_path / "game.zc") == winner


def test_a_limit_leaves_no_certificate(tmp_path: Path) -> None:
    path = tmp_path / "game.zc"
    for nodes in (5, 41_000):  # before the game is solved, and before the strategy is whole
        assert MNK.prove(MNK.parse("5,5,4"), "X", path, limits=Limits(nodes=nodes)).winner is None
    assert not list(tmp_path.iterdir())


def test_claims_say_by_which_rules(tmp_path: Path) -> None:
    words = {}
    for spec in ("3,3,3", "4,3,3:a1", "4,4,4"):
        position = MNK.parse(spec)
        MNK.prove(position, position.to_move, tmp_path / "game.zc", limits=LIMITS)
        words[spec] = MNK.claim_words(read_claim(Bytes(read_payload(tmp_path / "game.zc"))))
    assert words["3,3,3"] == "A draw in 3,3,3, X to move."
    assert words["4,3,3:a1"] == "X wins in 4,3,3:a1, O to move."
    assert words["4,4,4"].startswith("O can stop every line of X in 4,4,4")


@pytest.mark.parametrize(
    ("spec", "hero"), [("3,3,3", "O"), ("4,3,3", "X"), ("5,4,4:a1", "O"), ("3,3,3:b2,b1", "X"), ("6,5,4", "X")]
)
def test_a_strategy_is_walked_to_its_end(tmp_path: Path, spec: str, hero: str) -> None:
    path, position = tmp_path / "game.zc", MNK.parse(spec)
    written = MNK.prove(position, position.to_move, path, limits=LIMITS)
    replay, rng = MNK.replay(read_payload(path)), random.Random(2)
    for _ in range(40):
        moves: list[str] = []
        while not (step := replay.step(moves)).leaf:
            assert step.position.to_move == step.to_move
            assert step.to_move != hero or len(step.moves) == 1
            moves.append(rng.choice(step.moves))
        over = step.position.decided(step.to_move)
        assert over in (None, "draw", "breaker", hero) and (over is not None or step.areas or not step.moves)
        assert written.winner != hero or over == hero
    assert MNK.proof_counts(read_payload(path))
    with pytest.raises(ValueError, match=r"another move|ends before"):
        replay.step(["a1"] * 3 if position.to_move == hero else [str(position.moves(position.to_move)[0]), "z9"])


def test_strong_game_on_a_hypergraph_that_is_over_has_no_certificate(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="the game is over"):
        HYPERGRAPH.prove(HYPERGRAPH.parse("strong: a / b : maker a"), "breaker", tmp_path / "over.zc")

"""Certificates of races: written, verified by both checkers, true, walked; claims the other way round are not verified.

``ZERMELO_RACE_PROOFS`` makes more random races; ``ZERMELO_PG`` names a folder of .pg files to certify, of which each
folder gives as many as ``ZERMELO_PG_FILES`` says.
"""

from __future__ import annotations

import os
import random
from collections import Counter
from pathlib import Path

import pytest
import races
import tiny
from proving import verified_by_both

from zermelo.game import Limits, find_game
from zermelo.positional import HYPERGRAPH
from zermelo.positional.files import read_hypergraph
from zermelo.positional.pg import parse_pg
from zermelo.positional.race import RacePosition
from zermelo.positional.race_proof import claim_bytes
from zermelo.proof import check_file
from zermelo.proof.container import Bytes, read_claim, read_payload
from zermelo.proof.tools import info, show

RACES = int(os.environ.get("ZERMELO_RACE_PROOFS", "150"))
SEED = int(os.environ.get("ZERMELO_SEED", "1"))
PG = os.environ.get("ZERMELO_PG")
PG_FILES = int(os.environ.get("ZERMELO_PG_FILES", "3"))
LIMITS = Limits(seconds=60, memory=1 << 22)
HEX = "join: 0-1 0-3 1-2 1-3 1-4 2-4 2-5 3-4 3-6 4-5 4-6 4-7 5-7 5-8 6-7 7-8 / 0 1 2 / 6 7 8"


def test_what_is_proved_is_true_and_nothing_else_is(tmp_path: Path) -> None:
    """The same proof under another claim: another winner, bound, order of turns, or other first moves."""
    rng, file, kinds = random.Random(SEED), tmp_path / "race.zc", Counter[str]()
    for _ in range(RACES):
        position = RacePosition.read(races.random_race(rng))
        if position.decided(position.to_move) is not None:
            continue
        written = HYPERGRAPH.prove(position, position.to_move, file, LIMITS)
        payload = read_payload(file)
        verdict, said = tiny.verdicts(tiny.container(payload), file)
        assert verdict == tiny.zformat.VERIFIED, (position.text, said)
        assert said["winner"] == written.winner == races.truth(position.text), position.text
        assert RacePosition.read(said["spec"]).race().moves_left == position.race().moves_left
        race = position.race()
        winner = ("maker", "breaker", "draw").index(said["winner"])
        claim = claim_bytes(race, winner)
        assert payload.startswith(claim)
        proof = payload[len(claim) :]
        kinds[said["winner"]] += 1
        for other in {0, 1, 2} - {winner}:
            data = tiny.container(claim[:-1] + bytes([other]) + proof)
            assert tiny.verdicts(data, file)[0] != tiny.zformat.VERIFIED
            for _ in range(3):  # a claim that is no longer true, or still is: the verdict must fit
                words = {"within": str(rng.randint(1, 8)), "turns": rng.choice(("mb", "bm", "mbb"))}
                head, _, tail = position.text.partition(" : ")
                kept = [part for part in tail.split(", ") if part and part.split()[0] not in (*words, "first")]
                changed = RacePosition.read(f"{head} : " + ", ".join([*kept, *(" ".join(p) for p in words.items())]))
                forged = claim_bytes(changed.race(), rng.choice((winner, other)))
                tiny.verdicts(tiny.container(forged + proof), file)
    print(dict(kinds))
    assert kinds["maker"] and kinds["breaker"] and kinds["draw"]


def walked(replay: object, rng: random.Random, hero: str) -> str:
    """Follow a strategy to its end; return the winner there, or an empty text at a leaf before."""
    moves: list[str] = []
    while not (step := replay.step(moves)).leaf:  # type: ignore[attr-defined]
        assert step.position.to_move == step.to_move and step.moves
        assert step.to_move != hero or len(step.moves) == 1
        moves.append(rng.choice(step.moves))
    return step.position.decided(step.to_move) or ""


@pytest.mark.parametrize(
    ("spec", "hero"),
    [(HEX, "maker"), (HEX + " : turns bm, breaker 4", "breaker"), (HEX + " : within 3", "breaker"),
     ("race: 0 1 2 / 3 4 5 / 0 3 6 / 2 4 6 | same : within 5", "breaker"),
     ("race: 0 1 / 2 3 | 4 5 / 6 7 : turns bm", "breaker"), ("race: 0 1 2 / 2 3 4 / 4 5 0 : turns mmb", "maker"),
     ("race: 0 1 / 1 2 / 3 4 : first 3 4", "maker"), ("race: 0 1 2 / 3 4 : turns (bm), first 0, within 4", "breaker")],
)  # fmt: skip
def test_strategies_are_walked_to_their_ends(tmp_path: Path, spec: str, hero: str) -> None:
    path, position, rng = tmp_path / "race.zc", RacePosition.read(spec), random.Random(3)
    winner = HYPERGRAPH.prove(position, position.to_move, path, LIMITS).winner
    assert verified_by_both(path)
    replay = find_game("hypergraph").replay(read_payload(path))
    ends = {walked(replay, rng, hero) for _ in range(60)}
    loser = "breaker" if hero == "maker" else "maker"
    assert winner in (hero, "draw") and loser not in ends
    if winner == "maker":
        assert ends == {"maker"}
    assert sum(info(path)["counts"].values()) > 1 and read_claim(Bytes(read_payload(path))).line in show(path)


def test_questions_about_other_games_are_certified(tmp_path: Path) -> None:
    path = tmp_path / "race.zc"
    for game, spec, options, words in (
        ("mnk", "4,3,3", {"within": 5}, "within 5"), ("mnk", "4,3,3", {"within": 3}, "A draw"),
        ("mnk", "4,3,3", {"shortest": True}, "within 7"), ("mnk", "3,3,3", {"turns": "xoo"}, "(mbb)"),
        ("hypergraph", "a b / b c / c d", {"within": 3}, "within 3"), ("hex", "3x3", {}, "join:"),
        ("hex", "3x3:a1", {}, "join:"), ("hex", "3x3", {"within": 5}, "within 5"),
    ):  # fmt: skip
        one = find_game(game)
        position = one.parse(spec)
        first = position.to_move or one.players[0]
        chooser = one.proof_chooser(LIMITS, options, tmp_path)
        position = one.apply_rules(position, options, first)
        answer = chooser.answer(position, first, LIMITS)
        written = one.prove(position, first, path, LIMITS, chooser, answer)
        assert written.winner == answer.winner and written.path == path and verified_by_both(path), (spec, options)
        assert words in HYPERGRAPH.claim_words(read_claim(Bytes(read_payload(path)))), (spec, options)
    with pytest.raises(ValueError, match="neither player joins"):
        hexes = find_game("hex")
        hexes.prove(hexes.parse("3x3 within 3"), "B", path, LIMITS)


def test_limits_and_ended_games_leave_no_certificate(tmp_path: Path) -> None:
    position = RacePosition.read(HEX.replace("0 1 2 / 6", "0 1 / 6"))
    for limits in (Limits(nodes=1), Limits(nodes=30), Limits(memory=400)):
        assert HYPERGRAPH.prove(position, "maker", tmp_path / "race.zc", limits).path is None
    with pytest.raises(ValueError, match="the game is over"):
        HYPERGRAPH.prove(RacePosition.read("race: 0 1 : within 0"), "maker", tmp_path / "race.zc")
    assert not list(tmp_path.iterdir())


def test_published_files_are_certified(tmp_path: Path) -> None:
    """Of every folder a few files; those that no search answers in time are left out."""
    text = "#positions a b c d\n#times t1 t2 t3\n#blackturns t1 t3\n#blackwins\na b\na c\nb d\n#whitewins\nc d\n"
    games = {"small": [("small", parse_pg(text))]}
    for path in sorted(Path(PG).rglob("*")) if PG else ():
        if path.suffix == ".pg":
            family = games.setdefault(path.parent.name, [])
            family += [(path.name, read_hypergraph(path))] if len(family) < PG_FILES else []
    file, limits = tmp_path / "race.zc", Limits(seconds=10, memory=1 << 29)
    for family, members in sorted(games.items()):
        sizes, missing = list[int](), list[str]()
        for name, position in members:
            first = position.to_move or "maker"
            answer = HYPERGRAPH.chooser(limits).answer(position, first, limits)
            if position.decided(first) is not None:
                continue
            written = HYPERGRAPH.prove(position, first, file, limits)
            if written.path is None:
                missing.append(name)
                continue
            assert written.winner == answer.winner, name
            sizes.append(written.size)
            assert check_file(file).verified and check_file(file, slow=True).verified, name
        print(
            f"{family}: {len(sizes)} verified, bytes {sum(sizes)}, largest {max(sizes, default=0)}, without {missing}"
        )
        assert sizes or missing

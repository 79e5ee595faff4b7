"""Mutants of certificates: both checkers give the same verdict, and a claim that they verify is true.

``ZERMELO_MUTANTS`` makes more of them, and ``ZERMELO_SEED`` others, so that many processes can share the work;
``ZERMELO_MUTANT_KINDS`` chooses the games.
"""

from __future__ import annotations

import os
import random
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
import tiny
from tiny import zcheck, zformat

from zermelo import solve
from zermelo.game import Limits
from zermelo.positional import HYPERGRAPH, MNK
from zermelo.proof.container import read_payload

MUTANTS = int(os.environ.get("ZERMELO_MUTANTS", "4000"))
SEED = int(os.environ.get("ZERMELO_SEED", "1"))
KINDS = os.environ.get("ZERMELO_MUTANT_KINDS", " ".join(tiny.KINDS)).split()
CORPUS = os.environ.get("ZERMELO_FUZZ_CORPUS")
"""A folder with inputs that libFuzzer has found; they come first."""
NAMED = ["2x200.V", "3-3-3.strong", "5-4-4-a1.strong", "5-5-4.strong", "6-5-4.strong", "6-6-4.threats"]
NAMED += ["hex-4x4.race", "4-4-4-within-9.race", "turns.race", "two-goals.race"]


def solver_agrees(said: dict[str, Any]) -> bool:
    """Whether a claim is true. One about marks is solved as a hypergraph's, since its marks need not fit turns."""
    if said.get("rules") == "race":
        return (
            HYPERGRAPH.solve(said["spec"], limits=Limits(seconds=60)).starts[said["starter"]].winner == said["winner"]
        )
    if "maker" not in said:
        starter = said["starter"]
        return solve(said["spec"], first=starter).starts[starter].winner == said["winner"]
    if said["game"] == "mnk":
        edges = MNK.parse(said["spec"]).board.edges
    else:
        edges = [list(map(int, edge.split())) for edge in said["spec"].split("; ") if edge]
    sides = {"X": "maker", "O": "breaker"}
    starter, winner = (sides.get(said[key], said[key]) for key in ("starter", "winner"))
    count = 1 + max(cell for cells in (*edges, said["maker"], said["breaker"]) for cell in cells)

    def words(cells: Iterable[int]) -> str:
        return " ".join(map(str, cells))

    parts = {"free": range(count), "maker": said["maker"], "breaker": said["breaker"]}
    marks = ", ".join(f"{word} {words(cells)}" for word, cells in parts.items() if cells)
    rules = "strong: " if said.get("rules") == "strong" else ""
    position = HYPERGRAPH.parse(f"{rules}{' / '.join(map(words, edges))} : {marks}, {starter} to move")
    limits = Limits(seconds=60, memory=1 << 24)
    return HYPERGRAPH.solve(position, first=starter, limits=limits).starts[starter].winner == winner


def claim_of(said: dict[str, Any]) -> dict[str, Any]:
    return {key: said.get(key) for key in ("game", "rules", "spec", "maker", "breaker", "starter", "winner")}


@pytest.mark.parametrize("named", [False, True], ids=["small", "named"])
def test_no_mutant_is_verified_with_a_false_claim(tmp_path: Path, named: bool) -> None:
    """Half of all mutants differ near the claim, where it may turn false; every fifth is mutated in its container."""
    rng, file, count = random.Random(SEED), tmp_path / "mutant.zc", MUTANTS // 10 if named else MUTANTS
    for path in sorted(Path(CORPUS).iterdir()) if CORPUS else []:
        tiny.verdicts(path.read_bytes(), file)
    kinds, payloads, claims = Counter[str](), list[bytes](), list[dict[str, Any]]()
    for number in range(count):
        if named and number < len(NAMED):
            payloads.append(read_payload(tiny.SAMPLES / f"{NAMED[number]}.zc"))
        elif not named and number % 25 == 0:
            payloads.append(tiny.random_payload(rng, KINDS[number // 25 % len(KINDS)]))
        if len(claims) < len(payloads):
            verdict, said = tiny.verdicts(tiny.container(payloads[-1], False), file)
            assert verdict == zformat.VERIFIED
            claims.append(claim_of(said))
        which = number % len(payloads) if named else -1
        payload = payloads[which]
        near = payload[: len(payload) if number % 2 else 24]
        data = tiny.container(tiny.mutated(near, rng, donors=payloads) + payload[len(near) :], False)
        if number % 5 == 0:
            data = tiny.mutated(tiny.container(payload, number % 10 == 0), rng)
        file.write_bytes(data)
        report = tiny.FAST.check(file)
        said = report.said
        if report.verified or number % 2 == 0:  # by zcheck.py too, and by brute force where the claim is small enough
            verdict, said = tiny.verdicts(data, file)
            assert verdict != zformat.UNFINISHED
        kind = zcheck.WORDS[report.exit_code].lower()
        if report.verified:
            judge = "by brute force"
            if tiny.claim_is_true(said) is None:
                judge = "with the claim before"
                if claim_of(said) != claims[which]:
                    judge = "by the solver"
                    assert solver_agrees(said), data.hex()
            kind = f"{kind} {judge}"
        kinds[kind] += 1
    print(f"{count} mutants: {dict(kinds)}")
    assert kinds["rejected"] and kinds["malformed"] and not kinds["unfinished"]

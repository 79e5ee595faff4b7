"""The search on a graphics card, before anybody trusts it: its answers against the processor's (docs/gpu.md).

The program zgpu is part of the package only where it was asked for (``ZERMELO_CUDA=1 ./dev setup``).
"""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import cast

from zermelo import _core
from zermelo.domineering.position import Player, Position
from zermelo.domineering.prove import proof_chooser, prove
from zermelo.game import Limits, Report
from zermelo.proof.checking import Checker

DIFFERS = 1  # an exit code of zgpu


def report(audit: int, seed: int) -> Report | None:
    """Compare a card's answers with the processor's; None where the package has no program for cards."""
    program = Path(_core.__file__).with_name("zgpu")
    return card_report(program, audit, seed) if program.exists() else None


class CardDiffersError(ValueError):
    """The card says something else than the processor."""


def ask(program: Path, *words: str) -> list[str]:
    """Return the lines that the program prints.

    :raises CardDiffersError: if it finds that card and processor differ.
    :raises ValueError: in its words, if there is no card, its memory is too small or its driver too old.
    """
    done = subprocess.run([program, *words], capture_output=True, text=True, check=False)
    if done.returncode:
        said = (done.stderr.strip() or done.stdout.strip()).splitlines()
        kind = CardDiffersError if done.returncode == DIFFERS else ValueError
        raise kind(said[-1].removeprefix("zgpu: ") if said else f"zgpu ended with code {done.returncode}")
    return done.stdout.splitlines()


def card_report(program: Path, audit: int, seed: int) -> Report:
    """Compare bounds and verdicts of the card with the processor's; then prove `audit` random units again.

    Not sound if anything differs, or if the card cannot be asked at all.
    """
    lines, data = list[str](), dict[str, object]()
    try:
        try:
            lines += [f"ok: card: {line}" for line in ask(program, "doctor")]
        except CardDiffersError as error:
            lines.append(f"FAILED: card: {error}")
        if audit:
            disproved = list(disproved_units(ask(program, "verdicts", str(audit), str(seed))))
            data |= {"audited": audit, "seed": seed, "disproved": disproved}
            lines += [f"FAILED: card: {line}" for line in disproved]
            mark = "FAILED" if disproved else "ok"
            lines.append(f"{mark}: card: {audit} units (seed {seed}) proved again, {len(disproved)} otherwise")
    except ValueError as error:
        lines.append(f"FAILED: card: {error}")
    sound = not any(line.startswith("FAILED") for line in lines)
    return Report(tuple(lines), {**data, "lines": lines, "sound": sound}, sound=sound)


def disproved_units(verdicts: list[str]) -> Iterator[str]:
    """Prove units on the processor, verify the certificates, and name the units that the card had wrong.

    A verdict is a line with the position, who is to move and who wins.
    """
    limits = Limits(seconds=600)
    chooser = proof_chooser(limits)
    with Checker() as checker, tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "unit.zc")
        for line in verdicts:
            spec, first, winner = line.split()
            proved = prove(Position(spec), cast(Player, first), path, limits, chooser=chooser)
            if proved.winner is None or not checker.check(path).verified:
                yield f"{spec}, {first} to move: no verified certificate"
            elif proved.winner != winner:
                yield f"{spec}, {first} to move: the card says {winner}, a verified certificate {proved.winner}"

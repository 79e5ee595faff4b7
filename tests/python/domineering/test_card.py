"""What `doctor` makes of a graphics card's answers; a script stands in for the program that asks the card."""

from __future__ import annotations

from pathlib import Path

import pytest

from zermelo.domineering.card import card_report

UNITS = {"..../..../..../....": "VV", "#..#/..../.#../....": "HH", ".../.#./...": "VH"}
"""Position: who moves, who wins (`zermelo solve`)."""


def program(folder: Path, *, said: str = "card: all equal", code: int = 0, units: dict[str, str] | None = None) -> Path:
    """Return a program that answers as zgpu does."""
    path = folder / "zgpu"
    lines = "\n".join(f"{spec} {first} {winner}" for spec, (first, winner) in (units or UNITS).items())
    out = "1" if code == 0 else "2"
    path.write_text(
        f"#!/bin/sh\nif [ $1 = verdicts ]; then echo '{lines}'; else echo '{said}' >&{out}; exit {code}; fi\n"
    )
    path.chmod(0o755)
    return path


def test_a_sound_card_passes_doctor_and_audit(tmp_path: Path) -> None:
    report = card_report(program(tmp_path), len(UNITS), 1)
    assert report.sound
    assert report.lines == ("ok: card: card: all equal", "ok: card: 3 units (seed 1) proved again, 0 otherwise")


@pytest.mark.parametrize("spec", UNITS)
def test_the_audit_finds_one_wrong_verdict(tmp_path: Path, spec: str) -> None:
    first, winner = UNITS[spec]
    wrong = "V" if winner == "H" else "H"
    report = card_report(program(tmp_path, units={**UNITS, spec: first + wrong}), len(UNITS), 1)
    assert not report.sound
    assert report.data["disproved"] == [
        f"{spec}, {first} to move: the card says {wrong}, a verified certificate {winner}"
    ]


def test_what_the_program_refuses_is_one_line(tmp_path: Path) -> None:
    report = card_report(program(tmp_path, said="zgpu: no NVIDIA card was found on this machine", code=2), 3, 1)
    assert (report.sound, report.lines) == (False, ("FAILED: card: no NVIDIA card was found on this machine",))


def test_the_audit_goes_on_when_card_and_processor_differ(tmp_path: Path) -> None:
    report = card_report(program(tmp_path, said="zgpu: of 9999 units 162 verdicts differ", code=1), len(UNITS), 1)
    assert not report.sound
    assert report.lines == (
        "FAILED: card: of 9999 units 162 verdicts differ",
        "ok: card: 3 units (seed 1) proved again, 0 otherwise",
    )

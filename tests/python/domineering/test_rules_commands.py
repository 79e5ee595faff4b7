"""The rules at the command line: an answer on a board no search could touch, and facts proved again."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

COMMAND = [str(Path(sys.executable).parent / "zermelo"), "play", "domineering"]


def run(*words: str, typed: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*COMMAND, *words], input=typed, capture_output=True, text=True)


def test_machine_answers_beside_the_move_on_a_thousand_columns() -> None:
    result = run("2x1000", "--you", "V", "--json", typed="1,500\n1,7\n")
    events = [json.loads(line) for line in result.stdout.splitlines()]
    moves = [event["move"] for event in events if "move" in event]
    assert result.returncode == 0 and len(moves) == 2
    assert abs(int(moves[0].split(",")[1]) - 500) <= 4
    assert abs(int(moves[1].split(",")[1]) - 7) <= 4


def test_facts_are_checked_at_the_command_line(tmp_path: Path) -> None:
    path = tmp_path / "facts.json"
    fact = '{"board": "2x4", "outcomes": "%s", "by": "search", "version": "0"}'
    for outcome, code in (("H", 0), ("V", 1)):
        path.write_text('{"format": "zermelo-facts/1", "facts": [%s]}' % (fact % outcome))
        done = subprocess.run([COMMAND[0], "facts", "check", str(path), "--json"], capture_output=True)
        assert done.returncode == code
        assert json.loads(done.stdout)["confirmed"] == (1 if code == 0 else 0)

"""Ctrl-C while a command is still loading ends it quietly."""

from __future__ import annotations

import os
import signal
import subprocess
import sys

import pytest

START = """
import os, signal, sys

class Interrupts:
    @staticmethod
    def find_spec(name, *_):
        if name == sys.argv[1]:
            os.kill(os.getpid(), int(sys.argv[2]))

sys.meta_path.insert(0, Interrupts)
from zermelo.cli import main
main()
"""


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("module", ["zermelo._core", "zermelo.game", "zermelo.cli.app", "typer", "dataclasses"])
def test_ctrl_c_while_loading_is_quiet(module: str, number: signal.Signals) -> None:
    words = [sys.executable, "-c", START, module, str(int(number))]
    run = subprocess.run(words, capture_output=True, text=True, env={**os.environ, "PYTHONPATH": ""})
    assert (run.returncode, run.stdout) == (130, ""), run.stderr
    assert run.stderr in ("", "zermelo: interrupted\n")

"""Runs the independent checkers, which are programs of their own: nothing of theirs is imported."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from zermelo import _core

VERIFIED, REJECTED, MALFORMED, UNFINISHED = 0, 1, 2, 3
POLL_SECONDS = 0.1


@dataclass(frozen=True)
class CheckReport:
    """The report of a checker about one file; `exit_code` is the checker's own."""

    exit_code: int
    checker: str
    said: dict[str, Any]

    @property
    def verified(self) -> bool:
        return self.exit_code == VERIFIED


def checker_folder() -> Path:
    """Where the package keeps the checkers."""
    return Path(_core.__file__).parent / "checker"


def proved_checker() -> Path:
    """Return where zverify is: beside Python, or on the path.

    :raises ValueError: if it is not built.
    """
    beside = Path(sys.executable).parent / "zverify"
    found = str(beside) if beside.exists() else shutil.which("zverify")
    if found is None:
        raise ValueError("the proved checker is not built: ./dev formal builds it")
    return Path(found)


def check_file(
    path: str | Path,
    *,
    slow: bool = False,
    formal: bool = False,
    threads: int | None = None,
    seconds: float | None = None,
    mebibytes: float | None = None,
    cancel: _core.CancelToken | None = None,
) -> CheckReport:
    """Verify a certificate with the fast checker, or with zcheck.py when `slow` or where there is no fast one.

    The fast one uses all cores unless `threads` says how many; the verdict is the same. `formal` takes zverify, which
    is proved (formal/README.md says for which games).

    :raises ValueError: if no checker can be run, or it was cancelled.
    """
    folder = checker_folder()
    fast, python = folder / "zcheck", folder / "zcheck.py"
    use_fast = fast.exists() and not slow and not formal
    command = [str(proved_checker())] if formal else [str(fast)] if use_fast else [sys.executable, str(python)]
    if not use_fast and not formal and not python.exists():
        raise ValueError("this installation has no checker; run checker/zcheck.py by hand")
    if threads is not None and use_fast:
        command += ["--threads", str(threads)]
    if seconds is not None:
        command += ["--time", str(seconds)]
    if mebibytes is not None:
        command += ["--memory", str(mebibytes)]
    command += ["--json", str(Path(path).absolute())]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        try:
            out, errors = _communicate(process, cancel)
        except BaseException:
            process.kill()
            raise
    try:
        said = json.loads(out)
    except json.JSONDecodeError:
        detail = (errors.strip().splitlines() or ["no answer"])[-1]
        raise ValueError(f"the checker could not be run: {detail}") from None
    return CheckReport(process.returncode, "zverify" if formal else "zcheck" if use_fast else "zcheck.py", said)


def _communicate(process: subprocess.Popen[str], cancel: _core.CancelToken | None) -> tuple[str, str]:
    """Wait for the output of a process.

    :raises ValueError: if it was cancelled before.
    """
    while cancel is not None:
        try:
            return process.communicate(timeout=POLL_SECONDS)
        except subprocess.TimeoutExpired:
            if cancel.cancelled:
                raise ValueError("the check was stopped") from None
    return process.communicate()


class Checker:
    """Verifies many certificates by one process, which keeps the values of small pieces.

    Its memory is bounded: beyond the limit it begins anew.
    """

    WORDS = ("verified", "rejected", "malformed", "unfinished")

    def __init__(self, *, mebibytes: int = 1024) -> None:
        self._mebibytes = mebibytes
        self._process: subprocess.Popen[str] | None = None

    def __enter__(self) -> Checker:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def check(self, path: str | Path) -> CheckReport:
        """Verify one certificate.

        :raises ValueError: if no checker can be run.
        """
        program = checker_folder() / "zcheck"
        if not program.exists():
            return check_file(path)
        fresh = self._process is None
        report = self._ask(program, path)
        if report is None or report.exit_code == UNFINISHED:
            self.close()
            if not fresh:
                report = self._ask(program, path)
        return report if report is not None else check_file(path)

    def _ask(self, program: Path, path: str | Path) -> CheckReport | None:
        """Return the process's answer, None if it has ended."""
        if self._process is None:
            self._process = subprocess.Popen(
                [str(program), *("--json", "--each", "--threads", "1", "--memory", str(self._mebibytes))],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
                start_new_session=True,  # Ctrl-C is for this process
            )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        try:
            self._process.stdin.write(f"{Path(path).absolute()}\n")
            self._process.stdin.flush()
            said = json.loads(self._process.stdout.readline())
        except (OSError, json.JSONDecodeError):
            return None
        return CheckReport(self.WORDS.index(said["verdict"]), "zcheck", said)

    def close(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.communicate()
            self._process = None

"""Runs command lines in forks of a process that has everything loaded, so that a start takes no time.

``Forker`` is the side of the tests. The other side reads one JSON object a line: what to run, where, with which fault.
"""

from __future__ import annotations

import contextlib
import fcntl
import gc
import io
import json
import os
import pkgutil
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import traceback
from dataclasses import dataclass
from pathlib import Path
from typing import Any

STOPS = (signal.SIGINT, signal.SIGTERM)
HANGS = 60
"""Seconds after which a line of a random user hangs."""


@dataclass
class Job:
    """A command line that runs; it prints into pipes, which no disk fills."""

    process: int
    words: list[Any]
    pipes: list[int]
    end: int
    """A descriptor that can be read from when the process has ended."""
    code: int | None = None
    used: float = 0.0
    """Seconds of the processor, when it has ended."""

    def read(self) -> list[str]:
        """Return its standard output and its errors, once, when it has ended."""
        texts = []
        for pipe in self.pipes:
            data = b""
            with contextlib.suppress(BlockingIOError):
                while more := os.read(pipe, 1 << 20):
                    data += more
            os.close(pipe)
            texts.append(data.decode(errors="replace"))
        os.close(self.end)
        return texts


class Forker:
    """The process that forks."""

    def __init__(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="zermelo-faults-"))
        self.folder.chmod(0o755)
        self.process = subprocess.Popen([sys.executable, __file__], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.count = 0

    def ask(self, **question: Any) -> Any:
        assert self.process.stdin and self.process.stdout
        self.process.stdin.write(json.dumps(question).encode() + b"\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())

    def start(self, words: list[str] | list[list[str]], where: Path, **fault: Any) -> Job:
        """Start a command line (or the many of a random user) in a folder, with a fault."""
        self.count += 1
        pipes, names = [], {name: str(self.folder / f"{self.count}.{name}") for name in ("out", "err")}
        for name in names.values():
            os.mkfifo(name, 0o666)
            pipes.append(os.open(name, os.O_RDWR | os.O_NONBLOCK))
            fcntl.fcntl(pipes[-1], fcntl.F_SETPIPE_SZ, 1 << 20)
        process = self.ask(words=words, cwd=str(where), **names, **fault)
        return Job(process, [*words], pipes, os.pidfd_open(process))

    def wait(self, job: Job, seconds: float, *, until_it_speaks: bool = False) -> int | None:
        """Return the exit code (a signal's number is negative), or None if it still runs after so many seconds."""
        ready = select.select([job.end, *job.pipes[:until_it_speaks]], [], [], seconds)[0]
        if job.code is None and job.end in ready:
            job.code, job.used = self.ask(wait=job.process)
        return job.code

    def close(self) -> None:
        self.process.communicate()
        shutil.rmtree(self.folder, ignore_errors=True)


# The other side: a process that has everything loaded, and its forks


def prepare_child(wish: dict[str, Any]) -> None:
    """Give this fork its folder, its pipes and its fault."""
    os.setpgid(0, 0)
    os.chdir(wish["cwd"])
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    for number, name in ((1, "out"), (2, "err")):
        os.dup2(os.open(wish[name], os.O_WRONLY), number)
    for name, value in {"MPLCONFIGDIR": "/tmp", "COLUMNS": "120", **wish.get("env", {})}.items():
        os.environ.pop(name, None)
        if value is not None:
            os.environ[name] = value
    if wish.get("closed") == "stdout":
        os.close(1)
        sys.stdout = None  # type: ignore[assignment]
    elif wish.get("closed") == "pipe":
        reader, writer = os.pipe()
        os.dup2(writer, 1)
        os.close(reader)
        os.close(writer)
    if wish.get("clock_back"):
        real, begin = time.time, time.time()
        time.time = lambda: begin - 100 * (real() - begin) - 3600
    if "file_size" in wish:
        import resource

        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (wish["file_size"], resource.RLIM_INFINITY))
    if wish.get("humble"):  # give up root's right to write read-only files
        import ctypes
        import struct

        assert ctypes.CDLL(None).capset(struct.pack("Ii", 0x20080522, 0), bytes(24)) == 0


def run_child(wish: dict[str, Any], group: Any) -> int:
    """Run the command lines of a wish in this process, a fork of its own; return the exit code."""
    from zermelo import cli

    try:
        prepare_child(wish)
        if "log" in wish:
            run_random_user(wish["words"], Path(wish["log"]), group)
            return 0
        sys.argv = ["zermelo", *wish["words"]]
        signal.signal(signal.SIGTERM, signal.default_int_handler)
        try:
            signal.pthread_sigmask(signal.SIG_UNBLOCK, STOPS)
            cli.main()
        finally:
            signal.pthread_sigmask(signal.SIG_BLOCK, STOPS)
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else 98
    except KeyboardInterrupt:
        return 130
    except BaseException:
        traceback.print_exc()
        return 99
    return 0


def run_random_user(lines: list[list[str]], log: Path, group: Any) -> None:
    """Run many command lines; the log gets each before it runs, and then how it ended."""
    from zermelo.cli import app

    app.command_for = lambda words: group  # made once for all lines
    now = files_here()
    with log.open("w") as file:
        for words in lines:
            print(json.dumps(words), file=file, flush=True)
            signal.alarm(HANGS)  # ends the process
            out, err, sys.stdin, raised = io.StringIO(), io.StringIO(), io.StringIO(), None
            begin, used = time.monotonic(), time.process_time()
            with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
                try:
                    code = app.run(words)
                except BaseException as error:
                    code, raised = -1, repr(error)[:300]
            took = min(time.monotonic() - begin, time.process_time() - used)  # other processes may keep it waiting
            before, now = now, files_here()
            print(
                json.dumps([code, raised, took, out.getvalue(), err.getvalue(), now != before]), file=file, flush=True
            )


def files_here() -> list[tuple[str, int]]:
    """Return the files of this folder, and when they were written."""
    return sorted((file.name, file.stat().st_mtime_ns) for file in os.scandir(".") if file.is_file())


def load_everything() -> Any:
    """Import every module and do what the first call of a process does; return the group of all commands."""
    import typer

    import zermelo
    from zermelo.bench import signature
    from zermelo.cli import app

    for module in pkgutil.walk_packages(zermelo.__path__, "zermelo."):
        if not module.name.endswith("__main__"):
            with contextlib.suppress(ImportError):  # an optional package is not there
                __import__(module.name)
    with contextlib.suppress(ImportError):
        import distributed  # noqa: F401 (a limit during an import would leave half of it)
    signature.CASES = signature.CASES[8:10]  # its own tests run them all
    os.environ |= {"ZERMELO_CACHE": os.devnull, "MPLCONFIGDIR": "/tmp"}
    with contextlib.redirect_stdout(io.StringIO()):  # the rules work out once what they know
        for line in ("table 12x12", "why 6x20", f"proof derive 2x270 H {os.devnull}"):
            app.run(line.split())
    return typer.main.get_command(app.build_app())


def serve() -> None:
    """Fork and wait for children as the other side asks, until it closes standard input."""
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background processes ignore it
    group = load_everything()
    gc.collect()
    gc.freeze()  # the children neither look through all this nor get pages of their own for it
    assert threading.active_count() == 1  # a fork copies one thread only
    for line in sys.stdin.buffer:
        wish = json.loads(line)
        answer: int | list[Any]
        if "wait" in wish:
            process, status, usage = os.wait4(wish["wait"], os.WNOHANG)
            answer = [os.waitstatus_to_exitcode(status) if process else None, usage.ru_utime + usage.ru_stime]
        else:
            signal.pthread_sigmask(signal.SIG_BLOCK, STOPS)  # until the child is ready
            answer = os.fork()
            if not answer:
                code = run_child(wish, group)
                for stream in filter(None, (sys.stdout, sys.stderr)):
                    try:
                        stream.flush()
                    except OSError:
                        code = 97
                os._exit(code)
            signal.pthread_sigmask(signal.SIG_UNBLOCK, STOPS)
        sys.stdout.buffer.write(json.dumps(answer).encode() + b"\n")
        sys.stdout.buffer.flush()
    os._exit(0)  # frozen objects cannot be taken apart


if __name__ == "__main__":
    serve()

"""Runs command lines in forks of a process that has everything loaded, so that a start takes no time.

``Forker`` is the tests' side. The other side reads one JSON object a line: what is to be run, where, under which fault.
"""

from __future__ import annotations

import contextlib
import fcntl
import gc
import io
import json
import os
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

STOPS = (signal.SIGINT, signal.SIGTERM)


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
        """What it printed, on standard output and as errors; once, when it has ended."""
        told = []
        for pipe in self.pipes:
            data = b""
            try:
                while more := os.read(pipe, 1 << 20):
                    data += more
            except BlockingIOError:
                pass
            os.close(pipe)
            told.append(data.decode(errors="replace"))
        os.close(self.end)
        return told


class Forker:
    """The process that forks."""

    def __init__(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="zermelo-faults-"))
        self.folder.chmod(0o755)
        self.process = subprocess.Popen([sys.executable, __file__], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.count = 0

    def ask(self, **question: Any) -> Any:
        """Ask the process something."""
        assert self.process.stdin and self.process.stdout
        self.process.stdin.write(json.dumps(question).encode() + b"\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())

    def start(self, words: list[str] | list[list[str]], where: Path, **fault: Any) -> Job:
        """Start a command line (or many, one after the other: a random user) in a folder, under a fault."""
        self.count += 1
        pipes, names = [], {"out": f"{self.count}.out", "err": f"{self.count}.err"}
        for name in names.values():
            os.mkfifo(self.folder / name, 0o666)
            pipes.append(os.open(self.folder / name, os.O_RDWR | os.O_NONBLOCK))
            fcntl.fcntl(pipes[-1], fcntl.F_SETPIPE_SZ, 1 << 20)
        places = {key: str(self.folder / name) for key, name in names.items()}
        process = self.ask(words=words, cwd=str(where), **places, **fault)
        return Job(process, [*words], pipes, os.pidfd_open(process))

    def wait(self, job: Job, seconds: float, *, until_it_speaks: bool = False) -> int | None:
        """Return the exit code (a signal's number is negative), or None if it still runs after so many seconds."""
        ready = select.select([job.end, *job.pipes[:until_it_speaks]], [], [], seconds)[0]
        if job.code is None and job.end in ready:
            job.code, job.used = self.ask(wait=job.process)
        return job.code

    def close(self) -> None:
        """End the process."""
        self.process.communicate()
        shutil.rmtree(self.folder, ignore_errors=True)


def child(wish: dict[str, Any]) -> None:
    """Run a command line in this process, which is all its own."""
    os.setpgid(0, 0)
    os.chdir(wish["cwd"])
    for name, flags, number in (
        (os.devnull, os.O_RDONLY, 0),
        (wish["out"], os.O_WRONLY, 1),
        (wish["err"], os.O_WRONLY, 2),
    ):
        os.dup2(os.open(name, flags), number)
    for name, value in {"MPLCONFIGDIR": "/tmp", "COLUMNS": "120", **wish.get("env", {})}.items():
        if value is None:
            os.environ.pop(name, None)
        else:
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
        time.time = lambda: begin - 100 * (real() - begin) - 3600  # type: ignore[assignment]
    if "file_size" in wish:
        import resource

        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (wish["file_size"], resource.RLIM_INFINITY))
    if wish.get("humble"):  # root's right to write what is read-only is given up
        import ctypes
        import struct

        assert ctypes.CDLL(None).capset(struct.pack("Ii", 0x20080522, 0), bytes(24)) == 0
    from zermelo import cli
    from zermelo.cli import app

    if "log" in wish:
        random_user(app, wish["words"], Path(wish["log"]))
        return
    sys.argv = ["zermelo", *wish["words"]]
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, STOPS)
        cli.main()
    except KeyboardInterrupt:
        sys.exit(130)
    finally:
        signal.pthread_sigmask(signal.SIG_BLOCK, STOPS)


def random_user(app: Any, lines: list[list[str]], log: Path) -> None:
    """Run many command lines; the log gets one before it runs, and how it ended."""
    app.command_for = lambda words: TREE[0]  # made once: it is the same for all
    now = files_here()
    with log.open("w") as out:
        for words in lines:
            print(json.dumps(words), file=out, flush=True)
            told, errors, sys.stdin = io.StringIO(), io.StringIO(), io.StringIO()
            raised = None
            begin, used = time.monotonic(), time.process_time()
            with contextlib.redirect_stdout(told), contextlib.redirect_stderr(errors):
                try:
                    code = call(*words[1:]) if words[0] == "@" else app.run(words)
                except BaseException as error:
                    code, raised = -1, repr(error)[:300]
            took = min(time.monotonic() - begin, time.process_time() - used)  # others may keep the machine busy
            before, now = now, files_here()
            end = [code, raised, took, told.getvalue(), errors.getvalue(), now != before]
            print(json.dumps(end), file=out, flush=True)


TREE: list[Any] = []
"""All commands."""


def files_here() -> list[tuple[str, int]]:
    """The files of this folder, and when they were written."""
    return sorted((file.name, file.stat().st_mtime_ns) for file in os.scandir(".") if file.is_file())


def call(game: str, what: str, spec: str, seconds: str, nodes: str, threads: str) -> int:
    """Ask something from Python; the codes are those of the command line."""
    import zermelo
    from zermelo import cgt
    from zermelo.game import Limits, find_game
    from zermelo.game.marking import mark_moves

    try:
        if what == "cgt":
            with cgt.limits(seconds=float(seconds), memory=1 << 26):
                value = cgt.Value(spec)
                (value + cgt.Value("{1|*}")).text()
                value.thermograph._repr_svg_()
            return 0
        wish: dict[str, Any] = {"seconds": float(seconds), "memory": 1 << 24, "threads": int(threads)}
        if what == "zermelo.solve":
            zermelo.solve(spec, game=game, nodes=int(nodes), **wish)
            return 0
        chosen, limits = find_game(game), Limits(**wish)
        if what == "value":
            with cgt.limits(seconds=float(seconds)):
                getattr(chosen, "value", chosen.parse)(spec)
            return 0
        position = chosen.parse(spec)
        player = position.to_move or chosen.players[0]
        if what == "solve":
            chosen.solve(position, limits=limits)
        elif what == "explain":
            for kind in chosen.explanations:
                chosen.explain(position, kind, limits=Limits(float(seconds) / 9, memory=1 << 24))
        elif what == "prove":
            chosen.prove(position, player, Path("called.zc"), limits=limits)
        elif what == "reply":
            chosen.machine(position, player, limits, chosen.chooser(limits)).reply(position)
        elif what == "mark":
            list(mark_moves(position, player, chosen.chooser(limits), limits))
        elif what == "plan":
            from zermelo.campaign.turn import first_turn

            turn, winner = first_turn(chosen, spec)
            turn.children(winner)
        elif position.size[0] * position.size[1] < 10_000:
            assert chosen.parse(position.text) == position
            assert position.key() and str(position) and position._repr_svg_()
    except (ValueError, OSError):
        return 2
    except cgt.LimitReached:
        return 3
    return 0


def draw_something() -> None:
    """Load what draws, as the first picture does."""
    from zermelo.draw.plot import new_figure

    os.environ["MPLCONFIGDIR"] = "/tmp"
    figure = new_figure(1, 1)
    figure.subplots()
    figure.savefig(io.BytesIO(), format="svg")


def serve() -> None:
    """Answer questions until there are no more."""
    import threading

    from zermelo.cli import app

    signal.signal(signal.SIGINT, signal.default_int_handler)  # who runs tests in the background ignores it

    import pkgutil

    import typer

    import zermelo

    for module in pkgutil.walk_packages(zermelo.__path__, "zermelo."):
        if not module.name.endswith("__main__"):
            with contextlib.suppress(ImportError):  # an optional package is not there
                __import__(module.name)
    with contextlib.suppress(ImportError):
        import distributed  # noqa: F401 (a limit within an import would leave half of it)

    from zermelo.bench import signature

    signature.CASES = signature.CASES[8:10]  # the rooms' own tests run them all; every line of it is run here
    TREE.append(typer.main.get_command(app.build_app()))
    os.environ["ZERMELO_CACHE"] = os.devnull
    with contextlib.redirect_stdout(io.StringIO()):  # what the rules know is worked out once, and is in no cache
        app.run(["table", "12x12"])
        app.run(["why", "6x20"])
        app.run(["proof", "derive", "2x270", "H", os.devnull])
    draw_something()
    gc.collect()
    gc.freeze()  # the children neither look through all this nor get pages of their own for it
    assert threading.active_count() == 1  # else a fork would be half a process
    for line in sys.stdin.buffer:
        wish = json.loads(line)
        answer: int | list[Any]
        if "wait" in wish:
            process, status, usage = os.wait4(wish["wait"], os.WNOHANG)
            code = os.waitstatus_to_exitcode(status) if process else None
            answer = [code, usage.ru_utime + usage.ru_stime]
        else:
            signal.pthread_sigmask(signal.SIG_BLOCK, STOPS)  # until the child is ready
            answer = os.fork()
            if answer:
                signal.pthread_sigmask(signal.SIG_UNBLOCK, STOPS)
            else:
                code = 99
                try:
                    child(wish)
                    code = 0
                except SystemExit as end:
                    code = end.code if isinstance(end.code, int) else 98
                except BaseException:
                    import traceback

                    traceback.print_exc()
                finally:
                    for stream in filter(None, (sys.stdout, sys.stderr)):
                        try:
                            stream.flush()
                        except OSError:
                            code = 97
                    os._exit(code)
        sys.stdout.buffer.write(json.dumps(answer).encode() + b"\n")
        sys.stdout.buffer.flush()
    os._exit(0)  # what is frozen cannot be taken apart


if __name__ == "__main__":
    serve()

"""Everything CI runs, step by step: `./dev test` runs all, `./dev test lint cpp` only those.

Runs inside .venv (made by ./dev). Steps that wait for servers, kills and pages run in two lanes side by side; a third
lane calculates on all processors while they are idle. The tests of load, which measure waiting times, run at the end.
Each step prints its name, its time and that of the processors; the first failure stops the others and shows its output.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BIN = Path(sys.executable).parent
PROCESSORS = str(os.cpu_count() or 1)
# The one optimised build: pip made it for the extension, the tests are linked to the same library, the wheel packs it.
OPTIMISED = ROOT / "build" / sys.implementation.cache_tag
SANITIZED = ROOT / "build" / "sanitize"
PROCESSES = ("tests/python/campaign", "tests/python/store", "tests/python/web")
LOAD = ("tests/python/web/test_web_load.py", "tests/python/web/test_web_attacks.py")


class Step:
    """The commands of a step that is running, one after the other."""

    def __init__(self, output: int | None = None, before: Sequence[str] = ()) -> None:
        """Prepare to run commands; ``output`` is a file for what they print (None: the terminal)."""
        self.output, self.before = output, before
        self.process: subprocess.Popen[bytes] | None = None
        self.stopped = False
        self.used = 0.0  # seconds of the processors

    def run(self, *command: str | Path, env: dict[str, str] | None = None, cwd: Path = ROOT) -> None:
        """Run one command, in a process group of its own so that it can be stopped as a whole."""
        words = [*self.before, *(str(word) for word in command)]
        if self.stopped:
            raise RuntimeError("stopped")
        path = f"{BIN}{os.pathsep}{os.environ['PATH']}"
        self.process = subprocess.Popen(
            words,
            cwd=cwd,
            env={**os.environ, "PATH": path, **(env or {})},
            stdin=subprocess.DEVNULL,
            stdout=self.output,
            stderr=self.output,
            start_new_session=True,
        )
        try:
            _, status, used = os.wait4(self.process.pid, 0)
            self.process.returncode = os.waitstatus_to_exitcode(status)
            self.used += used.ru_utime + used.ru_stime
        except ChildProcessError:  # `stop` waited for it
            pass
        if code := self.process.wait():
            raise RuntimeError(f"failed ({code}): {' '.join(words)}")

    def stop(self) -> None:
        """End the command under way, first as Ctrl-C does, then by force, and begin no other."""
        self.stopped = True
        for number in (signal.SIGINT, signal.SIGKILL):
            if self.process is None or self.process.poll() is not None:
                return
            try:
                os.killpg(self.process.pid, number)
                self.process.wait(10)
            except (ProcessLookupError, subprocess.TimeoutExpired):
                pass


def lint(step: Step) -> None:
    step.run("ruff", "check", "--quiet", ".")
    step.run("ruff", "format", "--quiet", "--check", ".")
    rooms = ("core", "bind", "checker", "tests/cpp", "tests/fuzz")
    sources = sorted(str(p) for room in rooms for p in (ROOT / room).rglob("*.[ch]pp"))
    step.run("clang-format", "--dry-run", "--Werror", *sources)


def types(step: Step) -> None:
    step.run("mypy", "--no-error-summary")


def python(step: Step) -> None:
    """All Python tests except those of `processes` and `load`: the longest step, which often waits for its children."""
    apart = [f"--ignore={path}" for path in (*PROCESSES, *LOAD)]
    step.run("pytest", "-q", "-n", PROCESSORS, "--dist", "worksteal", *apart)


def processes(step: Step) -> None:
    """Campaigns, stores and servers: processes that are killed, filled up and lied to."""
    step.run("pytest", "-q", *PROCESSES, *(f"--ignore={path}" for path in LOAD))


def load(step: Step) -> None:
    """Many visitors at once: the tests that measure how long they wait, beside steps that only fill gaps."""
    step.run("pytest", "-q", *LOAD)


def ctest(step: Step, folder: Path, *words: str, **env: str) -> None:
    step.run(
        "ctest", "--test-dir", folder, "--no-tests=error", "--output-on-failure", "-j", PROCESSORS, *words, env=env
    )


def cpp(step: Step) -> None:
    """The C++ tests, linked to the library that the extension is made of."""
    step.run("cmake", "--build", OPTIMISED, "-j", PROCESSORS, "--target", "tests")
    ctest(step, OPTIMISED)


def build_sanitized(step: Step, target: str) -> None:
    # -Og compiles in half the time of -O1 and runs 1.5 times as long, which is less. -g1 names the lines.
    step.run(
        "cmake", "-S", ".", "-B", SANITIZED, "-G", "Ninja", "-DZERMELO_PYTHON=OFF",
        "-DCMAKE_BUILD_TYPE=RelWithDebInfo", "-DCMAKE_CXX_FLAGS_RELWITHDEBINFO=-Og -g1",
        "-DZERMELO_SANITIZE=address,undefined",
    )  # fmt: skip
    step.run("cmake", "--build", SANITIZED, "-j", PROCESSORS, "--target", target)


def sanitize(step: Step) -> None:
    """The C++ tests, on less work, under AddressSanitizer and UndefinedBehaviorSanitizer."""
    build_sanitized(step, "tests")
    ctest(step, SANITIZED, "-R", "_test", ZERMELO_QUICK="1")


def fuzz(step: Step) -> None:
    """Each fuzz target over its seeds and a fixed number of random mutations."""
    ctest(step, SANITIZED, "-R", "_fuzz", ZERMELO_FUZZ_RUNS="200000")


def odr(step: Step) -> None:
    """No type of the core is defined twice."""
    build_sanitized(step, "odr")


def doctests(step: Step) -> None:
    step.run("pytest", "-q", "--doctest-modules", "-p", "no:cacheprovider", "src/zermelo")


def formal(step: Step) -> None:
    """The proofs are checked anew, and the proved checker is built from them and compared with the others."""
    step.run(sys.executable, "formal/build.py")
    shutil.copy(ROOT / "build/formal/zverify", BIN)
    step.run("pytest", "-q", "tests/formal")


def browser(step: Step) -> None:
    """The pages in a real Chromium."""
    step.run("pytest", "-q", "-s", "--timeout", "120", "tests/browser")


def package(step: Step) -> None:
    """The sdist has all that is built, the wheel answers in an empty environment."""
    with tempfile.TemporaryDirectory() as folder:
        dist, venv = Path(folder, "dist"), Path(folder, "venv")
        step.run(sys.executable, "tests/release.py", dist)
        step.run(sys.executable, "-m", "venv", "--without-pip", venv)  # a pip in it would take longer than the wheel
        pip = (sys.executable, "-m", "pip", "--python", venv, "install", "--no-compile")
        step.run(*pip, "--quiet", "--disable-pip-version-check", next(dist.glob("*.whl")))
        zermelo = venv / "bin/zermelo"
        step.run(zermelo, "solve", "domineering", "4x4", "--first", "V", "--proof", "4x4.zc", cwd=Path(folder))
        step.run(zermelo, "check", "4x4.zc", cwd=Path(folder))


# Three lanes side by side, each in its order; then the last one. A step that fails often and soon comes first.
LANES = ((lint, processes), (python, browser), (types, cpp, package, doctests, formal, sanitize, odr, fuzz))
LAST = (load,)
STEPS = {step.__name__: step for lane in (*LANES, LAST) for step in lane}
PATIENT = LANES[-1]
"""These only calculate: they have what the others leave of the processors."""


class Run:
    """Runs lanes of steps; the first failure ends all."""

    def __init__(self, wanted: Sequence[str]) -> None:
        self.wanted, self.running, self.lock = set(wanted), set[Step](), threading.Lock()
        self.failed, self.used = "", 0.0

    def do(self, work: Callable[[Step], None], output: int | None) -> None:
        """Run a step; on failure stop the others."""
        name, begin = work.__name__, time.monotonic()
        step = Step(output, ("nice", "-n", "19") if work in PATIENT and output is not None else ())
        with self.lock:
            self.running.add(step)
        try:
            work(step)
            print(f"ok    {name:10} {time.monotonic() - begin:5.0f} s {step.used:5.0f} s of processors", flush=True)
        except Exception as error:  # any error of a step ends the run
            with self.lock:
                first, self.failed = not self.failed, self.failed or name
            if first:  # else the failure of another step stopped it
                if output is not None:
                    size = os.fstat(output).st_size
                    sys.stdout.write(os.pread(output, 30_000, max(0, size - 30_000)).decode(errors="replace"))
                print(f"{error}\nFAIL  {name:10} {time.monotonic() - begin:5.0f} s", flush=True)
                self.stop()
        finally:
            with self.lock:
                self.running.discard(step)
                self.used += step.used

    def lane(self, steps: Sequence[Callable[[Step], None]]) -> None:
        for work in steps:
            if work.__name__ in self.wanted and not self.failed:
                with tempfile.TemporaryFile() as output:  # one step alone prints as it goes
                    self.do(work, output.fileno() if len(self.wanted) > 1 else None)

    def stop(self) -> None:
        for step in list(self.running):
            step.stop()

    def all(self) -> None:
        try:
            for lanes in (LANES, (LAST,)):
                threads = [threading.Thread(target=self.lane, args=(lane,)) for lane in lanes]
                for thread in threads:
                    thread.start()
                for thread in threads:
                    thread.join()
        except KeyboardInterrupt:
            self.failed = "interrupted"
            self.stop()
            sys.exit(130)


def main() -> None:
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell in the background ignores it, and tests send it
    wanted = sys.argv[1:] or list(STEPS)
    unknown = [name for name in wanted if name not in STEPS]
    if unknown:
        print(f"no such step: {unknown[0]}; there are {', '.join(STEPS)}", file=sys.stderr)
        sys.exit(2)
    begin, run = time.monotonic(), Run(wanted)
    run.all()
    if run.failed:
        print(f"1 failed: {run.failed}")
        sys.exit(1)
    print(f"{len(wanted)} passed, 0 failed")
    print(f"all of {', '.join(wanted)} in {time.monotonic() - begin:.0f} s, {run.used:.0f} s of the processors")


if __name__ == "__main__":
    main()

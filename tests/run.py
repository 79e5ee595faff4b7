"""Everything CI runs, step by step: `./dev test` runs all, `./dev test lint cpp` only those.

Runs inside .venv (made by ./dev). Two steps run side by side, and a third that only calculates, on all processors and
only while they are idle, fills the time in which those wait for servers, kills and pages. Each prints its name, its
time and that of the processors when it ends; the first failure stops the others and shows what it printed.
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
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BIN = Path(sys.executable).parent
LANES = 2
PROCESSORS = str(os.cpu_count() or 1)
# The one optimised build: pip made it for the extension, the tests are linked to the same library, the wheel packs it.
OPTIMISED = ROOT / "build" / sys.implementation.cache_tag
SANITIZED = ROOT / "build" / "sanitize"


# Who measures how long visitors wait notices little of such a step: a processor is theirs at once.
PATIENT = ["nice", "-n", "19"]
PROCESSES = ("tests/python/campaign", "tests/python/store", "tests/python/web")
LOAD = ("tests/python/web/test_web_load.py", "tests/python/web/test_web_attacks.py")


class StepError(Exception):
    """A command of a step ended badly; its output tells why."""


@dataclass
class Step:
    """A step: what it does, and which steps must have ended before."""

    do: Callable[[Step], None]
    after: tuple[str, ...] = ()
    patient: bool = False  # it only calculates: it has what the others leave, and a lane of its own
    output: int | None = None  # a file for what it prints; None is the terminal
    process: subprocess.Popen[bytes] | None = field(default=None, repr=False)
    stopped: bool = False
    used: float = 0.0  # seconds of the processors

    def run(self, *command: str | Path, env: dict[str, str] | None = None, cwd: Path = ROOT) -> None:
        """Run one command of this step, in a process group of its own so that it can be stopped as a whole."""
        words = [*(PATIENT if self.patient else []), *(str(word) for word in command)]
        if self.stopped:
            raise StepError("stopped")
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
        except ChildProcessError:  # who stopped it waited for it
            pass
        if code := self.process.wait():
            raise StepError(f"failed ({code}): {' '.join(words)}")

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
    """All Python tests but those of the next two steps: the longest step, which often waits for its own children."""
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
    """The pages in a real Chromium; screenshots are left in build/artifacts."""
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


# In the order in which they begin: what fails often and soon, then the longest. Of the patient ones first the chain of
# those that wait for each other and often for one processor, then what fills all of them to the end.
STEPS = {
    "lint": Step(lint),
    "python": Step(python),
    "processes": Step(processes),
    "browser": Step(browser),
    "types": Step(types, patient=True),
    "cpp": Step(cpp, patient=True),
    "package": Step(package, after=("cpp",), patient=True),  # two builds in one folder, one after the other
    "doctests": Step(doctests, patient=True),
    "formal": Step(formal, patient=True),
    "sanitize": Step(sanitize, patient=True),
    "odr": Step(odr, after=("sanitize",), patient=True),
    "fuzz": Step(fuzz, after=("sanitize",), patient=True),
}
STEPS["load"] = Step(load, after=("lint", "python", "processes", "browser"))


class Schedule:
    """Runs steps on two lanes, and patient ones on a third; the first failure ends all."""

    def __init__(self, wanted: list[str]) -> None:
        self.waiting = list(wanted)
        self.running: set[str] = set()
        self.failed: str | None = None
        self.changed = threading.Condition()

    def ready(self, patient: bool) -> str | None:
        """Return the next step that waits for nothing; a patient one where the lane is for those, or no other waits."""
        busy = {*self.waiting, *self.running}
        ready = [name for name in self.waiting if not busy.intersection(STEPS[name].after)]
        first = [name for name in ready if STEPS[name].patient == patient]
        return next(iter(first if patient else first + ready), None)

    def lane(self, patient: bool) -> None:
        while True:
            with self.changed:
                self.changed.wait_for(lambda: self.failed or not self.waiting or self.ready(patient))
                name = self.ready(patient)
                if self.failed or name is None:
                    return
                self.waiting.remove(name)
                self.running.add(name)
            self.do(name)
            with self.changed:
                self.running.discard(name)
                self.changed.notify_all()

    def do(self, name: str) -> None:
        step, begin = STEPS[name], time.monotonic()
        with tempfile.TemporaryFile() as output:
            step.output = output.fileno()
            try:
                step.do(step)
                print(f"ok    {name:10} {time.monotonic() - begin:5.0f} s {step.used:5.0f} s of processors", flush=True)
            except Exception as error:  # whatever ends a step ends the run
                with self.changed:
                    first, self.failed = self.failed is None, self.failed or name
                    self.changed.notify_all()
                if not first:  # stopped by the failure of another
                    return
                output.seek(0)
                sys.stdout.write(output.read().decode(errors="replace")[-30000:])
                print(f"{error}\nFAIL  {name:10} {time.monotonic() - begin:5.0f} s", flush=True)
                self.stop()

    def stop(self) -> None:
        for name in list(self.running):
            STEPS[name].stop()

    def run(self) -> None:
        lanes = [threading.Thread(target=self.lane, args=(lane == LANES,)) for lane in range(LANES + 1)]
        try:
            for lane in lanes:
                lane.start()
            for lane in lanes:
                lane.join()
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
    begin = time.monotonic()
    if len(wanted) == 1:  # one step prints as it goes
        try:
            STEPS[wanted[0]].do(STEPS[wanted[0]])
        except (StepError, KeyboardInterrupt) as error:
            STEPS[wanted[0]].stop()
            print(error or "interrupted")
            sys.exit(1)
    else:
        schedule = Schedule(wanted)
        schedule.run()
        if schedule.failed:
            print(f"1 failed: {schedule.failed}")
            sys.exit(1)
    print(f"{len(wanted)} passed, 0 failed")
    used = sum(STEPS[name].used for name in wanted)
    print(f"all of {', '.join(wanted)} in {time.monotonic() - begin:.0f} s, {used:.0f} s of the processors")


if __name__ == "__main__":
    main()

"""Everything CI runs, room by room: `./dev test` runs all, `./dev test lint cpp` only those.

Runs inside .venv (made by ./dev). Each step prints its name and time; the first failure stops the run.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BIN = Path(sys.executable).parent
JOBS = str(os.cpu_count() or 1)


def run(*command: str | Path, env: dict[str, str] | None = None, cwd: Path = ROOT) -> None:
    path = f"{BIN}{os.pathsep}{os.environ['PATH']}"
    result = subprocess.run([str(word) for word in command], cwd=cwd, env={**os.environ, "PATH": path, **(env or {})})
    if result.returncode:
        print(f"failed ({result.returncode}): {' '.join(str(word) for word in command)}")
        sys.exit(1)


def cpp_sources() -> list[str]:
    rooms = ("core", "bind", "checker", "tests/cpp", "tests/fuzz")
    return sorted(str(p) for room in rooms for p in (ROOT / room).rglob("*.[ch]pp"))


def lint() -> None:
    run("ruff", "check", "--quiet", ".")
    run("ruff", "format", "--quiet", "--check", ".")
    run("clang-format", "--dry-run", "--Werror", *cpp_sources())


def types() -> None:
    run("mypy", "--no-error-summary")


def build_cpp(name: str, *options: str) -> Path:
    build = ROOT / "build" / name
    run("cmake", "-S", ".", "-B", build, "-G", "Ninja", "-DZERMELO_PYTHON=OFF", "-DZERMELO_TESTS=ON", *options)
    run("cmake", "--build", build)
    return build


def cpp() -> None:
    build = build_cpp("cpp", "-DCMAKE_BUILD_TYPE=Release", "-DCMAKE_CXX_FLAGS_RELEASE=-O2")
    run("ctest", "--test-dir", build, "--output-on-failure", "-j", JOBS)


def sanitize() -> None:
    """The C++ tests, on less work, under AddressSanitizer and UndefinedBehaviorSanitizer."""
    # -O1 -g1 compiles in half the time of -O2 -g, and names the lines all the same; assertions are on.
    build = build_cpp(
        "sanitize",
        "-DCMAKE_BUILD_TYPE=RelWithDebInfo",
        "-DCMAKE_CXX_FLAGS_RELWITHDEBINFO=-O1 -g1",
        "-DZERMELO_SANITIZE=address,undefined",
    )
    run("ctest", "--test-dir", build, "--output-on-failure", "-j", JOBS, env={"ZERMELO_QUICK": "1"})


def fuzz() -> None:
    """Each fuzz target over its seeds and a fixed number of random mutations."""
    build = ROOT / "build" / "sanitize"
    for target in sorted(build.glob("*_fuzz")):
        run(target, env={"ZERMELO_FUZZ_RUNS": "200000"})


def python() -> None:
    run("pytest", "-q", "-n", JOBS, "--dist", "worksteal")


def doctests() -> None:
    run("pytest", "-q", "--doctest-modules", "-p", "no:cacheprovider", "src/zermelo")


def docs() -> None:
    """The documentation site; a warning is an error."""
    run("sphinx-build", "-q", "-W", "--keep-going", "-b", "html", "docs", "docs/_build/html")


def browser() -> None:
    """The pages in a real Chromium; screenshots are left in build/artifacts."""
    # ./dev is a script without an ending, so it is imported by its path.
    sys.dont_write_bytecode = True
    loader = SourceFileLoader("dev", str(ROOT / "dev"))
    dev = module_from_spec(spec_from_loader("dev", loader) or sys.exit(1))
    loader.exec_module(dev)
    dev.need_system_packages({"chromium": Path("/usr/bin/chromium").exists()})
    run("pytest", "-q", "-s", "--timeout", "120", "tests/browser")


def package() -> None:
    """sdist and wheel build, install into an empty environment and answer."""
    with tempfile.TemporaryDirectory() as folder:
        dist = Path(folder, "dist")
        run("python", "-m", "build", "--no-isolation", "--outdir", dist)
        wheel = next(dist.glob("*.whl"))
        venv = Path(folder, "venv")
        run(sys.executable, "-m", "venv", venv)
        run(venv / "bin/pip", "install", "--quiet", "--disable-pip-version-check", wheel)
        run(venv / "bin/zermelo", "solve", "domineering", "4x4", cwd=Path(folder))


STEPS: dict[str, Callable[[], None]] = {
    "lint": lint,
    "types": types,
    "cpp": cpp,
    "sanitize": sanitize,
    "fuzz": fuzz,
    "python": python,
    "doctests": doctests,
    "docs": docs,
    "browser": browser,
    "package": package,
}


def main() -> None:
    wanted = sys.argv[1:] or list(STEPS)
    unknown = [name for name in wanted if name not in STEPS]
    if unknown:
        print(f"no such step: {unknown[0]}; there are {', '.join(STEPS)}", file=sys.stderr)
        sys.exit(2)
    start = time.monotonic()
    for name in wanted:
        print(f"== {name}", flush=True)
        begin = time.monotonic()
        STEPS[name]()
        print(f"== {name} done in {time.monotonic() - begin:.0f} s", flush=True)
    print(f"{len(wanted)} passed, 0 failed")
    print(f"all of {', '.join(wanted)} in {time.monotonic() - start:.0f} s")


if __name__ == "__main__":
    main()

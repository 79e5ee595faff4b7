"""Make the sdist and the wheel: `./dev release` leaves them in dist/, `./dev test package` tries them.

The wheel is packed from the build that the tests ran against, not compiled again. That the sdist builds the same thing
follows from its files: all that the build reads is in it, byte for byte, and CMake takes it.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BUILT_FROM = ("CMakeLists.txt", "pyproject.toml", "README.md", "LICENSE", "core", "bind", "checker", "docs", "src")


def run(*command: str | Path) -> None:
    print("$", *command, flush=True)
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    if subprocess.run([str(word) for word in command], cwd=ROOT, env={**os.environ, "PATH": path}).returncode:
        sys.exit(f"release: failed: {' '.join(str(word) for word in command)}")


def tracked(*paths: str) -> list[str]:
    listed = subprocess.run(["git", "ls-files", *paths], cwd=ROOT, check=True, capture_output=True, text=True)
    return listed.stdout.splitlines()


def check_sdist(sdist: Path) -> None:
    """Stop unless the sdist holds every file that the build reads, unchanged, and CMake finds all in it."""
    with tempfile.TemporaryDirectory() as folder, tarfile.open(sdist) as archive:
        archive.extractall(folder, filter="data")
        source = next(Path(folder).iterdir())
        for name in tracked(*BUILT_FROM):
            if not (source / name).is_file() or (source / name).read_bytes() != (ROOT / name).read_bytes():
                sys.exit(f"release: {name} is missing from the sdist, or differs")
        run("cmake", "-S", source, "-B", Path(folder, "build"), "-G", "Ninja", "-DZERMELO_PYTHON=OFF")


def check_wheel(wheel: Path) -> None:
    """Stop unless the wheel holds the server's pages and the documentation that they link to."""
    with zipfile.ZipFile(wheel) as archive:
        there = archive.namelist()
    for name in tracked("src/zermelo/web/static", "docs/*.md", "docs/pictures"):
        if f"zermelo/{name.removeprefix('src/zermelo/')}" not in there:
            sys.exit(f"release: {name} is missing from the wheel")


def main() -> None:
    dist = Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory() as folder:
        run(sys.executable, "-m", "build", "--no-isolation", "--sdist", "--outdir", dist)
        check_sdist(max(dist.glob("*.tar.gz"), key=lambda path: path.stat().st_mtime))
        # One wheel for all Linux systems at least as new as this one: auditwheel looks at what it links to.
        run(sys.executable, "-m", "build", "--no-isolation", "--wheel", "--outdir", folder)
        run(sys.executable, "-m", "auditwheel", "repair", "--wheel-dir", dist, next(Path(folder).glob("*.whl")))
        check_wheel(next(dist.glob("*.whl")))
    print(*sorted(path.name for path in dist.iterdir()), sep="\n")


if __name__ == "__main__":
    main()

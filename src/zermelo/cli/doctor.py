"""`zermelo doctor`: is this installation sound?"""

from __future__ import annotations

import sys
from pathlib import Path

import typer

from zermelo.cli.options import Json
from zermelo.cli.output import REJECTED, print_json

OPTIONAL = {"fastapi": "web", "uvicorn": "web", "dask": "cluster", "distributed": "cluster", "matplotlib": "plot"}


def installed(name: str) -> str | None:
    """Return the version of a package, or None."""
    import importlib.metadata

    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return None


def processor_features() -> list[str]:
    """Name the instruction sets that matter to the core, where the system tells."""
    try:
        text = Path("/proc/cpuinfo").read_text()
    except OSError:
        return []
    flags = next((line.split(":", 1)[1].split() for line in text.splitlines() if line.startswith("flags")), [])
    return [name for name in ("sse4_2", "popcnt", "avx2", "bmi2", "avx512f") if name in flags]


def self_test() -> dict[str, bool]:
    """Answer small questions in different ways that must agree."""
    from zermelo import solve
    from zermelo.cgt import domineering_value
    from zermelo.domineering.engine import DOMI_OPTIONS, OBSEQUI_OPTIONS

    answers = {solve("5x6").outcome, *(solve("5x6", options=o).outcome for o in (OBSEQUI_OPTIONS, DOMI_OPTIONS))}
    return {
        "three searches agree on 5x6": len(answers) == 1,
        "the value of 2x2 is its own negative": domineering_value("2x2") == -domineering_value("2x2"),
    }


def doctor(as_json: Json = False) -> None:
    """Show whether this installation is sound. Versions, processor, caches, a self-test; exit code 1 if not."""
    import platform

    from zermelo import __version__, _core

    tests = self_test()
    cache = Path(_core.strip_cache_folder() or ".")
    files = sorted(cache.glob("*")) if cache.is_dir() else []
    extras = {name: installed(name) for name in OPTIONAL}
    report = {
        "version": __version__,
        "python": sys.version.split()[0],
        "platform": platform.platform(),
        "processor_features": processor_features(),
        "cache": {
            "folder": str(cache),
            "files": len(files),
            "bytes": sum(f.stat().st_size for f in files if f.is_file()),
        },
        "extras": extras,
        "self_test": tests,
        "sound": all(tests.values()),
    }
    if as_json:
        print_json(report)
    else:
        print(f"zermelo {__version__}, Python {report['python']}, {report['platform']}")
        print(f"processor: {', '.join(processor_features()) or 'no feature list'}")
        print(f"cache: {cache}, {len(files)} files")
        for name, version in extras.items():
            print(f"{name}: {version or f'not installed (pip install zermelo[{OPTIONAL[name]}])'}")
        for name, passed in tests.items():
            print(f"{'ok' if passed else 'FAILED'}: {name}")
    if not report["sound"]:
        raise typer.Exit(REJECTED)

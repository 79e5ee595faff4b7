"""Data flows one way: no include and no import points back up the house."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]

CORE_ROOMS = ["board", "cgt", "bound", "search", "positional", "proof"]
# A package may import those to its left (and its own modules).
PYTHON_ROOMS = [
    "draw",
    "cgt",
    "domineering",
    "positional",
    "proof",
    "store",
    "campaign",
    "bench",
    "web",
    "cli",
]


def includes(file: Path) -> list[str]:
    return re.findall(r'^\s*#include "([^"]+)"', file.read_text(), re.MULTILINE)


def back_edges_of_core(core: Path) -> list[str]:
    found = []
    for file in sorted(core.rglob("*.[ch]pp")):
        room = file.relative_to(core).parts[0]
        for name in includes(file):
            target = name.split("/")[0]
            if target not in CORE_ROOMS or CORE_ROOMS.index(target) > CORE_ROOMS.index(room):
                found.append(f"{file.relative_to(core)} includes {name}")
            if room == "positional" and target not in ("board", "positional"):
                found.append(f"{file.relative_to(core)} includes {name}")
    return found


def imported_modules(file: Path) -> list[str]:
    names: list[str] = []
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            names += [f"{node.module}.{alias.name}" for alias in node.names]
    return names


def back_edges_of_package(package: Path) -> list[str]:
    found = []
    for file in sorted(package.rglob("*.py")):
        parts = file.relative_to(package).parts
        if len(parts) == 1:
            continue
        room = parts[0]
        for name in imported_modules(file):
            words = name.split(".")
            if words[0] != "zermelo" or len(words) < 2 or words[1] not in PYTHON_ROOMS:
                continue
            if PYTHON_ROOMS.index(words[1]) > PYTHON_ROOMS.index(room):
                found.append(f"{file.relative_to(package)} imports {name}")
    return found


def test_core_includes_point_down_only() -> None:
    assert back_edges_of_core(ROOT / "core") == []


def test_package_imports_point_down_only() -> None:
    assert back_edges_of_package(ROOT / "src" / "zermelo") == []


def test_bindings_hold_no_python_rooms() -> None:
    rooms = {
        path.name
        for path in (ROOT / "src" / "zermelo").iterdir()
        if (path / "__init__.py").exists()
    }
    assert rooms <= set(PYTHON_ROOMS)


@pytest.mark.parametrize(
    ("room", "line"),
    [("board", '#include "search/result.hpp"'), ("bound", '#include "proof/x.hpp"')],
)
def test_layer_test_finds_a_back_edge_in_core(tmp_path: Path, room: str, line: str) -> None:
    (tmp_path / room).mkdir()
    (tmp_path / room / "bad.hpp").write_text(line + "\n")
    assert len(back_edges_of_core(tmp_path)) == 1


def test_layer_test_finds_a_back_edge_in_the_package(tmp_path: Path) -> None:
    (tmp_path / "cgt").mkdir()
    (tmp_path / "cgt" / "bad.py").write_text("def f():\n    from zermelo.cli import app\n")
    assert back_edges_of_package(tmp_path) == ["cgt/bad.py imports zermelo.cli.app"]

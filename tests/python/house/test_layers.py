"""Data flows one way: no include and no import points back up the house."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]

# A room may include those to its left (and its own files); the two games know nothing of each other.
CORE_ROOMS = [
    "base",
    "cgt",
    "domineering/board",
    "domineering/values",
    "domineering/bound",
    "domineering/search",
    "domineering/obsequi",
    "domineering/proof",
    "positional",
    "positional/proof",
]
# A package may import those to its left (and its own modules).
PYTHON_ROOMS = ["draw", "cgt", "domineering", "positional", "proof", "store", "campaign", "bench", "web", "cli"]


def includes(file: Path) -> list[str]:
    return re.findall(r'^\s*#include "([^"]+)"', file.read_text(), re.MULTILINE)


def back_edges_of_core(core: Path) -> list[str]:
    found = []
    for file in sorted(core.rglob("*.[ch]pp")):
        room = str(file.parent.relative_to(core))
        for name in includes(file):
            target = name.rpartition("/")[0]
            games = {path.partition("/")[0] for path in (room, target)} - {"base", "cgt"}
            back = target not in CORE_ROOMS or CORE_ROOMS.index(target) > CORE_ROOMS.index(room)
            if back or len(games) > 1:
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
    rooms = {path.name for path in (ROOT / "src" / "zermelo").iterdir() if (path / "__init__.py").exists()}
    assert rooms <= set(PYTHON_ROOMS)


@pytest.mark.parametrize(
    ("room", "line"),
    [
        ("base", '#include "cgt/arena.hpp"'),
        ("domineering/bound", '#include "domineering/proof/x.hpp"'),
        ("positional", '#include "domineering/board/board.hpp"'),
    ],
)
def test_layer_test_finds_a_back_edge_in_core(tmp_path: Path, room: str, line: str) -> None:
    (tmp_path / room).mkdir(parents=True)
    (tmp_path / room / "bad.hpp").write_text(line + "\n")
    assert len(back_edges_of_core(tmp_path)) == 1


def test_layer_test_finds_a_back_edge_in_the_package(tmp_path: Path) -> None:
    (tmp_path / "cgt").mkdir()
    (tmp_path / "cgt" / "bad.py").write_text("def f():\n    from zermelo.cli import app\n")
    assert back_edges_of_package(tmp_path) == ["cgt/bad.py imports zermelo.cli.app"]

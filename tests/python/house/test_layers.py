"""Data flows one way: no include and no import points back up the house, and the doors know no game by name."""

from __future__ import annotations

import ast
import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
PACKAGE = ROOT / "src" / "zermelo"

# A room may include those to its left (and its own files); the games know nothing of each other.
OF_GAMES = {
    "domineering": ["board", "values", "bound", "search", "obsequi", "proof"],
    "positional": ["board", "pairing", "threat", "search", "race", "proof"],
}
CORE_ROOMS = ["base", "cgt", "games", *(f"{game}/{room}" for game, rooms in OF_GAMES.items() for room in rooms)]
# A package may import those to its left (and its own modules). The folder game and the files beside the packages say
# what a game is: every package may import them, and they themselves use only what lies left of the games.
PYTHON_ROOMS = [
    "draw",
    "cgt",
    "proof",
    "domineering",
    "positional",
    "games",
    "store",
    "campaign",
    "bench",
    "web",
    "cli",
]
GAMES = ["domineering", "positional", "games"]
FOR_ALL_GAMES = ["proof", "store", "campaign", "web", "cli"]
"""These know no game by name: what they say and do comes from the registry."""


def includes(file: Path) -> list[str]:
    return re.findall(r'^\s*#include "([^"]+)"', file.read_text(), re.MULTILINE)


def back_edges_of_core(core: Path) -> list[str]:
    found = []
    for file in sorted(core.rglob("*.[ch]pp")):
        room = str(file.parent.relative_to(core))
        for name in includes(file):
            target = name.rpartition("/")[0]
            games = {path.partition("/")[0] for path in (room, target)} - {"base", "cgt", "games"}
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


def may_import(room: str, target: str) -> bool:
    """Whether a file of a room (or a file beside the rooms) may import from another room."""
    if room in ("", "game"):
        return PYTHON_ROOMS.index(target) < PYTHON_ROOMS.index(GAMES[0])
    if room != target and {room, target} <= set(GAMES):
        return False
    return PYTHON_ROOMS.index(target) <= PYTHON_ROOMS.index(room)


def back_edges_of_package(package: Path) -> list[str]:
    found = []
    for file in sorted(package.rglob("*.py")):
        *rooms, name = file.relative_to(package).parts
        if not rooms and name in ("__init__.py", "__main__.py"):  # the way in
            continue
        for module in imported_modules(file):
            words = module.split(".")
            known = words[0] == "zermelo" and len(words) > 1 and words[1] in PYTHON_ROOMS
            if known and not may_import(rooms[0] if rooms else "", words[1]):
                found.append(f"{file.relative_to(package)} imports {module}")
    return found


def words_of_games() -> str:
    """Every name of a game, of those in examples too, and of the packages that hold them."""
    names = {"domineering", "positional", "m,n,k", "hypergraphs"}
    for project in (ROOT / "pyproject.toml", *(ROOT / "examples").glob("*/pyproject.toml")):
        names |= set(tomllib.loads(project.read_text())["project"]["entry-points"]["zermelo.games"])
    return "|".join(sorted(map(re.escape, names - {"col"})))  # a column, too


def named_games(folder: Path) -> list[str]:
    """Every place in a folder that names a game: code, strings, comments, pages."""
    found = []
    # A name counts inside write_domineering too, but not inside another word.
    pattern = re.compile(rf"(?<![a-z])({words_of_games()})(?![a-z])", re.IGNORECASE)
    for file in sorted(folder.rglob("*")):
        if file.suffix not in (".py", ".js", ".html", ".css", ".json", ".sql"):
            continue
        for number, line in enumerate(file.read_text().splitlines(), 1):
            # "positional" and "hex" are words of Python as well as of games.
            if pattern.search(re.sub(r"positional (arguments?|parameters?)|\.hex\(", "", line)):
                found.append(f"{file.relative_to(folder.parent)}:{number}: {line.strip()}")
    return found


def test_core_includes_point_down_only() -> None:
    assert back_edges_of_core(ROOT / "core") == []


def test_package_imports_point_down_only() -> None:
    assert back_edges_of_package(PACKAGE) == []


@pytest.mark.parametrize("room", FOR_ALL_GAMES)
def test_room_for_all_games_names_none(room: str) -> None:
    assert named_games(PACKAGE / room) == []


def test_bindings_hold_no_python_rooms() -> None:
    rooms = {path.name for path in PACKAGE.iterdir() if (path / "__init__.py").exists()}
    assert rooms <= {*PYTHON_ROOMS, "game"}


def test_layer_test_finds_back_edges(tmp_path: Path) -> None:
    core = [
        ("base", "cgt/arena.hpp"),
        ("domineering/bound", "domineering/proof/x.hpp"),
        ("positional/board", "domineering/board/board.hpp"),
    ]
    for room, included in core:
        (tmp_path / "core" / room).mkdir(parents=True)
        (tmp_path / "core" / room / "bad.hpp").write_text(f'#include "{included}"\n')
    assert back_edges_of_core(tmp_path / "core") == [f"{room}/bad.hpp includes {name}" for room, name in core]
    package = [
        ("bad.py", "zermelo.positional.game"),
        ("cgt/bad.py", "zermelo.cli.app"),
        ("positional/bad.py", "zermelo.domineering.position"),
        ("proof/bad.py", "zermelo.domineering.position"),
    ]
    for file, imported in package:
        (tmp_path / "package" / file).parent.mkdir(parents=True, exist_ok=True)
        module, _, name = imported.rpartition(".")
        (tmp_path / "package" / file).write_text(f"def f():\n    from {module} import {name}\n")
    assert back_edges_of_package(tmp_path / "package") == [f"{file} imports {name}" for file, name in package]


def test_name_test_finds_games_and_takes_other_words(tmp_path: Path) -> None:
    bad = ["import zermelo.domineering", "def mnk_json(): ...", 'game = "Domineering"', "# m,n,k", "is_hypergraph = 1"]
    (tmp_path / "bad.py").write_text("\n".join([*bad, "scrambled = 1  # a positional argument"]))
    assert len(named_games(tmp_path)) == len(bad)

"""Hypergraphs as text: one line, ``.hyp`` files (one hyperedge per line) and ``.pg`` files (published benchmarks)."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from urllib.parse import unquote

from zermelo.files import read_file
from zermelo.game import Player
from zermelo.positional.animals import animal_game
from zermelo.positional.dominoes import DominoPosition
from zermelo.positional.pg import parse_pg
from zermelo.positional.position import BREAKER, MAKER, HypergraphPosition
from zermelo.positional.race import Goal, RacePosition
from zermelo.positional.turns import Turns

MAX_BYTES = 4 << 20


AnyPosition = HypergraphPosition | RacePosition | DominoPosition


def parse_hypergraph(text: str) -> AnyPosition:
    """Read a hypergraph in one line. No file is opened: that is :func:`read_hypergraph`.

    ``/`` separates hyperedges. After ``:`` come marks, vertices on no hyperedge, and the player to move.
    ``strong:`` in front means the strong game. ``%2F`` stands for a ``/`` within a name.

    >>> parse_hypergraph("a b c / c d : maker a, breaker d, maker b").maker
    (0, 1)
    >>> parse_hypergraph("strong: a b / c d : free e").vertices
    ('a', 'b', 'c', 'd', 'e')

    :raises ValueError: with one sentence about the mistake.
    """
    body = text.strip()
    if body.startswith(("race:", "join:")):
        return RacePosition.read(body)
    if body.startswith("dominoes:"):
        return DominoPosition.read(body)
    if (named := animal_game(body)) is not None:
        return named
    strong = body.startswith("strong:")
    body = body.removeprefix("strong:").strip()
    if body.endswith((".hyp", ".pg")):
        raise ValueError(f"{body[:60]!r} is the name of a file, not a hypergraph such as 'a b c / c d'")
    head, _, tail = body.partition(":")
    edges = [list(map(unquote, part.split())) for part in head.split("/")] if head.strip() else []
    if not all(edges):
        raise ValueError("a hyperedge must have at least one vertex: write hyperedges as in 'a b c / c d'")
    groups: dict[str, list[str]] = {}
    to_move: Player | None = None
    for part in tail.split(",") if tail.strip() else ():
        word, *names = part.split() or [""]
        if names == ["to", "move"] and word in (MAKER, BREAKER):
            to_move = word
        elif word in (MAKER, BREAKER, "free"):
            groups.setdefault(word, []).extend(map(unquote, names))
        else:
            raise ValueError(
                f"{part.strip()[:40]!r} is not understood: after ':' write 'maker a b', 'breaker c', 'free d' "
                "or 'maker to move', separated by commas"
            )
    marks = {player: groups.get(player, []) for player in (MAKER, BREAKER)}
    ahead = len(marks[MAKER]) - len(marks[BREAKER])
    uneven = strong and (ahead not in (-1, 0, 1) or to_move == {1: MAKER, -1: BREAKER}.get(ahead, ""))
    position = HypergraphPosition.from_edges(
        edges, maker=marks[MAKER], breaker=marks[BREAKER], also=groups.get("free", ()), to_move=to_move,
        strong=strong and not uneven,
    )  # fmt: skip
    if not uneven:
        return position
    # A handicap: the marks do not fit turns taken one by one.
    goal, turns = Goal(position.edges), Turns((), (1, 0) if to_move == BREAKER else (0, 1))
    return RacePosition(position.vertices, (goal, goal), position.maker, position.breaker, turns)


def cube_text(size: int) -> str:
    """Return the strong game on all lines of a cube: rows first, so that cells are numbered layer by layer."""
    every = list(product(range(size), repeat=3))
    steps = [step for step in product((0, 1, -1), repeat=3) if next(filter(None, step), 0) > 0]
    lines = []
    for z, y, x in sorted(steps, key=lambda step: sum(map(abs, step))):
        for start in every:
            line = [(start[2] + i * z, start[1] + i * y, start[0] + i * x) for i in range(size)]
            if all(0 <= part < size for part in line[-1]):
                lines.append(["".join(str(part + 1) for part in cell) for cell in line])
    lines.sort(key=lambda line: line[0][1:] != line[1][1:])
    return "strong: " + " / ".join(map(" ".join, lines))


def read_hypergraph(path: Path, *, strong: bool = False) -> AnyPosition:
    """Read a ``.hyp`` or ``.pg`` file.

    :raises ValueError: if the name ends otherwise, or the content is wrong.
    """
    if path.suffix not in (".hyp", ".pg"):
        raise ValueError(f"hypergraph file {path.name!r} must end in .hyp or .pg")
    try:
        if path.stat().st_size > MAX_BYTES:
            raise ValueError(f"{path.name} is too large: at most {MAX_BYTES >> 20} MiB")
        text = _with_actions(read_file(path).decode(), path)
    except OSError as error:
        raise ValueError(f"hypergraph file {path} cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise ValueError(f"{path.name} is not a text file") from None
    try:
        return (parse_pg if path.suffix == ".pg" else parse_hyp)(text, strong=strong)
    except ValueError as error:
        raise ValueError(f"{path.name}: {error}") from None


def _with_actions(text: str, path: Path) -> str:
    """Return the text of a board with the actions of its game, which other programs keep in a file beside it."""
    beside = sorted(path.parent.glob("*domain*")) if "#boardsize" in text and "actions" not in text else []
    return text + "\n" + read_file(beside[0]).decode() if beside else text


def parse_hyp(text: str, *, strong: bool = False) -> HypergraphPosition:
    """Read one hyperedge per line, vertex names separated by blanks, ``#`` comments.

    >>> game = parse_hyp("a b c  # a comment\\nc d\\n")
    >>> game.vertices, game.edges
    (('a', 'b', 'c', 'd'), ((0, 1, 2), (2, 3)))

    :raises ValueError: naming the line.
    """
    edges = list[list[str]]()
    for number, line in enumerate(text.splitlines(), 1):
        content, hash_sign, _ = line.partition("#")
        words = content.split()
        if content and not words and not hash_sign:
            raise ValueError(f"line {number}: an empty hyperedge (blanks only)")
        for word in words:
            if not word.isprintable():
                raise ValueError(f"line {number}: {word!r} is not a vertex name")
        if len(set(words)) != len(words):
            raise ValueError(f"line {number}: a vertex is named twice")
        edges += [words] if words else []
    return HypergraphPosition.from_edges(edges, strong=strong)

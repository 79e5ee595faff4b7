"""Hypergraph files: ``.hyp`` (one hyperedge per line) and ``.pg`` (published positional-game benchmarks)."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

MAX_VERTICES = 256
MAX_EDGES = 1024
MAX_BYTES = 4 << 20

_PG_WORDS = (
    "version", "times", "blackturns", "positions", "blackwins", "whitewins",
    "blackinitials", "whiteinitials", "firstmoves",
)  # fmt: skip


@dataclass(frozen=True)
class HypergraphGame:
    """A Maker-Breaker game on a hypergraph: names of the vertices, hyperedges as vertex numbers, first marks."""

    name: str
    vertices: tuple[str, ...]
    edges: tuple[tuple[int, ...], ...]
    maker: tuple[int, ...] = ()
    breaker: tuple[int, ...] = ()


def parse_hyp(text: str, name: str = "game.hyp") -> HypergraphGame:
    """Read one hyperedge per line, vertex names separated by blanks, ``#`` comments.

    >>> game = parse_hyp("a b c  # a comment\\nc d\\n")
    >>> game.vertices, game.edges
    (('a', 'b', 'c', 'd'), ((0, 1, 2), (2, 3)))

    :raises ValueError: naming the line.
    """
    index: dict[str, int] = {}
    edges: list[tuple[int, ...]] = []
    for number, line in enumerate(text.splitlines(), 1):
        content, hash_sign, _ = line.partition("#")
        words = content.split()
        if not words:
            if content and not hash_sign:
                raise ValueError(f"{name}, line {number}: an empty hyperedge (blanks only)")
            continue
        for word in words:
            if not word.isprintable():
                raise ValueError(f"{name}, line {number}: {word!r} is not a vertex name")
        if len(set(words)) != len(words):
            raise ValueError(f"{name}, line {number}: a vertex is named twice")
        edges.append(tuple(index.setdefault(word, len(index)) for word in words))
    return _checked(HypergraphGame(name, tuple(index), tuple(edges)))


def parse_pg(text: str, name: str = "game.pg") -> HypergraphGame:
    """Read the ``.pg`` format: Black is Maker and moves first, ``#blackwins`` are the hyperedges.

    >>> text = "#times\\nt1 t2 t3\\n#blackturns\\nt1 t3\\n#positions\\na b c\\n#blackwins\\na b\\nb c\\n"
    >>> parse_pg(text).edges
    ((0, 1), (1, 2))

    :raises ValueError: naming the line, or saying what this solver cannot express: a bounded number of moves, another
        order of turns, winning sets for White, restricted first moves.
    """
    parts: dict[str, list[tuple[int, list[str]]]] = {word: [] for word in _PG_WORDS}
    current = ""
    for number, line in enumerate(text.splitlines(), 1):
        words = line.split()
        if not words:
            continue
        if words[0].startswith("#"):
            current = words[0][1:]
            if current not in parts:
                raise ValueError(f"{name}, line {number}: no such code word: {words[0]}")
            continue
        if not current:
            raise ValueError(f"{name}, line {number}: a code word such as #positions must come first")
        parts[current].append((number, words))

    index: dict[str, int] = {}
    for number, words in parts["positions"]:
        for word in words:
            if word in index:
                raise ValueError(f"{name}, line {number}: position {word} is named twice")
            index[word] = len(index)
    if not index:
        raise ValueError(f"{name}: #positions is missing or empty")

    def numbers(section: str) -> list[tuple[int, ...]]:
        result = []
        for number, words in parts[section]:
            unknown = next((word for word in words if word not in index), None)
            if unknown is not None:
                raise ValueError(f"{name}, line {number}: {unknown} is not in #positions")
            result.append(tuple(dict.fromkeys(index[word] for word in words)))
        return result

    if parts["whitewins"] or parts["firstmoves"]:
        raise ValueError(f"{name}: #whitewins and #firstmoves are not supported; this solver plays Maker-Breaker")
    maker = tuple(v for line in numbers("blackinitials") for v in line)
    breaker = tuple(v for line in numbers("whiteinitials") for v in line)
    times = [word for _, words in parts["times"] for word in words]
    black = {word for _, words in parts["blackturns"] for word in words}
    if times:
        if [time in black for time in times] != [i % 2 == 0 for i in range(len(times))]:
            raise ValueError(f"{name}: Black must move first and the players in turn")
        if len(times) < len(index) - len(maker) - len(breaker):
            raise ValueError(f"{name}: the game is bounded to {len(times)} moves; this solver plays to the end")
    edges = tuple(numbers("blackwins"))
    return _checked(HypergraphGame(name, tuple(index), edges, maker, breaker))


def _checked(game: HypergraphGame) -> HypergraphGame:
    if len(game.vertices) > MAX_VERTICES:
        raise ValueError(f"{game.name}: at most {MAX_VERTICES} vertices, this file has {len(game.vertices)}")
    if len(game.edges) > MAX_EDGES:
        raise ValueError(f"{game.name}: at most {MAX_EDGES} hyperedges, this file has {len(game.edges)}")
    if set(game.maker) & set(game.breaker):
        raise ValueError(f"{game.name}: a vertex is marked by both players")
    return game


def read_hypergraph(path: Path) -> HypergraphGame:
    """Read a ``.hyp`` or ``.pg`` file.

    :raises ValueError: if the name ends otherwise, or the content is not what it should be.
    """
    if path.suffix not in (".hyp", ".pg"):
        raise ValueError(f"hypergraph file {path.name!r} must end in .hyp or .pg")
    if path.stat().st_size > MAX_BYTES:
        raise ValueError(f"{path.name} is too large: at most {MAX_BYTES >> 20} MiB")
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise ValueError(f"{path.name} is not a text file") from None
    return parse_pg(text, path.name) if path.suffix == ".pg" else parse_hyp(text, path.name)

"""Hypergraphs as text: one line, ``.hyp`` files (one hyperedge per line) and ``.pg`` files (published benchmarks)."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import unquote

from zermelo.files import read_file
from zermelo.game import Player
from zermelo.positional.position import BREAKER, MAKER, HypergraphPosition

MAX_BYTES = 4 << 20

_PG_WORDS = (
    "version", "times", "blackturns", "positions", "blackwins", "whitewins",
    "blackinitials", "whiteinitials", "firstmoves",
)  # fmt: skip


def parse_hypergraph(text: str) -> HypergraphPosition:
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
    return HypergraphPosition.from_edges(
        edges,
        maker=groups.get(MAKER, ()),
        breaker=groups.get(BREAKER, ()),
        also=groups.get("free", ()),
        to_move=to_move,
        strong=strong,
    )


def read_hypergraph(path: Path, *, strong: bool = False) -> HypergraphPosition:
    """Read a ``.hyp`` or ``.pg`` file.

    :raises ValueError: if the name ends otherwise, or the content is wrong.
    """
    if path.suffix not in (".hyp", ".pg"):
        raise ValueError(f"hypergraph file {path.name!r} must end in .hyp or .pg")
    try:
        if path.stat().st_size > MAX_BYTES:
            raise ValueError(f"{path.name} is too large: at most {MAX_BYTES >> 20} MiB")
        text = read_file(path).decode()
    except OSError as error:
        raise ValueError(f"hypergraph file {path} cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise ValueError(f"{path.name} is not a text file") from None
    return (parse_pg if path.suffix == ".pg" else parse_hyp)(text, path.name, strong=strong)


def parse_hyp(text: str, name: str = "game.hyp", *, strong: bool = False) -> HypergraphPosition:
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
    return HypergraphPosition(tuple(index), tuple(edges), strong=strong, source=name)


def parse_pg(text: str, name: str = "game.pg", *, strong: bool = False) -> HypergraphPosition:
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
        if words and words[0].startswith("#"):
            current = words.pop(0)[1:]
            if current not in parts:
                raise ValueError(f"{name}, line {number}: no such code word: #{current}")
        if words and not current:
            raise ValueError(f"{name}, line {number}: a code word such as #positions must come first")
        if words:
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
    return HypergraphPosition(tuple(index), tuple(numbers("blackwins")), maker, breaker, strong=strong, source=name)

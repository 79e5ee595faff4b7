"""What one does with certificates besides checking them: describe, trim, show, extract, merge."""

from __future__ import annotations

import html
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

from zermelo.domineering.position import Player, Position
from zermelo.proof.container import (
    TOPOLOGIES,
    Bytes,
    Claim,
    read_claim,
    read_payload,
    read_version,
    varint,
    write_payload,
)
from zermelo.proof.strategy import ALL, DomineeringStrategy, Node, forgotten
from zermelo.proof.writing import Written, write_domineering

RECORDS = ("end", "pairs", "edge", "step", "sum", "swap")

HEAT_UNITS = 64  # in the number 1 (FORMAT.md 5)


def info(path: str | Path) -> dict[str, Any]:
    """Return claim, sizes and how many of what a certificate holds, without checking it."""
    payload = read_payload(Path(path))
    source = Bytes(payload)
    claim = read_claim(source)
    if claim.game == "domineering":
        counts: Counter[str] = Counter()

        def count(node: Node) -> bool:
            counts[node.kind] += 1
            return False

        DomineeringStrategy(payload).scan(count)
    elif claim.game == "rectangle":
        counts = Counter()  # its facts hold whole proofs; the checker counts them
    else:
        counts = Counter(kind for kind, *_ in positional_records(source))
    return {
        **claim.to_json(),
        "version": read_version(Path(path)),
        "bytes": Path(path).stat().st_size,
        "payload": len(payload),
        "counts": dict(counts),
    }


def positional_records(source: Bytes) -> list[tuple[str, int, int, list[tuple[int, int]]]]:
    """Read the records of a positional proof: kind, start, end, and where each reference stands and points."""
    records: list[tuple[str, int, int, list[tuple[int, int]]]] = []

    def reference() -> tuple[int, int]:
        at = source.at
        back = source.varint()
        source.varint()
        if not 1 <= back <= len(records):
            raise ValueError("the certificate refers to a record that does not come before")
        return at, len(records) - back

    while (tag := source.byte()) != 0:
        start, refs = source.at - 1, []
        if tag == 1:
            source.varints(2 * source.varint())
        elif tag == 2:
            source.varint()
        elif tag == 3:
            for _ in range(source.varint()):
                source.varint()
                refs.append(reference())
        elif tag == 4:
            refs = [reference() for _ in range(source.varint())]
        elif tag == 5:
            refs = [reference()]
            source.varints(2)
        else:
            raise ValueError("the certificate holds an unknown record")
        records.append((RECORDS[tag], start, source.at, refs))
    return records


def trim(path: str | Path, target: str | Path) -> tuple[int, int]:
    """Write the certificate without what it does not need; return the payload sizes before and after.

    Domineering: positions that nothing refers to are not remembered (the checker needs less memory). Positional:
    records that the last one does not rest on are left out.
    """
    payload = read_payload(Path(path))
    source = Bytes(payload)
    game = read_claim(source).game
    if game == "rectangle":
        raise ValueError("derivations are written without anything superfluous; nothing to trim")
    trimmed = _trim_domineering(payload) if game == "domineering" else _trim_positional(payload, source)
    write_payload(trimmed, Path(target), version=read_version(Path(path)))
    return len(payload), len(trimmed)


def _trim_domineering(payload: bytes) -> bytes:
    strategy = DomineeringStrategy(payload)
    kept: dict[object, list[tuple[int, int]]] = {}
    needed: set[int] = set()

    def visit(node: Node) -> bool:
        # A position is remembered after its last answer, so none of its own answers can mean it.
        if node.kind in ("keep", "ref"):
            key, number = strategy.normal(node.free)
            if node.kind == "keep":
                kept.setdefault(key, []).append((number, node.start))
            else:
                least = min(kept.get(key, [(0, -1)]))
                needed.add(least[1])
        return False

    strategy.scan(visit)
    out = bytearray(payload)
    for entries in kept.values():
        for _, start in entries:
            if start not in needed:
                out[start] = forgotten(out[start])
    return bytes(out)


def _trim_positional(payload: bytes, source: Bytes) -> bytes:
    begin = source.at
    records = positional_records(source)
    tail = payload[source.at :]
    needed = [False] * len(records)
    if records:
        needed[-1] = True
    for index in range(len(records) - 1, -1, -1):
        if needed[index]:
            for _, target in records[index][3]:
                needed[target] = True
    place: dict[int, int] = {}
    out = bytearray(payload[:begin])
    for index, (_, start, end, refs) in enumerate(records):
        if not needed[index]:
            continue
        at = start
        for where, target in refs:
            out += payload[at:where] + varint(len(place) - place[target])
            skip = Bytes(payload)
            skip.at = where
            skip.varint()
            at = skip.at
        out += payload[at:end]
        place[index] = len(place)
    return bytes(out) + b"\x00" + tail


def describe_node(strategy: DomineeringStrategy, node: Node) -> str:
    """Say in one line what the certificate has at a node."""
    loser, winner = ("V", "H") if strategy.claim.winner == "H" else ("H", "V")
    if node.kind == "move":
        return f"{winner} to move plays {strategy.domino_name(node.move)}"
    if node.kind == "ref":
        return f"{loser} to move: like a position proved before"
    if node.kind in ("all", "keep"):
        count = len(strategy.moves(node.free, loser=True))
        cut = f", {len(node.answered)} of them by {strips_text(node)}" if node.answered else ""
        return f"{loser} to move: each of {count} moves is answered{cut}"
    mover = loser if node.loser_to_move else winner
    if node.kind == "cover":
        return f"{mover} to move: {winner} wins by a cover of {len(node.areas)} areas"
    return f"{mover} to move: {winner} wins by {strips_text(node)}"


def strips_text(node: Node) -> str:
    """Return a cut into strips in words."""
    heats = ", ".join(str(Fraction(heat, HEAT_UNITS)) for heat in node.heats)
    heat = f", switches at {heats}" if heats else ""
    cuts = sum(gaps.bit_count() for _, gaps in node.cuts)
    return f"strips ({cuts} cut{'' if cuts == 1 else 's'}{heat})"


def show(path: str | Path, moves: Sequence[tuple[str, int, int]] = ()) -> str:
    """Return the position after some moves and what the strategy does there, as text."""
    strategy = DomineeringStrategy(read_payload(Path(path)))
    node = strategy.after([strategy.domino_of(*move) for move in moves])
    lines = [
        f"{strategy.claim.spec}, {strategy.claim.starter} starts: {strategy.claim.winner} wins",
        strategy.picture(node.free),
        describe_node(strategy, node),
    ]
    if node.kind in ("all", "keep"):
        names = (strategy.domino_name(move) for move in strategy.moves(node.free, loser=True))
        lines.append("answered: " + " ".join(names))
    return "\n".join(lines)


def show_html(path: str | Path, depth: int) -> str:
    """Return the strategy down to a depth as one HTML page of nested, folding lists."""
    strategy = DomineeringStrategy(read_payload(Path(path)))
    claim = strategy.claim
    title = html.escape(f"{claim.spec}, {claim.starter} starts: {claim.winner} wins")
    out = [
        "<!doctype html><html lang='en'><meta charset='utf-8'>",
        f"<title>{title}</title><style>body{{font-family:sans-serif}}pre{{margin:.3em 0}}"
        "details{margin-left:1.2em}</style>",
        f"<h1>{title}</h1>",
    ]
    open_depth = -1
    for node in strategy.nodes(depth):
        out.append("</details>" * (open_depth - node.depth + 1))
        open_depth = node.depth
        line = html.escape(describe_node(strategy, node))
        out.append(f"<details{' open' if node.depth < 2 else ''}><summary>{line}</summary>")
        out.append(f"<pre>{strategy.picture(node.free)}</pre>")
    out.append("</details>" * (open_depth + 1) + "</html>")
    return "\n".join(out)


def merge(paths: Sequence[str | Path], target: str | Path, root: Claim) -> None:
    """Join certificates of positions after a move into one of the position before it.

    The parts need the same winner and board size. Where the loser is to move there must be a part for each of
    her moves, where the winner is to move one part is enough; this may go over several plies.

    :raises ValueError: if a part is missing.
    """
    parts: dict[tuple[int, bool], bytes] = {}
    for path in paths:
        payload = read_payload(Path(path))
        strategy = DomineeringStrategy(payload)
        claim = strategy.claim
        same = (claim.winner, claim.rows, claim.cols, claim.topology)
        if same != (root.winner, root.rows, root.cols, root.topology):
            raise ValueError(f"{path} is about another board or another winner")
        loser_to_move = claim.starter != claim.winner
        parts[strategy.free, loser_to_move] = payload[strategy.proof_at :]
    head = claim_bytes(root)
    frame = DomineeringStrategy(head)

    def build(free: int, loser_to_move: bool, depth: int) -> bytes | None:
        if (free, loser_to_move) in parts:
            return parts[free, loser_to_move]
        if depth == 0:
            return None
        moves = frame.moves(free, loser=loser_to_move)
        if not loser_to_move:
            for index, move in enumerate(moves):
                if (child := build(free ^ move, True, depth - 1)) is not None:
                    return varint(8 + index) + child
            return None
        children = [build(free ^ move, False, depth - 1) for move in moves]
        if any(child is None for child in children):
            return None
        return bytes([ALL]) + b"".join(child for child in children if child is not None)

    proof = build(frame.free, root.starter != root.winner, 4)
    if proof is None:
        raise ValueError("the parts do not answer every move of the loser")
    version = max(read_version(Path(path)) for path in paths)
    write_payload(head + proof, Path(target), version=version)


def claim_bytes(claim: Claim) -> bytes:
    """Return a Domineering claim as the format writes it."""
    board = claim.free.to_bytes((claim.rows * claim.cols + 7) // 8, "little")
    players = bytes("VH".index(player) for player in (claim.starter, claim.winner))
    topology = "" if claim.topology == "rectangle" else claim.topology + ":"
    head = bytes([1, TOPOLOGIES.index(topology)])
    return head + varint(claim.rows) + varint(claim.cols) + board + players


def domineering_claim(spec: str, starter: str, winner: str) -> Claim:
    """Return the claim about a position given as text.

    :raises ValueError: if the position or a player is bad.
    """
    if starter not in ("V", "H") or winner not in ("V", "H"):
        raise ValueError("starter and winner must be V or H")
    board = Position.from_text(spec).board
    free = sum(1 << square for square in board.free_squares())
    return Claim("domineering", spec, starter, winner, board.rows, board.cols, free)


def extract(path: str | Path, moves: Sequence[tuple[str, int, int]], target: str | Path) -> Written:
    """Write the certificate of the position after some moves of the strategy.

    What the strategy has there may rest on positions elsewhere in the file, so it is proved again.

    :raises ValueError: if the strategy never plays that way.
    """
    strategy = DomineeringStrategy(read_payload(Path(path)))
    node = strategy.after([strategy.domino_of(*move) for move in moves])
    claim = strategy.claim
    loser: Player = "V" if claim.winner == "H" else "H"
    winner: Player = "H" if claim.winner == "H" else "V"
    spec = strategy.picture(node.free).replace("\n", "/")
    if claim.topology != "rectangle":
        spec = f"{claim.topology}:{spec}"
    written = write_domineering(spec, loser if node.loser_to_move else winner, target)
    if written.winner not in (None, winner):
        raise ValueError(f"{path} proves nothing: {written.winner} wins there")
    return written

"""Describes, trims, shows, extracts and merges certificates of any game."""

from __future__ import annotations

import html
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from zermelo.draw import svg
from zermelo.draw.text import grid
from zermelo.draw.tree import TreeLine, tree_svg
from zermelo.proof.container import Bytes, Claim, game_of, read_claim, read_payload, write_payload

if TYPE_CHECKING:
    from zermelo.game import Replay, Step, Written

MOST_STEPS = 5000
"""Places of a strategy that a page or a tree shows."""


def info(path: str | Path) -> dict[str, Any]:
    """Return the claim of a certificate, its sizes, and its numbers of nodes by kind, without checking it."""
    payload = read_payload(Path(path))
    return {
        **read_claim(Bytes(payload)).to_json(),
        "bytes": Path(path).stat().st_size,
        "payload": len(payload),
        "counts": dict(game_of(payload).proof_counts(payload)),
    }


def trim(path: str | Path, target: str | Path) -> tuple[int, int]:
    """Write the certificate without the parts on which nothing rests; return the payload sizes before and after."""
    payload = read_payload(Path(path))
    trimmed = game_of(payload).trimmed_proof(payload)
    write_payload(trimmed, Path(target))
    return len(payload), len(trimmed)


def opened(path: str | Path) -> tuple[Claim, Replay]:
    """Return the claim of a certificate and a walk through its strategy."""
    payload = read_payload(Path(path))
    return read_claim(Bytes(payload)), game_of(payload).replay(payload)


def show(path: str | Path, moves: Sequence[str] = ()) -> str:
    """Return the position after some moves and the step of the strategy there, as text.

    :raises ValueError: if the strategy never plays that way.
    """
    claim, replay = opened(path)
    step = replay.step(moves)
    labels = {square: area.label for area in step.areas for square in area.squares if area.label}
    lines = [claim.line, grid(step.position.view(), labels), step.text, *step.words, *step.caption]
    if step.moves and step.to_move != claim.winner:
        lines.append("answered: " + " ".join(step.moves))
    return "\n".join(lines)


def steps(replay: Replay, depth: int) -> Iterator[tuple[tuple[str, ...], Step]]:
    """Yield the moves to each place of a strategy and the place, in the order of play down to a depth."""
    todo: list[tuple[str, ...]] = [()]
    for _ in range(MOST_STEPS):
        if not todo:
            return
        moves = todo.pop()
        step = replay.step(moves)
        yield moves, step
        if len(moves) < depth and not step.leaf:
            todo += [(*moves, move) for move in reversed(step.moves)]


def show_html(path: str | Path, depth: int) -> str:
    """Return the strategy down to a depth as one HTML page of nested, folding lists."""
    claim, replay = opened(path)
    title = html.escape(claim.line)
    out = [
        "<!doctype html><html lang='en'><meta charset='utf-8'>",
        f"<title>{title}</title><style>body{{font-family:sans-serif}}pre{{margin:.3em 0}}"
        "details{margin-left:1.2em}</style>",
        f"<h1>{title}</h1>",
    ]
    deepest = -1
    for moves, step in steps(replay, depth):
        out.append("</details>" * (deepest - len(moves) + 1))
        deepest = len(moves)
        line = html.escape(_line(moves, step))
        out.append(f"<details{' open' if deepest < 2 else ''}><summary>{line}</summary>")
        out.append(f"<pre>{html.escape(grid(step.position.view()))}</pre>")
    out.append("</details>" * (deepest + 1) + "</html>")
    return "\n".join(out)


def strategy_svg(path: str | Path, depth: int) -> str:
    """Draw a certificate's strategy down to a depth: green where the winner moves, orange at leaves."""
    claim, replay = opened(path)
    lines = []
    for moves, step in steps(replay, depth):
        colour = svg.ORANGE if step.leaf else svg.GREEN if step.to_move == claim.winner else svg.BLUE
        lines.append(TreeLine(len(moves), _line(moves, step), colour))
    return tree_svg(lines, title=claim.line)


def _line(moves: Sequence[str], step: Step) -> str:
    return f"{moves[-1]}: {step.text}" if moves else step.text


def extract(path: str | Path, moves: Sequence[str], target: str | Path) -> Written:
    """Write the certificate of the position after some moves of the strategy.

    The strategy there may rest on positions elsewhere in the file, so the position is proved again.

    :raises ValueError: if the strategy never plays that way.
    """
    claim, replay = opened(path)
    step = replay.step(moves)
    written = step.position.game.prove(step.position, step.to_move, Path(target))
    if written.winner not in (None, claim.winner):
        raise ValueError(f"{path} proves nothing: {written.winner} wins there")
    return written


def merge(paths: Sequence[str | Path], target: str | Path, spec: str, starter: str, winner: str) -> int:
    """Join certificates of positions after a move into one of the position before it; return its size.

    :raises ValueError: if a part is missing, or about something else.
    """
    parts = [read_payload(Path(path)) for path in paths]
    game = game_of(parts[0])
    game.other(starter)
    game.other(winner)
    merged = game.merged_proof(parts, game.parse(spec), starter, winner)
    return write_payload(merged, Path(target))

"""A board with its pieces and labelled areas, as in the papers' figures: one picture for all games."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from zermelo.draw import svg
from zermelo.words import letter, letters

if TYPE_CHECKING:
    from zermelo.game import Piece, View

Square = tuple[int, int]
"""Row and column of a picture, both from 1, rows from the top."""
SQUARE, MARGIN, INSET = 40.0, 26.0, 2.0
THIRD = SQUARE / 3
"""A third of the distance of rows of hexagons."""
LARGEST = 10_000
"""Squares of the largest picture."""


@dataclass(frozen=True)
class Area:
    """Squares drawn in one colour with a label; ``dashed`` marks a lesser kind."""

    squares: Sequence[Square]
    label: str
    colour: str
    dashed: bool = False


def pair_areas(pairs: Iterable[Sequence[Square]]) -> list[Area]:
    """Return areas that give the squares of each pair the same letter and colour."""
    return [
        Area([square], letters(index), svg.CYCLE[index % len(svg.CYCLE)])
        for index, pair in enumerate(pairs)
        for square in pair
    ]


def outline(area: Area) -> str:
    """Fill the area's squares and draw a line wherever its border is, so that areas over a seam look right too."""
    members = set(area.squares)
    parts: list[str] = []
    dash: dict[str, str | float] = {"stroke_dasharray": "4 3"} if area.dashed else {}
    for row, col in area.squares:
        left, top = MARGIN + (col - 1) * SQUARE, MARGIN + (row - 1) * SQUARE
        parts.append(svg.rect(left, top, SQUARE, SQUARE, fill=area.colour, fill_opacity=0.35))
        # The corners of the outline step inwards only where the area ends.
        x1 = left + (0 if (row, col - 1) in members else INSET)
        x2 = left + SQUARE - (0 if (row, col + 1) in members else INSET)
        y1 = top + (0 if (row - 1, col) in members else INSET)
        y2 = top + SQUARE - (0 if (row + 1, col) in members else INSET)
        sides = {
            (row - 1, col): (x1, y1, x2, y1),
            (row + 1, col): (x1, y2, x2, y2),
            (row, col - 1): (x1, y1, x1, y2),
            (row, col + 1): (x2, y1, x2, y2),
        }
        for neighbour, (a, b, c, d) in sides.items():
            if neighbour not in members:
                parts.append(svg.element("line", x1=a, y1=b, x2=c, y2=d, stroke=area.colour, stroke_width=2.5, **dash))
    return "".join(parts)


def label_place(area: Area) -> tuple[float, float]:
    """Return the middle of the area, or of its first square if it is drawn in two places."""
    rows, cols = zip(*area.squares, strict=True)
    whole = (max(rows) - min(rows) + 1) * (max(cols) - min(cols) + 1) == len(set(area.squares))
    return middle_of(((min(rows) + max(rows)) / 2, (min(cols) + max(cols)) / 2) if whole else area.squares[0])


def middle_of(square: tuple[float, float], slants: bool = False) -> tuple[float, float]:
    right = (square[0] - 1) / 2 if slants else 0
    return MARGIN + (square[1] + right - 0.5) * SQUARE, MARGIN + (square[0] - 0.5) * SQUARE


def cell_svg(square: Square, slants: bool, **style: str | float) -> str:
    """Draw a square, or a hexagon."""
    x, y = middle_of(square, slants)
    if not slants:
        return svg.rect(x - SQUARE / 2, y - SQUARE / 2, SQUARE, SQUARE, **style)
    corners = [(0, -2), (1, -1), (1, 1), (0, 2), (-1, 1), (-1, -1), (0, -2)]
    points = " ".join(f"{svg.number(x + right * SQUARE / 2)},{svg.number(y + down * THIRD)}" for right, down in corners)
    return svg.element("polyline", points=points, **style)


def piece_svg(piece: Piece, second: bool, slants: bool) -> str:
    """Draw one box over neighbouring squares, one on each side of a seam, or a disc with the player's letter."""
    if len(piece.squares) == 1:
        x, y = middle_of(piece.squares[0], slants)
        back, front = (svg.PAPER, svg.INK) if second else (svg.INK, svg.PAPER)
        disc = svg.element("circle", cx=x, cy=y, r=14, fill=back, stroke=svg.INK, stroke_width=2)
        return disc + svg.text(x, y, letter(piece.player), size=13, fill=front)
    rows, cols = zip(*piece.squares, strict=True)
    whole = (max(rows) - min(rows) + 1) * (max(cols) - min(cols) + 1) == len(piece.squares)
    edge: dict[str, str | float] = {"stroke": svg.INK, "stroke_width": 3} if piece.last else {}
    parts = []
    for high, wide in [(rows, cols)] if whole else [((row,), (col,)) for row, col in piece.squares]:
        left, top = MARGIN + (min(wide) - 1) * SQUARE + 4, MARGIN + (min(high) - 1) * SQUARE + 4
        width, height = (max(wide) - min(wide) + 1) * SQUARE - 8, (max(high) - min(high) + 1) * SQUARE - 8
        fill = svg.ORANGE if second else svg.BLUE
        parts.append(svg.rect(left, top, width, height, rx=7, fill=fill, **edge))
    return "".join(parts)


def mark_svg(squares: Sequence[Square], mark: str, slants: bool) -> str:
    """Draw the mark of a move in the middle of its squares; marks differ in shape and in colour."""
    first, last = squares[0], squares[-1]
    near = abs(first[0] - last[0]) + abs(first[1] - last[1]) <= 1
    x, y = middle_of(((first[0] + last[0]) / 2, (first[1] + last[1]) / 2) if near else first, slants)

    def stroke(points: Sequence[tuple[float, float]], colour: str) -> str:
        path = " ".join(f"{svg.number(x + dx)},{svg.number(y + dy)}" for dx, dy in points)
        return svg.element("polyline", points=path, fill="none", stroke=colour, stroke_width=2.2)

    def disc(fill: str, edge: str) -> str:
        return svg.element("circle", cx=x, cy=y, r=8, fill=fill, stroke=edge, stroke_width=2)

    if mark == "win":
        return disc(svg.GREEN, svg.GREEN) + stroke([(-4, 0.5), (-1, 3.5), (4.5, -3.5)], svg.PAPER)
    if mark == "draw":
        box = svg.rect(x - 8, y - 8, 16, 16, rx=4, fill=svg.BLUE)
        return box + stroke([(-4, -2.5), (4, -2.5)], svg.PAPER) + stroke([(-4, 2.5), (4, 2.5)], svg.PAPER)
    if mark == "loss":
        cross = stroke([(-3, -3), (3, 3)], svg.VERMILION) + stroke([(-3, 3), (3, -3)], svg.VERMILION)
        return disc(svg.PAPER, svg.VERMILION) + cross
    return disc(svg.PAPER, svg.BLOCKED) + svg.text(x, y, "?", size=10, fill=svg.BLOCKED)


def view_svg(
    view: View,
    *,
    players: Sequence[str] = (),
    areas: Iterable[Area] = (),
    marks: Iterable[tuple[Sequence[Square], str]] = (),
    caption: Sequence[str] = (),
    title: str = "board",
) -> str:
    """Draw a position, areas over it, words on its squares and lines of caption below.

    ``marks`` are moves by their squares, with their marks: ``win``, ``draw``, ``loss`` or ``unknown``.
    The pieces of the second of the ``players`` are orange boxes or white discs, the others blue or black.

    >>> from zermelo.game import View
    >>> view_svg(View(2, 2, ("1", "2"), ("1", "2"))).startswith("<svg")
    True

    :raises ValueError: if the board is too large for a picture.
    """
    if view.rows * view.cols > LARGEST:
        raise ValueError(f"a picture has at most {LARGEST:,} squares, not {view.rows * view.cols:,}")
    blocked, parts, labels, slants = set(view.blocked), list[str](), list[str](), view.slants
    for row in range(1, view.rows + 1):
        y = MARGIN + (row - 0.5) * SQUARE
        x = middle_of((row, 1), slants)[0] - SQUARE / 2 - MARGIN / 2
        parts.append(svg.text(x, y, view.row_labels[row - 1], size=12, fill=svg.BLOCKED))
        for col in range(1, view.cols + 1):
            fill = svg.BLOCKED if (row, col) in blocked else svg.PAPER
            parts.append(cell_svg((row, col), slants, fill=fill, stroke=svg.GRID))
    bottom = view.row_labels[0] != "1"  # rows are counted from below, so columns are named there
    for col, name in enumerate(view.col_labels, 1):
        y = MARGIN * 1.5 + view.rows * SQUARE if bottom else MARGIN / 2 - 4 * slants
        parts.append(svg.text(middle_of((1, col))[0], y, name, size=12, fill=svg.BLOCKED))
    for number, squares in enumerate(view.edges):
        points = " ".join(",".join(map(svg.number, middle_of(square))) for square in sorted(squares))
        colour = svg.CYCLE[number % len(svg.CYCLE)]
        ribbon: dict[str, str | float] = {"stroke_width": 10, "stroke_opacity": 0.25, "stroke_linecap": "round"}
        parts.append(svg.element("polyline", points=points, fill="none", stroke=colour, **ribbon))
    for square, word in ((one.square, one.text) for one in view.texts):
        parts.append(svg.text(*middle_of(square), word, size=12, fill=svg.BLOCKED))
    parts += [piece_svg(piece, piece.player in players[1:2], slants) for piece in view.pieces]
    for area in areas:
        parts.append(outline(area))
        labels.append(svg.text(*label_place(area), area.label, size=14, fill=svg.INK, font_weight="bold"))
    labels += [mark_svg(squares, mark, slants) for squares, mark in marks]
    wide = view.cols + (view.rows - 1) / 2 * slants
    width = 2 * MARGIN + max(wide * SQUARE, max((len(line) for line in caption), default=0) * 7.2)
    height = 2 * MARGIN + view.rows * SQUARE
    for index, line in enumerate(caption):
        place = height + 18 * (index + bottom * 0.5)
        labels.append(svg.text(MARGIN, place, line, size=13, anchor="start", fill=svg.INK))
    height += 18 * (len(caption) + bottom * 0.5 * bool(caption))
    return svg.document(width, height, "".join(parts + labels), title=title)

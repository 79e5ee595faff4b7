"""The few SVG elements our pictures are made of, and one colour system (Okabe and Ito: safe for the colour-blind)."""

from __future__ import annotations

from html import escape

INK = "#1b1b1b"
PAPER = "#ffffff"
BLOCKED = "#6b6b6b"
GRID = "#c9c9c9"
BLUE = "#0072b2"
SKY = "#56b4e9"
GREEN = "#009e73"
YELLOW = "#f0e442"
ORANGE = "#e69f00"
VERMILION = "#d55e00"
PURPLE = "#cc79a7"
CYCLE = (BLUE, ORANGE, GREEN, PURPLE, SKY, VERMILION, YELLOW)
"""Colours for areas side by side, in this order."""


def number(value: float) -> str:
    """Format a coordinate: at most two decimals, no trailing zeros."""
    return f"{value:.2f}".rstrip("0").rstrip(".")


def element(name: str, content: str = "", /, **attributes: str | float) -> str:
    """Return one element; underscores in attribute names become hyphens."""
    words = "".join(
        f' {key.replace("_", "-")}="{escape(value) if isinstance(value, str) else number(value)}"'
        for key, value in attributes.items()
    )
    return f"<{name}{words}>{content}</{name}>" if content else f"<{name}{words}/>"


def rect(x: float, y: float, width: float, height: float, **attributes: str | float) -> str:
    return element("rect", x=x, y=y, width=width, height=height, **attributes)


def text(x: float, y: float, content: str, *, size: float = 14, anchor: str = "middle", **more: str | float) -> str:
    """Return a line of text centred vertically on y."""
    return element(
        "text", escape(content), x=x, y=y + size * 0.35, font_size=size, text_anchor=anchor, **more
    )  # fmt: skip


def document(width: float, height: float, body: str, *, title: str) -> str:
    """Wrap the elements into a whole picture with a title for screen readers."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {number(width)} {number(height)}" '
        f'width="{number(width)}" height="{number(height)}" role="img" font-family="sans-serif">'
        f"<title>{escape(title)}</title>{rect(0, 0, width, height, fill=PAPER)}{body}</svg>"
    )

"""A picture of ours as TikZ, for papers: the few SVG elements that all our pictures are made of, one line each."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from xml.etree import ElementTree

from zermelo.draw.svg import number

POINTS = 0.5
"""TeX points to a unit of the picture: a square of a board is 20 points wide."""
SPECIAL = {
    **{sign: f"\\{sign}" for sign in "#$%&_{}"},
    **{"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"},
    **{"<": r"\textless{}", ">": r"\textgreater{}", "·": r"\textperiodcentered{}", "×": r"\(\times\)"},
}
ANCHORS = {"start": "base west", "middle": "base", "end": "base east"}


def tikz_of(svg: str) -> str:
    r"""Return a picture made by this room as a ``tikzpicture``.

    >>> from zermelo.draw.svg import document, rect
    >>> print(tikz_of(document(40, 40, rect(0, 0, 40, 40, fill="#0072b2"), title="one square")))
    % one square
    % \usepackage{tikz}
    \begin{tikzpicture}[x=0.5pt, y=-0.5pt]
    \path[fill={rgb,255:red,255;green,255;blue,255}] (0,0) rectangle (40,40);
    \path[fill={rgb,255:red,0;green,114;blue,178}] (0,0) rectangle (40,40);
    \end{tikzpicture}
    <BLANKLINE>
    """
    root = ElementTree.fromstring(svg)
    lines = [r"% \usepackage{tikz}", rf"\begin{{tikzpicture}}[x={POINTS}pt, y=-{POINTS}pt]"]
    for node in root.iter():
        name = node.tag.rpartition("}")[2]
        if name == "title":
            lines.insert(0, f"% {' '.join((node.text or '').split())}")
        elif name in SHAPES:
            lines.append(SHAPES[name](node.attrib, node.text or ""))
    return "\n".join([*lines, r"\end{tikzpicture}", ""])


def colour(text: str) -> str:
    """Return ``#rrggbb`` as TikZ reads it."""
    red, green, blue = (int(text[at : at + 2], 16) for at in (1, 3, 5))
    return f"{{rgb,255:red,{red};green,{green};blue,{blue}}}"


def place(x: str | float, y: str | float) -> str:
    return f"({number(float(x))},{number(float(y))})"


def shape(form: str, element: Mapping[str, str]) -> str:
    """Fill a form, draw its edge, or both."""
    fill, stroke = element.get("fill", "none"), element.get("stroke", "none")
    options = [] if fill == "none" else [f"fill={colour(fill)}"]
    if "fill-opacity" in element:
        options.append(f"fill opacity={element['fill-opacity']}")
    if stroke != "none":
        options.append(f"draw={colour(stroke)}")
        options.append(f"line width={number(POINTS * float(element.get('stroke-width', 1)))}pt")
    if "stroke-opacity" in element:
        options.append(f"draw opacity={element['stroke-opacity']}")
    if "stroke-linecap" in element:
        options.append(f"line cap={element['stroke-linecap']}")
    if "stroke-dasharray" in element:
        options.append("dashed")
    if "rx" in element:
        options.append(f"rounded corners={number(POINTS * float(element['rx']))}pt")
    return rf"\path[{', '.join(options)}] {form};"


def rect(element: Mapping[str, str], _: str) -> str:
    x, y = float(element["x"]), float(element["y"])
    return shape(f"{place(x, y)} rectangle {place(x + float(element['width']), y + float(element['height']))}", element)


def line(element: Mapping[str, str], _: str) -> str:
    return shape(f"{place(element['x1'], element['y1'])} -- {place(element['x2'], element['y2'])}", element)


def circle(element: Mapping[str, str], _: str) -> str:
    radius = number(POINTS * float(element["r"]))
    return shape(f"{place(element['cx'], element['cy'])} circle[radius={radius}pt]", element)


def polyline(element: Mapping[str, str], _: str) -> str:
    return shape(" -- ".join(place(*pair.split(",")) for pair in element["points"].split()), element)


def words(element: Mapping[str, str], content: str) -> str:
    size = number(POINTS * float(element["font-size"]))
    font = rf"\fontsize{{{size}}}{{{size}}}\selectfont\sffamily" + (r"\bfseries" if "font-weight" in element else "")
    text = "".join(SPECIAL.get(letter, letter) for letter in content)
    options = [f"anchor={ANCHORS[element.get('text-anchor', 'start')]}", f"text={colour(element['fill'])}"]
    options += ["inner sep=0pt", f"font={{{font}}}"]
    return rf"\node[{', '.join(options)}] at {place(element['x'], element['y'])} {{{text}}};"


SHAPES: dict[str, Callable[[Mapping[str, str], str], str]] = {
    "rect": rect,
    "line": line,
    "circle": circle,
    "polyline": polyline,
    "text": words,
}

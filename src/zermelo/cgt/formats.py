"""A game's text in other people's notation: CGSuite, Unicode, LaTeX. All start from the text that is typed."""

from __future__ import annotations

import re
from typing import Literal

Style = Literal["plain", "cgsuite", "unicode", "latex"]
STYLES: tuple[Style, ...] = ("plain", "cgsuite", "unicode", "latex")

_TOKEN = re.compile(
    r"(?P<word>tiny|miny)\(|(?P<number>-?\d+(?:/\d+)?)|(?P<ups>[\^v]+)(?:(?P<times>\d+)|\[(?P<sum>\d+)\]|<(?P<power>\d+)>)?"
    r"|\*(?P<star>\d*)|(?P<switch>\+-)|(?P<bars>\|+)|(?P<other>[{}(),+])"
)
_UNICODE = {"^": "\u2191", "^^": "\u21d1", "v": "\u2193", "vv": "\u21d3", "*": "\u2217", "+-": "\u00b1"}


def styled(text: str, style: Style) -> str:
    """Write a game's text in a style.

    >>> styled("{1/2^|tiny(2)}", "unicode")
    '{1/2\u2191|\u29fe(2)}'
    >>> styled("{1/2^|tiny(2)}", "latex")
    '\\\\{\\\\frac{1}{2}{\\\\uparrow}\\\\mathbin{|}{+}_{2}\\\\}'

    :raises ValueError: if there is no such style.
    """
    if style not in STYLES:
        raise ValueError(f"style {style!r} is not known: {', '.join(STYLES)}")
    if style == "cgsuite":
        return text.replace("tiny(", "Tiny(").replace("miny(", "Miny(")
    if style == "unicode":
        text = text.replace("tiny(", "\u29fe(").replace("miny(", "\u29ff(")
        return re.sub(r"\^\^?|vv?|\*|\+-", lambda match: _UNICODE[match[0]], text)
    return text if style == "plain" else _latex(text)


def _latex(text: str) -> str:
    result, closing = list[str](), list[str]()
    for token in _TOKEN.finditer(text):
        if token["word"]:
            result.append("{+}_{" if token["word"] == "tiny" else "{-}_{")
            closing.append("}")
        elif token["number"]:
            sign, (top, _, bottom) = "-" * token[0].startswith("-"), token[0].lstrip("-").partition("/")
            result.append(sign + (rf"\frac{{{top}}}{{{bottom}}}" if bottom else top))
        elif token["ups"]:
            result.append(_latex_ups(token))
        elif token["star"] is not None:
            result.append("{*}" + token["star"])
        elif token["bars"]:
            result.append(rf"\mathbin{{{token[0]}}}")
        elif token[0] == "(":
            result.append("(")
            closing.append(")")
        else:
            result.append(
                {"+-": r"\pm ", "{": r"\{", "}": r"\}", ")": closing.pop() if token[0] == ")" else ""}.get(
                    token[0], token[0]
                )
            )
    return "".join(result)


def _latex_ups(token: re.Match[str]) -> str:
    arrow = "uparrow" if token["ups"][0] == "^" else "downarrow"
    if token["sum"]:
        return rf"{{\{arrow}}}^{{[{token['sum']}]}}"
    if token["power"]:
        return rf"{{\{arrow}}}^{{{token['power']}}}"
    if token["times"]:
        return rf"{{\{arrow}}}_{{\times {token['times']}}}"
    return rf"{{\{arrow if len(token['ups']) == 1 else arrow.capitalize()}}}"

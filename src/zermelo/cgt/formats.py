"""A game's text in other people's notation: CGSuite, Unicode, LaTeX. All start from the text that is typed."""

from __future__ import annotations

import re
from typing import Literal

Style = Literal["plain", "cgsuite", "unicode", "latex", "words"]
STYLES: tuple[Style, ...] = ("plain", "cgsuite", "unicode", "latex", "words")

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
    >>> styled("{1/2^^*|v3*2}", "words")
    '{1/2 + 2.up + star|3.down + *2}'

    :raises ValueError: if there is no such style.
    """
    if style not in STYLES:
        raise ValueError(f"style {style!r} is not known: {', '.join(STYLES)}")
    if style == "cgsuite":
        return text.replace("tiny(", "Tiny(").replace("miny(", "Miny(")
    if style == "unicode":
        text = text.replace("tiny(", "\u29fe(").replace("miny(", "\u29ff(")
        return re.sub(r"\^\^?|vv?|\*|\+-", lambda match: _UNICODE[match[0]], text)
    if style == "words":
        return _words(text)
    return text if style == "plain" else _latex(text)


def _words(text: str) -> str:
    """Write ups and stars as words with + between: ``1/2^^*`` is ``1/2 + 2.up + star``."""
    result, last = "", ""
    for token in _TOKEN.finditer(text):
        word = token[0]
        if token["ups"] and not token["sum"] and not token["power"]:
            times, name = int(token["times"] or len(token["ups"])), "up" if token["ups"][0] == "^" else "down"
            word = name if times == 1 else f"{times}.{name}"
        elif word == "*":
            word = "star"
        follows = last in ("number", "ups", "star") and token.lastgroup != "bars" and token[0] not in "{}(),+"
        joined = follows and (token["ups"] or token["star"] is not None)
        result += f" + {word}" if joined else word
        last = "number" if token["number"] else "ups" if token["ups"] else "star" if token["star"] is not None else ""
    return result


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

"""Sets of outcomes: all outcomes that are still possible for a board.

A board G belongs to exactly one of four classes: ``1`` and ``2`` (the first or the second player wins), ``V`` and ``H``
(that player wins whoever starts). In the order of games these are G || 0, G = 0, G > 0 and G < 0. A set of classes is
an integer of four bits; its short name is the one of Lachmann, Moore and Rapaport's chart: ``1h`` is "1 or H", ``-v``
is "not V".

Two questions decide a class: does V win moving second (G >= 0), does H win moving second (G <= 0)?
"""

from __future__ import annotations

FIRST, SECOND, H, V = 1, 2, 4, 8
NOTHING, ANYTHING = 0, 15
ONE_H, TWO_H, ONE_V, TWO_V = FIRST | H, SECOND | H, FIRST | V, SECOND | V
"""H wins first; H wins second; V wins first; V wins second."""
WINS = {("V", True): ONE_V, ("V", False): TWO_V, ("H", True): ONE_H, ("H", False): TWO_H}
"""The outcomes that are left if a player wins moving first (True) or second (False)."""
EVEN = FIRST | SECOND
NOT_V, NOT_H = ANYTHING & ~V, ANYTHING & ~H

# Each set: its short name, the relation between the game and zero, and the words.
_SAID: dict[int, tuple[str, str, str]] = {
    FIRST: ("1", "|| 0", "the first player wins"),
    SECOND: ("2", "= 0", "the second player wins"),
    H: ("H", "< 0", "H wins whoever starts"),
    V: ("V", "> 0", "V wins whoever starts"),
    ONE_H: ("1h", "<| 0", "H wins moving first"),
    TWO_H: ("2h", "<= 0", "H wins moving second"),
    ONE_V: ("1v", "|> 0", "V wins moving first"),
    TWO_V: ("2v", ">= 0", "V wins moving second"),
    EVEN: ("12", "neither > 0 nor < 0", "the first or the second player wins, not known which"),
    H | V: ("hv", "> 0 or < 0", "one player wins both ways"),
    NOT_V: ("-v", "not > 0", "V does not win both ways"),
    NOT_H: ("-h", "not < 0", "H does not win both ways"),
    ANYTHING & ~FIRST: ("-1", "comparable with 0", "not the first player both ways"),
    ANYTHING & ~SECOND: ("-2", "not = 0", "not the second player both ways"),
}
NAMES: dict[int, str] = {NOTHING: "!", **{mask: said[0] for mask, said in _SAID.items()}, ANYTHING: "?"}
RELATIONS: dict[int, str] = {mask: said[1] for mask, said in _SAID.items()}
WORDS: dict[int, str] = {mask: said[2] for mask, said in _SAID.items()}
SETS: dict[str, int] = {name: mask for mask, name in NAMES.items()}
OUTCOMES: dict[int, str] = {V: "V", H: "H", FIRST: "first", SECOND: "second"}
"""Each class by the word that answers use."""
OF_VALUES = {"Left": V, "Right": H, "first": FIRST, "second": SECOND}
"""The class of a board by the outcome of its value, V being Left."""


def mirrored(mask: int) -> int:
    """Exchange the players' roles.

    >>> NAMES[mirrored(SETS["1h"])]
    '1v'
    """
    return (mask & EVEN) | (V if mask & H else 0) | (H if mask & V else 0)


def short_name(mask: int) -> str:
    """Return the short name of a set; a dot where nothing is known."""
    return "." if mask == ANYTHING else NAMES[mask]


def is_decided(mask: int) -> bool:
    """Whether exactly one outcome is left.

    >>> is_decided(SETS["H"]), is_decided(SETS["2h"])
    (True, False)
    """
    return mask in OUTCOMES


def possible(mask: int) -> list[str]:
    """Return the words of all outcomes that are left.

    >>> possible(SETS["1h"]), possible(SETS["V"])
    (['H', 'first'], ['V'])
    """
    return [word for outcome, word in OUTCOMES.items() if mask & outcome]


def statement(mask: int) -> str:
    """Return a set as the predicate of a sentence: by the word where one outcome is left, else by its short name.

    >>> statement(SETS["1"]), statement(SETS["2h"])
    ('= first', 'is 2h')
    """
    return f"= {OUTCOMES[mask]}" if mask in OUTCOMES else f"is {NAMES[mask]}"


def from_winners(v_starts: str | None = None, h_starts: str | None = None) -> int:
    """Return the set that the winners for each starter (None: unknown) leave.

    >>> NAMES[from_winners("V", "H")], NAMES[from_winners(None, "H")]
    ('1', '1h')
    """
    mask = ANYTHING
    for starter, player in (("V", v_starts), ("H", h_starts)):
        mask &= ANYTHING if player is None else WINS[player, player == starter]
    return mask


def winner(mask: int, starter: str) -> str | None:
    """Return who wins when ``starter`` moves first, or None where the set leaves that open.

    >>> winner(SETS["2h"], "V"), winner(SETS["2h"], "H")
    ('H', None)
    """
    return next((player for player in "VH" if mask & ~WINS[player, player == starter] == 0), None)

"""Show why a bound decides: the cover of the papers with its formulas, or the strips with their sum."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from zermelo import _core
from zermelo.domineering.position import PLAYER_NAMES, PLAYERS, Player, Position, core_player, opponent
from zermelo.domineering.searcher import SearchOptions, cover_switches, wide_patterns
from zermelo.draw import Area, svg
from zermelo.game import Explanation, Limits
from zermelo.running import cancelled_after, run_cancellable
from zermelo.words import counted, letters

COUNTS = {
    "prot": "protective areas, worth 2 moves for every two",
    "vuln2": "vulnerable areas with another area across from them, worth 1 move for every three",
    "vuln1": "vulnerable areas without one, worth 1 move for every two",
    "safe": "safe areas, worth 1 move each",
    "vuln2_p": "of vuln2: with a protected square",
    "vuln1_p": "of vuln1: with a protected square",
    "op1": "option areas: free squares beyond safe areas; every two cost the opponent 1 square",
    "op2": "the same of type 2; every two cost her 2 squares",
    "op3": "the same of type 3; every two cost her 3 squares",
    "unavail": "squares outside the areas that the opponent cannot use",
    "squares": "free squares",
}
"""The counts of a cover in the papers' words."""
# Label and colour of each kind of area, lettered as in figures 4 and 8 of the article.
KINDS: dict[str, tuple[str, str, str]] = {
    "PROTECTIVE": ("P", svg.BLUE, "protective"),
    "VULNERABLE2": ("V2", svg.ORANGE, "vulnerable, type 2"),
    "VULNERABLE1": ("V1", svg.YELLOW, "vulnerable, type 1"),
    "SAFE": ("S", svg.GREEN, "safe"),
    "OPTION1": ("O1", svg.PURPLE, "option, type 1"),
    "OPTION2": ("O2", svg.PURPLE, "option, type 2"),
    "OPTION3": ("O3", svg.PURPLE, "option, type 3"),
    "UNAVAILABLE": ("x", svg.SKY, "not available to the opponent"),
}
# Neighbouring pieces get different colours by turns.
COLOURS = (svg.BLUE, svg.ORANGE, svg.GREEN, svg.PURPLE, svg.SKY, svg.YELLOW, svg.VERMILION)
PARITY = "f: 1 if vulnerable areas of both kinds are left over, which make one more move together; else 0"


def explain(
    position: Position | str,
    *,
    player: Player = "V",
    to_move: Player | None = None,
    bound: str = "cover",
    without: tuple[str, ...] = (),
    added: tuple[str, ...] = (),
    limits: Limits = Limits(),
) -> Explanation:
    """Explain a bound of a player; ``to_move`` is the opponent if not given. Of the limits only seconds count.

    >>> print(explain("2x2", player="V", to_move="V").lines[-1])
    V wins: 2 > 0 with V to move

    :raises ValueError: if the position, a player or a name is bad.
    """
    position = Position(position) if isinstance(position, str) else position
    to_move = opponent(player) if to_move is None else to_move
    players = core_player(player), core_player(to_move)
    if bound == "cover":
        switches = cover_switches(SearchOptions().leaving_out(*without).adding(*added).features)
        witness = _core.cover_witness(position.board, players[0], to_move == player, switches)
        return _cover(position, player, to_move, witness)
    if bound == "strip":
        board, over = position.board, _core.CancelToken()
        # The same tables as in a search with the default memory, half of which is for tables.
        memory = SearchOptions().memory
        wide = wide_patterns(board.rows, board.cols, memory)

        def ask(token: _core.CancelToken) -> _core.StripWitness | None:
            return _core.strip_witness(board, *players, memory // 2, wide, cancel=token)

        with cancelled_after(over, float("inf") if limits.seconds is None else limits.seconds):
            found = run_cancellable(ask, over)
        return _strip(position, player, to_move, found, in_time=not over.cancelled)
    raise ValueError(f"bound {bound[:40]!r} cannot be explained: cover or strip")


def _letters(position: Position, labels: dict[int, str]) -> list[str]:
    """Return the board as a grid of labels."""
    cols = position.cols
    cells = [" ." if free == "." else " #" for free in position.lattice.grid(position.blocked, "")]
    for square, label in labels.items():
        cells[square] = f"{label:>2}"
    return [" ".join(cells[at : at + cols]) for at in range(0, len(cells), cols)]


def _head(position: Position, bound: str, player: Player, to_move: Player, wins: bool | None) -> dict[str, object]:
    said = {"game": "domineering", "spec": position.spec, "bound": bound}
    return {**said, "player": player, "to_move": to_move, "wins": wins}


def _area(position: Position, squares: Iterable[int], label: str, colour: str, dashed: bool = False) -> Area:
    return Area(position.lattice.places(squares), label, colour, dashed=dashed)


def _cover(position: Position, me: Player, to_move: Player, witness: _core.CoverWitness) -> Explanation:
    """Show the areas, the counts, and the theorems' formulas with the numbers put in."""
    bound, used, counts, rival = witness.bound, witness.bound.used, witness.counts, opponent(me)
    sign = ">" if to_move == me else ">="
    verdict = (
        f"the cover does not decide: {me} makes at least {bound.moves} and {rival} at most {bound.opponent} moves; "
        f"with {to_move} to move {bound.moves} {sign} {bound.opponent} would be needed"
    )
    if bound.wins:
        verdict = f"{me} wins: {bound.moves} {sign} {bound.opponent} with {to_move} to move"
    formulas = [
        f"moves({me}) = 2*[{used.prot}/2] + [{used.vuln2}/3] + [{used.vuln1}/2] + {used.safe} + f = {bound.moves}",
        f"unplayable({rival}) = {bound.unplayable}, unavail({rival}) = {used.unavail}",
        f"avail({rival}) = {used.squares} - 2*{bound.moves} - {used.unavail} - {bound.unplayable}, "
        f"so {rival} makes at most {bound.opponent} moves",
    ]
    labels, shown, areas = dict[int, str](), dict[str, str](), list[Area]()
    for area in witness.areas:
        label, colour, kind = KINDS[area.kind.name]
        labels |= dict.fromkeys(area.squares, label)
        shown[label] = kind
        mark = "'" if area.has_protected_square else ""
        areas.append(_area(position, area.squares, label + mark, colour, dashed=label[0] in "Ox"))
    legend = "; ".join(f"{label}: {kind}" for label, kind in shown.items()) or "no areas"
    lines = [f"{me}'s cover of {position.spec}, {to_move} to move", *_letters(position, labels), legend]
    lines += [f"{name} {getattr(counts, name)}: {words}" for name, words in COUNTS.items() if getattr(counts, name)]
    if to_move == me:
        lines.append(f"{me} is on turn and first plays in one of her areas (the counts below are after that)")
    data = _head(position, "cover", me, to_move, bound.wins) | {
        "moves": bound.moves,
        "opponent_moves": bound.opponent,
        "unplayable": bound.unplayable,
        "counts": {name: getattr(counts, name) for name in COUNTS},
        "counts_used": {name: getattr(used, name) for name in COUNTS},
        "legend": COUNTS,
        "areas": [
            {
                "kind": area.kind.name.lower(),
                "label": KINDS[area.kind.name][0],
                "protected_square": area.has_protected_square,
                "squares": position.lattice.places(area.squares),
            }
            for area in witness.areas
        ],
    }
    name, other = PLAYER_NAMES[me], PLAYER_NAMES[rival]
    needed = f"would need {'more than that' if to_move == me else 'as many'}: the cover does not decide."
    words = [
        f"{name} is sure of {counted(bound.moves, 'more move')}, {other} can have at most {bound.opponent}.",
        f"{PLAYER_NAMES[to_move]} is to move, so {name} {'wins.' if bound.wins else needed}",
    ]
    if areas:
        words.append("The areas over the board are where these moves are, whatever happens elsewhere.")
    text, winner = (*lines, *formulas, PARITY, verdict), me if bound.wins else None
    caption = (*formulas, verdict, legend)
    return Explanation(text, caption, tuple(areas), position.view(), data, PLAYERS, tuple(words), winner)


def _fraction(units: int) -> Fraction:
    """Return a value of the core, which counts in units of 1/64, as a fraction."""
    return Fraction(units, _core.STRIP_UNIT)


def _worth(piece: _core.StripPiece) -> str:
    """Return the worth of a piece to the player who cuts: a number, or a number and a switch."""
    value = str(_fraction(piece.value))
    return f"{value} +- {_fraction(piece.temperature)}" if piece.is_switch else value


def _strip(
    position: Position, me: Player, to_move: Player, witness: _core.StripWitness | None, *, in_time: bool
) -> Explanation:
    """Show the pieces of the cut board with their values and the sum; without a cut the bound decides nothing."""
    pieces = [] if witness is None else witness.pieces
    limited, name = witness is None and not in_time, PLAYER_NAMES[me]
    if witness is not None:
        switches = "".join(f" +- {_fraction(t)}" for t in witness.unpaired)
        worth = f"the pieces are worth at least {_fraction(witness.sum)}{switches} to {me}"
        verdict = f"{me} wins with {to_move} to move: {worth}"
        words = [
            f"{name} wins with {PLAYER_NAMES[to_move]} to move, even without ever playing across the cuts.",
            f"Each number says how many moves {name} is ahead in that piece at least; their sum is enough.",
        ]
    elif in_time:
        verdict = f"the strips do not decide: no cut proves that {me} wins with {to_move} to move"
        words = [f"No way to cut the board shows that {name} wins with {PLAYER_NAMES[to_move]} to move."]
    else:
        verdict = "the strips do not decide: their tables were not ready in the time"
        words = ["The tables of the strips were not ready in the time, so that no cut was looked for."]
    names = [letters(number) for number in range(len(pieces))]
    labels = {square: name for name, piece in zip(names, pieces, strict=True) for square in piece.squares}
    areas = [_area(position, p.squares, _worth(p), COLOURS[i % len(COLOURS)]) for i, p in enumerate(pieces)]
    lines = [f"{me}'s cut of {position.spec}, {to_move} to move", *_letters(position, labels)]
    lines += [f"{name} >= {_worth(piece)}" for name, piece in zip(names, pieces, strict=True)]
    if any(piece.is_switch for piece in pieces):
        lines.append("x +- t: a switch, worth x + t if she moves there first and x - t if the opponent does")
        words.append("“+- t” means t moves more for the player who moves there first.")
    data = _head(position, "strip", me, to_move, None if limited else witness is not None) | {
        "sum": None if witness is None else str(_fraction(witness.sum)),
        "unpaired": [] if witness is None else [str(_fraction(t)) for t in witness.unpaired],
        "pieces": [
            {
                "squares": position.lattice.places(piece.squares),
                "value": str(_fraction(piece.value)),
                "temperature": str(_fraction(piece.temperature)) if piece.is_switch else None,
            }
            for piece in pieces
        ],
    }
    winner = None if witness is None else me
    view = position.view()
    return Explanation((*lines, verdict), (verdict,), tuple(areas), view, data, PLAYERS, tuple(words), winner, limited)

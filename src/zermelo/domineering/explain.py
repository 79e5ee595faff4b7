"""Show why a bound decides: the cover of the papers with its formulas, or the strips with their sum."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from zermelo import _core
from zermelo.domineering.position import PLAYER_NAMES, PLAYERS, Player, Position, core_player, opponent
from zermelo.domineering.searcher import cover_switches, features, wide_patterns
from zermelo.draw import Area, grid, svg
from zermelo.game import Explanation, Limits, Square
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
    head = {"game": "domineering", "spec": position.spec, "bound": bound, "player": player, "to_move": to_move}
    if bound == "cover":
        switches = cover_switches(features(without, added))
        witness = _core.cover_witness(position.board, players[0], to_move == player, switches)
        return _cover(position, player, to_move, witness, head)
    if bound == "strip":
        board, over = position.board, _core.CancelToken()
        # The same tables as in a search with the default memory, half of which is for tables.
        memory = Limits().memory
        wide = wide_patterns(board.rows, board.cols, memory)

        def ask(token: _core.CancelToken) -> _core.StripWitness | None:
            return _core.strip_witness(board, *players, memory // 2, wide, cancel=token)

        with cancelled_after(over, float("inf") if limits.seconds is None else limits.seconds):
            found = run_cancellable(ask, over)
        return _strip(position, player, to_move, found, not over.cancelled, head)
    raise ValueError(f"bound {bound[:40]!r} cannot be explained: cover or strip")


def _cover(
    position: Position, me: Player, to_move: Player, witness: _core.CoverWitness, head: dict[str, Any]
) -> Explanation:
    """Show the areas, the counts, and the theorems' formulas with the numbers put in."""
    bound, used, counts, rival, view = witness.bound, witness.bound.used, witness.counts, opponent(me), position.view()
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
    labels, shown, areas, listed = dict[Square, str](), dict[str, str](), list[Area](), list[dict[str, Any]]()
    for area in witness.areas:
        label, colour, kind = KINDS[area.kind.name]
        squares, guarded = position.lattice.places(area.squares), area.has_protected_square
        labels |= dict.fromkeys(squares, label)
        shown[label] = kind
        areas.append(Area(squares, label + "'" * guarded, colour, dashed=label[0] in "Ox"))
        name = area.kind.name.lower()
        listed.append({"kind": name, "label": label, "protected_square": guarded, "squares": squares})
    legend = "; ".join(f"{label}: {kind}" for label, kind in shown.items()) or "no areas"
    lines = [f"{me}'s cover of {position.spec}, {to_move} to move", *grid(view, labels).splitlines(), legend]
    lines += [f"{name} {getattr(counts, name)}: {words}" for name, words in COUNTS.items() if getattr(counts, name)]
    if to_move == me:
        lines.append(f"{me} is on turn and first plays in one of her areas (the counts below are after that)")
    data = head | {
        "wins": bound.wins,
        "moves": bound.moves,
        "opponent_moves": bound.opponent,
        "unplayable": bound.unplayable,
        "counts": {name: getattr(counts, name) for name in COUNTS},
        "counts_used": {name: getattr(used, name) for name in COUNTS},
        "legend": COUNTS,
        "areas": listed,
    }
    name, other = PLAYER_NAMES[me], PLAYER_NAMES[rival]
    needed = f"would need {'more than that' if to_move == me else 'as many'}: the cover does not decide."
    words = [
        f"{name} is sure of {counted(bound.moves, 'more move')}, {other} can have at most {bound.opponent}.",
        f"{PLAYER_NAMES[to_move]} is to move, so {name} {'wins.' if bound.wins else needed}",
    ]
    if areas:
        words.append("The areas over the board are where these moves are, whatever happens elsewhere.")
        words.append(f"{legend}.")
    text, winner = (*lines, *formulas, PARITY, verdict), me if bound.wins else None
    caption = (*formulas, verdict, legend)
    return Explanation(text, caption, tuple(areas), view, data, PLAYERS, tuple(words), winner)


def _fraction(units: int) -> Fraction:
    """Return a value of the core, which counts in units of 1/64, as a fraction."""
    return Fraction(units, _core.STRIP_UNIT)


def _strip(
    position: Position,
    me: Player,
    to_move: Player,
    witness: _core.StripWitness | None,
    in_time: bool,
    head: dict[str, Any],
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
    labels, areas, worths, listed = dict[Square, str](), list[Area](), list[str](), list[dict[str, Any]]()
    for number, piece in enumerate(pieces):
        value, heat = str(_fraction(piece.value)), str(_fraction(piece.temperature)) if piece.is_switch else None
        squares, worth = position.lattice.places(piece.squares), f"{value} +- {heat}" if heat else value
        labels |= dict.fromkeys(squares, letters(number))
        areas.append(Area(squares, worth, svg.CYCLE[number % len(svg.CYCLE)]))
        worths.append(f"{letters(number)} >= {worth}")
        listed.append({"squares": squares, "value": value, "temperature": heat})
    view = position.view()
    lines = [f"{me}'s cut of {position.spec}, {to_move} to move", *grid(view, labels).splitlines(), *worths]
    if any(piece.is_switch for piece in pieces):
        lines.append("x +- t: a switch, worth x + t if she moves there first and x - t if the opponent does")
        words.append("“+- t” means t moves more for the player who moves there first.")
    data = head | {
        "wins": None if limited else witness is not None,
        "sum": None if witness is None else str(_fraction(witness.sum)),
        "unpaired": [] if witness is None else [str(_fraction(t)) for t in witness.unpaired],
        "pieces": listed,
    }
    winner = None if witness is None else me
    return Explanation((*lines, verdict), (verdict,), tuple(areas), view, data, PLAYERS, tuple(words), winner, limited)

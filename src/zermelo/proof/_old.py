"""For doors that are not rebuilt yet: gone with them."""

# mypy: ignore-errors
from __future__ import annotations

from fractions import Fraction
from types import SimpleNamespace

from zermelo.proof.container import read_claim

RECORDS = ("end", "pairs", "edge", "step", "sum", "swap")
HEAT_UNITS = 64


def old_claim(payload):
    """Return a claim with the fields that the older readers ask for."""
    claim = read_claim(payload)
    found = SimpleNamespace(**{name: getattr(claim, name) for name in ("game", "spec", "starter", "winner", "to_json")})
    found.maker, found.breaker = claim.marks.get("maker", ()), claim.marks.get("breaker", ())
    if claim.code == 1:
        from zermelo.domineering.position import Position

        position = Position(claim.spec)
        found.rows, found.cols, found.topology = position.rows, position.cols, position.topology
        found.free = position.lattice.full & ~position.blocked
    if claim.code == 4:
        found.game = "rectangle"
    return found


def describe_node(strategy, node) -> str:
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


def strips_text(node) -> str:
    """Return a cut into strips in words."""
    heats = ", ".join(str(Fraction(heat, HEAT_UNITS)) for heat in node.heats)
    heat = f", switches at {heats}" if heats else ""
    cuts = sum(gaps.bit_count() for _, gaps in node.cuts)
    return f"strips ({cuts} cut{'' if cuts == 1 else 's'}{heat})"

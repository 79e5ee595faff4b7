"""Certificates of rectangles of any size (checker/FORMAT.md 7): the engine's own steps, from searched boards."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import cast

from zermelo.domineering.game import GAME
from zermelo.domineering.lattice import Lattice
from zermelo.domineering.position import PLAYERS, Player, Position, core_player, opponent
from zermelo.domineering.prove import RECTANGLE, player_bytes
from zermelo.domineering.rules.derive import Derived
from zermelo.domineering.rules.knowledge import shipped
from zermelo.domineering.rules.outcomes import ONE_H, TWO_H, WINS
from zermelo.domineering.rules.rulebook import CUT, DOUBLE_SQUARE, EMPTY, MIRROR, REPEAT, ROW, SPLIT
from zermelo.game import Clock, Limits, Written
from zermelo.game.watch import Stopped
from zermelo.proof.container import read_payload, varint, write_payload
from zermelo.running import Calls, unwound

PROOF_CODE, TURN_CODE, ROW_CODE, CUT_CODE, SPLIT_CODE, EDGE_SPLIT_CODE, DOUBLE_CODE = range(1, 8)
LEAF_SQUARES = 42
"""Boards of at most this many squares are searched."""
IN_FORMAT = {rule.name for rule in (EMPTY, ROW, MIRROR, DOUBLE_SQUARE, CUT, SPLIT, REPEAT)}


@dataclass
class Records:
    """The facts of a certificate, each after those that it needs. A fact is the winner for one starter."""

    clock: Clock
    out: bytearray = field(default_factory=bytearray)
    place: dict[tuple[Lattice, Player], int] = field(default_factory=dict)
    """The number of a fact by its board and starter; a true one has one winner."""
    count: int = 0
    nodes: int = 0

    def _add(self, code: int, data: bytes = b"", refs: Iterable[int] = ()) -> int:
        self.out.append(code)
        self.out += data
        for ref in refs:
            self.out += varint(self.count - ref)
        self.count += 1
        return self.count - 1

    def write(self, step: Derived, starter: Player, winner: Player) -> Calls[int]:
        """Write a fact after everything under it; return its number.

        :raises Stopped: if a limit was reached.
        """
        while (
            step.rule is None and step.fact is None
        ):  # it combines two lines about the board: take the one that says it
            step = next(each for each in step.premises if each.outcomes & ~WINS[winner, winner == starter] == 0)
        rule, size, premises = step.rule, step.size, step.premises
        if (size, starter) in self.place:
            return self.place[size, starter]
        if step.fact is not None or rule is EMPTY:
            number = self._search(size, starter, winner)
        elif rule is ROW:
            number = self._add(ROW_CODE, varint(size.cols) + player_bytes(starter))
        elif rule is DOUBLE_SQUARE:
            number = self._add(DOUBLE_CODE, varint(size.rows))
        elif rule is MIRROR:
            number = self._add(TURN_CODE, refs=[(yield self.write(premises[0], opponent(starter), opponent(winner)))])
        elif rule is SPLIT:
            refs = list[int]()
            for premise in reversed(premises):
                if premise.size.cols:
                    refs.insert(0, (yield self.write(premise, "H", "V")))
            number = self._add(SPLIT_CODE if len(refs) == 2 else EDGE_SPLIT_CODE, refs=refs)
        else:  # a cut, or many that are equal
            ground, part = premises
            if starter == "H" and rule is CUT and (ground.outcomes & ~ONE_H or part.outcomes & ~TWO_H):
                ground, part = part, ground
            two = yield self.write(part, "V", "H")
            one = yield self.write(ground, starter, "H")
            number = self._repeat(one, two, 1 if rule is CUT else (size.cols - ground.size.cols) // part.size.cols)
        self.place[size, starter] = number
        return number

    def _repeat(self, whole: int, part: int, times: int) -> int:
        """Add a part to a board so many times, doubling it on the way."""
        while times:
            if times & 1:
                whole = self._add(CUT_CODE, refs=(whole, part))
            times >>= 1
            if times:
                part = self._add(CUT_CODE, refs=(part, part))
        return whole

    def _search(self, size: Lattice, starter: Player, winner: Player) -> int:
        """Prove a small board by search."""
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder, "leaf.zc")
            written = GAME.prove(Position.of(size), starter, file, self.clock.left())
            if written.winner is None:
                raise Stopped
            if written.winner != winner:
                raise ValueError(f"the search says that {written.winner} wins {size.spec}, the facts say otherwise")
            self.nodes += written.nodes
            return self._add(PROOF_CODE, read_payload(file)[1:])


def write_derivation(
    board: str, first: str, path: Path, *, squares: int | None = None, limits: Limits = Limits()
) -> Written:
    """Write a certificate of who wins an empty rectangle when ``first`` starts; boards of ``squares`` are searched.

    ``winner`` is None if the rules do not decide it, or a limit was reached.

    :raises ValueError: if it is not such a board, or the rules tell it only by a lemma that the format does not have.
    """
    core_player(first)  # raises for another word
    size, knowledge, leaf_squares = Lattice.parse(board), shipped(), squares or LEAF_SQUARES
    if size.topology != "rectangle":
        raise ValueError(f"the certificate format has rules for rectangles only, not for {size.spec}")
    clock = Clock(limits)
    records = Records(clock)
    try:
        with knowledge.within(clock.seconds_left):
            closure = knowledge.how(size, leaves=leaf_squares)
        for winner in PLAYERS:
            step = closure.step(size, WINS[winner, winner == first])
            if step is not None:
                unwound(records.write(step, cast(Player, first), winner))
                head = bytes([RECTANGLE]) + varint(size.rows) + varint(size.cols) + player_bytes(first, winner)
                length = write_payload(head + bytes(records.out) + b"\x00", path)
                return Written(winner, path, length, records.count, records.nodes)
        with knowledge.within(clock.seconds_left):
            known = knowledge.decide(size)
    except Stopped:
        return Written(None, None, nodes=records.nodes)
    if known.winner(first) is None or known.step is None:
        return Written(None, None)
    lines = list(known.step.lines())
    lacking = sorted({line.rule.name for line in lines if line.rule and line.rule.name not in IN_FORMAT})
    larger = sorted({line.size for line in lines if line.fact is not None and line.size.area > leaf_squares})
    why = "follows only backwards from larger boards, which the certificate format cannot say"
    if lacking:
        why = f"follows by {' and '.join(lacking)}, for which the certificate format has no rule"
    elif size in larger:
        why = "had to be searched: zermelo solve --proof writes that certificate"
    elif larger:
        why = f"follows from {larger[0].spec}, which can be searched with --squares {larger[0].area}"
    raise ValueError(f"{size.spec} {why}")

"""Certificates of rectangles of any size (checker/FORMAT.md 7): the engine's own steps, from searched boards."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass, field
from pathlib import Path

from zermelo.domineering.lattice import lattice
from zermelo.domineering.position import Player, Position, core_player, opponent
from zermelo.domineering.prove import RECTANGLE, player_bytes, prove
from zermelo.domineering.rules.derive import Derived
from zermelo.domineering.rules.knowledge import shipped
from zermelo.domineering.rules.outcomes import ONE_H, TWO_H, WINS
from zermelo.domineering.rules.rulebook import CUT, DOUBLE_SQUARE, EMPTY, MIRROR, REPEAT, ROW, SPLIT
from zermelo.domineering.rules.sizes import Size
from zermelo.game import Clock, Limits, Written
from zermelo.game.watch import Stopped
from zermelo.proof.container import read_payload, varint, write_payload

PROOF_CODE, TURN_CODE, ROW_CODE, CUT_CODE, SPLIT_CODE, EDGE_SPLIT_CODE, DOUBLE_CODE = range(1, 8)
LEAF_SQUARES = 42
"""Boards of at most this many squares are searched."""
IN_FORMAT = {rule.name for rule in (EMPTY, ROW, MIRROR, DOUBLE_SQUARE, CUT, SPLIT, REPEAT)}


@dataclass(frozen=True)
class HalfClaim:
    """The winner for one starter, which is half of the outcome."""

    step: Derived
    starter: Player
    winner: Player

    @classmethod
    def of(cls, step: Derived, starter: Player, winner: Player) -> HalfClaim:
        """Take the line that says it, where a line combines two about the same board."""
        while step.rule is None and step.fact is None:
            step = next(each for each in step.premises if each.outcomes & ~WINS[winner, winner == starter] == 0)
        return cls(step, starter, winner)

    @property
    def key(self) -> tuple[Size, Player]:
        """What it is about; a true claim has one winner."""
        return self.step.size, self.starter


@dataclass
class Records:
    """The facts of a certificate, each after those that it needs."""

    clock: Clock
    out: bytearray = field(default_factory=bytearray)
    place: dict[tuple[Size, Player], int] = field(default_factory=dict)
    count: int = 0
    nodes: int = 0

    def write(self, goal: HalfClaim) -> bool:
        """Write a claim with everything under it; False if a limit was reached."""
        waiting = [goal]
        while waiting:
            claim = waiting[-1]
            if claim.key in self.place:
                waiting.pop()
                continue
            needed = needs(claim)
            missing = [each for each in needed if each.key not in self.place]
            if missing:
                waiting += missing
                continue
            if not self._record(claim, [self.place[each.key] for each in needed]):
                return False
            self.place[claim.key] = self.count - 1
            waiting.pop()
        return True

    def _add(self, code: int, data: bytes = b"", refs: tuple[int, ...] = ()) -> int:
        self.out.append(code)
        self.out += data
        for ref in refs:
            self.out += varint(self.count - ref)
        self.count += 1
        return self.count - 1

    def _record(self, claim: HalfClaim, refs: list[int]) -> bool:
        rule, size = claim.step.rule, claim.step.size
        if is_leaf(claim.step):
            return self._search(claim)
        assert rule is not None
        if rule is ROW:
            self._add(ROW_CODE, varint(size.cols) + player_bytes(claim.starter))
        elif rule is DOUBLE_SQUARE:
            self._add(DOUBLE_CODE, varint(size.rows))
        elif rule is MIRROR:
            self._add(TURN_CODE, refs=(refs[0],))
        elif rule is SPLIT:
            self._add(SPLIT_CODE if len(refs) == 2 else EDGE_SPLIT_CODE, refs=tuple(refs))
        elif rule is CUT:
            self._add(CUT_CODE, refs=(refs[0], refs[1]))
        else:
            self._repeat(claim.step, refs[0], refs[1])
        return True

    def _repeat(self, step: Derived, whole: int, part: int) -> None:
        """Add a part to a board many times, doubling it on the way."""
        times = (step.size.cols - step.boards[1].cols) // step.boards[2].cols
        while times:
            if times & 1:
                whole = self._add(CUT_CODE, refs=(whole, part))
            times >>= 1
            if times:
                part = self._add(CUT_CODE, refs=(part, part))
        # The whole is the last record, since the highest bit adds it.

    def _search(self, claim: HalfClaim) -> bool:
        """Prove a small board by search."""
        size = claim.step.size
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder, "leaf.zc")
            position = Position.of(lattice(size.rows, size.cols))
            written = prove(position, claim.starter, file, self.clock.left())
            if written.winner is None:
                return False
            if written.winner != claim.winner:
                raise ValueError(f"the search says that {written.winner} wins {size.spec}, the facts say otherwise")
            self._add(PROOF_CODE, read_payload(file)[1:])
        self.nodes += written.nodes
        return True


def is_leaf(step: Derived) -> bool:
    """Whether a line is proved by a search of its own board."""
    return step.fact is not None or step.rule is EMPTY


def needs(claim: HalfClaim) -> list[HalfClaim]:
    """Return the claims from which one follows by a rule of the format."""
    step, starter, winner = claim.step, claim.starter, claim.winner
    if is_leaf(step) or not step.premises:
        return []
    assert step.rule is not None
    if step.rule is MIRROR:
        return [HalfClaim.of(step.premises[0], opponent(starter), opponent(winner))]
    if step.rule is SPLIT:
        return [HalfClaim.of(premise, "H", "V") for premise in step.premises if premise.size.cols]
    ground, part = step.premises
    if starter == "H" and step.rule is CUT and (ground.outcomes & ~ONE_H or part.outcomes & ~TWO_H):
        ground, part = part, ground
    return [HalfClaim.of(ground, starter, "H"), HalfClaim.of(part, "V", "H")]


def write_derivation(
    spec: str, first: Player, path: Path, *, squares: int | None = None, limits: Limits = Limits()
) -> Written:
    """Write a certificate of who wins an empty rectangle when ``first`` starts; boards of ``squares`` are searched.

    ``winner`` is None if the rules do not decide it, or a limit was reached.

    :raises ValueError: if it is not such a board, or the rules tell it only by a lemma that the format does not have.
    """
    core_player(first)
    size, knowledge, leaf_squares = Size.parse(spec), shipped(), squares or LEAF_SQUARES
    if size.topology != "rectangle":
        raise ValueError(f"the certificate format has rules for rectangles only, not for {size.spec}")
    clock = Clock(limits)
    try:
        with knowledge.within(clock.seconds_left):
            closure = knowledge.how(size, leaves=leaf_squares)
    except Stopped:
        return Written(None, None)
    for winner in ("V", "H"):
        step = closure.step(size, WINS[winner, winner == first])
        if step is not None:
            records = Records(clock)
            if not records.write(HalfClaim.of(step, first, winner)):
                return Written(None, None, nodes=records.nodes)
            head = bytes([RECTANGLE]) + varint(size.rows) + varint(size.cols) + player_bytes(first, winner)
            write_payload(head + bytes(records.out) + b"\x00", path)
            return Written(winner, path, path.stat().st_size, records.count, records.nodes)
    try:
        with knowledge.within(clock.seconds_left):
            known = knowledge.decide(size)
    except Stopped:
        return Written(None, None)
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

"""Walks through a win by threats (checker/FORMAT.md 9.1): a reader that believes the file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from zermelo.draw import Area, svg
from zermelo.game import Clock, Limits, Player, Step
from zermelo.positional.position import Board, PositionalPosition, masks_of, vertices_of
from zermelo.positional.prove import read_claim
from zermelo.proof.container import Bytes
from zermelo.words import all_answered

ZONES, KEEP_ZONES, SEEN, SYMMETRY = range(0x10, 0x14)
Zones = tuple[int, int, int]
POLL = 1024
Cells = Sequence[int]
"""The cell of the board that each cell of the file means."""


class NoThreatsError(ValueError):
    """The proof is not one by threats."""


@dataclass(eq=False)
class Node:
    """A position of the proof: with the opponent to move, or with the hero to move if it has a ``cell``."""

    zones: Zones
    other: int = 0
    """The opponent's marks, as far as the proof knows them."""
    cell: int | None = None
    """The hero's move, or the opponent's only one."""
    below: Node | None = None
    replies: list[tuple[int, Node]] = field(default_factory=list)
    """Code of a reply (0: a pass; odd: this reply only; even: and replies outside the zone), and the hero's answer."""
    same: tuple[Node, Cells] | None = None
    """Another place of the file where this position stands, and the symmetry."""


class ThreatReader:
    """Reads the whole proof once, and works out its zones."""

    def __init__(self, source: Bytes, board: Board, limits: Limits) -> None:
        self.source, self.board, self.counts = source, board, Counter[str]()
        self._clock, self._nodes = Clock(limits), 0
        self._seen: list[Node] = []
        self._turns: list[Cells] = [range(board.vertices)]

    def hero(self, own: int, other: int) -> Node:
        """Read the hero's move and the proof after it."""
        cell = self.source.varint()
        if cell >= self.board.vertices or (own | other) >> cell & 1:
            raise ValueError("the certificate marks a cell that is not free")
        self.counts["moves"] += 1
        self._nodes += 1
        if self._nodes % POLL == 0 and self._clock.over:
            raise ValueError("the certificate is too large to walk within the limits")
        mark = 1 << cell
        below = None if cell in self.board.completions(own, other) else self.opponent(own | mark, other)
        zones = [mark | (below.zones[index] if below else 0) for index in range(3)]
        for edge in self.board.masks:
            rest = edge & ~other
            if not edge & own and (lacks := rest.bit_count()) <= 4:
                for index in range(max(lacks - 2, 0), 3):
                    zones[index] |= rest
        return Node((zones[0], zones[1], zones[2]), other, cell, below)

    def opponent(self, own: int, other: int) -> Node:
        """Read the proof of a position with the opponent to move."""
        threats = self.board.completions(own, other)
        mask = sum(1 << cell for cell in threats)
        if len(threats) == 1:
            self.counts["threats"] += 1
            below = self.hero(own, other | mask)
            one, two, three = below.zones
            return Node((one | mask, two | mask, three | mask), other, threats[0], below)
        if threats or own | other == self.board.every:
            self.counts["ends"] += 1
            return Node((mask, mask, mask), other)
        tag = self.source.byte()
        while tag == SYMMETRY:
            self._turns.append(self._cells(self.board.vertices))
            tag = self.source.byte()
        if tag == SEEN:
            return self._seen_before(other)
        if tag not in (ZONES, KEEP_ZONES):
            raise NoThreatsError(f"the certificate has an unknown tag {tag}")
        self.counts["zones"] += 1
        replies, union = list[tuple[int, Node]](), [0, 0, 0]
        for _ in range(self.source.varint()):
            code = self.source.varint()
            reply = (code - 1) // 2 if code else -1
            if reply >= self.board.vertices or (code and (own | other) >> reply & 1):
                raise ValueError("the certificate marks a cell that is not free")
            node = self.hero(own, other | (1 << reply if code else 0))
            replies.append((code, node))
            zones = node.zones if code % 2 else (*node.zones[1:], self.board.every)
            union = [a | b for a, b in zip(union, zones, strict=True)]
        node = Node((union[0], union[1], union[2]), other, replies=replies)
        if tag == KEEP_ZONES:
            self._seen.append(node)
        return node

    def _cells(self, count: int) -> list[int]:
        cells = self.source.varints(count)
        if any(cell >= self.board.vertices for cell in cells):
            raise ValueError("the certificate names a cell that is not on the board")
        return list(cells)

    def _seen_before(self, other: int) -> Node:
        number, turn = self.source.varints(2)
        if not 1 <= number <= len(self._seen) or turn >= len(self._turns):
            raise ValueError("the certificate refers to a position that is not there")
        self.counts["references"] += 1
        node, to = self._seen[number - 1], self._turns[turn]
        one, two, three = (image(zone, to) for zone in node.zones)
        return Node((one, two, three), other, same=(node, to))


def image(cells: int, to: Cells) -> int:
    """Return the cells that a symmetry makes of some cells."""
    return sum(1 << to[cell] for cell in vertices_of(cells))


@dataclass(frozen=True)
class Place:
    """A place of a walk: ``node`` is None where the hero completes an edge next."""

    node: Node | None
    to: Cells
    extra: tuple[int, ...] = ()
    """Marks of the opponent that the proof need not know: number i lies outside zone i."""

    def resolved(self) -> Place:
        """Return the same place where the file writes it in full."""
        place = self
        while place.node is not None and place.node.same is not None:
            node, turn = place.node.same
            place = replace(place, node=node, to=[place.to[cell] for cell in turn])
        return place

    def holds(self, node: Node, extra: Sequence[int], *, wide: bool) -> bool:
        """Whether the proof of a node bears these marks."""
        zones = (*node.zones[wide:], *[-1] * wide)
        return len(extra) <= 3 and all(
            zones[i] != -1 and not image(zones[i], self.to) >> cell & 1 for i, cell in enumerate(extra)
        )

    def after_reply(self, cell: int) -> Place:
        """Return the place after a move of the opponent."""
        here = self.resolved()
        node, to = here.node, here.to
        if node is None or not (node.below or node.replies):
            return replace(here, node=None)
        if node.below is not None:
            return replace(here, node=node.below if node.cell is not None and to[node.cell] == cell else None)
        known = image(node.other, to) >> cell & 1  # the proof has the mark already: this is a pass
        for code, answer in sorted(node.replies, key=lambda reply: reply[0] % 2 == 0):
            exact, reply = code % 2, to[(code - 1) // 2] if code else -1
            if reply == cell or (known and exact):
                if here.holds(answer, here.extra, wide=False):
                    return replace(here, node=answer)
            elif not exact:
                new = () if known else (cell,)
                rest = tuple(one for one in here.extra if one != reply)
                outside = all(not image(answer.zones[0], to) >> one & 1 for one in new)
                if outside and here.holds(answer, rest, wide=not known):
                    return replace(here, node=answer, extra=new + rest)
        raise ValueError("the certificate has no answer to that move")


class ThreatReplay:
    """Walks through a win by threats; the hero's moves are those of the file."""

    def __init__(self, payload: bytes, limits: Limits = Limits()) -> None:
        source = Bytes(payload)
        self.claim, self.root, _ = read_claim(source.varint(), source)
        self.walker = self.claim.winner
        reader = ThreatReader(source, self.root.board, limits)
        own, other = masks_of(self.root, self.walker)
        self._tree = (reader.hero if self.claim.starter == self.walker else reader.opponent)(own, other)
        self.counts = reader.counts

    def step(self, moves: Sequence[str]) -> Step:
        """Return the place after some moves, both players' in turn.

        :raises ValueError: if the strategy never plays that way.
        """
        player, position = self.claim.starter, self.root.turn_of(self.claim.starter)
        place = Place(self._tree, range(self.root.board.vertices))
        here = self._show(place, position, player)
        for number, text in enumerate(moves, 1):
            if not here.moves:
                raise ValueError(f"the strategy ends before move {number}")
            if text not in here.moves:
                wrong = "another move than the strategy plays:" if player == self.walker else "not a move here:"
                raise ValueError(f"{text[:40]!r} (move {number}) is {wrong} {' '.join(here.moves)[:200]}")
            if player == self.walker:
                place = replace(place, node=place.node.below if place.node else None)
            else:
                place = place.after_reply(position.vertex(text))
            player, position = position.game.other(player), position.after(text)
            here = self._show(place, position, player)
        return here

    def _show(self, place: Place, position: PositionalPosition, player: Player) -> Step:
        game, names = position.game, position.game.player_names
        hero, over = names[self.walker], position.decided(player)
        if over is not None:
            text = game.ending(position, player)
            return Step(position, player, text, caption=(f"{text} {hero} wins.",), leaf=True)
        if player == self.walker:
            own, other = masks_of(position, player)
            done = position.board.completions(own, other)
            if place.node is None and not done:
                raise ValueError("the certificate has no answer here")
            cell = done[0] if done else place.to[(place.node.cell if place.node else None) or 0]
            reply = position.name(cell)
            return Step(position, player, f"{hero} plays {reply}", (reply,))
        moves = tuple(map(str, position.moves(player)))
        place = place.resolved()
        node = place.node
        if node is None or not node.replies:
            threats = position.board.completions(*masks_of(position, self.walker))
            text = f"{hero} threatens to complete a line at {', '.join(map(position.name, threats))}"
            caption = f"{text}: {'only that move stops it' if len(threats) == 1 else 'one of them cannot be stopped'}."
            return Step(position, player, text, moves, (), (caption,))
        own_answers = [place.to[(code - 1) // 2] for code, _ in node.replies if code]
        areas = (Area([position.square(cell) for cell in own_answers], "", svg.GREEN),) if own_answers else ()
        caption = f"{hero} threatens to win by threats. Moves on the shaded squares have answers of their own."
        return Step(position, player, all_answered(names[player], len(moves)), moves, areas, (caption,))

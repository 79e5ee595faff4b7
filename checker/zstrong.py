"""Strong positional games: a strategy, read in the order in which it is played (FORMAT.md 9), and zones (9.1)."""

from __future__ import annotations

from zformat import Budget, Reader, malformed, reject
from zpositional import BREAKER, Positional

ALL, KEEP, REF, PAIRS, BLOCK = range(5)
ZONES, KEEP_ZONES, SEEN, SYMMETRY = range(0x10, 0x14)
DRAW = 2
STRATEGY, BLOCKING, BASE = range(3)
Zones = tuple[int, int, int]
"""So many marks of the opponent more, each outside its zone, do not break a win (FORMAT.md 9.1)."""


class Strong(Positional):
    outcomes = 3

    def __init__(self, reader: Reader, budget: Budget, game: int) -> None:
        super().__init__(reader, budget, game)
        names = ("X", "O", "draw") if self.claim["game"] == "mnk" else ("maker", "breaker", "draw")
        self.claim.update(rules="strong", starter=names[self.starter], winner=names[self.winner])
        self.every = (1 << self.cells) - 1
        if any(edge & ~marks == 0 for edge in self.edges for marks in self.marks):
            raise malformed("a player holds a whole edge: the game is over")

    def check(self) -> None:
        self.wins = self.winner != DRAW
        for hero in (self.winner,) if self.wins else (0, 1):
            # The starter of an empty board cannot lose (FORMAT.md 9): the file has no proof of it.
            if not self.wins and hero == self.starter and not any(self.marks):
                continue
            kind = STRATEGY if self.wins else self.reader.number(3, "kind of proof")
            if kind == BLOCKING:
                self.only_blocks(hero)
                continue
            self.has_base = kind == BASE
            if self.has_base:
                self.winner = BREAKER  # claims in which the hero is Breaker, for the strategy to refer to
                self.read_claims()
                self.winner = DRAW
            self.known: set[tuple[int, int, int, int]] = set()
            self.seen: list[tuple[int, int, Zones]] = []
            self.turns = [list(range(self.cells))]
            self.inside = False  # a win whose zones are needed
            own, other = self.marks[hero], self.marks[1 - hero]
            (self.hero_moves if hero == self.starter else self.other_moves)(own, other)
        self.reader.end()

    def only_blocks(self, hero: int) -> None:
        """Check a Breaker win in which the hero is Breaker (FORMAT.md 6)."""
        claimed = self.marks, self.starter, self.winner
        self.marks = [self.marks[1 - hero], self.marks[hero]]
        self.starter, self.winner = int(self.starter == hero), BREAKER
        self.conclude(*self.read_records())
        self.marks, self.starter, self.winner = claimed

    def completions(self, own: int, other: int) -> int:
        """The cells with which the owner of `own` completes an edge at once."""
        found = 0
        for edge in self.edges:
            rest = edge & ~own
            if not edge & other and not rest & (rest - 1):
                found |= rest
        return found

    def full(self, own: int, other: int) -> bool:
        """Whether no cell is left: a draw, which is no win."""
        if own | other != self.every:
            return False
        if self.wins:
            raise reject("the board is full and nobody has won")
        return True

    def hero_moves(self, own: int, other: int) -> Zones:
        """The hero is to move: one move is enough. Return the zones of the win; for a draw they mean nothing."""
        self.nodes += 1
        everything = (self.every, self.every, self.every)
        if self.full(own, other):
            return everything
        cell = self.reader.number(self.cells, "cell")
        if (own | other) >> cell & 1:
            raise reject("a cell is marked again")
        mark = 1 << cell
        completed = self.completions(own, other) & mark
        one, two, three = (0, 0, 0) if completed else self.other_moves(own | mark, other)
        if not self.inside:
            return everything
        danger = self.danger(own, other)
        return one | danger[0] | mark, two | danger[1] | mark, three | danger[2] | mark

    def other_moves(self, own: int, other: int) -> Zones:
        """The opponent is to move. Every move must be answered; against a threat, only the move that stops it."""
        self.budget.tick()
        self.nodes += 1
        everything = (self.every, self.every, self.every)
        if self.full(own, other):
            return everything
        if self.completions(other, own):
            raise reject("the opponent completes an edge")
        threats = self.completions(own, other)
        if threats:
            one, two, three = (0, 0, 0) if threats & (threats - 1) else self.hero_moves(own, other | threats)
            return one | threats, two | threats, three | threats
        tag = self.reader.byte()
        while tag == SYMMETRY and self.wins:
            self.symmetry()
            tag = self.reader.byte()
        if tag in (ZONES, KEEP_ZONES) and self.wins:
            zones = self.refuted(own, other)
            if tag == KEEP_ZONES:
                self.seen.append((own, other, zones))
                self.budget.store(8)
            return zones
        if tag == SEEN and self.wins:
            return self.seen_before(own, other)
        if tag == REF:
            if self.normal(own, other) not in self.known:
                raise reject("a reference to a position that was not proved")
        elif tag == PAIRS and not self.wins:
            self.pairs(own, other)
        elif tag == BLOCK and self.has_base:
            self.block(own, other)
        elif tag in (ALL, KEEP):
            for cell in self.moves(own, other):
                self.hero_moves(own, other | 1 << cell)
            if tag == KEEP:
                self.known.add(self.normal(own, other))
                self.budget.store(8)
        else:
            raise malformed(f"unknown tag {tag}")
        return everything

    def danger(self, own: int, other: int) -> Zones:
        """The free cells of edges that some more marks of the opponent would leave with one cell at most."""
        zones = [0, 0, 0]
        for edge in self.edges:
            rest = edge & ~other
            if not edge & own and (lacks := rest.bit_count()) <= 4:
                for index in range(max(lacks - 2, 0), 3):
                    zones[index] |= rest
        return zones[0], zones[1], zones[2]

    def refuted(self, own: int, other: int) -> Zones:
        """Wins after a pass and after some replies; their zones must leave no reply without an answer."""
        was_inside, self.inside = self.inside, True
        left, union = self.every & ~own & ~other, [0, 0, 0]
        for _ in range(self.reader.number(self.cells + 2, "number of refutations")):
            code = self.reader.number(2 * self.cells + 1, "reply")  # 0: a pass; odd: for this reply only
            reply = 1 << (code - 1) // 2 if code else 0
            if reply & (own | other):
                raise reject("a cell is marked again")
            zones = self.hero_moves(own, other | reply)
            left &= ~reply
            if not code % 2:
                left &= zones[0]
                zones = (zones[1], zones[2], self.every)
            union = [a | b for a, b in zip(union, zones, strict=True)]
        self.inside = was_inside
        if left:
            raise reject("a reply has no answer")
        return union[0], union[1], union[2]

    def symmetry(self) -> None:
        """Read a permutation of the cells that maps edges to edges."""
        to = [self.reader.number(self.cells, "cell") for _ in range(self.cells)]
        self.budget.store(1 + self.cells // 8)
        self.budget.look()
        if len(set(to)) < self.cells or {self.image(edge, to) for edge in self.edges} != set(self.edges):
            raise reject("this is no symmetry of the board")
        self.turns.append(to)

    def image(self, cells: int, to: list[int]) -> int:
        return sum(1 << to[cell] for cell in self.cell_list(cells))

    def seen_before(self, own: int, other: int) -> Zones:
        """Read a reference to a position with zones, seen through a symmetry; it must be this one."""
        number = self.reader.varint()
        if not 1 <= number <= len(self.seen):
            raise malformed("a reference to a position that is not there")
        to = self.turns[self.reader.number(len(self.turns), "symmetry")]
        first, second, zones = self.seen[number - 1]
        if (self.image(first, to), self.image(second, to)) != (own, other):
            raise reject("a reference to another position")
        return self.image(zones[0], to), self.image(zones[1], to), self.image(zones[2], to)

    def block(self, own: int, other: int) -> None:
        """Read a reference to a claim of the base and check that it holds here: then the hero only has to block."""
        record = self.reader.varint()
        if not 1 <= record <= len(self.claims):
            raise malformed("a reference to a claim that is not there")
        self.winner = BREAKER
        need, zone = self.through_symmetry(*self.claims[record - 1])
        self.winner = DRAW
        if zone & (own | other):
            raise reject("the zone holds a marked cell")
        if any(need >> index & 1 and not edge & own for index, edge in enumerate(self.edges)):
            raise reject("an edge of the claim is not hit")

    def pairs(self, own: int, other: int) -> None:
        """The hero answers one of a pair with the other: every edge without a mark of hers must hold a pair."""
        paired, open_edges = own | other, self.all_edges
        for cell in self.cell_list(own):
            open_edges &= ~self.at[cell]
        for _ in range(self.reader.number(self.cells // 2 + 1, "number of pairs")):
            one, two = self.reader.number(self.cells, "cell"), self.reader.number(self.cells, "cell")
            if one == two or paired >> one & 1 or paired >> two & 1:
                raise reject("the pairs overlap, or hold a marked cell")
            paired |= 1 << one | 1 << two
            open_edges &= ~(self.at[one] & self.at[two])
        if open_edges:
            raise reject("an edge holds no pair")

    def live_cells(self, own: int, other: int) -> int:
        """The cells on edges that one of the players may still complete."""
        cells = 0
        for edge in self.edges:
            if not (edge & own and edge & other):
                cells |= edge
        return cells

    def moves(self, own: int, other: int) -> list[int]:
        """The free cells on live edges in order, then the first of the others, which are all alike."""
        free, live = self.every & ~own & ~other, self.live_cells(own, other)
        return self.cell_list(free & live) + self.cell_list(free & ~live)[:1]

    def normal(self, own: int, other: int) -> tuple[int, int, int, int]:
        """Return the least image of the cells on live edges and the number of other free cells, for references."""
        free, live = self.every & ~own & ~other, self.live_cells(own, other)
        parts = [self.cell_list(cells & live) for cells in (own, other, free)]
        images = [tuple(sum(1 << cells[c] for c in part) for part in parts) for cells, _ in self.maps]
        return (*min(images), (free & ~live).bit_count())

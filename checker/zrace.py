"""Races: positional games with a bound on the moves, any order of turns, and goals of one or both (FORMAT.md 10)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from zformat import Budget, Reader, malformed, reject

MOST_CELLS, MOST_SETS, MOST_TURNS, MOST_MINIMAL = 384, 100_000, 1024, 8192
END, GOAL, HOLD, STEP, GUARDED_STEP, FIRST = range(6)
MAKER, BREAKER, DRAW = range(3)
ONE_FAMILY, GRAPH, TWO_FAMILIES, ONE_FOR_BOTH = range(4)
NAMES = ("maker", "breaker", "draw")


def members(cells: int) -> Iterator[int]:
    while cells:
        lowest = cells & -cells
        yield lowest.bit_length() - 1
        cells ^= lowest


def words(cells: int) -> str:
    return "".join(f" {cell}" for cell in members(cells))


@dataclass
class Derived:
    """The hero, who holds `held`, succeeds if the opponent has no mark on it or `need`; phase None: at every turn."""

    held: int
    need: int
    phase: int | None
    moves: int
    by_goal: bool


@dataclass
class Reply:
    """The hero's next moves, the cells and their codes, and the claim after them."""

    codes: list[int]
    cells: int
    after: Derived

    @property
    def need(self) -> int:
        return self.after.held | self.after.need | self.cells


class Race:
    def __init__(self, reader: Reader, budget: Budget) -> None:
        self.reader, self.budget, self.nodes = reader, budget, 0
        number = reader.number
        self.cells = number(MOST_CELLS + 1, "number of cells")
        self.every = (1 << self.cells) - 1
        self.kind = number(4, "kind of goals")
        self.sets: list[list[int]] = [[], []]
        self.ends: list[int] = []
        if self.kind == GRAPH:
            self.read_graph()
        else:
            self.sets[0] = self.read_sets()
            if self.kind == TWO_FAMILIES:
                self.sets[1] = self.read_sets()
            elif self.kind == ONE_FOR_BOTH:
                self.sets[1] = self.sets[0]
        self.marks = [self.read_cells(), self.read_cells()]
        if self.marks[0] & self.marks[1]:
            raise malformed("a cell is marked by both players")
        once = [number(2, "player") for _ in range(number(MOST_TURNS + 1, "number of turns"))]
        cycle = [number(2, "player") for _ in range(number(MOST_TURNS + 1, "number of turns"))]
        if not cycle:
            raise malformed("the order of turns has no cycle")
        self.turns = once + cycle
        self.following = [*range(1, len(self.turns)), len(once)]
        self.moves = number(MOST_CELLS + 1, "number of moves")
        self.first = self.read_cells()
        if self.first & (self.marks[0] | self.marks[1]):
            raise malformed("a first move is marked")
        self.winner = number(3, "winner")
        self.both = self.kind in (TWO_FAMILIES, ONE_FOR_BOTH)
        if self.winner == DRAW and not self.both:
            raise malformed("a draw of a game with one goal")
        held = any(not one & ~self.marks[player] for player in (0, 1) for one in self.sets[player])
        if held or (self.kind == GRAPH and self.joins(self.marks[MAKER])):
            raise malformed("a goal is complete: the game is over")
        order = "".join("mb"[player] for player in once) + "(" + "".join("mb"[player] for player in cycle) + ")"
        self.claim: dict[str, object] = {
            "game": "hypergraph", "rules": "race", "spec": self.spec(order),
            "starter": NAMES[self.turns[0]], "winner": NAMES[self.winner],
        }  # fmt: skip

    # 1. The claim.

    def read_cells(self) -> int:
        cells = 0
        for _ in range(self.reader.number(self.cells + 1, "number of cells")):
            cell = 1 << self.reader.number(self.cells, "cell")
            if cells & cell:
                raise malformed("a cell is named twice")
            cells |= cell
        return cells

    def read_sets(self) -> list[int]:
        sets = []
        for _ in range(self.reader.number(MOST_SETS + 1, "number of sets")):
            sets.append(self.read_cells())
            if not sets[-1]:
                raise malformed("an empty winning set")
        return sets

    def read_graph(self) -> None:
        self.near = [0] * self.cells
        self.edges = []
        for _ in range(self.reader.number(MOST_SETS + 1, "number of edges")):
            one, two = self.reader.number(self.cells, "cell"), self.reader.number(self.cells, "cell")
            if one == two:
                raise malformed("an edge from a cell to itself")
            self.edges.append((one, two))
            self.near[one] |= 1 << two
            self.near[two] |= 1 << one
        self.ends = [self.read_cells(), self.read_cells()]

    def spread(self, cells: int, through: int) -> int:
        """These cells, and all beside cells of `through` that are joined to them."""
        done = 0
        while fresh := cells & through & ~done:
            done |= fresh
            for cell in members(fresh):
                cells |= self.near[cell]
        return cells

    def joins(self, own: int) -> bool:
        return bool(self.spread(self.ends[0], own) & own & self.ends[1])

    def spec(self, order: str) -> str:
        named = 0
        for one in (*self.sets[0], *self.sets[1], *self.ends):
            named |= one
        if self.kind == GRAPH:
            text = "join:" + "".join(f" {one}-{two}" for one, two in self.edges)
            text += f" /{words(self.ends[0])} /{words(self.ends[1])}"
            for edge in self.edges:
                named |= 1 << edge[0] | 1 << edge[1]
        else:
            text = "race:" + " /".join(map(words, self.sets[0]))
        if self.kind == ONE_FOR_BOTH:
            text += " | same"
        elif self.kind == TWO_FAMILIES:
            text += " |" + " /".join(map(words, self.sets[1]))
        parts = {"free": self.every & ~named, "maker": self.marks[0], "breaker": self.marks[1]}
        text += " : " + "".join(f"{word}{words(cells)}, " for word, cells in parts.items() if cells)
        first = f", first{words(self.first)}" if self.first else ""
        return f"{text}turns {order}, within {self.moves}{first}"

    # 2. The opponent's turns, and her goals that can be completed in time.

    def opposed(self, phase: int, moves: int) -> int:
        """The opponent's moves among so many."""
        count = 0
        for _ in range(moves):
            count += self.turns[phase] != self.hero
            phase = self.following[phase]
        return count

    def alternate(self, phase: int, moves: int) -> bool:
        for _ in range(moves - 1):
            if self.turns[phase] == self.turns[self.following[phase]]:
                return False
            phase = self.following[phase]
        return True

    def live_sets(self) -> list[int]:
        open_sets = (one & ~self.other for one in self.sets[1 - self.hero] if not one & self.own)
        live = sorted({one for one in open_sets if one.bit_count() <= self.most}, key=int.bit_count)
        if len(live) > MOST_MINIMAL:
            return live
        through = [0] * self.cells  # the sets that are kept
        kept: list[int] = []
        for one in live:
            self.budget.look()
            outside = 0
            for cell in members(self.every & ~one):
                outside |= through[cell]
            if outside == (1 << len(kept)) - 1:  # none of them lies within this one
                for cell in members(one):
                    through[cell] |= 1 << len(kept)
                kept.append(one)
        return kept

    def costs(self, end: int, on: int, costly: int) -> list[int]:
        """How many costly cells a path on some cells takes at least from an end to each, this one included."""
        far = 1 << 20
        cost = [far] * self.cells
        begin = self.spread(end, self.other) & on
        now, later = list(members(begin & ~costly)), list(members(begin & costly))
        count = 0
        while now or later:
            while now:
                cell = now.pop()
                if cost[cell] < far:
                    continue
                cost[cell] = count
                for one in members(self.beside(cell) & on):
                    if cost[one] == far:
                        (later if costly >> one & 1 else now).append(one)
            now, later, count = later, [], count + 1
        return cost

    def beside(self, cell: int) -> int:
        if self.around[cell] < 0:
            self.around[cell] = self.spread(self.near[cell], self.other) & self.free
        return self.around[cell]

    def find_core(self) -> None:
        self.free = self.every & ~self.own & ~self.other
        self.around = [-1] * self.cells
        start, self.to_end = (self.costs(end, self.free, self.free) for end in self.ends)
        self.core = sum(1 << cell for cell in range(self.cells) if start[cell] + self.to_end[cell] - 1 <= self.most)

    def paths(self) -> list[int]:
        """All paths that the opponent can complete in time and that hold no shorter one."""
        begin, end = (self.spread(one, self.other) & self.core for one in self.ends)
        found = []
        todo = [(cell, begin & ~(1 << cell), 0) for cell in members(begin)]
        while todo:
            self.budget.tick()
            cell, closed, path = todo.pop()
            if path.bit_count() + self.to_end[cell] > self.most:
                continue
            path |= 1 << cell
            if end >> cell & 1:
                self.budget.store(1)
                found.append(path)
                continue
            beside = self.beside(cell) & self.core
            todo += [(one, closed | beside, path) for one in members(beside & ~closed & ~path)]
        return found

    # 3. The proof.

    def check(self) -> None:
        if self.winner == DRAW:
            self.part(BREAKER, attack=False)
            self.part(MAKER, attack=False)
        else:
            self.part(self.winner, attack=self.winner == MAKER or self.both)
        self.reader.end()

    def begin(self, hero: int, *, attack: bool) -> None:
        """Find the opponent's goals that can be completed in time."""
        self.hero, self.attack = hero, attack
        self.own, self.other = self.marks[hero], self.marks[1 - hero]
        self.most = self.opposed(0, self.moves)
        self.claims: list[Derived] = []
        self.by_costs = False
        if self.kind == GRAPH and not attack:
            self.by_costs = not self.reader.number(2, "way of joining")
            self.find_core()
            self.live = [] if self.by_costs else self.paths()
        else:
            self.live = self.live_sets()
        self.budget.store(len(self.live) * (1 + self.cells // 100))
        self.at = [0] * self.cells  # per cell the live sets through it
        for index, one in enumerate(self.live):
            for cell in members(one):
                self.at[cell] |= 1 << index
        self.goals = {one & ~self.own for one in self.sets[hero]}

    def part(self, hero: int, *, attack: bool) -> None:
        self.begin(hero, attack=attack)
        while (tag := self.reader.byte()) != END:
            self.nodes += 1
            self.budget.tick()
            self.budget.store(4)
            if tag == FIRST and self.first and self.turns[0] != hero:
                self.finish_first()
                return
            self.claims.append(self.derive(tag))
        self.nodes += 1
        self.finish()

    def derive(self, tag: int) -> Derived:
        if tag == GOAL and (self.attack or self.both):
            held = self.read_cells()
            if not self.joins(held | self.own) if self.kind == GRAPH else held not in self.goals:
                raise reject("these cells are no goal")
            return Derived(held, 0, None, 0 if self.attack else self.moves, by_goal=True)
        if tag == HOLD and not self.attack:
            return self.hold()
        if tag not in (STEP, GUARDED_STEP):
            raise malformed(f"unknown tag {tag}")
        phase = self.reader.number(len(self.turns), "phase")
        if self.turns[phase] == self.hero:
            raise reject("a step in the hero's turn")
        common, result = self.above(phase)
        if tag == GUARDED_STEP:
            result.held |= self.read_cells()
            result.need |= self.read_cells()
        result.need &= ~result.held
        if common & ~result.held:
            raise reject("the replies of a step have a cell in common")
        if result.by_goal:
            self.guard(result)
        return result

    def hold(self) -> Derived:
        """Derive that the opponent cannot complete a goal in time."""
        phase, moves = self.reader.number(len(self.turns), "phase"), self.reader.number(self.moves + 1, "moves")
        held = self.read_cells()
        result = Derived(held, self.read_cells() & ~held, phase, moves, by_goal=False)
        marks = self.opposed(phase, moves)
        if self.by_costs:
            cost = self.costs(self.ends[0], self.core & ~held, result.need)
            if any(cost[cell] <= marks for cell in members(self.spread(self.ends[1], self.other) & self.core & ~held)):
                raise reject("a path can be completed")
            return result
        hit = 0
        for cell in members(held):
            hit |= self.at[cell]
        needs = [(self.live[index] & result.need).bit_count() for index in members((1 << len(self.live)) - 1 & ~hit)]
        unsafe = [count for count in needs if count <= marks]
        if unsafe and not self.alternate(phase, moves):
            raise reject("a set can be completed")
        weight = sum(1 << (MOST_CELLS - count) for count in unsafe)
        if weight >= 1 << (MOST_CELLS - (self.turns[phase] != self.hero)):
            raise reject("the sets that can be completed are too many")
        return result

    def reply(self, phase: int) -> Reply:
        """Read the hero's moves and the claim after them."""
        back = self.reader.varint()
        if not 1 <= back <= len(self.claims):
            raise malformed("a reference to a claim that does not come before")
        after, codes, cells = self.claims[-back], [], 0
        for _ in range(self.reader.number(self.moves + 1, "number of moves")):
            codes.append(self.reader.number(self.cells + 1, "cell"))
            cells |= (1 << codes[-1]) >> 1
            if self.turns[phase] != self.hero:
                raise reject("a move out of turn")
            phase = self.following[phase]
        if after.phase not in (None, phase):
            raise reject("a reference to a claim of another turn")
        return Reply(codes, cells, after)

    def above(self, phase: int) -> tuple[int, Derived]:
        """Read the replies to a move of the opponent; return the cells that all need, and the claim above them."""
        result = Derived(0, 0, phase, 0 if self.attack else self.moves, by_goal=False)
        common, count = self.every, self.reader.number(self.cells + 2, "number of replies")
        if not count:
            raise reject("a step without a reply")
        for _ in range(count):
            reply = self.reply(self.following[phase])
            common &= reply.need
            result.held |= reply.after.held & ~reply.cells
            result.need |= reply.need
            result.by_goal |= reply.after.by_goal
            moves = 1 + len(reply.codes) + reply.after.moves
            result.moves = (max if self.attack else min)(result.moves, moves)
        if result.moves > self.moves:
            raise reject("a win that takes too many moves")
        return common, result

    def guard(self, result: Derived) -> None:
        """The opponent's next move must not complete a goal."""
        most = self.opposed(0, self.moves - result.moves + 1) if self.attack else MOST_CELLS
        for one in self.live:
            if not one & result.held and (one & result.need).bit_count() < 2 and one.bit_count() <= most:
                raise reject("the opponent may complete a goal")

    def finish(self) -> None:
        reply = self.reply(0)
        if self.first and self.turns[0] == self.hero:
            code = reply.codes[0] if reply.codes else -1
            if code < 0 or (code and not self.first >> (code - 1) & 1):
                raise reject("the first move is none of those allowed")
        self.conclude(reply.after.held & ~reply.cells, reply.need, len(reply.codes) + reply.after.moves)

    def finish_first(self) -> None:
        common, result = self.above(0)
        if common & self.first:
            raise reject("the replies of a step have a cell in common")
        if result.by_goal and any(one.bit_count() == 1 and one & self.first for one in self.live):
            raise reject("the opponent may complete a goal")
        self.conclude(result.held, result.need, result.moves)

    def conclude(self, held: int, need: int, moves: int) -> None:
        if held & ~self.own:
            raise reject("the last claim asks for more than the position has")
        if need & self.other:
            raise reject("the last claim asks for marked cells")
        if moves > self.moves if self.attack else moves < self.moves:
            raise reject("the last claim is about another number of moves")

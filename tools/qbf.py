"""Answer .pg files by a QBF solver and by ours, in one run.

  python tools/qbf.py FILE ... [--solver depqbf] [--time 60] [--write FOLDER] [--csv FILE]

Each file becomes a formula in QDIMACS that is true if Black wins. The solver gets its file as the only word, and ends
with 10 (true) or 20 (false). Debian has one: `apt-get install depqbf`.

The prefix of a formula holds the moves of the game. At his times Black marks at most one vertex, one variable for each.
At hers White chooses a number, with one universal variable for each bit; a number of no free vertex is a pass, which
helps nobody. The clauses say that Black takes no vertex of White's, and has a goal in the end: the vertices of a
winning set, or some that lead step by step from one end of the graph to the other. If White has winning sets, she may
have completed none before Black has his goal.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from itertools import combinations
from pathlib import Path

from zermelo.bench import pg
from zermelo.bench.record import Measurement, write_csv
from zermelo.positional.files import read_hypergraph
from zermelo.positional.position import bits, vertices_of
from zermelo.positional.race import Goal, Race

WORDS = {10: "Black", 20: "not Black"}
Literals = list[int]


class Formula:
    """The formula that is true if Black wins a race that is not over."""

    def __init__(self, race: Race) -> None:
        self.race, self.count = race, 0
        self.prefix, self.clauses = list[tuple[str, Literals]](), list[Literals]()
        marked = {v for marks in race.marks for v in marks}
        self.free = [v for v in range(race.vertices) if v not in marked]
        self.black: list[dict[int, int]] = []
        """For each of Black's times the variable of every vertex that he may mark."""
        self.white: list[tuple[int, dict[int, Literals]]] = []
        """For each of White's times Black's times before, and for every vertex literals of which one says not this."""
        turns = race.turns
        for ply in range(race.moves_left):
            allowed = [v for v in self.free if ply or not race.first or v in race.first]
            self.white_moves(allowed) if turns.next else self.black_moves(allowed)
            turns = turns.advanced()
        inner = self.count + 1
        self.clauses.append([self.wins(len(self.black))])
        if race.goals[1]:
            self.forbid(race.goals[1])
        self.prefix.append(("e", list(range(inner, self.count + 1))))

    def variable(self) -> int:
        self.count += 1
        return self.count

    def black_moves(self, allowed: Sequence[int]) -> None:
        marks = {v: self.variable() for v in allowed}
        self.prefix.append(("e", list(marks.values())))
        self.clauses += [[-one, -two] for one, two in combinations(marks.values(), 2)]
        self.clauses += [[-marks[v], *others[v]] for _, others in self.white for v in allowed if v in others]
        self.black.append(marks)

    def white_moves(self, allowed: Sequence[int]) -> None:
        number = [self.variable() for _ in range((len(allowed) - 1).bit_length())]
        self.prefix.append(("a", number))
        others = {v: [-bit if n >> i & 1 else bit for i, bit in enumerate(number)] for n, v in enumerate(allowed)}
        self.white.append((len(self.black), others))

    def taken(self, v: int, times: int) -> Literals:
        """Return literals of which one says that Black marks a vertex in his first times."""
        return [marks[v] for marks in self.black[:times] if v in marks]

    def wins(self, times: int) -> int:
        """Return a variable that may be true only if Black has his goal after so many of his times."""
        result, goal = self.variable(), self.race.goals[0]
        self.clauses.append([-result, *(self.joined(goal, times) if goal.joins else self.completed(goal, times))])
        return result

    def completed(self, goal: Goal, times: int) -> Literals:
        own, theirs = map(set, self.race.marks)
        found = Literals()
        for one in (set(one) - own for one in goal.sets):
            if not one & theirs and len(one) <= times:
                found.append(self.variable())
                self.clauses += [[-found[-1], *self.taken(v, times)] for v in one]
        return found

    def joined(self, goal: Goal, times: int) -> Literals:
        near, own = goal.neighbours, bits(self.race.marks[0])

        def reach(start: int) -> list[int]:
            """Return the free vertices in a set, or beside Black's vertices that hang together with it."""
            seen, done = start, 0
            while new := seen & own & ~done:
                done |= new
                for v in vertices_of(new):
                    seen |= near[v]
            return [v for v in vertices_of(seen) if v in self.free]

        first, last = reach(bits(goal.first)), reach(bits(goal.last))
        beside = {v: reach(near[v]) for v in self.free}
        steps: dict[int, int] = {}
        for _ in range(times):  # each variable: Black's vertices lead from the first end to this one in so many steps
            before, steps = steps, {v: self.variable() for v in self.free}
            for v, step in steps.items():
                self.clauses.append([-step, *self.taken(v, times)])
                if v not in first:
                    self.clauses.append([-step, *(before[u] for u in [v, *beside[v]] if u in before)])
        return [steps[v] for v in last if v in steps]

    def forbid(self, goal: Goal) -> None:
        """White completes no set before Black has his goal."""
        own, theirs = map(set, self.race.marks)
        hers: dict[int, int] = {}
        for times, others in self.white:
            before, hers = hers, {v: self.variable() for v in self.free}
            won = [self.wins(times)] if times else []
            for v, mark in hers.items():
                self.clauses += [[-before[v], mark]] if v in before else []
                self.clauses += [[*others[v], *self.taken(v, times), mark]] if v in others else []
            for one in (set(one) - theirs for one in goal.sets if not set(one) & own):
                self.clauses.append([*(-hers[v] for v in one), *won])

    def text(self) -> str:
        """Return the formula in QDIMACS."""
        blocks = list[tuple[str, Literals]]()
        for quantifier, variables in self.prefix:
            if blocks and blocks[-1][0] == quantifier:
                blocks[-1][1].extend(variables)
            elif variables:
                blocks.append((quantifier, list(variables)))
        lines = [f"p cnf {self.count} {len(self.clauses)}"]
        lines += [" ".join(map(str, [quantifier, *variables, 0])) for quantifier, variables in blocks]
        return "\n".join([*lines, *(" ".join(map(str, [*clause, 0])) for clause in self.clauses), ""])


def answer(file: Path, solver: str, seconds: float) -> Measurement:
    """Ask a solver about a formula."""
    begin = time.monotonic()
    try:
        code = subprocess.run([solver, str(file)], capture_output=True, timeout=seconds).returncode
    except subprocess.TimeoutExpired:
        code = 0
    said = WORDS.get(code, "unknown" if code == 0 else f"failed with {code}")
    return Measurement("qbf", file.stem, Path(solver).name, said, 0, time.monotonic() - begin, cut=code not in WORDS)


def main(words: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE")
    parser.add_argument("--solver", default="depqbf")
    parser.add_argument("--time", type=float, default=60.0, help="seconds for each file")
    parser.add_argument("--write", type=Path, metavar="FOLDER", help="keep the formulas there")
    parser.add_argument("--csv", type=Path)
    given = parser.parse_args(words)
    rows, wrong = list[Measurement](), 0
    with tempfile.TemporaryDirectory() as scratch:
        folder = given.write or Path(scratch)
        folder.mkdir(parents=True, exist_ok=True)
        print(f"{'file':<42}{'clauses':>9}  {'ours':<10}{'seconds':>9}  {given.solver:<10}{'seconds':>9}")
        for file in given.files:
            formula = Formula(read_hypergraph(file).race("maker"))
            (folder / f"{file.stem}.qdimacs").write_text(formula.text())
            ours = pg.measure(file, "qbf", given.time)
            theirs = answer(folder / f"{file.stem}.qdimacs", given.solver, given.time)
            differ = not ours.cut and not theirs.cut and (ours.answer == "Black") != (theirs.answer == "Black")
            rows, wrong = [*rows, ours, theirs], wrong + differ
            shown = "".join(f"  {row.answer[:9]:<10}{row.seconds:>9.3f}" for row in (ours, theirs))
            print(f"{file.stem:<42}{len(formula.clauses):>9,}{shown}{'  WRONG' if differ else ''}", flush=True)
    if given.csv:
        write_csv(given.csv, rows)
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())

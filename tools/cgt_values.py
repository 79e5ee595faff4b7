"""Answers by Zermelo and by cgt-py, where that is installed and has the game: one after the other in one run.

  python tools/cgt_values.py ['value GAME SPEC' | 'nimber GAME SPEC' | 'outcome GAME SPEC' ...] [--seconds 120]
  python tools/cgt_values.py --random 5000

Each question is a process of its own without a database, so that nothing is known before. Seconds are of the processor,
the start of Python included. --random takes so many random positions of the games that both have, and values them in
one process; the two take turns, with the tables that each has. Ends with an error if the two disagree.
"""

from __future__ import annotations

import argparse
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from importlib.util import find_spec

from zermelo.cgt import Value
from zermelo.domineering.position import Position as Domineering
from zermelo.game import Position, find_game
from zermelo.game.local import LocalPosition

# {theirs} is the position as cgt-py has it, {memory} the bytes that ours may use.
PROGRAMS = {
    "zermelo": """
from zermelo.cgt import LimitReached, limits
from zermelo.game import find_game
try:
    with limits(memory={memory}):
        print(find_game('{game}').parse('{spec}').{word})
except LimitReached:
    print('unknown')
""",
    "cgt-py": """
import cgt_py
print(repr(cgt_py.{theirs}.canonical_form).split("'")[1])
""",
}
COST = """
import resource
used = resource.getrusage(resource.RUSAGE_SELF)
print(used.ru_utime + used.ru_stime, used.ru_maxrss / 1024)
"""
LETTERS = {
    "amazons": ("...#xo", 10),
    "col": (".xo#", 16),
    "domineering": ("..#", 25),
    "fission": (".....x#", 30),
    "konane": (".xo", 30),
    "snort": (".xo#", 13),
}
"""The games that both have; what random boards are drawn from, and the most cells that they have."""


TABLE = [
    *("value domineering 5x5", "value domineering 5x6", "value clobber 3x4", "value clobber 4x4", "value snort 4x4"),
    *("value col 4x5", "value toads 1x18", "value toads 1x20", "value amazons 3x4", "value konane 4x5"),
    *(f"outcome clobber 1x{cells}" for cells in range(20, 31, 2)),
    *("outcome clobber 5x5", "outcome nogo 1x12", "outcome nogo 1x16", "outcome nogo 1x20", "outcome nogo 4x4"),
    *("nimber arckayles 5x5", "nimber arckayles 5x6", "nimber arckayles 6x6", "nimber arckayles 5x7"),
]
"""The questions of docs/shelf.md."""


def rows_of(position: Position) -> str:
    """Return a board as rows with | between."""
    if isinstance(position, Domineering):
        return position.lattice.grid(position.blocked, "|")
    assert isinstance(position, LocalPosition)
    cols, letters = position.board.cols, position.letters
    return "|".join(letters[at : at + cols] for at in range(0, len(letters), cols))


def in_cgt_py(position: Position) -> str | None:
    """Return a position as cgt-py writes it; None if it has no such game. Its Col and Snort are on graphs."""
    name = position.game.name
    if name not in LETTERS:
        return None
    if name not in ("col", "snort"):
        return f"{name.title()}('{rows_of(position)}')"
    assert isinstance(position, LocalPosition)
    cells = [cell for cell, letter in enumerate(position.letters) if letter != "#"]
    number = {cell: at for at, cell in enumerate(cells)}
    edges = [(number[a], number[b]) for a in cells for b in position.board.neighbours(a) if a < b and b in number]
    blue, red = ([number[cell] for cell in cells if position.letters[cell] == own] for own in "xo")
    return f"{name.title()}({len(cells)}, {edges}, blue={blue}, red={red})"


def drawn(rng: random.Random, name: str) -> Position:
    """Return a random position: a board, or a graph where the game is played on graphs."""
    letters, most = LETTERS[name]
    if name in ("col", "snort") and rng.random() < 0.5:
        names = "abcdefghijklmnop"[: rng.randint(2, most)]
        edges = [f"{one}-{two}" for one in names for two in names if one < two and rng.random() < 0.3]
        return find_game(name).parse(" ".join(edges + [f"{cell}={rng.choice(letters)}" for cell in names]))
    rows = rng.randint(1, 4)
    cols = rng.randint(1, most // rows)
    return find_game(name).parse("/".join("".join(rng.choice(letters) for _ in range(cols)) for _ in range(rows)))


def compare_random(count: int, seed: int) -> None:
    """Value random positions of every game that both have, in turns, and print the seconds of both."""
    import cgt_py

    rng = random.Random(seed)
    print(f"{'game':<12}{'positions':>10}{'zermelo s':>11}{'cgt-py s':>11}")
    for at, name in enumerate(LETTERS):
        number = count // len(LETTERS) + (at < count % len(LETTERS))
        seconds = [0.0, 0.0]
        for _ in range(number):
            position = drawn(rng, name)
            begin = time.process_time()
            value = position.value
            middle = time.process_time()
            theirs = eval(f"{in_cgt_py(position)}", vars(cgt_py)).canonical_form
            end = time.process_time()
            if Value(repr(theirs).split("'")[1]) != value:
                raise SystemExit(f"{name} {position.text}: the two disagree: {value} and {theirs}")
            seconds = [seconds[0] + middle - begin, seconds[1] + end - middle]
        print(f"{name:<12}{number:>10}{seconds[0]:>11.3f}{seconds[1]:>11.3f}", flush=True)


def ask(program: str, question: str, seconds: float, memory: int) -> tuple[str, float, float]:
    """Return the answer, or 'unknown' if a limit was reached, with the seconds and the MiB of the process."""
    word, game, spec = question.split(maxsplit=2)
    theirs = in_cgt_py(find_game(game).parse(spec))
    source = PROGRAMS[program].format(word=word, game=game, spec=spec, theirs=theirs, memory=memory)
    with tempfile.TemporaryDirectory() as empty:
        env = {**os.environ, "ZERMELO_CACHE": empty}
        try:
            words = [sys.executable, "-c", source + COST]
            done = subprocess.run(words, capture_output=True, text=True, check=True, timeout=seconds, env=env)
        except subprocess.TimeoutExpired:
            return "unknown", seconds, 0.0
    answer, cost = done.stdout.strip().split("\n")
    spent, size = map(float, cost.split())
    return answer, spent, size


def main(words: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("questions", nargs="*", metavar="QUESTION", default=TABLE)
    parser.add_argument("--random", type=int, metavar="COUNT", help="random positions instead")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=120.0)
    parser.add_argument("--memory", type=int, default=4096, help="MiB for ours")
    given = parser.parse_args(words)
    if given.random:
        compare_random(given.random, given.seed)
        return
    print(f"{'question':<34}{'program':<10}{'seconds':>10}{'MiB':>8}  answer")
    for question in given.questions:
        known = set[str]()
        word, game, _ = question.split(maxsplit=2)
        both = word == "value" and game in LETTERS and find_spec("cgt_py")
        for program in PROGRAMS if both else ("zermelo",):
            answer, spent, size = ask(program, question, given.seconds, given.memory << 20)
            seconds = f"over {spent:.0f}" if answer == "unknown" else f"{spent:.3f}"
            shown = answer if len(answer) <= 24 else f"{answer[:21]}..."
            print(f"{question:<34}{program:<10}{seconds:>10}{size:>8.0f}  {shown}", flush=True)
            if word == "value" and answer != "unknown":
                known.add(str(Value(answer)))
        if len(known) > 1:
            raise SystemExit(f"{question}: the two disagree")


if __name__ == "__main__":
    main()

"""Search facts about boards, prove them again, and enter certificates. `zermelo facts` lists what a file holds.

  python tools/facts.py search FILE [--seconds 600] [--board SPEC ...] [--again] [--proofs FOLDER] [--threads N]
  python tools/facts.py check [FILE] [--seconds 60]
  python tools/facts.py add FILE CERTIFICATE ...

`search` works in rounds. Each round gives every open board a few seconds, in order of expected cost; the next round
gives four times as many. It skips boards that the rules decide, and searches only the open starter of a half-known
board. Every result is on disk before the next search begins, so a run can be stopped and continued. `--board` and
`--again` search the named boards, or all boards of the file, again. `check` ends with an error if a fact is wrong.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Annotated, cast

import typer

from zermelo import __version__
from zermelo.cgt import LimitReached, limits
from zermelo.domineering.game import GAME
from zermelo.domineering.lattice import TOPOLOGIES, Lattice
from zermelo.domineering.position import PLAYERS, Player, Position
from zermelo.domineering.rules.facts import SHIPPED, Fact, FactBook
from zermelo.domineering.rules.knowledge import Knowledge
from zermelo.domineering.rules.outcomes import (
    ANYTHING,
    FIRST,
    NAMES,
    OF_VALUES,
    SECOND,
    from_winners,
    is_decided,
    winner,
)
from zermelo.domineering.solve import DomineeringChooser
from zermelo.domineering.values import domineering_value
from zermelo.files import read_file
from zermelo.game import Answer, Clock, Limits
from zermelo.proof import check_file
from zermelo.proof.tools import opened

FIRST_ROUND_SECONDS = 0.5
ROUND_FACTOR = 4
ALWAYS_SEARCHED = 30
"""Boards of at most this many squares are searched even where a rule decides them: they cost nothing."""
LARGEST_RING = 30
"""Cylinders and tori of more squares are left out, except square tori."""
VALUE_TEXT = 400
"""Values with longer texts are left out."""

app = typer.Typer(help=(__doc__ or "").splitlines()[0], rich_markup_mode=None, add_completion=False)
ClaimSearch = Callable[[str, Player, float | None], Answer]


def search(spec: str, first: Player, seconds: float | None = None, *, threads: int = 1) -> Answer:
    """Search one claim."""
    limits = Limits(seconds=seconds, threads=threads)
    return DomineeringChooser(limits, {"method": "search"}).answer(Position(spec), first, limits, want_move=False)


def certified(folder: Path, *, threads: int = 1) -> ClaimSearch:
    """Return a search that writes a certificate of each claim and has the independent checker verify it.

    Its seconds are processor time of search and certificate.
    """
    memory = Limits().memory * 4 // 3  # a quarter is for the certificate: the search has as much as any other

    def prove_and_check(spec: str, first: Player, seconds: float | None) -> Answer:
        path, begin = folder / f"{spec.replace(':', '-')}-{first}.zcert", time.process_time()
        found = GAME.prove(Position(spec), first, path, Limits(seconds=seconds, memory=memory, threads=threads))
        took = time.process_time() - begin
        if found.winner is None:
            return Answer(first, None, "limit", nodes=found.nodes, seconds=took)
        verified(path)
        return Answer(first, found.winner, "search", nodes=found.nodes, seconds=took, certificate=digest_of(path))

    return prove_and_check


def verified(certificate: Path) -> dict[str, str]:
    """Return the claim of a certificate, in the words of the checker.

    :raises ValueError: if the independent checker does not verify it.
    """
    report = check_file(certificate)
    if not report.verified:
        raise ValueError(f"{certificate.name} was not verified: {report.said.get('reason', '')}")
    return report.said


def digest_of(file: Path) -> str:
    return hashlib.sha256(read_file(file)).hexdigest()


def candidates(largest_area: int = 110, longest: int = 36) -> list[Lattice]:
    """Return the boards worth a search, cheapest first: rectangles with rows <= columns, then rings."""
    sides = range(2, longest + 1)
    boards = (Lattice(rows, cols, topology) for topology in TOPOLOGIES for rows in sides for cols in sides)
    return sorted(filter(lambda size: size.area <= largest_area and _worth_it(size), boards), key=expected_cost)


def _worth_it(size: Lattice) -> bool:
    """Whether the board is small enough, not the mirror image of another candidate, and its seam does something."""
    if size.topology == "rectangle":
        return size.rows <= size.cols
    if size.area > (64 if size == size.transposed else LARGEST_RING) or size.topology == "vcylinder":
        return False
    return size.cols > 2 if size.topology == "hcylinder" else 2 < size.rows <= size.cols


def expected_cost(size: Lattice) -> tuple[float, Lattice]:
    """Order by squares; long boards are easier than square ones, rings harder than rectangles."""
    ring = 1.0 if size.topology == "rectangle" else 1.6
    slender = min(size.rows, size.cols) / max(size.rows, size.cols)
    return size.area * (0.7 + 0.3 * slender) * ring, size


def evaluations() -> list[Lattice]:
    """Return the boards whose exact values are worth having, cheapest first."""
    long_ones = {2: 21, 3: 11, 4: 7, 5: 6}
    sizes = [Lattice(rows, cols) for rows, last in long_ones.items() for cols in range(rows, last + 1)]
    return sorted(sizes, key=lambda size: (2 * size.area + size.rows * 4, size))


class Filler:
    """One run: a file of facts, a budget of seconds, and a search. Without ``save`` the file stays as it is."""

    def __init__(self, path: Path, *, seconds: float, search: ClaimSearch = search, save: bool = True) -> None:
        self.path, self.book, self.search, self.save = path, FactBook.load(path), search, save
        self._clock = Clock(Limits(seconds))

    def evaluate(self, seconds_each: float = 20.0) -> None:
        """Compute exact values of small boards."""
        for size in evaluations():
            allowed, begin = min(seconds_each, self._clock.seconds_left), time.monotonic()
            if (size, "value") in self.book.facts or allowed <= 0:
                continue
            with suppress(LimitReached), limits(seconds=allowed):
                value = domineering_value(size.spec)
                text = value.text(max_length=VALUE_TEXT)
                took = round(time.monotonic() - begin, 3)
                self._add(Fact(size, OF_VALUES[value.outcome], "value", __version__, seconds=took, value=text))

    def fill(self, sizes: Iterable[Lattice]) -> None:
        """Search the open boards in rounds until the budget is spent or nothing is open."""
        waiting, seconds = list(sizes), FIRST_ROUND_SECONDS
        while waiting:
            knowledge, left = Knowledge(self.book), list[Lattice]()
            for size in waiting:
                if self._clock.seconds_left <= 0:
                    return
                known = self._known(size, knowledge)
                starts = [first for first in PLAYERS if winner(known, first) is None]
                if starts and not self._settle(size, starts, seconds):
                    left.append(size)
            waiting, seconds = left, seconds * ROUND_FACTOR

    def _known(self, size: Lattice, knowledge: Knowledge) -> int:
        """Return the outcomes of a board that need no search."""
        old = self.book.facts.get((size, "search"))
        own = ANYTHING if old is None else old.outcomes
        return own if is_decided(own) or size.area <= ALWAYS_SEARCHED else knowledge.decide(size).outcomes

    def search_again(self, sizes: Iterable[Lattice]) -> None:
        """Search boards for both starters, also where they are known; where time is too short an old result stays."""
        for size in sizes:
            self._replace(size, PLAYERS)

    def search_all_again(self) -> int:
        """Search exactly what the searched facts of the file claim, cheapest first; return how many were confirmed."""
        searched = [fact for fact in self.book if fact.by == "search" and (fact.nodes or not fact.certificates)]
        confirmed = 0
        for fact in sorted(searched, key=lambda each: (each.seconds, each.nodes)):
            if self._clock.seconds_left > 0:
                starts = [first for first in PLAYERS if winner(fact.outcomes, first)]
                confirmed += self._replace(fact.size, starts)
        return confirmed

    def _replace(self, size: Lattice, starts: Sequence[Player]) -> bool:
        """Search a board anew; a result replaces the old one, and keeps its certificates if it has none itself.

        :raises ValueError: if the two contradict each other.
        """
        old = self.book.facts.pop((size, "search"), None)
        settled = self._settle(size, starts, self._clock.seconds_left)
        if old is None:
            return settled
        if settled and (old.outcomes & self.book.facts[size, "search"].outcomes) == 0:
            raise ValueError(f"{size.spec}: the search contradicts the file, {old.evidence()}")
        if not settled:
            self.book.facts[size, "search"] = old
        elif old.certificates and not self.book.facts[size, "search"].certificates:
            self._add(replace(self.book.facts[size, "search"], certificates=old.certificates))
        return settled

    def _settle(self, size: Lattice, starts: Sequence[Player], seconds: float) -> bool:
        """Search a board for these starters; return whether all of them have an answer."""
        winners: dict[Player, Player | None] = dict.fromkeys(PLAYERS)  # the fact claims only what was searched
        nodes, took, hashes = 0, 0.0, dict[str, str]()
        for first in starts:
            # On a square H's chances are V's turned: one search answers both.
            if size == size.transposed and first == "H" and winners["V"] is not None:
                winners["H"] = "H" if winners["V"] == "V" else "V"
                continue
            found = self.search(size.spec, first, max(0.001, min(seconds, self._clock.seconds_left)))
            winners[first] = cast("Player | None", found.winner)
            nodes, took = nodes + found.nodes, took + found.seconds
            hashes |= {first: found.certificate} if found.certificate else {}
        outcomes = from_winners(winners["V"], winners["H"])
        old = self.book.facts.get((size, "search"))
        if old is not None:
            outcomes &= old.outcomes
            nodes, took, hashes = nodes + old.nodes, took + old.seconds, {**dict(old.certificates), **hashes}
        if outcomes != ANYTHING and (old is None or outcomes != old.outcomes):
            proofs = tuple(sorted(hashes.items()))
            self._add(Fact(size, outcomes, "search", __version__, nodes, round(took, 3), certificates=proofs))
        return all(winners[first] is not None for first in starts)

    def _add(self, fact: Fact) -> None:
        """Add a fact, on disk too."""
        self.book.add(fact)
        if self.save:
            self.book.save(self.path)
            print(f"{fact.size.spec} {NAMES[fact.outcomes]} {fact.evidence()}", flush=True)


def add_certificate(path: Path, certificate: Path) -> Fact:
    """Enter the claim of a certificate, once the checker has verified it: at the board's searched fact, or a new one.

    :raises ValueError: if it is rejected, is not about a board, or contradicts the file.
    """
    claimed = verified(certificate)
    if claimed["game"] not in ("domineering", "rectangle"):
        raise ValueError(f"{certificate.name} is about {claimed['game']}, not about Domineering")
    book, size, starter = FactBook.load(path), Lattice.parse(claimed["spec"]), claimed["starter"]
    claim = from_winners(**{f"{starter.lower()}_starts": cast("Player", claimed["winner"])})
    if size == size.transposed:  # turning a square exchanges the players
        claim = FIRST if starter == claimed["winner"] else SECOND
    if (known := book.get(size)) & claim == 0:
        raise ValueError(f"{size.spec} is {NAMES[known]}, but the certificate says {NAMES[claim]}")
    old = book.facts.get((size, "search"), Fact(size, ANYTHING, "search", __version__))
    certificates = tuple(sorted({**dict(old.certificates), starter: digest_of(certificate)}.items()))
    moves = dict(old.moves)
    if claimed["winner"] == starter and (found := opened(certificate)[1].step(()).moves):  # a bound plays no move
        moves[starter] = found[0]
    fact = book.facts[size, "search"] = replace(
        old, outcomes=old.outcomes & claim, certificates=certificates, moves=tuple(sorted(moves.items()))
    )
    book.save(path)
    return fact


@app.command("search")
def search_boards(
    file: Path,
    seconds: float = 600.0,
    board: list[str] | None = None,
    again: bool = False,
    proofs: Path | None = None,
    threads: int = 1,
) -> None:
    """Search open boards, or boards again, until the time is over."""
    way = certified(proofs, threads=threads) if proofs else partial(search, threads=threads)
    filler = Filler(file, seconds=seconds, search=way)
    if board:
        filler.search_again(map(Lattice.parse, board))
    elif again:
        filler.search_all_again()
    else:
        filler.evaluate()
        filler.fill(candidates())
    print(f"{len(filler.book)} facts in {file}")


@app.command()
def check(file: Annotated[Path, typer.Argument()] = SHIPPED, seconds: float = 60.0) -> None:
    """Prove the facts of a file again."""
    print(f"{Filler(file, seconds=seconds, save=False).search_all_again()} facts proved again")


@app.command()
def add(file: Path, certificates: list[Path]) -> None:
    """Enter the claims of certificates."""
    for certificate in certificates:
        fact = add_certificate(file, certificate)
        print(f"{fact.size.spec} {NAMES[fact.outcomes]} {fact.evidence()}")


if __name__ == "__main__":
    app()

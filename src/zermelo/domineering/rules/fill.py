"""Fill the knowledge: search every board that fits a time budget, cheapest first, and let the rules do the rest.

The work goes in rounds. In each round every board that is still open gets a few seconds, in order of expected cost; the
next round gives four times as many. A board that the rules decide is not searched, of a half-known board only the open
half is, and every result is on disk before the next search begins, so that a run may be stopped at any time and
continued later.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, cast

from zermelo import __version__
from zermelo.cgt import LimitReached, domineering_value, limits
from zermelo.domineering.position import PLAYERS, Player, Position
from zermelo.domineering.prove import prove
from zermelo.domineering.rules import long_search
from zermelo.domineering.rules.facts import SHIPPED, Fact, FactBook
from zermelo.domineering.rules.knowledge import Knowledge
from zermelo.domineering.rules.outcomes import ANYTHING, NAMES, OF_VALUES, from_winners, is_decided, winner
from zermelo.domineering.rules.sizes import TOPOLOGIES, Size
from zermelo.domineering.solve import DomineeringChooser
from zermelo.draw import counted
from zermelo.files import read_file
from zermelo.game import Answer, Clock, Limits, Report
from zermelo.proof import check_file

FIRST_ROUND_SECONDS = 0.5
ROUND_FACTOR = 4
ALWAYS_SEARCHED = 30
"""Boards of at most this many squares are searched even where a rule decides them: they cost nothing."""
LARGEST_RING = 30
"""Cylinders and tori of more squares are left out, but for square tori."""
VALUE_TEXT = 400
"""Values with longer texts are not kept."""

ClaimSearch = Callable[[str, Player, float | None], Answer]


def search(spec: str, first: Player, seconds: float | None = None, *, threads: int = 1) -> Answer:
    """Search one claim.

    >>> search("2x5", "H").winner
    'V'
    """
    limits = Limits(seconds=seconds, threads=threads)
    return DomineeringChooser(limits, {"method": "search"}).answer(Position(spec), first, limits, want_move=False)


def certified(folder: Path, *, threads: int = 1) -> ClaimSearch:
    """Return a search that also files a certificate of each claim, and has the independent checker verify it.

    Its seconds are processor time of search and certificate.
    """

    memory = Limits().memory * 4 // 3  # a quarter is for the certificate: the search has as much as any other

    def prove_and_check(spec: str, first: Player, seconds: float | None) -> Answer:
        path, begin = folder / f"{spec.replace(':', '-')}-{first}.zcert", time.process_time()
        found = prove(Position(spec), first, path, Limits(seconds=seconds, memory=memory, threads=threads))
        took = time.process_time() - begin
        if found.winner is None:
            return Answer(first, None, "limit", nodes=found.nodes, seconds=took)
        report = check_file(path)
        if not report.verified:
            raise ValueError(f"{path.name} was not verified: {report.said.get('reason', '')}")
        digest = hashlib.sha256(read_file(path)).hexdigest()
        return Answer(first, found.winner, "search", nodes=found.nodes, seconds=took, certificate=digest)

    return prove_and_check


def candidates(largest_area: int, longest: int) -> list[Size]:
    """Return the boards worth a search, cheapest first: rectangles with rows <= columns, then rings."""
    sides = range(2, longest + 1)
    boards = (Size(rows, cols, topology) for topology in TOPOLOGIES for rows in sides for cols in sides)
    return sorted(filter(lambda size: size.area <= largest_area and _worth_it(size), boards), key=expected_cost)


def _worth_it(size: Size) -> bool:
    """Whether the board is not too large, not the mirror image of another candidate, and its seam does something."""
    if size.topology == "rectangle":
        return size.rows <= size.cols
    if size.area > (64 if size == size.transposed else LARGEST_RING) or size.topology == "vcylinder":
        return False
    return size.cols > 2 if size.topology == "hcylinder" else 2 < size.rows <= size.cols


def expected_cost(size: Size) -> tuple[float, Size]:
    """Order by squares; long boards are easier than square ones, rings harder than rectangles."""
    ring = 1.0 if size.topology == "rectangle" else 1.6
    slender = min(size.rows, size.cols) / max(size.rows, size.cols)
    return size.area * (0.7 + 0.3 * slender) * ring, size


def evaluations() -> list[Size]:
    """Return the boards whose exact values are worth having, cheapest first."""
    long_ones = {2: 21, 3: 11, 4: 7, 5: 6}
    sizes = [Size(rows, cols) for rows, last in long_ones.items() for cols in range(rows, last + 1)]
    return sorted(sizes, key=lambda size: (2 * size.area + size.rows * 4, size))


class Filler:
    """One run: a book on disk, a budget, and a way to tell what happens."""

    def __init__(
        self, path: Path, *, seconds: float, search: ClaimSearch = search, tell: Callable[[str], None] = print
    ) -> None:
        self.path = path
        self.book = FactBook.load(path)
        self.search = search
        self.tell = tell
        self._clock = Clock(Limits(seconds))

    @property
    def seconds_left(self) -> float:
        """How much of the budget is left."""
        return self._clock.seconds_left

    def evaluate(self, seconds_each: float = 20.0) -> None:
        """Compute exact values of small boards."""
        for size in evaluations():
            allowed = min(seconds_each, self.seconds_left)
            if (size, "value") in self.book.facts or allowed <= 0:
                continue
            begin = time.monotonic()
            try:
                with limits(seconds=allowed):
                    game = domineering_value(size.spec)
                    text = game.text(max_length=VALUE_TEXT)
            except LimitReached:
                continue
            took = round(time.monotonic() - begin, 3)
            outcome = OF_VALUES[game.outcome]
            self._add(Fact(size, outcome, "value", __version__, seconds=took, value=text))

    def fill(self, sizes: Iterable[Size]) -> None:
        """Search the open boards in rounds until the budget is spent or nothing is open."""
        waiting = list(sizes)
        seconds = FIRST_ROUND_SECONDS
        while waiting and self.seconds_left > 0:
            knowledge = Knowledge(self.book)
            left: list[Size] = []
            for size in waiting:
                if self.seconds_left <= 0:
                    return
                known = self._known(size, knowledge)
                if known is None:
                    continue
                starts = [first for first in PLAYERS if winner(known, first) is None]
                if self._settle(size, starts, min(seconds, self.seconds_left)):
                    if seconds > FIRST_ROUND_SECONDS:
                        knowledge = Knowledge(self.book)
                else:
                    left.append(size)
            waiting = left
            seconds *= ROUND_FACTOR

    def search_again(self, sizes: Iterable[Size]) -> None:
        """Search boards for both starters whatever is known of them; where time is too short an old result stays."""
        for size in sizes:
            self._replace(size, PLAYERS)

    def search_all_again(self) -> None:
        """Search every fact of the file again, just what it claims, cheapest first; one without a search stays."""
        searched = [fact for fact in self.book if fact.by == "search" and fact.nodes]
        for fact in sorted(searched, key=lambda each: (each.seconds, each.nodes)):
            if self.seconds_left <= 0:
                return
            self._replace(fact.size, [first for first in PLAYERS if winner(fact.outcomes, first)])

    def _replace(self, size: Size, starts: Sequence[Player]) -> None:
        """Search a board anew and keep the result in place of the old one, whose certificates it inherits."""
        old = self.book.facts.pop((size, "search"), None)
        settled = self._settle(size, starts, self.seconds_left)
        if old is None:
            return
        if not settled:
            self.book.facts[size, "search"] = old
        elif (old.outcomes & self.book.facts[size, "search"].outcomes) == 0:
            raise ValueError(f"{size.spec}: the search contradicts the file, {old.evidence()}")
        elif old.certificates and not self.book.facts[size, "search"].certificates:
            self._add(replace(self.book.facts[size, "search"], certificates=old.certificates))

    def _known(self, size: Size, knowledge: Knowledge) -> int | None:
        """Return what is known of a board, or None if there is nothing left to search."""
        old = self.book.facts.get((size, "search"))
        own = ANYTHING if old is None else old.outcomes
        if is_decided(own):
            return None
        if size.area <= ALWAYS_SEARCHED:
            return own
        known = knowledge.decide(size).outcomes
        return None if is_decided(known) else known

    def _settle(self, size: Size, starts: Sequence[Player], seconds: float) -> bool:
        """Search a board for these starters; whether all were answered."""
        square = size == size.transposed
        winners: dict[Player, Player | None] = {}
        nodes, took, hashes = 0, 0.0, dict[str, str]()
        for first in PLAYERS:
            # On a square H's chances are V's turned: one search answers both.
            if square and first == "H" and winners["V"] is not None:
                winners["H"] = "H" if winners["V"] == "V" else "V"
                continue
            if first not in starts:
                winners[first] = None  # the fact claims only what was searched
                continue
            found = self._search(size, first, max(0.001, min(seconds, self.seconds_left)))
            winners[first] = cast("Player | None", found.winner)
            nodes += found.nodes
            took += found.seconds
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

    def _search(self, size: Size, first: Player, seconds: float) -> Answer:
        """Search one claim; on long boards by cuts after the first moves too."""
        if first != "V" or not long_search.takes(size):
            return self.search(size.spec, first, seconds)
        found = self.search(size.spec, first, seconds / 2)
        if found.winner is not None:
            return found
        by_cuts = long_search.LongSearch(size, seconds / 2).run()
        return replace(by_cuts, nodes=found.nodes + by_cuts.nodes, seconds=found.seconds + by_cuts.seconds)

    def _add(self, fact: Fact) -> None:
        """Keep a fact, on disk too."""
        self.book.add(fact)
        self.book.save(self.path)
        self.tell(f"{fact.size.spec} {fact.to_json()['outcomes']} {fact.evidence()}")


def recheck(book: FactBook, search: ClaimSearch, seconds: float) -> Iterator[tuple[Fact, bool]]:
    """Prove facts again, cheapest first, until the time is over; yield each with whether it was confirmed.

    What rests on a certificate alone, without a search of its own, is left to the checker.
    """
    clock = Clock(Limits(seconds))
    searched = [fact for fact in book if fact.by == "search" and (fact.nodes or not fact.certificates)]
    for fact in sorted(searched, key=lambda each: (each.seconds, each.nodes)):
        if clock.over:
            return
        spec, winners = fact.size.spec, dict[Player, Player | None]()
        for first in PLAYERS:
            found = search(spec, first, clock.left().seconds).winner if winner(fact.outcomes, first) else None
            winners[first] = cast("Player | None", found)
        if any(found is None and winner(fact.outcomes, first) for first, found in winners.items()):
            return  # the time is over, which says nothing about the fact
        yield fact, from_winners(winners["V"], winners["H"]) == fact.outcomes


# What the command line asks


def list_facts(path: Path | None = None) -> Report:
    """Return the facts with their evidence."""
    book = FactBook.load(path or SHIPPED)
    lines = tuple(f"{fact.size.spec}  {NAMES[fact.outcomes]}  {fact.evidence()}" for fact in book)
    return Report(lines, {"facts": [fact.to_json() for fact in book]})


def search_facts(
    output: Path,
    *,
    seconds: float,
    area: int,
    longest: int,
    boards: Sequence[str],
    again: bool,
    threads: int,
    proofs: Path | None,
    tell: Callable[[str], None],
) -> Report:
    """Search every board that fits the budget, cheapest first, or what the file has again; may be continued."""
    sizes = [Size.parse(spec) for spec in boards]
    way = certified(proofs, threads=threads) if proofs else partial(search, threads=threads)
    filler = Filler(output, seconds=seconds, search=way, tell=tell)
    if sizes:
        filler.search_again(sizes)
    elif again:
        filler.search_all_again()
    else:
        filler.evaluate()
        filler.fill(candidates(area, longest))
    number = len(filler.book)
    return Report((f"{counted(number, 'fact')} in {output}",), {"file": str(output), "facts": number})


def check_facts(path: Path | None, seconds: float) -> Report:
    """Prove facts again, cheapest first; not sound if one is not confirmed."""
    confirmed, rejected = 0, list[str]()
    for fact, same in recheck(FactBook.load(path or SHIPPED), search, seconds):
        confirmed += same
        rejected += [] if same else [f"{fact.size.spec}: {fact.evidence()}"]
    lines = [*(f"not confirmed: {line}" for line in rejected)]
    lines.append(f"{counted(confirmed, 'fact')} proved again, {len(rejected):,} not confirmed")
    return Report(tuple(lines), {"confirmed": confirmed, "rejected": rejected}, sound=not rejected)


def certify_fact(certificate: Path, said: dict[str, Any], checker: str, output: Path) -> Report:
    """Enter the claim of a certificate that was verified, with its hash."""
    if said["game"] not in ("domineering", "rectangle"):
        raise ValueError(f"{certificate.name} is about {said['game']}, not about Domineering")
    book, size = FactBook.load(output), Size.parse(said["spec"])
    digest = hashlib.sha256(read_file(certificate)).hexdigest()
    fact = book.certify(size, said["starter"], said["winner"], digest, __version__)
    book.save(output)
    data = {"file": str(output), "fact": fact.to_json(), "checker": checker}
    return Report((f"{size.spec} {NAMES[fact.outcomes]} {fact.evidence()}",), data)

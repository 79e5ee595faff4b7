"""What the command line offers for Domineering beyond what every game has: values, tables, and the book of facts."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from zermelo.files import read_file
from zermelo.game import Limits, Position, Report, Square

if TYPE_CHECKING:
    from zermelo._core import CancelToken
    from zermelo.cgt import Game as Value
    from zermelo.domineering.position import Player
    from zermelo.domineering.position import Position as Board
    from zermelo.domineering.regions import Regions
    from zermelo.domineering.rules.facts import FactBook
    from zermelo.domineering.rules.knowledge import Knowledge
    from zermelo.domineering.rules.sizes import Topology
    from zermelo.domineering.rules.table import Table
    from zermelo.domineering.rules.why import Derivation
    from zermelo.game import Written

LARGEST_TABLE = 120


class DomineeringServices:
    """Services found with ``games_with``: each loads what it needs when it is asked."""

    value_help = "V is Left and positive. It takes far longer than who wins: --time gives up."
    value_examples = ("5x5", "2x9", "..#./..../#...")

    def value(self, spec: str) -> Value:
        """Return the canonical value of a position."""
        from zermelo.cgt import domineering_value

        return domineering_value(spec)

    def derive(self, spec: str) -> Derivation:
        """Return what the rules say of an empty board of any size, with the derivation.

        :raises ValueError: if it is not an empty board given by its size.
        """
        from zermelo.domineering.rules.knowledge import shipped
        from zermelo.domineering.rules.sizes import Size
        from zermelo.domineering.rules.why import Derivation

        return Derivation(shipped().decide(Size.parse(spec)))

    def derive_report(self, spec: str) -> Report:
        """Return the derivation of an empty board's outcome, rule by rule."""
        found = self.derive(spec)
        return Report(found.text, found.data)

    def write_derivation(
        self, spec: str, first: str, path: Path, *, squares: int | None = None, limits: Limits = Limits()
    ) -> Written:
        """Write a certificate by rules of who wins an empty rectangle of any size; boards of ``squares`` are searched.

        :raises ValueError: if it is not an empty rectangle, or the format has no rule for its derivation.
        """
        from zermelo.domineering.position import core_player
        from zermelo.domineering.rules.certificate import LEAF_SQUARES, write_derivation
        from zermelo.domineering.rules.knowledge import shipped
        from zermelo.domineering.rules.sizes import Size

        core_player(first)
        return write_derivation(
            shipped(),
            Size.parse(spec),
            cast("Player", first),
            path,
            leaf_squares=squares or LEAF_SQUARES,
            limits=limits,
        )

    def table_report(self, spec: str, facts: Path | None = None) -> Report:
        """Return who wins on all boards up to a size, and what is proved about all longer ones."""
        from zermelo.domineering.rules.outcomes import H
        from zermelo.domineering.rules.sizes import Size
        from zermelo.domineering.rules.table import build

        size = Size.parse(spec)
        if max(size.rows, size.cols) > LARGEST_TABLE:
            raise ValueError(f"a table has at most {LARGEST_TABLE} rows and columns; `why` takes any board")
        table = build(_knowledge(facts), size.rows, size.cols, size.topology)
        lines = table.text().splitlines()
        lines += [f"{code}: {words}" for code, words in table.legend.items()]
        lines.append("* itself searched or evaluated, at least in part; the others are derived: see `zermelo why`")
        lines.append(", ".join(f"{number:,} {status}" for status, number in table.counts.items()))
        # The finer statements about long boards are in the data.
        shown = (each for each in table.eventual if each.step <= 2 or each.outcomes == H)
        lines += [f"{each}: {each.proof()}" for each in shown]
        return Report(tuple(lines), table.to_json(), table._repr_svg_, table.csv)

    def compare_charts(self, facts: Path | None = None) -> Report:
        """Compare what the rules say with the published charts."""
        from zermelo.domineering.rules.charts import compare, load

        known = _knowledge(facts)
        lines = [line for chart in load() for line in compare(known, chart).lines()]
        return Report(tuple(lines), {"lines": lines})

    # The book of facts

    def catalogue(
        self, squares: int, *, at_most: bool = False, within: str | None = None, file: Path | None = None
    ) -> Any:
        """Return all connected positions of so many squares, or all parts of a shape, with their values."""
        from zermelo.domineering import catalogue

        return catalogue.subsets(within) if within else catalogue.connected(squares, at_most=at_most, database=file)

    def list_facts(self, path: Path | None = None) -> Report:
        """Return the facts with their evidence."""
        from zermelo.domineering.rules.outcomes import NAMES

        book = _book(path)
        lines = tuple(f"{fact.size.spec}  {NAMES[fact.outcomes]}  {fact.evidence()}" for fact in book)
        return Report(lines, {"facts": [fact.to_json() for fact in book]})

    def search_facts(
        self,
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
        from zermelo.domineering.rules.fill import Filler, candidates, certified, search
        from zermelo.domineering.rules.sizes import Size

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
        return Report((f"{number:,} facts in {output}",), {"file": str(output), "facts": number})

    def card_report(self, audit: int, seed: int) -> Report | None:
        """Compare a graphics card's answers with the processor's; None where the package has no program for cards."""
        from zermelo.domineering.card import card_program, card_report

        program = card_program()
        return None if program is None else card_report(program, audit, seed)

    def check_facts(self, path: Path | None, seconds: float) -> Report:
        """Prove facts again, cheapest first; not sound if one is not confirmed."""
        from zermelo.domineering.rules.fill import recheck, search

        confirmed, rejected = 0, list[str]()
        for fact, same in recheck(_book(path), search, seconds):
            confirmed += same
            rejected += [] if same else [f"{fact.size.spec}: {fact.evidence()}"]
        lines = [*(f"not confirmed: {line}" for line in rejected)]
        lines.append(f"{confirmed:,} facts proved again, {len(rejected):,} not confirmed")
        return Report(tuple(lines), {"confirmed": confirmed, "rejected": rejected}, sound=not rejected)

    def certify_fact(self, certificate: Path, said: dict[str, Any], checker: str, output: Path) -> Report:
        """Enter the claim of a certificate that was verified, with its hash."""
        from zermelo import __version__
        from zermelo.domineering.rules.facts import FactBook
        from zermelo.domineering.rules.outcomes import NAMES
        from zermelo.domineering.rules.sizes import Size

        if said["game"] not in ("domineering", "rectangle"):
            raise ValueError(f"{certificate.name} is about {said['game']}, not about Domineering")
        book = FactBook.load(output)
        import hashlib  # most calls need none

        digest = hashlib.sha256(read_file(certificate)).hexdigest()
        size = Size.parse(said["spec"])
        fact = book.certify(size, said["starter"], said["winner"], digest, __version__)
        book.save(output)
        data = {"file": str(output), "fact": fact.to_json(), "checker": checker}
        return Report((f"{size.spec} {NAMES[fact.outcomes]} {fact.evidence()}",), data)

    # The page

    tables: Mapping[str, str] = {
        "rectangle": "rectangles",
        "hcylinder": "cylinders (H wraps)",
        "vcylinder": "cylinders (V wraps)",
        "torus": "tori",
    }
    """The kinds of :meth:`table`, in words."""

    def table(self, rows: int, cols: int, topology: Topology = "rectangle") -> Table:
        """Return who wins on all boards of at most so many rows and columns."""
        from zermelo.domineering.rules.knowledge import shipped
        from zermelo.domineering.rules.table import build

        return build(shipped(), rows, cols, topology)

    def reshaped(self, position: Position, square: Square) -> Board:
        """Return the start with one square taken away or given back.

        :raises ValueError: if the square is not on the board.
        """
        shape, (row, col) = cast("Board", position), square
        if not (1 <= row <= shape.rows and 1 <= col <= shape.cols):
            raise ValueError(f"square {row},{col} is not on the board")
        return type(shape).of(shape.lattice, shape.start ^ 1 << (row - 1) * shape.cols + col - 1)

    def regions(self, position: Position, cancel: CancelToken | None = None) -> Regions:
        """Return the regions of a position in which the game goes on by itself, and what each is worth."""
        from zermelo.domineering.regions import regions_of

        return regions_of(cast("Board", position), cancel)

    def thermograph(self, position: Position) -> str:
        """Return the thermograph of a position as an SVG picture.

        :raises ValueError: if the position is too large for its value.
        """
        from zermelo.domineering.regions import value_of

        value = value_of(cast("Board", position).spec)
        if value is None:
            raise ValueError("this position is too large for its value to be worked out here")
        return value.thermograph._repr_svg_()


def _book(path: Path | None) -> FactBook:
    from zermelo.domineering.rules.facts import SHIPPED, FactBook

    return FactBook.load(path or SHIPPED)


def _knowledge(facts: Path | None) -> Knowledge:
    from zermelo.domineering.rules.knowledge import Knowledge, shipped

    if facts is None:
        return shipped()
    if not facts.is_file():
        raise ValueError(f"file {str(facts)!r} does not exist")
    return Knowledge(_book(facts))

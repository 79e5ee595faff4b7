"""The services that Domineering has beyond those of every game. Each is loaded when it is first used."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, cast

from zermelo.game import Limits, Regions, Report, Written
from zermelo.game import Position as AnyPosition

if TYPE_CHECKING:
    from zermelo._core import BuildProgress, BuildReport, CancelToken
    from zermelo.cgt import Value
    from zermelo.domineering.lattice import Topology
    from zermelo.domineering.position import Player, Position
    from zermelo.game.services import Catalogue, Chart, Derivation


class DomineeringValues:
    """Values of positions, V being Left."""

    help = "V is Left and positive. It takes far longer than finding the winner; --time limits it."
    examples: tuple[str, ...] = ("5x5", "2x9", "..#./..../#...")

    def value(self, position: AnyPosition) -> Value:
        from zermelo.domineering.values import domineering_value

        return domineering_value(cast("Position", position))

    def regions(self, position: AnyPosition, cancel: CancelToken | None = None) -> Regions:
        from zermelo.domineering.regions import regions_of

        return regions_of(cast("Position", position), cancel)

    def thermograph(self, position: AnyPosition) -> str:
        from zermelo.domineering.regions import thermograph

        return thermograph(cast("Position", position))

    def catalogue(self, squares: int, *, at_most: bool, within: str | None, file: Path | None) -> Catalogue:
        from zermelo.domineering.catalogue import connected, subsets

        return subsets(within) if within else connected(squares, at_most=at_most, database=file)

    def database_path(self) -> Path | None:
        from zermelo.domineering.values import default_path

        return default_path()

    def build_database(
        self,
        squares: int,
        path: Path | None = None,
        *,
        seconds: float,
        memory: int,
        on_progress: Callable[[BuildProgress], None] | None = None,
    ) -> BuildReport:
        from zermelo.domineering.values import build_database

        return build_database(squares, path, seconds=seconds, memory=memory, on_progress=on_progress)


class DomineeringTables:
    """Who wins on rectangles, cylinders and tori of any size."""

    kinds: Mapping[str, str] = {
        "rectangle": "rectangles",
        "hcylinder": "cylinders (H wraps)",
        "vcylinder": "cylinders (V wraps)",
        "torus": "tori",
    }

    def chart(self, rows: int, cols: int, kind: str) -> Chart:
        from zermelo.domineering.rules.table import build

        return build(rows, cols, cast("Topology", kind))

    def report(self, spec: str, facts: Path | None = None) -> Report:
        from zermelo.domineering.rules.table import report

        return report(spec, facts)

    def facts(self, path: Path | None) -> Report:
        from zermelo.domineering.rules.facts import list_facts

        return list_facts(path)

    def derive(self, board: str) -> Derivation:
        from zermelo.domineering.rules import Size, shipped

        return shipped().decide(Size.parse(board))

    def published(self, position: AnyPosition) -> Report:
        from zermelo.domineering.rules import Size, shipped

        board = cast("Position", position)
        found = shipped().decide(Size.of(board)).published if board.is_empty else []
        return Report(tuple(map(str, found)), {"published": [each.to_json() for each in found]})

    def write_derivation(
        self, board: str, first: str, path: Path, *, squares: int | None = None, limits: Limits = Limits()
    ) -> Written:
        from zermelo.domineering.rules.certificate import write_derivation

        return write_derivation(board, cast("Player", first), path, squares=squares, limits=limits)

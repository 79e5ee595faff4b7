"""`zermelo table 33x33`: who wins on all boards up to a size."""

from __future__ import annotations

from pathlib import Path

import typer

from zermelo.cli.output import print_json

LARGEST = 120


def table(
    spec: str = typer.Argument("33x33", help="Largest board, as 33x33 or torus:6x6."),
    csv: bool = typer.Option(False, "--csv", help="One line a board."),
    as_json: bool = typer.Option(False, "--json", help="One JSON object."),
    picture: Path | None = typer.Option(None, "--picture", help="Write an .svg or .png file."),
    charts: bool = typer.Option(False, "--charts", help="Compare with the published charts."),
    facts: Path | None = typer.Option(None, "--facts", help="Facts from this file instead."),
) -> None:
    """Who wins on all boards up to a size. Also what is proved about all longer ones."""
    from zermelo.domineering.rules.facts import FactBook
    from zermelo.domineering.rules.knowledge import Knowledge, shipped
    from zermelo.domineering.rules.outcomes import H
    from zermelo.domineering.rules.sizes import Size
    from zermelo.domineering.rules.table import build

    size = Size.parse(spec)
    if max(size.rows, size.cols) > LARGEST:
        raise ValueError(f"a table has at most {LARGEST} rows and columns; `why` takes any board")
    if facts is not None and not facts.is_file():
        raise ValueError(f"file {str(facts)!r} does not exist")
    knowledge = shipped() if facts is None else Knowledge(FactBook.load(facts))
    if charts:
        from zermelo.domineering.rules.charts import compare, load

        for chart in load():
            for line in compare(knowledge, chart).lines():
                print(line)
        return
    result = build(knowledge, size.rows, size.cols, size.topology)
    if picture is not None:
        from zermelo.domineering.rules.picture import table_svg
        from zermelo.draw.files import write_picture

        write_picture(picture, table_svg(result))
    if as_json:
        print_json(result.to_json())
    elif csv:
        print(result.csv(), end="")
    elif picture is None:
        print(result.text())
        print("* itself searched or evaluated, at least in part; the others are derived: see `zermelo why`")
        print(", ".join(f"{number} {status}" for status, number in result.counts.items()))
        for statement in result.eventual:
            if statement.step > 2 and statement.outcomes != H:  # the finer ones are in --json
                continue
            print(f"{statement}: {statement.proof()}")

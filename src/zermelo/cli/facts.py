"""`zermelo facts`: what this software proved itself about Domineering boards; fill it, list it, prove it again."""

from __future__ import annotations

from pathlib import Path

import typer

from zermelo.cli.options import Threads
from zermelo.cli.output import ANSWERED, REJECTED, print_error, print_json

facts = typer.Typer(
    no_args_is_help=True,
    help="The facts under tables and derivations. Search more, list, prove again.",
    rich_markup_mode=None,
)


FACTS = typer.Argument(None, help="File of facts (default: the shipped ones).", exists=True, dir_okay=False)


@facts.command("search")
def search(
    output: Path = typer.Argument(..., help="File of facts; continued if it exists."),
    seconds: float = typer.Option(600.0, "--seconds", "--time", help="Time budget in seconds.", min=0.001),
    area: int = typer.Option(110, "--area", help="Largest number of squares.", min=4, max=256),
    longest: int = typer.Option(36, "--longest", help="Largest side.", min=2, max=60),
    boards: list[str] = typer.Option(
        [], "--board", help="Search only this board, known or not; repeatable.", metavar="SPEC"
    ),
    threads: Threads = 1,
    as_json: bool = typer.Option(False, "--json", help="One JSON object at the end."),
) -> None:
    """Search every board that fits the budget. Cheapest first; may be stopped and continued."""
    from functools import partial

    from zermelo.domineering.rules.claims import search as claim_search
    from zermelo.domineering.rules.fill import Filler, candidates
    from zermelo.domineering.rules.sizes import Size

    if not output.parent.is_dir():
        raise ValueError(f"folder {str(output.parent)!r} does not exist")
    sizes = [Size.parse(spec) for spec in boards]
    filler = Filler(
        output,
        seconds=seconds,
        search=partial(claim_search, threads=threads),
        tell=(lambda line: None) if as_json else print,
    )
    if sizes:
        filler.search_again(sizes)
    else:
        filler.evaluate()
        filler.fill(candidates(area, longest))
    if as_json:
        print_json({"file": str(output), "facts": len(filler.book)})
    else:
        print(f"{len(filler.book)} facts in {output}")


@facts.command("list")
def list_facts(
    path: Path | None = FACTS, as_json: bool = typer.Option(False, "--json", help="One JSON object.")
) -> None:
    """List the facts with their evidence."""
    from zermelo.domineering.rules.facts import SHIPPED, FactBook
    from zermelo.domineering.rules.outcomes import NAMES

    book = FactBook.load(path or SHIPPED)
    if as_json:
        print_json({"facts": [fact.to_json() for fact in book]})
        return
    for fact in book:
        plus = f" + {fact.bonus}" if fact.bonus else ""
        print(f"{fact.size.spec}{plus}  {NAMES[fact.outcomes]}  {fact.evidence()}")


@facts.command("check")
def check(
    path: Path | None = FACTS,
    seconds: float = typer.Option(60.0, "--seconds", "--time", help="Time budget in seconds.", min=0.001),
    as_json: bool = typer.Option(False, "--json", help="One JSON object."),
) -> None:
    """Prove facts again, cheapest first. Exit code 1 if one is not confirmed."""
    from zermelo.domineering.rules.claims import search as claim_search
    from zermelo.domineering.rules.facts import SHIPPED, FactBook
    from zermelo.domineering.rules.fill import recheck

    confirmed = 0
    rejected: list[str] = []
    for fact, same in recheck(FactBook.load(path or SHIPPED), claim_search, seconds):
        if same:
            confirmed += 1
        else:
            rejected.append(f"{fact.size.spec}: {fact.evidence()}")
    if as_json:
        print_json({"confirmed": confirmed, "rejected": rejected})
    else:
        for line in rejected:
            print(f"not confirmed: {line}")
        print(f"{confirmed} facts proved again, {len(rejected)} not confirmed")
    raise typer.Exit(REJECTED if rejected else ANSWERED)


@facts.command("add-certificate")
def add_certificate(
    certificate: Path = typer.Argument(..., help="A certificate of an empty board."),
    output: Path = typer.Argument(..., help="File of facts to enter it in; made if it is missing."),
    slow: bool = typer.Option(False, "--slow", help="Check with zcheck.py."),
    as_json: bool = typer.Option(False, "--json", help="One JSON object."),
) -> None:
    """Enter the claim of a certificate. Checked by the independent checker, with its SHA-256."""
    import hashlib

    from zermelo import __version__
    from zermelo.domineering.rules.facts import FactBook
    from zermelo.domineering.rules.outcomes import NAMES
    from zermelo.domineering.rules.sizes import Size
    from zermelo.proof import check_file

    book = FactBook.load(output)
    report = check_file(certificate, slow=slow)
    said = report.said
    if not report.verified:
        print_error(f"{certificate.name}: {said['verdict']}: {said.get('reason', '')}")
        raise typer.Exit(report.exit_code)
    if said["game"] not in ("domineering", "rectangle"):
        raise ValueError(f"{certificate.name} is about {said['game']}, not about Domineering")
    digest = hashlib.sha256(certificate.read_bytes()).hexdigest()
    size = Size.parse(said["spec"])
    fact = book.certify(size, said["starter"], said["winner"], digest, __version__)
    book.save(output)
    if as_json:
        print_json({"file": str(output), "fact": fact.to_json(), "checker": report.checker})
    else:
        print(f"{size.spec} {NAMES[fact.outcomes]} {fact.evidence()}")

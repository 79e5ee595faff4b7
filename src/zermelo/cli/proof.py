"""`zermelo proof`: describe, trim, show, extract and merge certificates."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from zermelo.cli.options import Json, Memory, TimeLimit, game_and_spec, parse_memory, player_of
from zermelo.cli.output import LIMIT, counted, tell
from zermelo.cli.solve import written_json, written_line
from zermelo.draw import write_picture
from zermelo.files import write_file
from zermelo.game import Limits
from zermelo.proof.container import head_of_payload, read_claim
from zermelo.proof.tools import extract, info, merge, show, show_html, strategy_svg, trim

proof = typer.Typer(no_args_is_help=True)

File = Annotated[Path, typer.Argument(help="A certificate.", exists=True, dir_okay=False)]
Out = Annotated[Path, typer.Argument(help="The certificate to write.", dir_okay=False)]
Moves = Annotated[str, typer.Argument(help="Moves from the root in turn, with ';' between them; '-' is a pass.")]


def parse_moves(text: str) -> list[str]:
    """Return the moves in a text such as ``V1,2;H3,4``."""
    return [move.strip() for move in text.split(";") if move.strip()]


@proof.command("info")
def info_command(file: File, as_json: Json = False) -> None:
    """The claim and the size of a certificate, unchecked."""
    found, claim = info(file), read_claim(head_of_payload(file))
    tell(
        as_json,
        found,
        f"{claim.game} {claim.line}",
        f"{found['bytes']:,} bytes, {found['payload']:,} unpacked",
        ", ".join(f"{count:,} {kind}" for kind, count in sorted(found["counts"].items())),
    )


@proof.command("trim")
def trim_command(file: File, out: Out, as_json: Json = False) -> None:
    """Write a certificate without its unused parts."""
    before, after = trim(file, out)
    data = {"file": str(out), "before": before, "after": after}
    tell(as_json, data, f"{out}: {before:,} bytes unpacked before, {after:,} after")


@proof.command("show")
def show_command(
    file: File,
    moves: Moves = "",
    html: Annotated[Path | None, typer.Option(help="Write the strategy as a page.", metavar="FILE")] = None,
    svg: Annotated[Path | None, typer.Option(help="Draw the strategy's tree.", metavar="FILE")] = None,
    depth: Annotated[int | None, typer.Option(help="How many plies page and tree show. 3 if not given.", min=0)] = None,
    as_json: Json = False,
) -> None:
    """Walk through a strategy. The position after some moves, and the winner's reply there."""
    if depth is not None and html is None and svg is None:
        raise ValueError("--depth belongs to --html and --svg")
    if moves and (html is not None or svg is not None):
        raise ValueError("page and tree show the whole strategy: leave the moves out")
    depth = 3 if depth is None else depth
    claim = read_claim(head_of_payload(file))
    if html is not None:
        write_file(html, show_html(file, depth))
    if svg is not None:
        write_picture(svg, strategy_svg(file, depth))
    written = [str(path) for path in (html, svg) if path is not None]
    text = "\n".join(f"{path}: written" for path in written) if written else show(file, parse_moves(moves))
    shown = {"written": written} if written else {"moves": moves, "text": text}
    tell(as_json, {"file": str(file), **claim.to_json(), **shown}, text)


@proof.command("extract")
def extract_command(file: File, moves: Moves, out: Out, as_json: Json = False) -> None:
    """Write the certificate of a later position. After some moves of the strategy, proved again from there."""
    written = extract(file, parse_moves(moves), out)
    tell(as_json, written_json(written), written_line(written))
    if written.path is None:
        raise typer.Exit(LIMIT)


@proof.command("merge")
def merge_command(
    root: Annotated[str, typer.Argument(help="The position before the moves, such as 8x8.")],
    starter: Annotated[str, typer.Argument(help="Who starts there, by the player's short name.")],
    winner: Annotated[str, typer.Argument(help="Who wins, by the player's short name.")],
    out: Out,
    parts: Annotated[list[Path], typer.Argument(help="Certificates after a move.", exists=True, dir_okay=False)],
    as_json: Json = False,
) -> None:
    """Join certificates of positions after a move. They become one of the position before it."""
    size = merge(parts, out, root, starter, winner)
    data = {"file": str(out), "winner": winner, "bytes": size, "parts": len(parts)}
    tell(as_json, data, f"{out}: {counted(len(parts), 'certificate')} joined")


@proof.command("derive")
def derive_command(
    words: Annotated[list[str], typer.Argument(metavar="[GAME] SPEC STARTER OUT", help="A board, who starts, a file.")],
    squares: Annotated[
        int | None, typer.Option(help="Boards of up to this many squares are searched.", min=1, max=81)
    ] = None,
    time: TimeLimit = None,
    memory: Memory = "1G",
    as_json: Json = False,
) -> None:
    """Derive by rules who wins a large empty board. With a certificate, also where a search would not end."""
    if len(words) not in (3, 4):
        raise ValueError("write SPEC STARTER OUT, or GAME SPEC STARTER OUT")
    *where, starter, out = words
    game, tables, spec = game_and_spec(where, lambda game: game.tables)
    limits = Limits(seconds=time, memory=parse_memory(memory))
    first = player_of(game, "starter", starter)
    assert first is not None
    written = tables.write_derivation(spec, first, Path(out), squares=squares, limits=limits)
    open_words = f"{spec}, {first} starts: the rules do not tell, or not in this time"
    line = open_words if written.path is None else written_line(written)
    tell(as_json, {"spec": spec, "starter": first, **written_json(written)}, line)
    if written.path is None:
        raise typer.Exit(LIMIT)

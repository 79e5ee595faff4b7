"""Routes for proofs: certificates from a folder, made on demand or sent by the visitor, walked move by move."""

from __future__ import annotations

import asyncio
import hashlib
import re
import tempfile
import threading
from collections import OrderedDict
from pathlib import Path
from typing import Annotated, Literal

from fastapi import APIRouter, HTTPException, Query, Request, Response
from pydantic import BaseModel

from zermelo._core import CancelToken
from zermelo.domineering import Move, Player, Position
from zermelo.domineering.position import opponent
from zermelo.draw import Area, svg
from zermelo.proof.checking import check_file
from zermelo.proof.container import Bytes, Claim, payload_of, read_claim
from zermelo.proof.strategy import LEAVES, DomineeringStrategy, Node
from zermelo.proof.tools import describe_node
from zermelo.proof.writing import write_domineering
from zermelo.web.domineering import SpecText, ToMove, open_position, view
from zermelo.web.http import bad_question, refusals, searching, settings_of
from zermelo.web.pool import Seat
from zermelo.web.settings import Settings
from zermelo.web.values import shown, value_of
from zermelo.web.view import AreaView, Overlay, View

router = APIRouter(prefix="/proofs", tags=["Proofs"])

ENDINGS = (".zc", ".zcert")
KEPT = 32
LARGEST_PROOF = 1 << 20
"""Bytes of a certificate's content that the page walks through; larger ones are for the command line."""
COLOURS = (svg.BLUE, svg.ORANGE, svg.GREEN, svg.PURPLE, svg.SKY, svg.VERMILION, svg.YELLOW)


class ProofSummary(BaseModel):
    """A certificate: what it claims, and how large it is."""

    id: str
    game: str
    spec: str
    starter: str
    winner: str
    bytes: int


class Verdict(BaseModel):
    """What the independent checker says."""

    verified: bool
    checker: str
    message: str


class NodeView(BaseModel):
    """One position of the strategy."""

    view: View
    kind: Literal["answers", "move", "leaf", "same"]
    """The loser's moves are all answered; the winner moves; a witness ends the branch; as a position before."""
    text: str
    move: str | None
    """The winner's move, where she is to move."""
    overlay: Overlay


class Proofs:
    """The certificates that requests have asked for lately, by id."""

    def __init__(self) -> None:
        self._kept: OrderedDict[str, bytes] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, name: str) -> bytes | None:
        """Return a certificate, and note that it was wanted."""
        with self._lock:
            if name in self._kept:
                self._kept.move_to_end(name)
            return self._kept.get(name)

    def put(self, name: str, certificate: bytes) -> None:
        """Keep a certificate; the one wanted least lately goes."""
        with self._lock:
            self._kept[name] = certificate
            while len(self._kept) > KEPT:
                self._kept.popitem(last=False)


def summary(name: str, certificate: bytes) -> ProofSummary:
    """Read what a certificate claims.

    :raises ValueError: if it is none, or too large to walk.
    """
    claim: Claim = read_claim(Bytes(payload_of(certificate, limit=LARGEST_PROOF)))
    return ProofSummary(
        id=name,
        game=claim.game,
        spec=claim.spec,
        starter=claim.starter,
        winner=claim.winner,
        bytes=len(certificate),
    )


def folder_files(settings: Settings) -> dict[str, Path]:
    """Return the certificates of the folder by id."""
    if settings.proofs is None:
        return {}
    files = sorted(path for path in settings.proofs.iterdir() if path.suffix in ENDINGS)[:200]
    return {f"file-{path.name}": path for path in files}


def proofs_of(request: Request) -> Proofs:
    proofs: Proofs = request.app.state.proofs
    return proofs


def made_id(spec: str, first: Player) -> str:
    """Return the id of a proof that the server makes: whoever knows it can have it made again."""
    return f"made-{first}-{spec}"


def make_proof(spec: str, first: Player, settings: Settings, token: CancelToken) -> bytes | None:
    """Solve, and return the certificate; None when a limit was reached."""
    with tempfile.TemporaryDirectory() as folder:
        written = write_domineering(
            Position.from_text(spec),
            first,
            Path(folder, "proof.zc"),
            memory=settings.memory_mib << 20,
            seconds=settings.seconds,
            cancel=token,
        )
        return None if written.path is None else written.path.read_bytes()


async def certificate_of(request: Request, name: str) -> bytes:
    """Return a certificate by id, reading or making it again if need be.

    :raises HTTPException: 404 if there is none, 422 if it cannot be made.
    """
    found = proofs_of(request).get(name)
    if found is not None:
        return found
    settings = settings_of(request)
    made = re.fullmatch(r"made-([VH])-(.{1,4000})", name)
    if made:
        first: Player = "V" if made[1] == "V" else "H"
        return await make(request, made[2], first)
    path = folder_files(settings).get(name)
    if path is None:
        raise HTTPException(404, "There is no such proof here; it may have to be sent again.")
    if path.stat().st_size > settings.body_bytes:
        raise bad_question("This certificate is too large for the page; use zermelo proof show.")
    return await asyncio.to_thread(path.read_bytes)


async def make(request: Request, spec: str, first: Player) -> bytes:
    """Make a certificate within the server's limits, and keep it."""
    settings = settings_of(request)
    position = open_position(spec, settings)
    if position.topology != "rectangle" or max(position.rows, position.cols) > 16:
        raise bad_question("Proofs are made for rectangles of sides up to 16 and shapes in them.")

    async def work(seat: Seat) -> bytes | None:
        return await seat.run(lambda token: make_proof(spec, first, settings, token))

    certificate = await searching(request, work)
    if certificate is None:
        raise bad_question(
            f"No proof was found within {settings.seconds:g} seconds; try a smaller board."
        )
    proofs_of(request).put(made_id(spec, first), certificate)
    return certificate


def named(name: str, certificate: bytes) -> ProofSummary:
    """Return a summary, or refuse with the reader's sentence."""
    try:
        return summary(name, certificate)
    except ValueError as error:
        raise bad_question(error) from None


@router.get("", summary="The certificates of the server's folder", responses=refusals())
async def get_proofs(request: Request) -> list[ProofSummary]:
    settings = settings_of(request)

    def read() -> list[ProofSummary]:
        found = []
        for name, path in folder_files(settings).items():
            try:
                found.append(summary(name, path.read_bytes()))
            except (ValueError, OSError):
                continue
        return found

    return await asyncio.to_thread(read)


@router.post(
    "/send",
    summary="Send a certificate to walk through it",
    responses=refusals(413, 422),
    status_code=200,
)
async def post_proof(request: Request) -> ProofSummary:
    certificate = await request.body()
    name = f"sent-{hashlib.sha256(certificate).hexdigest()[:32]}"
    result = await asyncio.to_thread(named, name, certificate)
    proofs_of(request).put(name, certificate)
    return result


@router.get(
    "/prove", summary="Solve a position and make its certificate", responses=refusals(422, 503)
)
async def get_prove(request: Request, spec: SpecText, first: ToMove) -> ProofSummary:
    return named(made_id(spec, first), await make(request, spec, first))


ProofId = Annotated[str, Query(max_length=4100, description="Which proof", examples=["made-V-5x5"])]


@router.get(
    "/file",
    summary="The certificate itself",
    response_class=Response,
    responses={200: {"content": {"application/octet-stream": {}}}, **refusals(404, 422, 503)},
)
async def get_file(request: Request, proof: ProofId) -> Response:
    certificate = await certificate_of(request, proof)
    return Response(
        certificate,
        media_type="application/octet-stream",
        headers={"Content-Disposition": 'attachment; filename="proof.zc"'},
    )


@router.get(
    "/verdict",
    summary="Let the independent checker verify a certificate",
    responses=refusals(404, 422, 503),
)
async def get_verdict(request: Request, proof: ProofId) -> Verdict:
    certificate = await certificate_of(request, proof)

    def work(_: CancelToken) -> Verdict:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "proof.zc")
            path.write_bytes(certificate)
            report = check_file(path, seconds=10.0, mebibytes=256)
        said = str(report.said.get("reason") or report.said.get("verdict") or "")
        return Verdict(verified=report.verified, checker=report.checker, message=said)

    verdict = await searching(request, lambda seat: seat.run(work))
    return verdict or Verdict(verified=False, checker="", message="not run")


@router.get(
    "/node",
    summary="The position after some moves, and what the strategy does there",
    responses=refusals(404, 422, 503),
)
async def get_node(
    request: Request,
    proof: ProofId,
    moves: Annotated[
        str, Query(max_length=2000, description="Moves so far, as V1,2;H3,4", examples=[""])
    ] = "",
) -> NodeView:
    certificate = await certificate_of(request, proof)

    def work(_: CancelToken) -> NodeView:
        try:
            played = [Move.parse(text) for text in moves.split(";")] if moves else []
            strategy = DomineeringStrategy(payload_of(certificate, limit=LARGEST_PROOF))
            return node_view(strategy, played)
        except (ValueError, RecursionError) as error:
            raise bad_question(error) from None

    result = await searching(request, lambda seat: seat.run(work))
    if result is None:
        raise HTTPException(503, "The server is stopping.")
    return result


def node_view(strategy: DomineeringStrategy, played: list[Move]) -> NodeView:
    """Describe the node after some moves; a reference shows the position it refers to."""
    claim = strategy.claim
    dominoes = [strategy.domino_of(move.player, move.row - 1, move.col - 1) for move in played]
    node = strategy.after(dominoes)
    winner: Player = "V" if claim.winner == "V" else "H"
    to_move = opponent(winner) if node.loser_to_move else winner
    text = describe_node(strategy, node)
    kind: Literal["answers", "move", "leaf", "same"] = "answers"
    if node.kind == "ref":
        kind, node = "same", strategy.referred(node)
    elif node.kind == "move":
        kind = "move"
    elif node.kind in LEAVES:
        kind = "leaf"
    spec = claim.spec + (":" + ";".join(map(str, played)) if played else "")
    grid = strategy.picture(node.free).replace("\n", "/")
    position = Position.from_text(grid)
    if kind == "same" or not follows(spec, position):
        spec = grid
    seen = view(position, spec, to_move)
    if kind == "answers" and not seen.moves:
        text = f"{to_move} has no move left and loses"
        kind = "leaf"
    return NodeView(
        view=seen,
        kind=kind,
        text=text,
        move=strategy.domino_name(node.move) if node.kind == "move" else None,
        overlay=leaf_overlay(strategy, node),
    )


def follows(spec: str, position: Position) -> bool:
    """Whether a spec leads to the position: after a reference the strategy goes on from another board."""
    try:
        return Position.from_text(spec) == position
    except ValueError:
        return False


def leaf_overlay(strategy: DomineeringStrategy, node: Node) -> Overlay:
    """Show the pieces of a strips leaf, with their values where they are small."""
    areas: list[Area] = []
    caption: list[str] = []
    for squares in pieces(strategy, node):
        letter = chr(97 + len(areas) % 26)
        areas.append(Area(squares, letter, COLOURS[len(areas) % len(COLOURS)]))
        if len(squares) > 1 and len(caption) < 16:
            value = shown(value_of(piece_spec(squares)))
            if value is not None:
                caption.append(f"{letter} = {value}")
    if areas:
        winner = strategy.claim.winner
        caption.insert(
            0,
            f"{winner} promises never to cross the cuts; the pieces together are already enough for "
            f"{winner} (values count for V).",
        )
    return Overlay(areas=[AreaView.of(area) for area in areas], caption=caption)


def piece_spec(squares: list[tuple[int, int]]) -> str:
    """Return a piece alone, as a spec."""
    kept = set(squares)
    rows = range(min(row for row, _ in kept), max(row for row, _ in kept) + 1)
    cols = range(min(col for _, col in kept), max(col for _, col in kept) + 1)
    return "/".join("".join("." if (row, col) in kept else "#" for col in cols) for row in rows)


def pieces(strategy: DomineeringStrategy, node: Node) -> list[list[tuple[int, int]]]:
    """Return the squares (row, column from 0, of the claim's board) of each piece of a strips leaf.

    A component falls into strips at its cuts, and in a strip every run of columns is a piece (FORMAT.md 5.1).
    """
    found: list[list[tuple[int, int]]] = []
    for part, gaps in node.cuts:
        squares = [divmod(s, strategy.cols) for s in range(part.bit_length()) if part >> s & 1]
        strip_of = {row: (gaps & ((1 << row) - 1)).bit_count() for row, _ in squares}
        for strip in sorted(set(strip_of.values())):
            inside = [square for square in squares if strip_of[square[0]] == strip]
            columns = sorted({col for _, col in inside})
            run: list[int] = []
            for col in columns:
                if run and col != run[-1] + 1:
                    found.append([square for square in inside if square[1] in run])
                    run = []
                run.append(col)
            found.append([square for square in inside if square[1] in run])
    if strategy.turned:
        found = [[(col, row) for row, col in squares] for squares in found]
    return found

"""Routes for certificates: from a folder, made on demand, or sent by the visitor; each can be walked move by move."""

from __future__ import annotations

import asyncio
from typing import Annotated, Literal

from fastapi import APIRouter, Query, Request, Response

from zermelo._core import CancelToken
from zermelo.draw import view_svg
from zermelo.game import Step, games
from zermelo.proof.container import head_of_payload, read_claim
from zermelo.web.http import address_of, on_worker, refusals, searching, settings_of
from zermelo.web.pictures import PICTURE, FileKind, Save, picture
from zermelo.web.pool import Shares
from zermelo.web.proof_library import Making, OpenProof, folder_files, made_id, proof_of, sent_id
from zermelo.web.queries import Seconds
from zermelo.web.view import Model, Overlay, View

MOST_LINES = 500
"""The most areas and lines in one answer."""

EXAMPLE = next(games())
SPEC = EXAMPLE.rules_example or EXAMPLE.examples[0]
FIRST = EXAMPLE.starters(EXAMPLE.parse(SPEC), None)[0]

FILE = {"type": "string", "format": "binary"}

router = APIRouter(prefix="/proofs", tags=["Proofs"])


class ProofFile(Model):
    """A certificate of the server's folder. It is not verified yet, so its claim is not shown."""

    id: str
    game: str
    spec: str
    bytes: int


class Proof(Model):
    """A certificate that the independent checker has verified."""

    id: str
    game: str
    spec: str
    starter: str
    winner: str
    words: str
    """The claim in words."""
    checker: str
    walk: str
    """Why the proof cannot be walked move by move; empty if it can."""
    story: list[str]
    """The text of a proof that cannot be walked, such as the steps of a derivation."""
    bytes: int

    @classmethod
    def of(cls, name: str, opened: OpenProof) -> Proof:
        claim = opened.claim
        return cls(
            id=name,
            game=opened.game.name,
            spec=claim.spec,
            starter=claim.starter,
            winner=claim.winner,
            words=opened.game.claim_words(claim),
            checker=opened.checker,
            walk=opened.why_not,
            story=list(opened.story.caption[:MOST_LINES]) if opened.story else [],
            bytes=len(opened.certificate),
        )


class Verdict(Model):
    """The verdict of the independent checker."""

    verified: bool
    checker: str
    message: str


class NodeView(Model):
    """A position of the strategy."""

    view: View
    kind: Literal["answers", "move", "leaf"]
    """The loser's moves are all answered; the winner moves; a witness ends the branch."""
    text: str
    move: str | None
    """The winner's move if it is her turn; `-` is a pass."""
    goes_on: bool
    """Whether the loser may choose a move here."""
    loser_to_move: bool
    overlay: Overlay

    @classmethod
    def of(cls, opened: OpenProof, step: Step) -> NodeView:
        loser_to_move = opened.replay is None or step.to_move != opened.replay.walker
        winners_turn = not loser_to_move and not step.leaf
        view = View.of(step.position, step.to_move, step.moves)
        return cls(
            view=view,
            kind="leaf" if step.leaf else "move" if winners_turn else "answers",
            text=step.text,
            move=step.moves[0] if winners_turn and step.moves else None,
            goes_on=bool(view.moves) and loser_to_move,
            loser_to_move=loser_to_move,
            overlay=Overlay.of(step.areas[:MOST_LINES], step.caption[:MOST_LINES], step.words),
        )


@router.get("", summary="The certificates of the server's folder", responses=refusals())
async def get_proofs(request: Request) -> list[ProofFile]:
    settings = settings_of(request)

    def read() -> list[ProofFile]:
        found = []
        for name, path in folder_files(settings).items():
            try:
                claim, size = read_claim(head_of_payload(path)), path.stat().st_size
            except (ValueError, OSError):
                continue
            found.append(ProofFile(id=name, game=claim.game, spec=claim.spec, bytes=size))
        return found

    return await asyncio.to_thread(read)


@searching(
    router,
    "/send",
    "Send a certificate, to have it verified and to walk through it",
    verb="POST",
    responses=refusals(422),
    openapi_extra={"requestBody": {"required": True, "content": {"application/octet-stream": {"schema": FILE}}}},
)
async def post_proof(request: Request, seconds: Seconds = None) -> Proof:
    sending: Shares = request.app.state.sending
    with sending.place(address_of(request)):  # before anything is read
        certificate = await request.body()
        name = sent_id(certificate)
        return Proof.of(name, await proof_of(request, name, certificate, seconds=seconds))


ProofId = Annotated[
    str,
    Query(
        max_length=4100,
        description="The id of a proof, as an answer named it",
        examples=[made_id(EXAMPLE.name, SPEC, FIRST)],
    ),
]
MovesText = Annotated[
    str, Query(max_length=4000, description="Moves so far, both players' in turn, with ; between (- is a pass)")
]
REFUSALS = refusals(404, 422)


@searching(router, "/prove", "Solve a position and make its certificate", responses=REFUSALS)
async def get_prove(
    request: Request,
    game: Annotated[str, Query(max_length=40, description="Name of the game", examples=[EXAMPLE.name])],
    spec: Annotated[str, Query(max_length=4000, description="A position of that game", examples=[SPEC])],
    first: Annotated[
        str, Query(max_length=40, description="The player who begins, by the short name", examples=[FIRST])
    ],
    seconds: Seconds = None,
) -> Proof:
    name = made_id(game, spec, first)
    return Proof.of(name, await proof_of(request, name, seconds=seconds))


@router.get("/making", summary="How far the making of a proof is", responses=refusals(422))
async def get_making(request: Request, proof: ProofId) -> Making:
    making: dict[str, Making] = request.app.state.proofs.making
    return making.get(proof, Making(phase="waiting"))


@searching(router, "/about", "The claim of a certificate", responses=REFUSALS)
async def get_about(request: Request, proof: ProofId, seconds: Seconds = None) -> Proof:
    return Proof.of(proof, await proof_of(request, proof, seconds=seconds))


@router.get(
    "/file",
    summary="The certificate itself",
    response_class=Response,
    responses={200: {"content": {"application/octet-stream": {"schema": FILE}}}, **REFUSALS},
)
async def get_file(request: Request, proof: ProofId) -> Response:
    opened = await proof_of(request, proof)
    return Response(
        opened.certificate,
        media_type="application/octet-stream",
        headers={"Content-Disposition": 'attachment; filename="proof.zc"'},
    )


@searching(
    router,
    "/verdict",
    "The verdict of the independent checker; a certificate that it does not verify is refused",
    responses=REFUSALS,
)
async def get_verdict(request: Request, proof: ProofId) -> Verdict:
    opened = await proof_of(request, proof)
    return Verdict(verified=True, checker=opened.checker, message="verified")


@searching(
    router,
    "/picture",
    "A picture of the position after some moves, with the areas of the strategy",
    response_class=Response,
    responses={**PICTURE, **REFUSALS},
)
async def get_picture(
    request: Request, proof: ProofId, moves: MovesText = "", file: FileKind = "svg", save: Save = False
) -> Response:
    opened = await proof_of(request, proof)

    def work(_: CancelToken) -> Response:
        step = opened.step(moves)
        areas, caption = step.areas[:MOST_LINES], (*step.words, *step.caption)[:MOST_LINES]
        players, title = opened.game.players, f"{opened.game.title}: {step.position.text}"
        svg = view_svg(step.position.view(), players=players, areas=areas, caption=caption, title=title)
        return picture(svg, file, name="proof", save=save)

    return await on_worker(request, work)


@searching(router, "/node", "The position after some moves, and the answer of the strategy", responses=REFUSALS)
async def get_node(request: Request, proof: ProofId, moves: MovesText = "") -> NodeView:
    opened = await proof_of(request, proof)
    return await on_worker(request, lambda _: NodeView.of(opened, opened.step(moves)))

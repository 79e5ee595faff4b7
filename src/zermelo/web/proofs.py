"""Routes for proofs: certificates from a folder, made on demand or sent by the visitor, walked move by move."""

from __future__ import annotations

import asyncio
import tempfile
from pathlib import Path
from typing import Annotated, Literal

from fastapi import APIRouter, HTTPException, Query, Request, Response
from pydantic import BaseModel

from zermelo._core import CancelToken
from zermelo.proof.checking import check_file
from zermelo.proof.container import Claim
from zermelo.web.domineering import SpecText
from zermelo.web.http import bad_question, refusals, searching, settings_of
from zermelo.web.proof_library import claim_of_file, folder_files, made_id, proof_of, sent_id
from zermelo.web.proof_walk import NodeView

router = APIRouter(prefix="/proofs", tags=["Proofs"])

CHECKER_MIB = 512


class ProofSummary(BaseModel):
    """A certificate: what it claims, and how large it is."""

    id: str
    game: str
    spec: str
    starter: str
    winner: str
    bytes: int

    @classmethod
    def of(cls, name: str, claim: Claim, size: int) -> ProofSummary:
        return cls(id=name, game=claim.game, spec=claim.spec, starter=claim.starter, winner=claim.winner, bytes=size)


class Verdict(BaseModel):
    """What the independent checker says."""

    verified: bool
    checker: str
    message: str


@router.get("", summary="The certificates of the server's folder", responses=refusals())
async def get_proofs(request: Request) -> list[ProofSummary]:
    settings = settings_of(request)

    def read() -> list[ProofSummary]:
        found = []
        for name, path in folder_files(settings).items():
            try:
                found.append(ProofSummary.of(name, claim_of_file(path), path.stat().st_size))
            except (ValueError, OSError):
                continue
        return found

    return await asyncio.to_thread(read)


@router.post(
    "/send", summary="Send a certificate to walk through it", responses=refusals(413, 422, 503), status_code=200
)
async def post_proof(request: Request) -> ProofSummary:
    certificate = await request.body()
    name = sent_id(certificate)
    proof = await proof_of(request, name, certificate)
    return ProofSummary.of(name, proof.walk.claim, len(certificate))


Starter = Annotated[Literal["V", "H", "X"], Query(description="Who starts; X for an m,n,k game such as 5,5,5")]
ProofId = Annotated[str, Query(max_length=4100, description="Which proof", examples=["made-V-5x5"])]
MovesText = Annotated[
    str,
    Query(
        max_length=2000,
        description="Moves so far, as V1,2;H3,4 or, in an m,n,k game, d4;c3 (- is a pass)",
        examples=[""],
    ),
]
REFUSALS = refusals(404, 422, 503)


@router.get("/prove", summary="Solve a position and make its certificate", responses=REFUSALS)
async def get_prove(request: Request, spec: SpecText, first: Starter) -> ProofSummary:
    return await about(request, made_id(spec, first))


@router.get("/about", summary="What a certificate claims", responses=REFUSALS)
async def get_about(request: Request, proof: ProofId) -> ProofSummary:
    return await about(request, proof)


async def about(request: Request, name: str) -> ProofSummary:
    proof = await proof_of(request, name)
    return ProofSummary.of(name, proof.walk.claim, len(proof.certificate))


@router.get(
    "/file",
    summary="The certificate itself",
    response_class=Response,
    responses={200: {"content": {"application/octet-stream": {}}}, **REFUSALS},
)
async def get_file(request: Request, proof: ProofId) -> Response:
    opened = await proof_of(request, proof)
    return Response(
        opened.certificate,
        media_type="application/octet-stream",
        headers={"Content-Disposition": 'attachment; filename="proof.zc"'},
    )


@router.get("/verdict", summary="Let the independent checker verify a certificate", responses=REFUSALS)
async def get_verdict(request: Request, proof: ProofId) -> Verdict:
    opened = await proof_of(request, proof)
    seconds = settings_of(request).seconds

    def work(_: CancelToken) -> Verdict:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "proof.zc")
            path.write_bytes(opened.certificate)
            report = check_file(path, threads=1, seconds=seconds, mebibytes=CHECKER_MIB)
        said = str(report.said.get("reason") or report.said.get("verdict") or "")
        return Verdict(verified=report.verified, checker=report.checker, message=said)

    verdict = await searching(request, lambda seat: seat.run(work))
    return verdict or Verdict(verified=False, checker="", message="not run")


@router.get("/node", summary="The position after some moves, and what the strategy does there", responses=REFUSALS)
async def get_node(request: Request, proof: ProofId, moves: MovesText = "") -> NodeView:
    opened = await proof_of(request, proof)

    def work(_: CancelToken) -> NodeView:
        try:
            return opened.walk.node(moves.split(";") if moves else [])
        except (ValueError, RecursionError) as error:
            raise bad_question(error) from None

    result = await searching(request, lambda seat: seat.run(work))
    if result is None:
        raise HTTPException(503, "The server is stopping.")
    return result

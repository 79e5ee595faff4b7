"""Proofs over the API: made, sent, from a folder; Domineering and m,n,k games walked to their leaves."""

from __future__ import annotations

import random
import zlib

import httpx
import pytest
import tiny
from servers import CLIENT, answered, told

from zermelo.game import find_game
from zermelo.proof.container import Claim
from zermelo.web.proof_library import OpenProof, ProofCache, sent_id


@pytest.fixture(scope="module")
def site(proof_site: str) -> str:
    return proof_site


def test_proof_is_verified_and_walks_to_leaves(site: str) -> None:
    proof = told(site, "proofs/prove", game="domineering", spec="5x5", first="V")
    assert (proof["winner"], proof["starter"]) == ("H", "V")
    assert told(site, "proofs/verdict", proof=proof["id"])["verified"]
    leaves = 0
    root = told(site, "proofs/node", proof=proof["id"])
    assert root["kind"] == "answers"
    # A cut that answers some of the moves is shown after them, not here.
    assert root["overlay"] == {"areas": [], "words": [], "caption": [], "winner": None}
    for move in root["view"]["moves"][:8]:
        moves = move["id"]
        node = told(site, "proofs/node", proof=proof["id"], moves=moves)
        if node["kind"] == "move":
            node = told(site, "proofs/node", proof=proof["id"], moves=f"{moves};{node['move']}")
        if node["kind"] == "leaf":
            leaves += 1
            squares = [tuple(s) for area in node["overlay"]["areas"] for s in area["squares"]]
            covered = {tuple(s) for piece in node["view"]["pieces"] for s in piece["squares"]}
            assert len(squares) == len(set(squares))
            assert set(squares) | covered == {(r, c) for r in range(1, 6) for c in range(1, 6)}
    assert leaves >= 1


def test_sent_certificates_are_bounded_and_checked(site: str) -> None:
    good = answered(site, "proofs/file", proof="made-domineering-H-4x4").content

    def send(data: bytes) -> httpx.Response:
        return CLIENT.post(f"{site}/api/proofs/send", content=data)

    def refused(data: bytes) -> None:
        answer = send(data)
        assert answer.status_code == 422 and "by the independent checker" in answer.json()["detail"]
        about = answered(site, "proofs/about", proof=sent_id(data))
        assert about.status_code == 404  # Nothing of it is kept.

    summary = send(good).json()
    assert told(site, "proofs/verdict", proof=summary["id"])["verified"]
    assert "not a certificate" in send(b"hello").json()["detail"]
    refused(tiny.container(bytes(20_000_000)))
    assert send(good[:-3]).status_code == 422
    assert send(b"x" * (9 << 20)).status_code == 413
    broken = bytearray(zlib.decompress(good[8:]))
    broken[-1] ^= 0xFF
    refused(tiny.container(bytes(broken)))
    # The same strategy for the other player, who does not win: a well-formed lie.
    lie = bytearray(zlib.decompress(good[8:]))
    lie[lie.index(bytes([1, 1]), 5) : 7] = bytes([1, 0])
    refused(good[:8] + zlib.compress(bytes(lie)))


def test_folder_is_listed_and_its_proofs_are_walked(site: str) -> None:
    listed = {one["id"]: one for one in told(site, "proofs")}
    assert (listed["file-7-7-5.zc"]["game"], listed["file-7-7-5.zc"]["spec"]) == ("mnk", "7,7,5")
    assert not any("winner" in one for one in listed.values())  # Not said before it is verified.
    assert told(site, "proofs/about", proof="file-7-7-5.zc")["winner"] == "breaker"
    node = told(site, "proofs/node", proof="file-6x8.V.zc")
    assert node["kind"] == "answers" and len(node["view"]["moves"]) == 40
    answer = answered(site, "proofs/node", proof="file-2x200.V.zc")
    assert answer.status_code == 422 and "derived by rules" in answer.json()["detail"]
    assert told(site, "proofs/about", proof="file-2x200.V.zc")["story"]


@pytest.mark.parametrize("seed", range(2))
def test_breaker_never_loses_a_walk_through_7_7_5(site: str, seed: int) -> None:
    """Whatever Maker plays, the certificate answers on free squares, and in the end every line is broken."""
    chance = random.Random(seed)
    moves: list[str] = []
    kinds: set[str] = set()
    while True:
        node = told(site, "proofs/node", proof="file-7-7-5.zc", moves=";".join(moves))
        kinds.add(node["kind"])
        if node["kind"] == "move":
            moves.append(node["move"])
            continue
        if not node["view"]["moves"]:
            break
        if node["kind"] == "leaf":
            letters = [area["label"] for area in node["overlay"]["areas"]]
            assert all(letters.count(letter) == 2 for letter in letters)
        moves.append(chance.choice(node["view"]["moves"])["id"])
    assert kinds == {"answers", "move", "leaf"}
    pieces = [piece for piece in node["view"]["pieces"] if piece["player"] == "maker"]
    maker = {7 * (row - 1) + col - 1 for piece in pieces for row, col in piece["squares"]}
    assert len(maker) > 10 and not any(set(line) <= maker for line in tiny.mnk_edges(7, 7, 5))


def test_mnk_proof_is_made_and_a_false_walk_is_refused(site: str) -> None:
    proof = told(site, "proofs/prove", game="mnk", spec="5,5,5", first="X")
    assert (proof["game"], proof["winner"]) == ("mnk", "breaker")
    assert told(site, "proofs/verdict", proof=proof["id"])["verified"]
    for moves, sentence in [("c3;c3", "another move"), ("-", "not a square"), ("z9", "not a square")]:
        answer = answered(site, "proofs/node", proof=proof["id"], moves=moves)
        assert answer.status_code == 422 and sentence in answer.json()["detail"]


def test_cache_forgets_the_proof_wanted_least_lately() -> None:
    def proof(size: int) -> OpenProof:
        game = find_game("domineering")
        return OpenProof(b"", game, Claim("domineering", "2x2", "V", "V"), "zcheck", None, None, "", size)

    cache = ProofCache(100)
    for name in ("a", "b"):
        cache.put(name, proof(40))
    assert cache.get("a")  # Now b is the one wanted least lately.
    cache.put("c", proof(40))
    assert cache.get("b") is None and cache.get("a") and cache.get("c")
    cache.put("larger than all", proof(1000))
    assert cache.size == 1000

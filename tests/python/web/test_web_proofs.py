"""Proofs over the API: sent, from a folder, and walked; conformance/test_page.py walks those that are made."""

from __future__ import annotations

import random
import zlib

import httpx
import pytest
import tiny
from servers import CLIENT, ask_api, ask_json

from zermelo.web.proof_library import sent_id


@pytest.fixture(scope="module")
def site(proof_site: str) -> str:
    return proof_site


def test_sent_certificates_are_bounded_and_checked(site: str) -> None:
    good = ask_api(site, "proofs/file", proof="made-domineering-H-4x4").content

    def send(data: bytes) -> httpx.Response:
        return CLIENT.post(f"{site}/api/proofs/send", content=data)

    def refused(data: bytes) -> None:
        answer = send(data)
        assert answer.status_code == 422 and "by the independent checker" in answer.json()["detail"]
        about = ask_api(site, "proofs/about", proof=sent_id(data))
        assert about.status_code == 404  # Nothing of it is kept.

    summary = send(good).json()
    assert ask_json(site, "proofs/verdict", proof=summary["id"])["verified"]
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
    listed = {one["id"]: one for one in ask_json(site, "proofs")}
    assert (listed["file-7-7-5.zc"]["game"], listed["file-7-7-5.zc"]["spec"]) == ("mnk", "7,7,5")
    assert not any("winner" in one for one in listed.values())  # Not said before it is verified.
    assert ask_json(site, "proofs/about", proof="file-7-7-5.zc")["winner"] == "breaker"
    node = ask_json(site, "proofs/node", proof="file-6x8.V.zc")
    assert node["kind"] == "answers" and len(node["view"]["moves"]) == 40
    answer = ask_api(site, "proofs/node", proof="file-2x200.V.zc")
    assert answer.status_code == 422 and "derived by rules" in answer.json()["detail"]
    assert ask_json(site, "proofs/about", proof="file-2x200.V.zc")["story"]


WALKED = ["3-3-3.strong", "5-5-4.strong", "hypergraph.strong", "5-4-4-a1.strong", "7-7-5", "hex-4x4.race", "turns.race"]


@pytest.mark.parametrize("name", WALKED)
def test_a_walk_asks_the_visitor_only_where_the_visitor_moves(site: str, name: str) -> None:
    """Also in the proof of a draw, where the player who holds it may pass."""
    for seed in range(4):
        chance, moves = random.Random(seed), list[str]()
        while True:
            node = ask_json(site, "proofs/node", proof=f"file-{name}.zc", moves=";".join(moves))
            assert node["goes_on"] <= bool(node["view"]["moves"]), moves
            assert (node["kind"] == "move") == (node["move"] is not None)
            assert not (node["move"] and node["loser_to_move"])
            if not (node["move"] or node["goes_on"]):
                break
            moves.append(node["move"] or chance.choice(node["view"]["moves"])["id"])

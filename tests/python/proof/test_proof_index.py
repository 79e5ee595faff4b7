"""The index of a certificate against a plain scan of the whole file, and walks on rings."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import pytest

from zermelo.proof.container import Claim, read_payload
from zermelo.proof.strategy import DomineeringStrategy, Node
from zermelo.proof.writing import write_domineering


def strategy(folder: Path, spec: str, first: str) -> DomineeringStrategy:
    path = folder / "proof.zc"
    assert write_domineering(spec, "V" if first == "V" else "H", path).path
    return DomineeringStrategy(read_payload(path))


def end_by_scan(proof: DomineeringStrategy, node: Node) -> int:
    proof.bytes.at = node.start
    proof.scan(lambda _: False, node.free, node.loser_to_move)
    return proof.bytes.at


@pytest.mark.parametrize(("spec", "first"), [("6x8", "V"), ("8x4", "H"), ("#......./......../......../.......#", "V")])
def test_index_agrees_with_a_scan_of_the_file(tmp_path: Path, spec: str, first: str) -> None:
    proof = strategy(tmp_path, spec, first)
    nodes = proof.nodes()
    assert proof.index.nodes == len(nodes)
    # A move that a cut answers has no place in the file: its leaf begins where the node before it does.
    at = {node.start: node for node in reversed(nodes)}
    placed = [at[start] for start in sorted(at)]
    answered = sum(len(node.answered) for node in nodes)
    assert len(nodes) == len(placed) + answered and answered > 0
    for node in random.Random(7).sample(placed, min(len(placed), 200)) + placed[:3]:
        lines = proof.lines(node.free)
        assert proof.index.end_of(node.start, lines, node.loser_to_move) == end_by_scan(proof, node)
    kept = [(node, proof.normal(node.free)) for node in nodes if node.kind == "keep"]
    for node in nodes:
        if node.kind != "ref":
            continue
        shapes, number = proof.normal(node.free)
        meant = [k for k, (there, least) in kept if there == shapes and least <= number]
        assert proof.referred(node) == replace(meant[0], depth=node.depth)


def test_index_refuses_a_cut_or_changed_payload(tmp_path: Path) -> None:
    proof = strategy(tmp_path, "5x5", "V")
    with pytest.raises(ValueError, match="truncated"):
        DomineeringStrategy(proof.bytes.data[:-1]).build_index()
    broken = bytearray(proof.bytes.data)
    for tag in (16, 255):
        broken[proof.proof_at] = tag
        with pytest.raises(ValueError, match="unknown tag"):
            DomineeringStrategy(bytes(broken)).build_index()
        with pytest.raises(ValueError, match="unknown tag"):
            DomineeringStrategy(bytes(broken)).nodes()


def test_index_stops_at_its_limits(tmp_path: Path) -> None:
    proof = strategy(tmp_path, "8x8", "V")
    with pytest.raises(ValueError, match="too large to walk"):
        proof.build_index(seconds=0.0)
    with pytest.raises(ValueError, match="too large to walk"):
        proof.build_index(memory=10)


def test_strategy_is_walked_around_a_ring() -> None:
    # hcylinder:1x3, H starts and wins: she plays across the seam, and V has no move (FORMAT.md 3 and 4).
    payload = bytes([1, 1, 1, 3, 0b111, 1, 1, 8 + 2, 0])
    proof = DomineeringStrategy(payload)
    assert proof.claim == Claim("domineering", "hcylinder:1x3", "H", "H", 1, 3, 7)
    node = proof.after([])
    assert (node.kind, proof.domino_name(node.move)) == ("move", "H1,3")
    assert proof.domino_of("H", 0, 2) == node.move
    after = proof.after([node.move])
    assert (after.kind, proof.picture(after.free)) == ("all", "#.#")

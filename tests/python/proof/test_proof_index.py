"""The index of a certificate against a plain scan of the whole file, and walks on rings.

test_answers finds every node by the index.
"""

from __future__ import annotations

from dataclasses import replace

import pytest
import tiny
from proving import certificate
from tiny import zdomineering, zformat

from zermelo.domineering.replay import StrategyReader
from zermelo.game import Limits, find_game
from zermelo.proof.container import read_payload


def strategy(spec: str, first: str) -> StrategyReader:
    return StrategyReader(read_payload(certificate(spec, first)))


@pytest.mark.parametrize(("spec", "first"), [("6x8", "V"), ("8x4", "H"), ("#......./......../......../.......#", "V")])
def test_references_mean_what_the_checker_means(spec: str, first: str) -> None:
    proof = strategy(spec, first)
    nodes = list(proof.nodes())
    assert proof.index.nodes == len(nodes)
    budget = zformat.Budget(1e9, 8192)
    checker = zdomineering.Domineering(tiny.FakeReader(proof.bytes.data[1:]), budget)
    kept = [(node, checker.normal(node.free)) for node in nodes if node.kind == "keep"]
    for node in nodes:
        if node.kind != "ref":
            continue
        shapes, number = checker.normal(node.free)
        meant = [k for k, (there, least) in kept if there == shapes and least <= number]
        assert proof.referred(node) == replace(meant[0], depth=node.depth)


def test_index_refuses_a_cut_or_changed_payload() -> None:
    proof = strategy("5x5", "V")
    with pytest.raises(ValueError, match="truncated"):
        StrategyReader(proof.bytes.data[:-1]).build_index(Limits())
    broken = bytearray(proof.bytes.data)
    for tag in (24, 255):
        broken[proof.proof_at] = tag
        with pytest.raises(ValueError, match="unknown tag"):
            StrategyReader(bytes(broken)).build_index(Limits())
        with pytest.raises(ValueError, match="unknown tag"):
            list(StrategyReader(bytes(broken)).nodes())


def test_index_stops_at_its_limits() -> None:
    proof = strategy("8x8", "V")
    with pytest.raises(ValueError, match="too large to walk"):
        proof.build_index(Limits(seconds=1e-9))
    with pytest.raises(ValueError, match="too large to walk"):
        proof.build_index(Limits(memory=10))


def test_strategy_is_walked_around_a_ring() -> None:
    # hcylinder:1x3, H starts and wins: she plays across the seam, and V has no move (FORMAT.md 3 and 4).
    payload = bytes([1, 1, 1, 3, 0b111, 1, 1, 8 + 2, 0])
    walk = find_game("domineering").replay(payload)
    first = walk.step([])
    assert (first.to_move, first.moves, first.position.text) == ("H", ("H1,3",), "hcylinder:1x3")
    after = walk.step(["H1,3"])
    assert (after.leaf, str(after.position), after.text) == (True, "#.#", "V has no move left and loses")

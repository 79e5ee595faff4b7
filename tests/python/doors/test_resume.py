"""A search that is stopped and resumed: it costs little, answers the same, and refuses a file that is not its own."""

from __future__ import annotations

import hashlib
import json
import subprocess
from pathlib import Path

import pytest
from processes import ZERMELO, wait_until

from zermelo.game import Limits, find_game
from zermelo.game.resume import DIGEST, MAGIC
from zermelo.positional.solve import FIRST_THREATS
from zermelo.proof import check_file

MEMORY = 1 << 27
SPECS = [("domineering", "8x8"), ("domineering", "7x9"), ("mnk", "7,7,5"), ("mnk", "5,5,4")]
NOT_SAVED = {"5,5,4": FIRST_THREATS, "4,3,3": 5}
"""Nodes of the short search for a win by threats, where it comes before a result that is loaded."""


def about(path: Path) -> dict[str, int]:
    head: dict[str, int] = json.loads(path.read_bytes().split(b"\n")[1])
    return head


@pytest.mark.parametrize(("name", "spec"), SPECS)
def test_a_search_in_pieces_costs_little_more_than_in_one(name: str, spec: str, tmp_path: Path) -> None:
    game, path = find_game(name), tmp_path / "resume"
    first, options = game.players[0], {"method": "search"} if name == "domineering" else {}
    whole = game.solve(spec, first=first, options=options, limits=Limits(memory=MEMORY))
    runs, nodes = 0, 0
    while True:
        piece = game.solve(spec, first=first, resume=path, limits=Limits(nodes=whole.nodes // 3 + 50, memory=MEMORY))
        assert piece.resume is not None
        assert piece.resume.runs == runs
        assert piece.resume.earlier_nodes == nodes
        assert (piece.resume.loaded > 0) == (runs > 0)
        nodes, runs = nodes + piece.nodes, runs + 1
        if piece.known:
            break
        assert runs < 6
    assert piece.starts[first].winner == whole.starts[first].winner
    again = 300 + NOT_SAVED.get(spec, 0)  # going down to where it was costs some again
    assert nodes <= 1.1 * whole.nodes + again * runs
    done = game.solve(spec, first=first, resume=path)
    assert done.nodes <= 2 + NOT_SAVED.get(spec, 0)
    assert game.to_json(done)["resume"]["earlier_nodes"] == nodes


@pytest.mark.parametrize(
    ("name", "spec", "first"),
    [("domineering", "7x9", "V"), ("mnk", "7,7,5", "X"), ("mnk", "4,3,3", "X"), ("hypergraph", "a b/b c/c a", "maker")],
)
def test_a_certificate_is_written_from_loaded_results(name: str, spec: str, first: str, tmp_path: Path) -> None:
    game, path, proof = find_game(name), tmp_path / "resume", tmp_path / "proof.zc"
    game.solve(spec, first=first, resume=path)
    chooser = game.proof_chooser(Limits(), {}, tmp_path)
    assert game.solve(spec, first=first, resume=path, chooser=chooser).nodes <= 2 + NOT_SAVED.get(spec, 0)
    position = game.parse(spec)
    written = game.prove(position, first, proof, chooser=chooser)
    assert written.path == proof
    assert check_file(proof).verified


def test_a_killed_search_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "resume"
    command = [ZERMELO, "solve", "domineering", "9x9", "--first", "V", "--resume", str(path), "--json"]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as process:
        wait_until(lambda: path.exists() and about(path)["nodes"] > 0, 60)
        process.kill()
    saved = about(path)["nodes"]
    said = json.loads(subprocess.run([*command, "--nodes", "1000"], capture_output=True, check=False).stdout)
    assert said["resume"]["earlier_nodes"] == saved
    assert said["resume"]["loaded"] > 0
    assert said["resume"]["error"] is None


def test_a_file_that_is_damaged_or_foreign_is_refused(tmp_path: Path) -> None:
    game, path = find_game("domineering"), tmp_path / "resume"
    game.solve("4x5", resume=path)
    data = path.read_bytes()
    for at in range(0, len(data), 97):
        path.write_bytes(data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :])
        with pytest.raises(ValueError, match=r"is damaged|is not a file of --resume"):
            game.solve("4x5", resume=path)
    for end in range(0, len(data), 97):
        path.write_bytes(data[:end])
        with pytest.raises(ValueError, match=r"is damaged|is not a file of --resume"):
            game.solve("4x5", resume=path)
    # With a checksum of its own, but not what the header says, or not what the core writes.
    body = data[:-DIGEST]
    for forged in (MAGIC + b"{}\n", MAGIC + b"[\n", body + bytes(8), body[:-8], body.replace(b'"runs"', b'"nuts"')):
        path.write_bytes(forged + hashlib.sha256(forged).digest())
        with pytest.raises(ValueError, match=r"is damaged|belongs to"):
            game.solve("4x5", resume=path)
    path.write_bytes(data)
    for name, spec in (("domineering", "5x4"), ("domineering", "torus:4x5"), ("mnk", "3,3,3")):
        with pytest.raises(ValueError, match=r"belongs to domineering 4x5|can be resumed"):
            find_game(name).solve(spec, resume=path)
    assert path.read_bytes() == data


def test_searches_that_cannot_be_resumed_say_so(tmp_path: Path) -> None:
    path = tmp_path / "resume"
    games = [("domineering", "torus:4x4"), ("domineering", "300x300"), ("cram", "4x4")]
    options = [{"method": "rules"}, {"bounds": ("real",)}]
    for name, spec, given in [*((*one, {}) for one in games), *(("domineering", "4x4", one) for one in options)]:
        with pytest.raises(ValueError, match="resume"):
            find_game(name).solve(spec, options=given, resume=path)
    assert not path.exists()
    with pytest.raises(OSError, match="no/such"):
        find_game("mnk").solve("3,3,3", resume="no/such/folder")

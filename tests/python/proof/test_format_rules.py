"""Every rule of FORMAT.md with a sample that breaks it and nothing else; both checkers name that rule.

The first list has one sample for each reason that a checker can give, and a test that none is missing. The second has
twins: a sample that breaks a rule of the arithmetic or the order, and beside it the nearest one that does not.
"""

from __future__ import annotations

import re
from functools import partial
from pathlib import Path

import pytest
import tiny
from tiny import zformat

REJECTED, MALFORMED = zformat.REJECTED, zformat.MALFORMED
BILLION = list(tiny.varint(10**9))
PAYLOAD = [1, 0, 2, 2, 15, 0, 0, 8, 0]  # 2x2, V starts and wins
CUBE = [1, 0, 9, 8, *[255] * 9]  # 9x8, all free
NO_LINE = [2, 2, 1, 3, 0, 0]  # 2,1,3: no edge
LINE = [2, 2, 1, 2, 0, 0]  # 2,1,2: the edge {0, 1}
TWO_FORKS = [7, 9, 4, 3, 0, 1, 2, 3, 0, 1, 3, 3, 0, 4, 5, 3, 0, 4, 6, 0, 0, 0, 0]  # a strong game on 9 cells; X wins
CRAM = [5, 2, 2, 15, 0, 1]  # 2x2, A starts, B wins
STRONG_LINE = [2, 1, 2, 0, 0, 0, 2, 0]  # 2,1,2, X starts, a draw: the strategy of O
HOOK = [1, 0, 3, 2, 0x17, 1, 0]  # 3x2 without two squares: H, who has one move, starts, and V wins


def plain(*payload: int) -> bytes:
    return tiny.container(bytes(payload), False)


strong = partial(plain, 6)
based = partial(strong, 2, 1, 2, 0, 0, 0, 2, 2)  # 2,1,2, X starts, a draw, with a base of records


PATH = [3, 0, 2, 2, 0, 1, 2, 1, 2]  # cells a, b and c, of which Maker wants a and b, or b and c
JOIN = [3, 1, 2, 0, 1, 1, 2, 1, 0, 1, 2]  # the same cells as a graph: he wants to join a to c
WINS = [1, 2, 0, 1, 1, 2, 1, 2, 3, 1, 2, 2, 1, 1, 1, 1, 3]  # his goals, and an answer to each move after b


def race(
    *proof: int,
    goals: list[int] = PATH,
    marks: tuple[list[int], list[int]] = ([], []),
    cycle: tuple[int, ...] = (0, 1),
    moves: int = 3,
    first: tuple[int, ...] = (),
    winner: int = 0,
) -> bytes:
    lists = [one for cells in (*marks, (), cycle) for one in (len(cells), *cells)]
    return plain(8, *goals, *lists, moves, len(first), *first, winner, *proof)


GOOD = tiny.container(bytes(PAYLOAD))
SAMPLES: list[tuple[str, bytes, int]] = [
    # 2. The container
    ("this is not a certificate", b"ZCERT\x01\x00", MALFORMED),
    ("the format version is", b"ZCERT\x00" + GOOD[6:], MALFORMED),
    ("the format version is", b"ZCERT\x07" + GOOD[6:], MALFORMED),
    ("unknown compression", b"ZCERT\x01\x02" + GOOD[7:], MALFORMED),
    ("bytes follow the compressed payload", GOOD + b"\x00", MALFORMED),
    ("the compressed payload is truncated", GOOD[:-1], MALFORMED),
    ("the compressed payload is damaged", GOOD[:-1] + bytes([GOOD[-1] ^ 1]), MALFORMED),
    ("the payload is truncated", plain(*PAYLOAD[:-1]), MALFORMED),
    ("bytes follow the proof", plain(*PAYLOAD, 0), MALFORMED),
    ("a number with needless bytes", plain(1, 0x80, 0, *PAYLOAD[2:]), MALFORMED),
    ("a number that is too large", plain(1, *[255] * 9, 1), MALFORMED),
    ("out of range", plain(1, 4, *PAYLOAD[2:]), MALFORMED),
    ("unknown game", plain(9, *PAYLOAD[1:]), MALFORMED),
    # 3. Domineering: the claim
    ("the board must have 1 to 256 squares", plain(1, 0, 0, 2, 0, 0, 8, 0), MALFORMED),
    ("free squares outside the board", plain(1, 0, 2, 2, 31, 0, 0, 8, 0), MALFORMED),
    # 4. Domineering: the strategy
    ("a move that is not legal", plain(*PAYLOAD[:-2], 10, 0), REJECTED),
    ("a reference to a position that was not proved", plain(1, 0, 1, 1, 1, 1, 0, 2), REJECTED),
    # The claim of these two is true. One refers to a position with a larger integer, the other to one whose proof has
    # not ended, and nothing else is wrong with them.
    ("a reference to a position that was not proved", plain(1, 0, 4, 4, 0x2B, 0xCA, 1, 0, 1, 9, 1, 8, 2), REJECTED),
    ("a reference to a position that was not proved", plain(1, 0, 3, 4, 69, 3, 1, 0, 1, 8, 2), REJECTED),
    ("unknown tag", plain(1, 0, 1, 1, 1, 1, 0, 8), MALFORMED),
    ("unknown tag", plain(1, 0, 1, 1, 1, 1, 0, 3), MALFORMED),
    ("unknown tag", plain(1, 0, 2, 1, 3, 0, 0, 6, 0), MALFORMED),
    ("unknown tag", plain(*HOOK, 24, 0, 1), MALFORMED),
    ("unknown tag", plain(*HOOK, 32, 0, 1), MALFORMED),
    ("unknown tag", plain(1, 0, 2, 1, 3, 0, 0, 1), MALFORMED),
    ("a cut below the last run", plain(*HOOK, 17, 4, 1), MALFORMED),
    ("an answer to a move that does not exist", plain(*HOOK, 17, 0, 2), MALFORMED),
    ("strips are for boards without rings", plain(1, 3, *HOOK[2:], 17, 0, 1), REJECTED),
    ("a piece larger than", plain(*CUBE, 1, 0, 17, 0, *[0] * 8), REJECTED),
    ("the strips are not worth enough", plain(1, 0, 2, 2, 15, 1, 0, 17, 0, 3), REJECTED),
    ("the strips are not worth enough", plain(*HOOK, 17, 2, 1), REJECTED),
    # 5.5 Covers
    ("protective areas must be in order", plain(1, 0, 2, 5, 255, 3, 0, 0, 7, 2, 3, 0), MALFORMED),
    ("a protective area that is not free", plain(*PAYLOAD[:-2], 7, 1, 1), REJECTED),
    ("a protective area that is open", plain(1, 0, 2, 4, 255, 0, 0, 7, 1, 1, 0), REJECTED),
    ("an area beyond the last move", plain(1, 0, 2, 1, 3, 0, 0, 7, 0, 2), MALFORMED),
    ("the areas of a cover overlap", plain(1, 0, 3, 1, 7, 0, 0, 7, 0, 3), REJECTED),
    ("the cover does not give enough moves", plain(1, 0, 2, 1, 3, 0, 0, 7, 0, 0), REJECTED),
    # 6. Positional games
    ("a cell is marked twice", plain(2, 2, 1, 3, 2, 0, 0, 0, 0, 1, 1, 0, 0), MALFORMED),
    ("a cell is marked by both players", plain(2, 2, 1, 3, 1, 0, 1, 0, 0, 1, 1, 0, 0), MALFORMED),
    ("the board must have 1 to 256 cells", plain(2, 0, 1, 3, 0, 0, 0, 1, 1, 0, 0), MALFORMED),
    ("a vertex twice in a hyperedge", plain(3, 2, 1, 2, 0, 0, 0, 0, 0, 1, 1, 0, 0), MALFORMED),
    ("an empty hyperedge", plain(3, 2, 1, 0, 0, 0, 0, 1, 1, 0, 0), MALFORMED),
    ("a reference to a claim", plain(*NO_LINE, 0, 1, 4, 1, 1, 0, 0), MALFORMED),
    ("a proof without claims", plain(*NO_LINE, 0, 1, 0), MALFORMED),
    ("the pairs overlap", plain(*NO_LINE, 0, 1, 1, 1, 0, 0, 0), REJECTED),
    ("the zones of a step", plain(*NO_LINE, 0, 1, 1, 0, 3, 1, 0, 1, 0, 0), REJECTED),
    ("the zones of a sum overlap", plain(*LINE, 0, 1, 1, 1, 0, 1, 4, 2, 1, 0, 1, 0, 0), REJECTED),
    ("a swap needs", plain(*NO_LINE, 0, 1, 1, 0, 5, 1, 0, 0, 1, 0), REJECTED),
    ("the zone holds a marked cell", plain(2, 2, 1, 2, 0, 1, 0, 0, 1, 1, 1, 0, 1, 0), REJECTED),
    ("the last claim asks for more", plain(*LINE, 0, 1, 1, 0, 0), REJECTED),
    ("a cell is both held and free", plain(*LINE, 1, 0, 2, 0, 3, 2, 0, 1, 0, 1, 1, 0, 0), REJECTED),
    # 7. Rectangles
    ("a side must be at least 1", plain(4, 0, 1, 0, 1, 3, 1, 0, 0), MALFORMED),
    ("a reference to a fact", plain(4, 1, 2, 0, 1, 2, 1, 0), MALFORMED),
    ("a board that is too large", plain(4, 1, 2, 0, 1, 3, *BILLION, 0, 4, 1, 1, 0), REJECTED),
    ("the last fact is not the claim", plain(4, 1, 2, 0, 1, 3, 3, 0, 0), REJECTED),
    ("a fact must be about an empty", plain(4, 1, 2, 0, 1, 1, 0, 1, 2, 1, 0, 1, 3, 0), REJECTED),
    ("no room for a domino", plain(4, 1, 1, 1, 1, 3, 1, 1, 0), REJECTED),
    ("a cut needs", plain(4, 1, 2, 0, 1, 3, 2, 0, 7, 2, 4, 1, 2, 0), REJECTED),
    ("Horizontal cannot move first", plain(4, 1, 4, 1, 1, 3, 2, 1, 4, 1, 1, 0), REJECTED),
    ("a split needs", plain(4, 2, 2, 0, 0, 3, 1, 0, 6, 1, 0), REJECTED),
    # 8. Cram
    ("the board must have 1 to 256 squares", plain(5, 0, 2, 0, 1, 0), MALFORMED),
    ("free squares outside the board", plain(5, 1, 1, 3, 0, 1, 0), MALFORMED),
    ("out of range", plain(5, 1, 1, 1, 0, 2, 0), MALFORMED),
    ("a move that is not legal", plain(5, 1, 2, 3, 0, 0, 9, 0), REJECTED),
    ("a move that is not legal", plain(5, 1, 1, 1, 0, 0, 8, 0), REJECTED),
    ("a reference to a position that was not proved", plain(5, 1, 1, 1, 0, 1, 2), REJECTED),
    ("Cram has no cuts", plain(5, 1, 2, 3, 0, 1, 17), MALFORMED),
    ("unknown tag", plain(5, 1, 1, 1, 0, 1, 3), MALFORMED),
    ("unknown tag", plain(5, 1, 2, 3, 0, 0, 7, 0), MALFORMED),
    ("bytes follow the proof", plain(5, 1, 1, 1, 0, 1, 0, 0), MALFORMED),
    # 9. Strong games
    ("a player holds a whole edge: the game is over", strong(2, 1, 2, 2, 0, 1, 0, 0, 0), MALFORMED),
    ("a cell is marked again", strong(3, 1, 3, 1, 0, 0, 0, 0, 0), REJECTED),
    ("the opponent completes an edge", strong(3, 1, 2, 0, 1, 1, 0, 0, 0), REJECTED),
    ("the board is full and nobody has won", strong(1, 1, 2, 0, 0, 0, 0, 0), REJECTED),
    ("an edge holds no pair", strong(*STRONG_LINE, 3, 0), REJECTED),
    ("the pairs overlap", strong(*STRONG_LINE, 3, 1, 0, 0), REJECTED),
    ("a reference to a position that was not proved", strong(*STRONG_LINE, 2), REJECTED),
    ("unknown tag", strong(*STRONG_LINE, 4), MALFORMED),
    ("out of range", strong(3, 3, 3, 0, 0, 0, 2, 3), MALFORMED),  # no such kind of proof
    ("out of range", strong(3, 3, 3, 0, 0, 0, 3), MALFORMED),  # no such outcome
    ("out of range", strong(3, 3, 3, 0, 0, 0, 0, 9), MALFORMED),  # no such cell
    ("the last claim asks for more", strong(3, 3, 3, 0, 0, 0, 2, 1, 1, 0, 0), REJECTED),
    ("unknown tag", based(0, 5), MALFORMED),
    ("unknown tag", strong(*STRONG_LINE, 4, 1, 0), MALFORMED),  # no base in this file
    ("a reference to a claim that is not there", based(1, 1, 0, 1, 0, 4, 2, 0), MALFORMED),
    ("a reference to a claim that is not there", based(1, 1, 0, 1, 0, 4, 0, 0), MALFORMED),
    ("an edge of the claim is not hit", based(1, 0, 0, 4, 1, 0), REJECTED),
    ("the zone holds a marked cell", strong(3, 1, 3, 1, 0, 0, 1, 2, 2, 1, 1, 0, 1, 0, 4, 1, 0), REJECTED),
    ("a proof without claims", strong(3, 3, 3, 0, 0, 0, 2, 1, 0), MALFORMED),
    ("a reference to a position that was not proved", strong(3, 3, 3, 0, 0, 0, 0, 4, 2), REJECTED),
    # 9.1 Wins by threats
    ("a reply has no answer", strong(3, 3, 3, 0, 0, 0, 0, 4, 16, 0), REJECTED),
    ("this is no symmetry of the board", strong(3, 3, 3, 0, 0, 0, 0, 4, 19, 1, 0, 2, 3, 4, 5, 6, 7, 8), REJECTED),
    ("a reference to a position that is not there", strong(3, 3, 3, 0, 0, 0, 0, 4, 18, 1, 0), MALFORMED),
    ("a reference to another position", plain(*TWO_FORKS, 8, 16, 2, 0, 0, 17, 2, 0, 1, 4, 4, 3, 0, 18, 1, 0), REJECTED),
    # 10. Races
    ("the order of turns has no cycle", race(cycle=()), MALFORMED),
    ("a first move is marked", race(marks=([0], []), first=(0,)), MALFORMED),
    ("a draw of a game with one goal", race(winner=2), MALFORMED),
    ("a goal is complete: the game is over", race(marks=([0, 1], [])), MALFORMED),
    ("a cell is named twice", race(marks=([0, 0], [])), MALFORMED),
    ("an empty winning set", race(goals=[3, 0, 1, 0]), MALFORMED),
    ("an edge from a cell to itself", race(goals=[3, 1, 1, 0, 0]), MALFORMED),
    ("these cells are no goal", race(1, 2, 0, 2), REJECTED),
    ("a path can be completed", race(0, 2, 0, 5, 0, 3, 0, 1, 2, goals=JOIN, moves=5, winner=1), REJECTED),
    ("a set can be completed", race(2, 0, 2, 0, 3, 0, 1, 2, cycle=(0, 0, 1), moves=2, winner=1), REJECTED),
    ("the sets that can be completed are too many", race(2, 0, 3, 0, 3, 0, 1, 2, winner=1), REJECTED),
    ("a step in the hero's turn", race(3, 0), REJECTED),
    ("a step without a reply", race(3, 1, 0), REJECTED),
    ("a move out of turn", race(1, 2, 0, 1, 0, 1, 2, 1, 2), REJECTED),
    ("the replies of a step have a cell in common", race(1, 2, 0, 1, 3, 1, 1, 1, 1, 1), REJECTED),
    ("a win that takes too many moves", race(*WINS, moves=1), REJECTED),
    ("the opponent may complete a goal", race(*WINS, goals=[4, 3, 3, *PATH[3:], 1, 3]), REJECTED),
    ("the first move is none of those allowed", race(*WINS, 0, 1, 1, 2, first=(0,)), REJECTED),
    ("the last claim asks for marked cells", race(*WINS, 0, 1, 1, 2, marks=([], [0])), REJECTED),
    ("the last claim is about another number of moves", race(*WINS, 0, 1, 1, 2, moves=2), REJECTED),
]

# (rule, what keeps it, what breaks it and nothing else)
TWO_SQUARES, THREE_SQUARES = [1, 0, 2, 5, 0x7B, 0x03], [1, 0, 2, 8, 0xDB, 0xDB]
HIT = [3, 3, 1, 2, 0, 1]  # cells 0, 1, 2 and the edge {0, 1}
TWINS: list[tuple[str, bytes, bytes]] = [
    ("5.4 zero is won by the second", plain(1, 0, 1, 1, 1, 1, 0, 16), plain(1, 0, 1, 1, 1, 0, 0, 0)),
    (
        "5.4 M is used once: {1|-1} is won moving first, twice {1|-1} is not",
        plain(*PAYLOAD[:-2], 0, 0),
        plain(*TWO_SQUARES, 0, 0, 0, 0),
    ),
    (
        "5.4 two equal switches cancel, a third is left over",
        plain(*TWO_SQUARES, 1, 0, 16, 0),
        plain(*THREE_SQUARES, 1, 0, 16, 0),
    ),
    (
        "4.4 an answered move has no `won`, any other has one",
        plain(*HOOK, 17, 0, 0, 0, 0),
        plain(*HOOK, 17, 0, 1, 0, 0),
    ),
    (
        "4.4 the cut is not crossed: the column that the move leaves must be whole",
        plain(*HOOK, 17, 1, 1),
        plain(*HOOK, 17, 2, 1),
    ),
    (
        "4.4 only the upper half of the tags remembers the position",
        plain(1, 0, 3, 4, 254, 12, 0, 0, 9, 0, 9, 25, 8, 2),
        plain(1, 0, 3, 4, 254, 12, 0, 0, 9, 0, 9, 17, 8, 2),
    ),
    ("5.6 a second cut answers what is left", plain(*HOOK, 0x12, 0, 0, 0, 1), plain(*HOOK, 0x12, 0, 1, 0, 1)),
    (
        "5.6 the example of FORMAT.md 11: no run is cut off, and the only move is answered",
        plain(*HOOK, 0x11, 0, 1),
        plain(*HOOK, 0x11, 2, 1),
    ),
    ("9 two threats are a win for the hero", strong(2, 2, 2, 0, 0, 0, 0, 0), strong(2, 2, 2, 0, 0, 0, 1, 0)),
    (
        "5.5 a protective area is two moves, two close areas are one",
        plain(*PAYLOAD[:-2], 7, 1, 0, 0),
        plain(*PAYLOAD[:-2], 7, 0, 3),
    ),
    (
        "5.5 a run that meets an area leaves no square over",
        plain(1, 0, 2, 1, 3, 0, 0, 7, 0, 1),
        plain(1, 0, 2, 3, 63, 0, 0, 7, 0, 5),
    ),
    ("6.3 a step has a reply", plain(*LINE, 0, 1, 1, 1, 0, 1, 0), plain(*LINE, 0, 1, 3, 0, 0)),
    (
        "6.3 a swap gives up the edges that only `out` hit",
        plain(*HIT, 0, 0, 0, 1, 1, 1, 0, 1, 0),
        plain(*HIT, 1, 1, 0, 0, 1, 1, 1, 0, 1, 5, 1, 0, 1, 2, 0),
    ),
    (
        "6.4 the first move is there if the winner starts",
        plain(*NO_LINE, 1, 1, 1, 0, 0, 0),
        plain(*NO_LINE, 1, 1, 1, 0, 0),
    ),
    ("6.5 pairs are Breaker's", plain(*NO_LINE, 0, 1, 1, 0, 0), plain(*NO_LINE, 1, 0, 1, 0, 0)),
    (
        "6.5 Maker holds what the claim needs",
        plain(2, 2, 1, 2, 2, 0, 1, 0, 1, 0, 2, 0, 0),
        plain(2, 2, 1, 2, 1, 0, 0, 1, 0, 2, 0, 0),
    ),
    ("8 only KEEP remembers", plain(*CRAM, 0, 8, 1, 8, 2, 8, 2, 8, 2), plain(*CRAM, 0, 8, 0, 8, 2, 8, 2, 8, 2)),
    ("9 pairs are for a draw", strong(*STRONG_LINE, 3, 1, 0, 1), strong(2, 1, 2, 0, 0, 0, 1, 3, 1, 0, 1)),
    ("9 a claim of the base hits what is left", based(1, 1, 0, 1, 0, 4, 1, 0), based(1, 1, 0, 1, 1, 0, 0, 4, 2, 0)),
    ("9 who does not begin has a half", strong(1, 1, 2, 0, 0, 0, 2, 0, 0), strong(1, 1, 2, 0, 0, 0, 2)),
    (
        "9.1 every reply that the pass does not cover has an answer",
        plain(*TWO_FORKS, 0, 16, 2, 0, 1, 4, 4),
        plain(*TWO_FORKS, 0, 16, 2, 0, 1, 3, 4),
    ),
    ("10 a win within three moves", race(*WINS, 0, 1, 1, 2), race(*WINS, 0, 1, 1, 2, marks=([], [2]))),
    (
        "10 the sum of the sets is less than 1/2",
        race(2, 0, 3, 0, 3, 0, 1, 2, 0, 1, 0, goals=[3, 0, 1, 2, 0, 1], winner=1),
        race(2, 0, 3, 0, 3, 0, 1, 2, 0, 1, 0, winner=1),
    ),
    ("7 n x 2n is won by H when V starts", plain(4, 2, 4, 0, 1, 7, 2, 0), plain(4, 2, 4, 1, 1, 7, 2, 0)),
]


def judged(data: bytes, folder: Path) -> tuple[int, str, str]:
    """The verdict of both checkers, and what each says for a reason."""
    verdict, said = tiny.verdicts(data, folder / "sample.zc")
    return verdict, str(said.get("reason", "")), said["fast"].get("reason", "")


@pytest.mark.parametrize(("reason", "data", "verdict"), SAMPLES, ids=[s[0] for s in SAMPLES])
def test_samples_are_refused_for_their_reason(tmp_path: Path, reason: str, data: bytes, verdict: int) -> None:
    found, slow, fast = judged(data, tmp_path)
    assert found == verdict, (slow, fast)
    assert reason in slow and reason in fast


def test_every_reason_has_a_sample() -> None:
    folder = tiny.ROOT / "checker"
    given = re.compile(r'(?:reject|malformed)\(\s*f?"([^"]+)"')
    files = [*folder.glob("*.py"), *folder.glob("*.?pp")]
    found = {text for path in files for text in given.findall(path.read_text())}
    assert len(found) > 40
    for text in found:
        if text.startswith("{what}"):
            text = "out of range"
        assert any(reason in text or text in reason for reason, _, _ in SAMPLES), text


@pytest.mark.parametrize(("rule", "good", "bad"), TWINS, ids=[t[0] for t in TWINS])
def test_twins_differ_by_one_rule(tmp_path: Path, rule: str, good: bytes, bad: bytes) -> None:
    verdict, reason, _ = judged(good, tmp_path)
    assert verdict == zformat.VERIFIED, reason
    assert judged(bad, tmp_path)[0] in (REJECTED, MALFORMED)

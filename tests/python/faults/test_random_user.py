"""Every line of a random user ends well; ZERMELO_USER=N tries N lines, ZERMELO_SEED other ones."""

from __future__ import annotations

import os

import pytest
from forker import Forker
from random_user import End, disagreement, problem_of, try_lines

COUNT = int(os.environ.get("ZERMELO_USER", "8000"))
SEED = int(os.environ.get("ZERMELO_SEED", "1"))


@pytest.mark.slow
def test_every_random_line_ends_well(forker: Forker) -> None:
    codes, wrong = try_lines(forker, COUNT, SEED)
    print(f"{dict(sorted(codes.items()))}; wrong: {len(wrong)}")
    assert not wrong, "\n".join(wrong)
    assert codes["text and JSON"] > COUNT // 20


def test_wrong_ends_are_seen() -> None:
    why = ["why", "6x20"]
    for wrong in (
        End(why, 99), End(why, 0, "ZeroDivisionError()"), End(why, 2, err="one\ntwo\n"), End(why, 2),
        End(why, 0, err="Exception ignored in: <function>\n"), End([*why, "--time", "0.1"], 0, took=0.7),
        End([*why, "--json"], 0, out="H wins\n"),
    ):  # fmt: skip
        assert problem_of(wrong) is not None
    text = End(["solve"], 0, out="  V starts: V wins with V1,1; proved by search")
    for winner, right in (("V", True), ("H", False)):
        as_json = End(["solve", "--json"], 0, out=f'{{"starts": {{"V": {{"winner": "{winner}"}}}}}}')
        assert (disagreement(text, as_json) is None) is right

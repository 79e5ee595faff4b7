"""Whatever a random user types ends well; ZERMELO_USER=N tries N lines, ZERMELO_SEED other ones."""

from __future__ import annotations

import os

import pytest
from forker import Forker
from random_user import End, disagreement, problem_of, try_all

COUNT = int(os.environ.get("ZERMELO_USER", "20000"))
SEED = int(os.environ.get("ZERMELO_SEED", "1"))


@pytest.mark.slow
def test_whatever_is_typed_ends_well(forker: Forker) -> None:
    told = try_all(forker, COUNT, SEED)
    assert told.count >= COUNT - len(told.wrong)
    assert told.compared > COUNT // 20
    assert not told.wrong, "\n".join(told.wrong)


def end(words: str, code: int = 0, out: str = "", err: str = "", took: float = 0.0, raised: str | None = None) -> End:
    return End(words.split(), code, raised, took, out, err, changed=False)


@pytest.mark.parametrize(
    "wrong",
    [
        end("why 6x20", code=99),
        end("why 6x20", raised="ZeroDivisionError()"),
        end("why 6x20", code=2, err="one\ntwo\n"),
        end("why 6x20", code=2),
        end("why 6x20", err="Exception ignored in: <function>\n"),
        end("why 6x20 --time 0.1", took=0.7),
        end("@ mnk solve 3,3,3 0.1 1 1", took=0.7),
        end("why 6x20 --json", out="H wins\n"),
    ],
)
def test_what_is_wrong_is_seen(wrong: End) -> None:
    assert problem_of(wrong) is not None


def test_json_that_says_something_else_is_seen() -> None:
    text = end("solve domineering 4x5", out="  V starts: V wins with V1,1; proved by search")
    for said, right in (("V", True), ("H", False)):
        as_json = end("solve domineering 4x5 --json", out=f'{{"starts": {{"V": {{"winner": "{said}"}}}}}}')
        assert (disagreement(text, as_json) is None) is right
    assert disagreement(text, end("solve domineering 4x5 --json", code=1)) is not None

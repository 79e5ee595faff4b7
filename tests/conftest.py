"""What holds for every test."""

import gc
import io
import signal
import sys
from collections.abc import Callable, Iterator
from typing import NamedTuple

import pytest

STOPS = (signal.SIGINT, signal.SIGTERM)

# A shell that starts the tests in the background has Ctrl-C ignored, and programs started by the tests would inherit
# that; the tests that press Ctrl-C mean programs as a user starts them.
signal.signal(signal.SIGINT, signal.default_int_handler)
signal.pthread_sigmask(signal.SIG_UNBLOCK, STOPS)


@pytest.fixture(autouse=True)
def signals_stay() -> Iterator[None]:
    """A test that leaves Ctrl-C ignored would spoil those that come after it in the same process."""
    before = [signal.getsignal(number) for number in STOPS]
    yield
    after = [signal.getsignal(number) for number in STOPS]
    for number, handler in zip(STOPS, before, strict=True):
        signal.signal(number, handler)
    assert after == before, "this test left another handler for Ctrl-C or SIGTERM"


gc.disable()


def pytest_collection_finish() -> None:
    """What the tests have loaded is there for good, and need not be looked through again and again."""
    gc.freeze()
    gc.enable()


def pytest_unconfigure() -> None:
    gc.unfreeze()  # else the core takes it for leaked


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The slow ones come first, so that at the end no processor waits long for another."""
    items.sort(key=lambda item: item.get_closest_marker("slow") is None)


class Said(NamedTuple):
    """What a command printed, and its exit code."""

    code: int
    out: str
    err: str


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Callable[..., Said]:
    """A function that runs a command line in this process, and returns the exit code and what it printed."""
    from zermelo.cli import app

    def call(*words: str, typed: str = "") -> Said:
        capsys.readouterr()
        monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
        return Said(app.run(list(words)), *capsys.readouterr())

    return call

"""What holds for every test."""

import signal
from collections.abc import Iterator

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

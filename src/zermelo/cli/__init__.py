"""The command line: parse, call, print."""

from __future__ import annotations

import sys


def main() -> None:
    """Run the command line; Ctrl-C ends it without noise, also while it is still loading or already leaving."""
    try:
        import signal

        # `kill` and `timeout` end a run in good order, as Ctrl-C does; the core cannot be stopped while it loads.
        signal.signal(signal.SIGTERM, signal.default_int_handler)
        signal.pthread_sigmask(signal.SIG_BLOCK, (signal.SIGINT, signal.SIGTERM))
        import zermelo._core  # noqa: F401

        signal.pthread_sigmask(signal.SIG_UNBLOCK, (signal.SIGINT, signal.SIGTERM))
        from zermelo.cli import app

        app.main()
    except KeyboardInterrupt:
        sys.exit(130)
    finally:
        import signal

        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, signal.SIG_IGN)

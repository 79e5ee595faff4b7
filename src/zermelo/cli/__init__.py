"""The command line: parse, call, print."""

from __future__ import annotations

import signal
import sys


def main() -> None:
    """Run the command line; Ctrl-C ends it without noise, also while it is still loading or already leaving."""
    try:
        # `kill` and `timeout` end a run in good order, as Ctrl-C does.
        signal.signal(signal.SIGTERM, signal.default_int_handler)
        from zermelo.cli import app

        app.main()
    except KeyboardInterrupt:
        sys.exit(130)
    finally:
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, signal.SIG_IGN)

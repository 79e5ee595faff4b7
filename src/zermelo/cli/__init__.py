"""The command line: parse, call, print."""

from __future__ import annotations

import sys


def main() -> None:
    """Run the command line; Ctrl-C ends it without noise, also while it is still loading."""
    try:
        from zermelo.cli import app

        app.main()
    except KeyboardInterrupt:
        sys.exit(130)

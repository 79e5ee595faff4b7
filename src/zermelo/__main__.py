"""`python -m zermelo` is `zermelo`."""

from __future__ import annotations

from zermelo.cli import main

if __name__ == "__main__":
    main()

"""The command line: `zermelo VERB GAME SPEC`."""

from __future__ import annotations

import typer

app = typer.Typer(no_args_is_help=True, help=__doc__)


@app.callback()
def callback() -> None:
    """Who wins? Zermelo answers, with a proof."""


def main() -> None:
    app()

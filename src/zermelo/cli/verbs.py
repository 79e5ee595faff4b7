"""The verbs that several games share: each game's file adds its command to them."""

from __future__ import annotations

import typer


def group(help_text: str) -> typer.Typer:
    return typer.Typer(no_args_is_help=True, help=help_text, rich_markup_mode=None)


solve = group("Who wins, with a winning move and how it was proved. Per starter, with nodes and seconds.")
explain = group("Why a bound decides. The cover, the strips, the pairing.")
value = group("The combinatorial game value of a position. Canonical form, stops, mean, temperature, thermograph.")
play = group("Play against perfect play in the terminal.")
bench = group("Regenerate published tables and compare.")

"""`zermelo why SPEC`: the derivation of a board's outcome, down to searched boards."""

from __future__ import annotations

from zermelo.cli.options import Json, SpecWords, service_for
from zermelo.cli.output import tell


def why(words: SpecWords, as_json: Json = False) -> None:
    game, spec = service_for(words, "derive")
    found = game.derive(spec)
    tell(as_json, {"game": game.name, **found.data}, *found.text)

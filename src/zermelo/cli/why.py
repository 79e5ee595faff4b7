"""`zermelo why 6x20`: the derivation of a board's outcome, down to searched boards."""

from __future__ import annotations

from typing import Any

import typer

from zermelo.cli.output import print_json


def why(
    spec: str = typer.Argument(..., help="An empty board of any size, as 6x20 or torus:2x9."),
    as_json: bool = typer.Option(False, "--json", help="One JSON object."),
) -> None:
    """Why a board has its outcome. The shortest derivation, rule by rule."""
    from zermelo.domineering.rules.knowledge import shipped
    from zermelo.domineering.rules.sizes import Size
    from zermelo.domineering.rules.why import explanation, to_json

    size = Size.parse(spec)
    answer = shipped().decide(size)
    if not as_json:
        for line in explanation(answer):
            print(line)
        return
    result: dict[str, Any] = {
        "game": "domineering",
        "spec": size.spec,
        "outcome": answer.outcome or "unknown",
        "outcomes": answer.name,
        "starts": {player: {"winner": answer.winner(player)} for player in ("V", "H")},
    }
    if answer.step is not None:
        result["derivation"] = to_json(answer.step)
    if answer.eventual is not None:
        lines = size.transposed if answer.mirrored else size
        result["statement"] = str(answer.eventual)
        result["proof"] = answer.eventual.proof()
        result["derivation"] = to_json(answer.eventual.ground(lines.cols))
        result["period"] = to_json(answer.eventual.period)
    if answer.also:
        result["also"] = [fact.to_json() for fact in answer.also]
    print_json(result)

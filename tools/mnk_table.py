"""All m,n,k games up to a size by their real rules, each with its certificate's hash: docs/measured/mnk-table.json.

    python tools/mnk_table.py [--nodes 20000000] [--side 8] > docs/measured/mnk-table.json

A game that the nodes do not settle stays "unknown". Every certificate is verified before its hash is written; it is not
kept, since the same program writes the same bytes again. `--markdown FILE` prints the table of the documentation.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from zermelo.game import Limits
from zermelo.positional import MNK
from zermelo.proof import check_file

WORDS = {"X": "first", "draw": "draw", "breaker": "draw", None: "unknown"}


PUBLISHED = {(3, 3, 3): "draw", (4, 3, 3): "first", (5, 5, 4): "draw", (6, 5, 4): "first"}


def literature(m: int, n: int, k: int) -> str | None:
    """Return the published outcome for m >= n.

    Small games, 4 x m (Uiterwijk and van den Herik 2000), 8,8,5 (Hsu et al. 2020).

    In 8,8,5 the second player draws by blocking, and so on every board inside it and with every larger k.
    """
    if (k == 4 and n == 4) or k >= 5:
        return "draw" if m <= 8 else None
    return PUBLISHED.get((m, n, k))


def settled(m: int, n: int, k: int, limits: Limits, path: Path) -> dict[str, Any]:
    """Solve and certify one game."""
    position = MNK.parse(f"{m},{n},{k}")
    written = MNK.prove(position, "X", path, limits=limits)
    row: dict[str, Any] = {"spec": position.text, "outcome": WORDS[written.winner], "nodes": written.nodes}
    row["literature"] = literature(m, n, k)
    if written.winner is not None:
        assert check_file(path).verified, position.text
        row |= {"bytes": written.size, "sha256": hashlib.sha256(path.read_bytes()).hexdigest()}
        path.unlink()
    return row


def markdown(rows: list[dict[str, Any]]) -> str:
    """Return one table: a row for each board, a column for each k."""
    outcomes = {tuple(map(int, row["spec"].split(","))): row["outcome"] for row in rows}
    most = max(k for _, _, k in outcomes)
    lines = ["| board | " + " | ".join(f"k = {k}" for k in range(3, most + 1)) + " |", "|---" * (most - 1) + "|"]
    for m, n in sorted({(m, n) for m, n, _ in outcomes}):
        lines.append(f"| {m} x {n} | " + " | ".join(outcomes.get((m, n, k), "") for k in range(3, most + 1)) + " |")
    return "\n".join(lines)


def main(words: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--nodes", type=int, default=20_000_000)
    parser.add_argument("--side", type=int, default=8)
    parser.add_argument("--markdown", type=Path)
    given = parser.parse_args(words)
    if given.markdown:
        print(markdown(json.loads(given.markdown.read_text())["rows"]))
        return
    limits, rows = Limits(nodes=given.nodes, memory=1 << 28), []
    with tempfile.TemporaryDirectory() as folder:
        for k in range(3, given.side + 1):
            for m in range(k, given.side + 1):
                for n in range(3, m + 1):
                    rows.append(settled(m, n, k, limits, Path(folder, "game.zc")))
                    print(rows[-1], file=sys.stderr, flush=True)
                    wrong = {rows[-1]["outcome"], rows[-1]["literature"]} == {"first", "draw"}
                    assert not wrong, rows[-1]
    print(json.dumps({"nodes": given.nodes, "rows": rows}, indent=1))


if __name__ == "__main__":
    main()

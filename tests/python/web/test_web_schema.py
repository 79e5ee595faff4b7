"""schemathesis reads the OpenAPI description and attacks the server with what it allows and what it does not.

A minute and more examples with ZERMELO_EXHAUSTIVE=1.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from servers import ask_json

EXAMPLES, SECONDS = ("50", "90") if os.environ.get("ZERMELO_EXHAUSTIVE") else ("5", "12")


@pytest.mark.slow
def test_schemathesis_finds_nothing(serve: Callable[..., str], tmp_path: Path) -> None:
    site = serve(seconds=0.2, rate=10_000.0)
    ask_json(site, "openapi.json")  # the description is there at once
    result = subprocess.run(
        [
            str(Path(sys.executable).parent / "schemathesis"),
            "run",
            f"{site}/api/openapi.json",
            *("--checks", "all"),
            # A well-formed spec may still be no position (an illegal move, say): 422 is right then.
            *("--exclude-checks", "positive_data_acceptance"),
            *("--phases", "examples,coverage,fuzzing"),
            *(
                "--max-examples",
                EXAMPLES,
                "--max-time",
                SECONDS,
                "--seed",
                "1",
                "--warnings",
                "off",
                "--request-timeout",
                "60",
            ),
        ],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=150,
        check=False,
    )
    assert result.returncode == 0, result.stdout[-6000:] + result.stderr[-2000:]
    assert "No issues found" in result.stdout

"""Makes the pages and pictures that come from the software itself: run by conf.py at every build."""

from __future__ import annotations

import io
import json
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from zermelo.bench.record import Measurement

HERE = Path(__file__).resolve().parent


def everything(target: Path) -> None:
    """Write all generated pages and pictures into a folder that is not in version control."""
    target.mkdir(exist_ok=True)
    write(target / "cli.md", cli_page())
    write(target / "api.md", api_page())
    write(target / "notebook.md", notebook_page(HERE / "notebook.ipynb", target))
    write(target / "tables.inc", tables_page(target))
    write(target / "json.inc", json_page())
    for name, words in OUTPUTS.items():
        write(target / f"{name}.txt", output(words))
    for name, make in PICTURES.items():
        write(target / name, make())


def write(path: Path, text: str) -> None:
    """Write only what changed, so that Sphinx rebuilds no more than it must."""
    if not path.exists() or path.read_text() != text:
        path.write_text(text)


# ---- the command line


def cli_page() -> str:
    """Every command with its own help text."""
    parts = ["# Command line\n", "Every command's own help, as it prints it.\n"]
    for words in commands():
        shown = run_help(words)
        parts.append(f"{'#' * (2 if len(words) < 2 else 3)} zermelo {' '.join(words)}\n".replace(" \n", "\n"))
        parts.append(f"```text\n{shown.rstrip()}\n```\n")
    return "\n".join(parts)


def commands() -> Iterator[list[str]]:
    """Yield the words of every command and subcommand."""
    import typer

    from zermelo.cli.app import build_app

    yield []
    root = typer.main.get_command(build_app())
    for name, command in sorted(getattr(root, "commands", {}).items()):
        yield [name]
        for below in sorted(getattr(command, "commands", {})):
            yield [name, below]


def run_help(words: list[str]) -> str:
    """Return what `zermelo WORDS --help` prints, in a terminal of 100 columns."""
    import contextlib
    import os

    from zermelo.cli.app import build_app

    os.environ["COLUMNS"] = "100"
    out = io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.suppress(SystemExit):
        build_app()([*words, "--help"], prog_name="zermelo")
    return out.getvalue()


# ---- what the tutorial's commands print

OUTPUTS = {
    "solve-6x6": [["solve", "domineering", "6x6"]],
    "why-6x12": [["why", "6x12"]],
    "check-5x5": [["solve", "domineering", "5x5", "--first", "V", "--proof", "5x5.zc"], ["check", "5x5.zc"]],
}


def output(commands: list[list[str]]) -> str:
    """Run commands in an empty folder, and return what they print."""
    import tempfile

    program = str(Path(sys.executable).parent / "zermelo")
    with tempfile.TemporaryDirectory() as folder:
        return "".join(
            subprocess.run([program, *words], cwd=folder, check=True, capture_output=True, text=True).stdout
            for words in commands
        )


# ---- JSON

JSON_EXAMPLES = (
    "solve domineering 4x4",
    "solve domineering 4x4 --first V --proof 4x4.zc",
    "solve mnk 3,3,3",
    "explain domineering 3x4 --player H",
    "explain domineering 4x4 --player V --bound strip",
    "explain mnk 5,5,5",
    "value domineering 2x3",
    "table 2x3",
    "why 2x5",
    "check 4x4.zc",
    "proof info 4x4.zc",
    "draw 4x4:V1,1 position.svg",
    "doctor",
)


def json_page() -> str:
    """What the verbs print with --json, on small examples that are run now."""
    import tempfile

    parts: list[str] = []
    with tempfile.TemporaryDirectory() as folder:
        for words in JSON_EXAMPLES:
            done = subprocess.run(
                [str(Path(sys.executable).parent / "zermelo"), *words.split(), "--json"],
                cwd=folder,
                check=True,
                capture_output=True,
                text=True,
            )
            value = json.loads(done.stdout)
            if words == "doctor":
                value = dict.fromkeys(value, "...")  # It names files and folders of this machine.
            shown = json.dumps(value, ensure_ascii=False)
            parts.append(f"### `zermelo {words} --json`\n\n```json\n{wrapped(shown)}\n```\n")
    return "\n".join(parts)


def wrapped(text: str, width: int = 110) -> str:
    """Break a line of JSON after commas, so that it fits a page."""
    lines = [""]
    for piece in re.split(r', (?=["\[{])', text):  # Not inside a text, whose quotes would be escaped.
        if lines[-1] and len(lines[-1]) + len(piece) > width:
            lines[-1] += ","
            lines.append(" ")
        lines[-1] += ("" if lines[-1] in ("", " ") else ", ") + piece
    return "\n".join(lines)


# ---- the REST API


def api_page() -> str:
    """Every route with its parameters, from the OpenAPI description."""
    from zermelo.web.app import create_app

    description = create_app().openapi()
    parts = [
        "# REST API\n",
        "`zermelo serve` answers these; the machine-readable description is at `/api/openapi.json`. A bad question is",
        "answered 422 with a sentence that helps, a busy server answers 429 or 503 and says when to come back.\n",
    ]
    for path, verbs in description["paths"].items():
        for verb, about in verbs.items():
            parts.append(f"## `{verb.upper()} {path}`\n\n{about.get('summary', '')}.\n")
            for one in about.get("parameters", []):
                schema = one["schema"]
                kind = " or ".join(f"`{value}`" for value in schema.get("enum", [])) or schema.get("type", "")
                need = "" if one.get("required") else ", may be left out"
                parts.append(f"- `{one['name']}` ({kind}{need}) {one.get('description', '')}")
            parts.append("")
    return "\n".join(parts)


# ---- the notebook


def notebook_page(path: Path, target: Path) -> str:
    """Run the notebook, so that a broken one breaks the build, and show its cells with their output."""
    import nbformat
    from nbclient import NotebookClient

    notebook = nbformat.read(path, as_version=4)
    place = {"metadata": {"path": str(HERE)}}
    quiet = ["--IPKernelApp.log_level=40"]
    NotebookClient(notebook, kernel_name="python3", timeout=120, resources=place, extra_arguments=quiet).execute()
    parts: list[str] = []
    for number, cell in enumerate(notebook.cells):
        if cell.cell_type == "markdown":
            parts.append(cell.source + "\n")
            continue
        parts.append(f"```python\n{cell.source}\n```\n")
        for index, output in enumerate(cell.outputs):
            data = output.get("data", {})
            if "image/svg+xml" in data:
                name = f"notebook-{number}-{index}.svg"
                write(target / name, data["image/svg+xml"])
                parts.append(f"![output of the cell above]({name})\n")
            elif "text/plain" in data or "text" in output:
                text = data.get("text/plain") or output["text"]
                parts.append(f"```text\n{text.rstrip()}\n```\n")
    return "\n".join(parts)


# ---- published tables beside ours

SUITES = {
    "obsequi": "Bullock, article figures 12 and 13: nodes of both starters",
    "domi": "Breuker, Uiterwijk, van den Herik (DOMI), as quoted in the thesis, figure 1.2",
    "growth-2xn": "Thesis figures 8.1 and 8.2: growth on 2xn",
    "growth-4xn": "Thesis figures 8.3 and 8.4: growth on 4xn",
    "growth-6xn": "Thesis figures 8.5 and 8.6: growth on 6xn",
    "growth-8xn": "Thesis figures 8.7 and 8.8: growth on 8xn",
    "plies": "Thesis figure 4.6: nodes per ply of 8x8",
    "safe-moves": "Article figure 9: safe moves generated or not",
    "ablation": "Article figure 15: what each part of the evaluation is worth on 8x8",
    "records": "Our own search beside Obsequi, measured on one machine",
}


def tables_page(target: Path) -> str:
    """Every suite of the files in docs/measured as a table, with its plot where it has one."""
    from zermelo.bench.pictures import pictures
    from zermelo.bench.record import read_csv

    parts: list[str] = []
    for file in sorted((HERE / "measured").glob("*.csv")):
        rows = read_csv(file)
        drawn = pictures(rows)
        for name, picture in drawn.items():
            write(target / f"plot-{name}.svg", picture)
        by_suite: dict[str, list[Measurement]] = {}
        for row in rows:
            by_suite.setdefault(row.suite, []).append(row)
        for suite, mine in by_suite.items():
            parts.append(f"### {SUITES[suite]}\n")
            for name in (suite, f"{suite}-nodes", "speed" if suite == "records" else ""):
                if name in drawn:
                    parts.append(f"![{SUITES[suite]}](_generated/plot-{name}.svg)\n")
            parts.append("| case | search | wins | our nodes | published | ratio | seconds |")
            parts.append("|---|---|---|--:|--:|--:|--:|")
            parts += [table_line(row) for row in mine]
            parts.append("")
    if (HERE / "measured" / "mnk.json").exists():
        parts += ["### Hsu et al., tables 1 to 3\n", *mnk_lines()]
    return "\n".join(parts)


def table_line(row: Measurement) -> str:
    """One measurement as a line of a table."""
    known = row.answer != "unknown"
    there = f"{row.published_nodes:,}" if row.published_nodes else ""
    ratio = f"{row.nodes / row.published_nodes:.2f}" if row.published_nodes and known else ""
    nodes = f"{row.nodes:,}" if known else f"over {row.nodes:,}"
    return f"| {row.case} | {row.setting} | {row.answer} | {nodes} | {there} | {ratio} | {row.seconds:.2f} |"


def mnk_lines() -> list[str]:
    """The m,n,k tables: seconds there and here."""
    rows = json.loads((HERE / "measured" / "mnk.json").read_text())["rows"]
    lines = ["| table | case | setting | wins | our nodes | our seconds | published seconds |"]
    lines.append("|---|---|---|---|--:|--:|--:|")
    for row in rows:
        there = "" if row["published"] is None else f"{row['published']:,.1f}"
        lines.append(
            f"| {row['suite']} | {row['case']} | {row['setting']} | {row['answer']} | {row['nodes']:,} "
            f"| {row['seconds']:.2f} | {there} |"
        )
    return [*lines, ""]


# ---- pictures


def command_picture(*words: str, option: str = "--svg") -> Callable[[], str]:
    """Return a maker of the SVG that a command writes."""

    def make() -> str:
        import tempfile

        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder, "picture.svg")
            program = Path(sys.executable).parent / "zermelo"
            subprocess.run([str(program), *words, option, str(file)], check=True, capture_output=True)
            return file.read_text()

    return make


def proof_tree() -> str:
    """The tree of a small certificate, made for the occasion."""
    import tempfile

    from zermelo.game import find_game
    from zermelo.proof.tools import strategy_svg

    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "5x5.zc")
        game = find_game("domineering")
        game.prove(game.parse("5x5"), "V", file)
        return strategy_svg(file, 4)


PICTURES: dict[str, Callable[[], str]] = {
    "cover.svg": command_picture("explain", "domineering", "6x6:V2,2;H4,3", "--player", "H"),
    "strips.svg": command_picture("explain", "domineering", "6x8", "--player", "H", "--bound", "strip"),
    "ring-cover.svg": command_picture("explain", "domineering", "hcylinder:6x6", "--player", "V"),
    "pairing.svg": command_picture("explain", "mnk", "5,5,5"),
    "zone.svg": command_picture("explain", "mnk", "6,6,5:c3", "--kind", "zone"),
    "thermograph.svg": command_picture("value", "domineering", "2x3"),
    "proof-tree.svg": proof_tree,
    "table.svg": command_picture("table", "12x12", option="--picture"),
}

if __name__ == "__main__":
    everything(HERE / "_generated")
    print(json.dumps(sorted(path.name for path in (HERE / "_generated").iterdir())))

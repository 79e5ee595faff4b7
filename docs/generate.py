"""Makes the pages and pictures that come from the software itself: run by conf.py at every build."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

HERE = Path(__file__).resolve().parent


def everything(target: Path) -> None:
    """Write all generated pages and pictures into a folder that is not in version control."""
    target.mkdir(exist_ok=True)
    write(target / "cli.md", cli_page())
    write(target / "api.md", api_page())
    write(target / "notebook.md", notebook_page(HERE / "notebook.ipynb", target))
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
        parts.append(
            f"{'#' * (2 if len(words) < 2 else 3)} zermelo {' '.join(words)}\n".replace(" \n", "\n")
        )
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
                kind = " or ".join(f"`{value}`" for value in schema.get("enum", [])) or schema.get(
                    "type", ""
                )
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
    NotebookClient(
        notebook, kernel_name="python3", timeout=120, resources=place, extra_arguments=quiet
    ).execute()
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


# ---- pictures


def command_picture(*words: str, option: str = "--svg") -> Callable[[], str]:
    """Return a maker of the SVG that a command writes."""

    def make() -> str:
        import tempfile

        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder, "picture.svg")
            program = Path(sys.executable).parent / "zermelo"
            subprocess.run(
                [str(program), *words, option, str(file)], check=True, capture_output=True
            )
            return file.read_text()

    return make


def proof_tree() -> str:
    """The tree of a small certificate, made for the occasion."""
    import tempfile

    from zermelo.proof.picture import strategy_svg
    from zermelo.proof.writing import write_domineering

    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "5x5.zc")
        write_domineering("5x5", "V", file)
        return strategy_svg(file, 4)


PICTURES: dict[str, Callable[[], str]] = {
    "cover.svg": command_picture("explain", "domineering", "6x6:V2,2;H4,3", "--player", "H"),
    "strips.svg": command_picture(
        "explain", "domineering", "6x8", "--player", "H", "--bound", "strip"
    ),
    "thermograph.svg": command_picture("value", "domineering", "2x3"),
    "proof-tree.svg": proof_tree,
    "table.svg": command_picture("table", "12x12", option="--picture"),
}

if __name__ == "__main__":
    everything(HERE / "_generated")
    print(json.dumps(sorted(path.name for path in (HERE / "_generated").iterdir())))

"""Makes what the documentation shows: outputs of commands, pictures, generated parts, executed notebooks.

`python docs/make.py [PAGE...]` runs every command of the pages and writes what changed into the repository;
`--check` writes nothing and ends with exit code 1 if something is not what the code makes. (The photograph of the web
page is taken only by `python docs/make.py page.png`.) All pages are plain Markdown. Three things in them are filled
in here:

- A block ```` ```console ```` holds lines `$ command` and below each what it prints. The commands of a page run in
  one empty folder, in their order. Seconds and the like may differ (`SAME`); nothing else may. A line `...` stands for
  any lines, the sign `…` for anything in a line. A block that begins with `# not run: REASON; figures of DATE` is left
  alone.
- A picture `pictures/NAME` is the file NAME that a command of some page writes, or what `PICTURES` makes.
- Between `<!-- made: WORDS -->` and `<!-- end -->` stands what the maker of that name returns (`MAKERS`).
"""

from __future__ import annotations

import ast
import contextlib
import difflib
import functools
import io
import itertools
import json
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from console import BLOCK, fill_block, settled
from reference import cli_reference, json_examples, python_reference, rest_reference

if TYPE_CHECKING:
    from zermelo.bench.record import Measurement

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
sys.path.append(str(ROOT / "tools"))
PICTURE_FOLDER = HERE / "pictures"
SCREENSHOT = "page.png"
MADE = re.compile(r"^<!-- made: (.*?) -->\n(.*?)^<!-- end -->$", re.MULTILINE | re.DOTALL)


def pages() -> list[Path]:
    """All pages of the documentation, in the order in which they are made."""
    return [ROOT / "README.md", *sorted(HERE.glob("*.md"))]


# ---- what is made besides


@dataclass
class Made:
    """All that was made: files of the repository with their new content."""

    files: dict[Path, str | bytes] = field(default_factory=dict)

    def picture(self, path: Path) -> None:
        """Keep a picture that a command wrote, if a page shows it."""
        target = PICTURE_FOLDER / path.name
        if path.suffix == ".svg" and target in shown_pictures():
            new = path.read_text()
            assert self.files.setdefault(target, new) == new, f"two commands write another {path.name}"

    def changes(self) -> Iterator[tuple[Path, str]]:
        """Yield the files that differ from what is there, with the difference."""
        for path, new in self.files.items():
            old = path.read_text() if path.exists() else ""
            if old != new:
                name = str(path.relative_to(ROOT))
                lines = difflib.unified_diff(old.splitlines(), str(new).splitlines(), name, "made", lineterm="", n=1)
                yield path, "\n".join(line[:300] for line in list(lines)[:60])


def shown_pictures() -> set[Path]:
    """The pictures that pages show."""
    found = set[Path]()
    for page in pages():
        for target in re.findall(r"!\[[^\]]*\]\(([^)\s]+)\)", page.read_text()):
            found.add((page.parent / target).resolve())
    return found


def make_page(page: Path, made: Made) -> None:
    """Make a page, and the pictures that its commands write."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        text = BLOCK.sub(lambda hit: f"```console\n{fill_block(hit[1], folder)}```", page.read_text())
        text = MADE.sub(lambda hit: f"<!-- made: {hit[1]} -->\n{fill_part(hit[1], hit[2])}<!-- end -->", text)
        made.files[page] = text
        for path in folder.iterdir():
            made.picture(path)


def fill_part(words: str, old: str) -> str:
    """Return the text that belongs between the marks; the old one if only times differ."""
    name, *arguments = words.split()
    new = "\n" + MAKERS[name](*arguments).strip("\n") + "\n\n"
    return old if settled(new) == settled(old) else new


def make_everything(only: list[str], made: Made) -> None:
    """Make all pages, pictures and notebooks, or those whose names begin so."""

    def wanted(path: Path) -> bool:
        return not only or any(path.name.startswith(word) for word in only)

    for page in filter(wanted, pages()):
        make_page(page, made)
    for name, make in PICTURES.items():
        if wanted(Path(name)):
            made.files[PICTURE_FOLDER / name] = make()
    if wanted(Path("plot")):
        import plots

        drawn = plots.plots(sorted((HERE / "measured").glob("*.csv")))
        made.files |= {PICTURE_FOLDER / name: picture for name, picture in drawn.items()}
    if SCREENSHOT in only:
        (PICTURE_FOLDER / SCREENSHOT).write_bytes(page_screenshot())
    for path in filter(wanted, sorted(HERE.glob("*.ipynb"))):
        made.files[path] = make_notebook(path)


# ---- parts of pages


def code(path: str, name: str) -> str:
    """A class, a function, or a table of a file: what is shown is what runs."""
    text = (ROOT / path).read_text()
    if path.endswith(".py"):
        (node,) = (n for n in ast.parse(text).body if getattr(n, "name", None) == name)
        first = min([node.lineno, *(d.lineno for d in getattr(node, "decorator_list", []))])
        shown = text.splitlines()[first - 1 : node.end_lineno]
    else:  # TOML: the tables whose names begin so
        lines = text.splitlines()
        heads = [i for i, line in enumerate(lines) if line.startswith("[")] + [len(lines)]
        shown = [line for a, b in itertools.pairwise(heads) if lines[a].startswith(f"[{name}") for line in lines[a:b]]
    language = "python" if path.endswith(".py") else "toml"
    return "\n".join([f"```{language}", *"\n".join(shown).rstrip().split("\n"), "```"])


# ---- published tables beside ours

SUITES = {
    "obsequi": "Bullock, article figures 12 and 13, thesis 6.1 and 6.2: nodes of both starters",
    "domi": "Breuker, Uiterwijk, van den Herik (DOMI), as quoted in the thesis, figure 1.2",
    "growth-2xn": "Thesis figures 8.1 and 8.2: growth on 2xn",
    "growth-4xn": "Thesis figures 8.3 and 8.4: growth on 4xn",
    "growth-6xn": "Thesis figures 8.5 and 8.6: growth on 6xn",
    "growth-8xn": "Thesis figures 8.7 and 8.8: growth on 8xn",
    "plies": "Thesis figures 4.5 and 4.6: nodes per ply of 8x8",
    "safe-moves": "Article figure 9, thesis 4.7: safe moves generated or not",
    "ablation": "Article figure 15, thesis 6.4: what each part of the evaluation is worth on 8x8",
    "records": "Our own search beside Obsequi's figures, which were measured earlier and not on the same machine",
}


def measured_tables() -> str:
    """Every suite of the files in docs/measured as a table, with its plot where it has one."""
    from zermelo.bench.record import read_csv

    parts: list[str] = []
    for file in sorted((HERE / "measured").glob("*.csv")):
        by_suite: dict[str, list[Measurement]] = {}
        for row in read_csv(file):
            by_suite.setdefault(row.suite, []).append(row)
        for suite, mine in by_suite.items():
            parts.append(f"### {SUITES[suite]}\n")
            name = f"plot-{'speed' if suite == 'records' else suite}.svg"
            if (PICTURE_FOLDER / name).exists():  # to draw them all takes five seconds
                parts.append(f"![{SUITES[suite]}](pictures/{name})\n")
            parts.append("| case | search | wins | our nodes | published | ratio | seconds |")
            parts.append("|---|---|---|--:|--:|--:|--:|")
            parts += [table_line(row) for row in mine]
            parts.append("")
    return "\n".join([*parts, "### Hsu et al., tables 1 to 3\n", *mnk_lines()])


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
        there = "" if row["published_seconds"] is None else f"{row['published_seconds']:,.1f}"
        lines.append(
            f"| {row['suite']} | {row['case']} | {row['setting']} | {row['answer']} | {row['nodes']:,} "
            f"| {row['seconds']:.2f} | {there} |"
        )
    return [*lines, ""]


def published_files() -> str:
    """The families of published .pg files, and the files without an answer."""
    from zermelo.bench.pg import Family
    from zermelo.bench.record import read_csv

    rows = read_csv(HERE / "measured" / "pg" / "files.csv")
    lines = ["| family | files | answered | Black wins | median s | worst s | slowest file |"]
    lines.append("|---|--:|--:|--:|--:|--:|---|")
    for line in Family.table(rows):
        counts = f"{line.files} | {line.answered} | {line.black} | {line.median:.3f} | {line.worst:.3f}"
        lines.append(f"| {line.family.removeprefix('pg/')} | {counts} | {line.slowest} |")
    lines += ["", "Not answered:", "", *(f"- {row.case}: {row.answer}" for row in rows if row.cut)]
    return "\n".join(lines)


def beside_qbf() -> str:
    """Ours and a QBF solver on the same files."""
    from zermelo.bench.record import read_csv

    rows = read_csv(HERE / "measured" / "pg" / "qbf.csv")
    lines = [f"| file | ours | seconds | {rows[1].setting} | seconds |", "|---|---|--:|---|--:|"]
    lines += [
        f"| {ours.case} | {ours.answer} | {ours.seconds:.3f} | {theirs.answer} | {theirs.seconds:.3f} |"
        for ours, theirs in zip(rows[::2], rows[1::2], strict=True)
    ]
    return "\n".join(lines)


# ---- notebooks


def make_notebook(path: Path) -> str:
    """Run a notebook in this process and return it with its outputs, as Jupyter stores it."""
    notebook = json.loads(path.read_text())
    names: dict[str, Any] = {"__name__": "__main__"}
    number = 0
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        for cell in notebook["cells"]:
            if cell["cell_type"] != "code":
                continue
            number += 1
            outputs = run_cell("".join(cell["source"]), names, number)
            if settled(json.dumps(outputs)) != settled(json.dumps(cell["outputs"])):
                cell["outputs"] = outputs
            cell["execution_count"] = number
    return json.dumps(notebook, indent=1, ensure_ascii=False) + "\n"


def run_cell(source: str, names: dict[str, Any], number: int) -> list[dict[str, Any]]:
    """Run a cell: what it prints, and its last expression in every form that it has."""
    body = ast.parse(source).body
    last = body.pop() if body and isinstance(body[-1], ast.Expr) else None
    printed, value = io.StringIO(), None
    with contextlib.redirect_stdout(printed):
        exec(compile(ast.Module(body, []), "<cell>", "exec"), names)
        if isinstance(last, ast.Expr):
            value = eval(compile(ast.Expression(last.value), "<cell>", "eval"), names)
    outputs: list[dict[str, Any]] = []
    if printed.getvalue():
        outputs.append({"name": "stdout", "output_type": "stream", "text": printed.getvalue().splitlines(True)})
    if value is not None:
        forms = {"image/svg+xml": "_repr_svg_", "text/html": "_repr_html_"}
        data = {kind: getattr(value, how)() for kind, how in forms.items() if hasattr(value, how)}
        if data.get("image/svg+xml"):  # code hosts show it, and strip pictures out of HTML
            data.pop("text/html", None)
        data = {kind: text.splitlines(True) for kind, text in data.items() if text}
        data["text/plain"] = repr(value).splitlines(True)
        outputs.append({"data": data, "execution_count": number, "metadata": {}, "output_type": "execute_result"})
    return outputs


# ---- pictures that no command makes


def wins_8x8(row: int, col: int) -> bool:
    """Whether Vertical wins 8x8 by beginning there."""
    from zermelo.game import find_game

    return find_game("domineering").solve(f"8x8:V{row},{col}", first="H").starts["H"].winner == "V"


def winning_first_moves(wins: Callable[[int, int], bool] = wins_8x8) -> str:
    """The README's picture: Vertical's winning first moves on 8x8, one of each class of mirror images asked."""
    from zermelo.draw import view_svg
    from zermelo.game import Piece, find_game

    game = find_game("domineering")
    pieces: set[Piece] = set()
    for row, col in itertools.product(range(1, 5), range(1, 5)):
        if wins(row, col):
            images = [(r, c) for r in (row, 8 - row) for c in (col, 9 - col)]
            pieces |= {Piece("V", ((r, c), (r + 1, c))) for r, c in images}
    ordered = tuple(sorted(pieces, key=lambda piece: piece.squares))
    return view_svg(replace(game.parse("8x8").view(), pieces=ordered), title="Vertical's winning first moves on 8x8")


def page_screenshot() -> bytes:
    """The web page in Chromium, every move of a position marked; made only where it is asked for by its name."""
    from playwright.sync_api import sync_playwright

    program = str(Path(sys.executable).parent / "zermelo")
    browser_program = shutil.which("chromium-headless-shell") or shutil.which("chromium")
    with (
        subprocess.Popen([program, "serve", "--port", "0"], stdout=subprocess.PIPE, text=True) as server,
        sync_playwright() as playwright,
    ):
        address = re.search(r"http://\S+/", server.stdout.readline() if server.stdout else "")
        browser = playwright.chromium.launch(executable_path=browser_program, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1280, "height": 800})
        page.goto(f"{address[0] if address else ''}?game=domineering&spec=6x6:V2,2;H5,4;V5,1;H1,4&first=V&you=both")
        page.get_by_role("button", name="Got it").click()
        page.wait_for_selector("svg.grid[data-marked=all]")
        picture = page.screenshot()
        browser.close()
        server.send_signal(signal.SIGINT)
    return picture


def outcome_tables(what: str) -> str:
    """What no published source decides, searched or derived, or of each source whether we confirm it."""
    import charts

    from zermelo.domineering.rules.knowledge import shipped
    from zermelo.domineering.rules.outcomes import NAMES, is_decided

    if what == "published":
        lines = ["| source | outcomes and parts of outcomes | confirmed | in part | not known here | contradicted |"]
        lines.append("|---|--:|--:|---|---|---|")
        for source, claims in charts.literature().items():
            found = charts.confirmation(shipped(), claims)
            named = (
                " ".join(size.spec for size in found[kind]) for kind in ("in part", "not known here", "contradicted")
            )
            total = sum(map(len, found.values()))
            lines.append(f"| {source} | {total} | {len(found['confirmed'])} | {' | '.join(named)} |")
        return "\n".join(lines) + "\n"
    new = new_outcomes()
    facts = {known.size: shipped().facts.facts.get((known.size, "search")) for known, _ in new}
    searched = {size: fact for size, fact in facts.items() if fact and is_decided(fact.outcomes)}
    if what == "searched":
        lines = ["| board | outcome | known before | nodes | seconds | certificates |", "|---|---|---|--:|--:|---|"]
        for known, before in new:
            if known.size in searched:
                fact = searched[known.size]
                hashes = ", ".join(f"{starter} `{digest[:16]}`" for starter, digest in reversed(fact.certificates))
                row = (
                    known.size.spec,
                    known.name,
                    NAMES[before],
                    f"{fact.nodes:,}",
                    f"{fact.seconds:.1f}",
                    hashes or "none",
                )
                lines.append(f"| {' | '.join(row)} |")
    else:
        lines = ["| board | outcome | known before | because |", "|---|---|---|---|"]
        for known, before in new:
            if known.size not in searched and known.step is not None:
                because = known.step.reason.replace("|", "\\|")
                lines.append(f"| {known.size.spec} | {known.name} | {NAMES[before]} | {because} |")
    return f"{len(lines) - 2} boards:\n\n" + "\n".join(lines) + "\n"


def charts_compared() -> str:
    """Each published chart beside ours."""
    import charts

    from zermelo.domineering.rules.knowledge import shipped

    lines = [line for chart in charts.load() for line in charts.comparison(shipped(), chart)]
    return "\n".join(["```text", *lines, "```"])


@functools.cache
def new_outcomes() -> Any:
    """The boards that the shipped facts decide and no published source does."""
    import charts

    from zermelo.domineering.rules.knowledge import shipped

    return charts.new_outcomes(shipped())


def shelf() -> str:
    """Return a table of the games of the shelf, each with an example whose value is short."""
    from zermelo.game import find_game, game_names

    lines = ["| game | rules | example | value | source |", "|---|---|---|---|---|"]
    for name in sorted(set(game_names()) - set(game_names(shelf=False))):
        game = find_game(name)
        values = ((spec, str(game.parse(spec).value)) for spec in game.examples)
        spec, value = next((spec, text.replace("|", "\\|")) for spec, text in values if len(text) < 40 and text != "0")
        source = " ".join((sys.modules[type(game).__module__].__doc__ or "").split())
        lines.append(f"| `{name}` | {game.title}. {game.rules} | `{spec}` | `{value}` | {source} |")
    return "\n".join(lines)


MAKERS: dict[str, Callable[..., str]] = {
    "beside-qbf": beside_qbf,
    "charts": charts_compared,
    "code": code,
    "cli": cli_reference,
    "json": json_examples,
    "outcomes": outcome_tables,
    "published-files": published_files,
    "python": python_reference,
    "rest": rest_reference,
    "shelf": shelf,
    "tables": measured_tables,
}
PICTURES: dict[str, Callable[[], str]] = {"8x8.svg": winning_first_moves}


def main() -> int:
    """Make everything; with --check only compare."""
    words = sys.argv[1:]
    check = "--check" in words
    made = Made()
    make_everything([word for word in words if word != "--check"], made)
    changes = list(made.changes())
    for path, difference in changes:
        if check:
            print(difference)
        else:
            path.write_text(str(made.files[path]))
            print(path.relative_to(ROOT))
    if check and changes:
        print(f"{len(changes)} files are not what the code makes; `python docs/make.py` makes them again")
    return int(check and bool(changes))


if __name__ == "__main__":
    sys.exit(main())

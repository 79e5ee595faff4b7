"""The documentation reads by itself: plain Markdown, links that lead somewhere, nothing that the code does not make.

`python docs/make.py` makes outputs, pictures and generated parts again.
"""

from __future__ import annotations

import doctest
import json
import os
import re
import sys
from pathlib import Path
from urllib.parse import unquote

import plots
import pytest

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "docs"))
import console  # noqa: E402
import make  # noqa: E402
import reference  # noqa: E402

PAGES = make.pages()
ALL_MARKDOWN = [*PAGES, *(ROOT / name for name in ("CONTRIBUTING.md", "CHANGELOG.md", "checker/FORMAT.md")),
                *ROOT.glob("examples/*/*.md"), *ROOT.glob("tests/*/*.md")]  # fmt: skip
FENCE = re.compile(r"^```([^\n]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"(!?)\[[^\]]*\]\(([^)\s]+)\)")
OTHER_PROGRAMS = ("howto-cluster",)  # pages with scripts for machines that are not here


def anchors(page: Path) -> set[str]:
    """The anchors that a code host gives to the headings of a page."""
    text = FENCE.sub("", page.read_text())
    heads = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    plain = [re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", head).replace("`", "").lower() for head in heads]
    return {re.sub(r"[^\w\- ]", "", head).strip().replace(" ", "-") for head in plain}


@pytest.mark.parametrize("page", ALL_MARKDOWN, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_and_pictures_lead_somewhere(page: Path) -> None:
    prose = re.sub(r"`[^`\n]+`", "", FENCE.sub("", page.read_text()))
    for picture, target in LINK.findall(prose):
        if re.match(r"https?:|mailto:", target):
            assert not picture, f"{target}: pictures belong into the repository"
            continue
        path, _, anchor = target.partition("#")
        there = (page.parent / unquote(path)).resolve() if path else page
        assert there.exists(), f"{target} does not exist"
        assert there.is_relative_to(ROOT), f"{target} is outside the repository"
        if anchor and there.suffix == ".md":
            assert anchor in anchors(there), f"{there.name} has no heading {anchor}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_pages_are_plain_markdown_and_commands_show_their_output(page: Path) -> None:
    text = page.read_text()
    assert not re.search(r"^(```\{|:::|\.\. )|_generated", text, re.MULTILINE), "a code host does not render this"
    assert text.count("<!-- made:") == len(make.MADE.findall(text))
    for language, body in FENCE.findall(text):
        typed = re.search(r"^(\$ )?(zermelo|\./dev run) ", body, re.MULTILINE)
        if language == "console":
            first = body.split("\n", 1)[0]
            if first.startswith("#"):
                assert console.NOT_RUN.fullmatch(first), f"say why it is not run, and the date of its figures: {first}"
                continue
            for shown in console.commands(body):
                writes = re.search(r"\.(svg|png)$|^zermelo table .*--picture", shown.command)
                assert shown.output or writes, f"$ {shown.command}\nshows no output"
        elif typed and language not in ("text", "python", "json") and page.stem not in OTHER_PROGRAMS:
            pytest.fail(f"commands belong into a console block: {typed[0]}{body[:60]}")


PAPERS = {  # headings of the page, and how many tables and figures each paper has
    "bullock, the article": [str(n) for n in range(1, 17)],
    "bullock, the thesis": ["1.1", "1.2", "1.3", "1.4", *(f"2.{n}" for n in range(1, 5)),
                            *(f"3.{n}" for n in range(1, 8)), *(f"4.{n}" for n in range(1, 8)), "5.1", "5.2",
                            *(f"6.{n}" for n in range(1, 6)), *(f"8.{n}" for n in range(1, 11))],
    "lachmann, moore and rapaport": ["table (1)", "table (3)", "figure 1", "figure 2"],
    "lachmann, moore and rapaport, the earlier version": ["figure 1", "figure 2"],
    "hsu et al.": [*(str(n) for n in range(1, 11)), "table 1", "table 2", "table 3"],
}  # fmt: skip


def test_every_table_and_figure_of_the_papers_is_listed() -> None:
    sections = re.split(r"^## ", (make.HERE / "reproducibility.md").read_text(), flags=re.MULTILINE)[1:]
    listed = {section.split("\n", 1)[0].lower(): section for section in sections}
    for paper, figures in PAPERS.items():
        rows = [[cell.strip() for cell in line.strip("| \n").split(" | ")] for line in listed[paper].splitlines()
                if line.startswith("|")][2:]  # fmt: skip
        assert all(len(row) == 4 and row[2] in ("yes", "beside", "no") and len(row[3]) > 5 for row in rows), rows
        named = " ; ".join(row[0].replace("figures", "figure") for row in rows)
        for figure in figures:
            assert re.search(rf"(^|[ ,;]){re.escape(figure)}($|[ ,;])", named), f"{paper}: {figure} is not listed"
        assert f"paper-{ {'b': 'bullock', 'l': 'lachmann', 'h': 'hsu'}[paper[0]] }" in listed[paper]


def test_every_page_is_reached_from_the_first_one() -> None:
    index = make.HERE / "index.md"
    found = {(index.parent / target).resolve() for _, target in LINK.findall(index.read_text())}
    missing = {path.name for path in make.HERE.glob("*.[mi][dp]*") if path not in found and path != index}
    assert not missing


def test_every_picture_is_shown_and_made_here() -> None:
    shown = {path for path in make.shown_pictures() if path.parent == make.PICTURE_FOLDER}
    assert shown == set(make.PICTURE_FOLDER.iterdir())
    written = {word for page in PAGES for block in console.BLOCK.findall(page.read_text())
               for each in console.commands(block) for word in each.command.split()}  # fmt: skip
    made = {*written, *make.PICTURES}
    others = {path.name for path in shown if path.suffix == ".svg"} - made
    assert all(name.startswith("plot-") for name in others)


@pytest.mark.parametrize("picture", sorted(make.PICTURE_FOLDER.glob("*.svg")), ids=lambda path: path.stem)
def test_pictures_say_something(picture: Path) -> None:
    text = picture.read_text()
    assert "no verdict" not in text, "a picture of a bound that decides nothing is an empty board"
    assert len(re.findall("<(use|rect|path|circle|polyline)", text)) > 1
    assert len(re.findall(r"<text|<!-- [A-Za-z0-9]", text)) > 1  # words; the plots draw theirs and name them


def test_explanations_that_pages_draw_have_a_verdict() -> None:
    explained = [
        shown
        for page in PAGES
        for block in console.BLOCK.findall(page.read_text())
        for shown in console.commands(block)
        if re.match(r"(zermelo|\./dev run) explain domineering .*--svg", shown.command)
    ]
    assert len(explained) >= 4
    for shown in explained:
        assert re.search(r"^[VH] wins", shown.output, re.MULTILINE), shown.command


@pytest.mark.slow
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_page_shows_what_the_code_makes(page: Path) -> None:
    made = make.Made()
    make.make_page(page, made)
    assert not [difference for _, difference in made.changes()]


def test_picture_of_the_readme_shows_moves_that_win() -> None:
    winning = {(1, 2), (3, 2)}
    assert (make.PICTURE_FOLDER / "8x8.svg").read_text() == make.winning_first_moves(lambda *at: at in winning)
    assert make.wins_8x8(1, 2) and not make.wins_8x8(2, 1)


@pytest.mark.skipif("ZERMELO_EXHAUSTIVE" not in os.environ, reason="searches all first moves of 8x8")
def test_picture_of_the_readme_shows_all_moves_that_win() -> None:
    assert (make.PICTURE_FOLDER / "8x8.svg").read_text() == make.winning_first_moves()


def test_plots_are_those_of_the_measurements() -> None:
    stored = {path.name: path.read_text() for path in make.PICTURE_FOLDER.glob("plot-*.svg")}
    assert stored == plots.plots(sorted((make.HERE / "measured").glob("*.csv")))


@pytest.mark.slow
@pytest.mark.parametrize("path", sorted(make.HERE.glob("*.ipynb")), ids=lambda path: path.stem)
def test_notebook_is_stored_as_it_runs(path: Path) -> None:
    cells = json.loads(path.read_text())["cells"]
    assert all(cell["execution_count"] for cell in cells if cell["cell_type"] == "code")
    assert make.make_notebook(path) == path.read_text()


SESSIONS = [page for page in PAGES if ">>> " in page.read_text() and page.stem != "reference-python"]  # docstrings


@pytest.mark.parametrize("page", SESSIONS, ids=lambda page: page.stem)
def test_python_sessions_are_true(page: Path) -> None:
    failures, tried = doctest.testfile(str(page), module_relative=False)
    assert tried and not failures


def test_every_public_name_has_a_sentence_and_an_example() -> None:
    names = dict[str, str]()
    for _, name, thing in reference.public_names():
        names[name] = reference.described(name, thing)
    assert len(names) > 25
    bare = [name for name, text in names.items() if ">>>" not in text or not re.match(r"\S[^\n]{15,}", text)]
    assert not bare, f"{bare}: write a sentence and an example into the docstring, or into docs/examples.txt"
    unknown = set(reference.more_examples()) - set(names)
    assert not unknown, f"docs/examples.txt speaks of {unknown}"


def test_examples_are_true() -> None:
    text = "\n".join([">>> import zermelo", *reference.more_examples().values()])
    session = doctest.DocTestParser().get_doctest(text, {}, "examples", "docs/examples.txt", 0)
    assert doctest.DocTestRunner().run(session).failed == 0


def test_the_check_finds_what_is_not_made_by_the_code(tmp_path: Path) -> None:
    assert console.fill_block("$ zermelo why 1x2\nwrong\n", tmp_path) != "$ zermelo why 1x2\nwrong\n"
    assert console.matches("a 0.1 s\n...\nz\n", "a 7 s\nb\nc\nz\n")
    assert not console.matches("a\n...\nz\n", "a\nb\n") and not console.matches("3 nodes\n", "4 nodes\n")

"""What the reference pages list: commands, JSON, routes of the page, public names of Python."""

from __future__ import annotations

import functools
import importlib
import inspect
import json
import re
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from console import run

from zermelo.game import game_names

HERE = Path(__file__).resolve().parent
OF_SHELF = "clobber"
"""The game that stands for all of the shelf."""
LEFT_OUT = set(game_names()) - set(game_names(shelf=False)) - {OF_SHELF} | {"cram"}
"""Games whose commands and routes are those of others; Cram is installed for the tests, not what a user has."""


def cli_reference() -> str:
    """Every command with its own help text."""
    parts = []
    for words in all_commands():
        parts.append(f"{'#' * (2 if len(words) < 2 else 3)} zermelo {' '.join(words)}".rstrip() + "\n")
        parts.append(f"```text\n{run(' '.join(['zermelo', *words, '--help']), HERE).rstrip()}\n```\n")
    return "\n".join(parts)


def all_commands() -> Iterator[list[str]]:
    """Yield the words of every command and subcommand."""
    import typer

    from zermelo.cli.app import build_app

    yield []
    root = typer.main.get_command(build_app())
    for name, command in sorted(getattr(root, "commands", {}).items()):
        yield [name]
        for below in sorted(getattr(command, "commands", {})):
            if below not in LEFT_OUT:
                yield [name, below]


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


def json_examples() -> str:
    """What the verbs print with --json, on small examples."""
    parts: list[str] = []
    with tempfile.TemporaryDirectory() as folder:
        for words in JSON_EXAMPLES:
            value = json.loads(run(f"zermelo {words} --json", Path(folder)))
            if words == "doctor":
                value = dict.fromkeys(value, "...")  # It names files and folders of this machine.
            shown = json.dumps(value, ensure_ascii=False)
            # Seconds differ from run to run, also in length: the lines shall not.
            shown = re.sub(r'("seconds": )(?!0\.0\b)[0-9.e-]+', r"\g<1>0.001", shown)
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


def rest_reference() -> str:
    """Every route with its parameters, from the OpenAPI description."""
    from zermelo.web.app import create_app

    parts: list[str] = []
    paths = create_app().openapi()["paths"]
    for path, verbs in paths.items():
        for verb, about in verbs.items() if path.split("/")[2] not in LEFT_OUT else ():
            parts.append(f"## `{verb.upper()} {path}`\n\n{about.get('summary', '')}.\n")
            for one in about.get("parameters", []):
                schema = one["schema"]
                kind = " or ".join(f"`{value}`" for value in schema.get("enum", [])) or schema.get("type", "")
                need = "" if one.get("required") else ", may be left out"
                parts.append(f"- `{one['name']}` ({kind}{need}) {one.get('description', '')}".rstrip())
            parts.append("")
    return "\n".join(parts)


MODULES = ("zermelo", "zermelo.cgt", "zermelo.domineering", "zermelo.domineering.values",
           "zermelo.domineering.catalogue", "zermelo.positional",
           "zermelo.proof", "zermelo.draw")  # fmt: skip


def public_names() -> Iterator[tuple[str, str, Any]]:
    """Yield module, name and object of all that the Python reference lists, each object where it is first met."""
    met: list[Any] = []
    for place in MODULES:
        module = importlib.import_module(place)
        for name in getattr(module, "__all__", [n for n in dir(module) if not n.startswith("_")]):
            thing = getattr(module, name)
            described = inspect.isclass(thing) or inspect.isroutine(thing)
            if described and inspect.getdoc(thing) and not any(thing is other for other in met):
                met.append(thing)
                yield place, name, thing


def python_reference() -> str:
    """Every public name with its signature and docstring; of a class also what it has."""
    parts: list[str] = []
    last = ""
    for place, name, thing in public_names():
        if place != last:
            parts.append(f"## {place}\n\n{as_markdown(inspect.getdoc(importlib.import_module(place)))}\n")
            last = place
        parts.append(f"### `{name}{signature(thing)}`\n\n{as_markdown(described(name, thing))}\n")
        if inspect.isclass(thing):
            parts += [line for line in map(member_line, members(thing)) if line]
            parts.append("")
    return "\n".join(parts)


@functools.cache
def more_examples() -> dict[str, str]:
    """Sentences and examples for names whose own documentation has none."""
    parts = re.split(r"^\[(\w+)\]\n", (HERE / "examples.txt").read_text(), flags=re.MULTILINE)[1:]
    return dict(zip(parts[::2], parts[1::2], strict=True))


def described(name: str, thing: Any) -> str:
    """A name's own documentation, and an example from the file of examples where it has none."""
    doc, more = inspect.getdoc(thing) or "", more_examples().get(name, "")
    if not more or ">>>" in doc:
        return doc
    return more if isinstance(thing, type) and issubclass(thing, Exception) else f"{doc}\n\n{more}"


def signature(thing: Any) -> str:
    """The parameters of something that can be called, as they are written."""
    try:
        plain = re.sub(r"<[^>]*>", "...", str(inspect.signature(thing)))
        return re.sub(r"(: |-> )'([^']*)'", r"\1\2", plain)
    except (TypeError, ValueError):
        return ""


def members(thing: type) -> Iterator[tuple[str, Any]]:
    """Yield the public methods and properties that a class of ours defines."""
    for name, member in vars(thing).items():
        if not name.startswith("_") and (callable(member) or isinstance(member, property | classmethod | staticmethod)):
            yield name, member


def member_line(named: tuple[str, Any]) -> str:
    """A method or property in one line, and its example below."""
    name, member = named
    what = member.fget if isinstance(member, property) else getattr(member, "__func__", member)
    doc = inspect.getdoc(what) or ""
    if not doc:
        return ""
    first, _, rest = as_markdown(doc).partition("\n\n")
    examples = re.findall(r"^```python\n.*?^```$", rest, re.MULTILINE | re.DOTALL)
    call = "" if isinstance(member, property) else re.sub(r"\((self|cls)(, )?", "(", signature(what))
    shown = "".join("\n\n" + re.sub("^", "  ", example, flags=re.MULTILINE) + "\n" for example in examples)
    return f"- `{name}{call}`: {' '.join(first.split())}{shown}"


def as_markdown(doc: str | None) -> str:
    """A docstring as Markdown: examples become code blocks, fields become sentences."""
    lines: list[str] = []
    inside = False
    for line in (doc or "").splitlines():
        begins = line.lstrip().startswith((">>>", "..."))
        if begins and not inside:
            lines.append("```python")
        elif inside and not line.strip():
            lines.append("```")
        inside = begins or (inside and bool(line.strip()))
        lines.append(line)
    text = "\n".join([*lines, "```"] if inside else lines)
    text = re.sub(r":\w+:`~?([^`]+)`", r"`\1`", text)
    text = re.sub(r"(?<!`)``(?!`)", "`", text)
    text = re.sub(r"^:raises (\w+): (.*)$", r"Raises `\1` \2", text, flags=re.MULTILINE)
    return re.sub(r"^:(param|return)s? ?(\w*): ", r"`\2`: ", text, flags=re.MULTILINE)

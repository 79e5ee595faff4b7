"""Facts: the results about single boards that this program has proved. Every derivation ends in them.

A fact says that a board's outcome lies in a set, and names the evidence: a search (nodes, version, and hashes of
certificates if there are some) or the exact value. Published outcomes are never facts. The file is JSON, one fact a
line, and is replaced as a whole.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import reduce
from operator import and_
from pathlib import Path
from typing import Any, Literal

from zermelo.domineering.lattice import TOPOLOGIES, Lattice
from zermelo.domineering.rules.outcomes import ANYTHING, NAMES, SETS, possible
from zermelo.files import read_file, write_file
from zermelo.words import counted

FORMAT = "zermelo-facts/1"
SHIPPED = Path(__file__).resolve().parents[2] / "data" / "domineering-facts.json"
Evidence = Literal["search", "value"]
KINDS: tuple[Evidence, ...] = ("search", "value")


@dataclass(frozen=True)
class Fact:
    """One board, the outcomes that are left for it, and the evidence.

    ``certificates`` are pairs of a starter and the SHA-256 of a file that an independent checker verified; ``moves``
    are pairs of a starter and a winning first move.
    """

    size: Lattice
    outcomes: int
    by: Evidence
    version: str
    nodes: int = 0
    seconds: float = 0.0
    value: str | None = None
    certificates: tuple[tuple[str, str], ...] = ()
    moves: tuple[tuple[str, str], ...] = ()

    @property
    def weight(self) -> int:
        """How much trust the fact asks for: the square of the area, so that two small boards beat one large one."""
        return self.size.area**2

    def evidence(self) -> str:
        """Return one phrase for a reader.

        >>> Fact(Lattice(4, 6), SETS["1"], "search", "0.1.0", nodes=583).evidence()
        'searched: 583 nodes, version 0.1.0'
        """
        if self.by == "value":
            return f"evaluated: {self.value}, version {self.version}"
        proofs = ", ".join(f"certificate {digest[:12]} ({starter} starts)" for starter, digest in self.certificates)
        if not self.nodes and proofs:
            return f"proved: {proofs}, version {self.version}"
        more = f", {proofs}" if proofs else ""
        return f"searched: {counted(self.nodes, 'node')}, version {self.version}{more}"

    def to_json(self) -> dict[str, Any]:
        """Return the fact as it stands in the file; keys with default values are left out."""
        words = {"board": self.size.spec, "outcomes": NAMES[self.outcomes], "by": self.by, "version": self.version}
        numbers = {"nodes": self.nodes, "seconds": self.seconds, "value": self.value}
        pairs = {"certificates": dict(self.certificates), "moves": dict(self.moves)}
        return words | {key: value for key, value in {**numbers, **pairs}.items() if value}

    def shown(self) -> dict[str, Any]:
        """Return the fact as answers show it: the outcomes that are left by their words."""
        return {**self.to_json(), "outcomes": possible(self.outcomes)}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Fact:
        """Read a fact.

        :raises ValueError: if a key is missing or a value is not understood.
        """
        try:
            outcomes = SETS[data["outcomes"]]
            by = data["by"]
            if by not in KINDS or outcomes in (0, ANYTHING) or "bonus" in data:
                raise KeyError(by)
            return cls(
                size=Lattice.parse(data["board"]),
                outcomes=outcomes,
                by=by,
                version=str(data["version"]),
                nodes=int(data.get("nodes", 0)),
                seconds=float(data.get("seconds", 0.0)),
                value=data.get("value"),
                certificates=tuple(sorted(data.get("certificates", {}).items())),
                moves=tuple(sorted(data.get("moves", {}).items())),
            )
        except (KeyError, TypeError, AttributeError) as error:
            raise ValueError(f"this is not a fact: {json.dumps(data)[:80]} ({error})") from None


@dataclass
class FactBook:
    """A collection of facts: at most one a board and kind of evidence; a stronger one replaces a weaker one."""

    facts: dict[tuple[Lattice, Evidence], Fact] = field(default_factory=dict)

    @classmethod
    def of(cls, facts: Iterable[Fact]) -> FactBook:
        book = cls()
        for fact in facts:
            book.add(fact)
        return book

    @classmethod
    def load(cls, path: Path = SHIPPED) -> FactBook:
        """Read a file; a missing file is an empty book.

        :raises ValueError: if the file is not a file of facts.
        """
        if not path.exists():
            return cls()
        try:
            data = json.loads(read_file(path))
            if data["format"] != FORMAT:
                raise ValueError(f"no format {FORMAT!r}")
            return cls.of(map(Fact.from_json, data["facts"]))
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise ValueError(f"{path.name} is not a file of facts: {error}") from None

    def save(self, path: Path) -> None:
        """Write the file, whole or not at all, one fact a line in a fixed order."""
        lines = ",\n".join("  " + json.dumps(fact.to_json(), ensure_ascii=False) for fact in self)
        write_file(path, f'{{"format": "{FORMAT}", "facts": [\n{lines}\n]}}\n')

    def add(self, fact: Fact) -> None:
        """Add a fact, unless the same kind of evidence says as much of the board already, or something else."""
        key = (fact.size, fact.by)
        old = self.facts.get(key)
        if old is None or fact.outcomes & ~old.outcomes == 0:
            self.facts[key] = fact

    def get(self, size: Lattice) -> int:
        """Return the outcomes that the facts leave for a board."""
        found = (self.facts[size, by].outcomes for by in KINDS if (size, by) in self.facts)
        return reduce(and_, found, ANYTHING)

    def __len__(self) -> int:
        return len(self.facts)

    def __iter__(self) -> Iterator[Fact]:
        return iter(sorted(self.facts.values(), key=lambda f: (TOPOLOGIES.index(f.size.topology), f.size[:2], f.by)))

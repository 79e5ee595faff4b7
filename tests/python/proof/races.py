"""Races for tests of certificates: random ones as text, and who wins, by brute force of their own."""

from __future__ import annotations

import random
from functools import cache

MOST_FREE = 9


def random_race(rng: random.Random, most: int = 8) -> str:
    """Return a race with random goals, marks, turns, bound and first moves; it may be over."""
    count = rng.randint(2, most)
    names = list(map(str, range(count)))

    def some(least: int, most: int) -> str:
        return " ".join(rng.sample(names, min(count, rng.randint(least, most))))

    if rng.random() < 0.35:
        edges = [rng.sample(names, 2) for _ in range(rng.randint(1, 2 * count))]
        head = f"join: {' '.join(map('-'.join, edges))} / {some(1, 2)} / {some(1, 2)}"
    else:
        least = rng.randint(1, 3)
        sets = [" / ".join(some(least, 4) for _ in range(rng.randint(1, 9))) for _ in range(2)]
        head = "race: " + sets[0] + rng.choice(["", " | same", " | same", f" | {sets[1]}"])
    named = set(head.replace("-", " ").split())
    parts = {"free": [name for name in names if name not in named]}
    marks = rng.sample(names, rng.randint(0, 2 * count // 5))
    half = rng.randint(0, len(marks))
    free = [name for name in names if name not in marks]
    parts |= {"maker": marks[:half], "breaker": marks[half:]}
    prefix = "".join(rng.choice("mb") for _ in range(rng.choice((0, 0, 1, 2))))
    parts["turns"] = [f"{prefix}({rng.choice(['mb', 'bm', 'mb', 'bm', 'mbb', 'mmbb', 'bmm', 'b', 'm'])})"]
    if rng.random() < 0.6:
        parts["within"] = [str(rng.randint(1, count))]
    if free and rng.random() < 0.3:
        parts["first"] = rng.sample(free, rng.randint(1, min(3, len(free))))
    return head + " : " + ", ".join(f"{word} {' '.join(of)}" for word, of in parts.items() if of)


def truth(spec: str) -> str | None:
    """Return who wins a race, by trying all moves; None if it is too large."""
    head, _, tail = spec.partition(" : ")
    rules = dict(part.strip().partition(" ")[::2] for part in tail.split(","))
    kind, _, body = head.partition(":")
    goals = [[frozenset(one.split()) for one in part.split("/") if one.strip()] for part in body.split("|")]
    if body.strip().endswith("same"):
        goals[1] = goals[0]
    maker, breaker = (frozenset(rules.get(word, "").split()) for word in ("maker", "breaker"))
    edges: set[tuple[str, str]] = set()
    if kind == "join":
        graph, *ends = (part.split() for part in body.split("/"))
        pairs = [(edge.split("-")[0], edge.split("-")[1]) for edge in graph]
        edges = {*pairs, *((v, u) for u, v in pairs)}
        names = {v for edge in edges for v in edge} | set(ends[0]) | set(ends[1])
    else:
        names = {v for family in goals for one in family for v in one}
    names |= set(rules.get("free", "").split()) | maker | breaker
    if len(names - maker - breaker) > MOST_FREE:
        return None
    once, _, cycle = rules.get("turns", "(mb)").rstrip(")").partition("(")
    turns = once + cycle * (len(names) + 1)
    turns = turns[: int(rules.get("within", len(names)))]
    first = set(rules.get("first", "").split())

    def has_goal(player: int, own: frozenset[str]) -> bool:
        if kind == "join":
            seen = set(ends[0]) & own
            while more := {v for u, v in edges if u in seen and v in own} - seen:
                seen |= more
            return player == 0 and bool(seen & set(ends[1]))
        return player < len(goals) and any(one <= own for one in goals[player])

    @cache
    def value(maker: frozenset[str], breaker: frozenset[str], ply: int) -> int:
        """1 if Maker has a goal first, -1 if Breaker, 0 if nobody."""
        for player, own in enumerate((maker, breaker)):
            if has_goal(player, own):
                return (1, -1)[player]
        moves = names - maker - breaker
        if ply == len(turns) or not moves:
            return 0
        moves = moves & first if first and not ply else moves
        if turns[ply] == "m":
            return max(value(maker | {v}, breaker, ply + 1) for v in moves)
        return min(value(maker, breaker | {v}, ply + 1) for v in moves)

    return {1: "maker", -1: "breaker", 0: "draw" if "|" in head else "breaker"}[value(maker, breaker, 0)]

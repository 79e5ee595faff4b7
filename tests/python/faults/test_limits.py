"""``--time`` and limits hold within half a second in every command and every call.

Each gets a question that takes far longer, if there is one. The time is that of the clock or of the processor,
whichever is less: other programs may keep the machine busy.
"""

from __future__ import annotations

import gc
import inspect
import json
import shlex
import shutil
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from forker import Forker
from worlds import COMMANDS, TRIED, World, example_of

from zermelo import cgt
from zermelo.game import Game, Limits, find_game, game_names
from zermelo.game.marking import choose_move, mark_moves

LATE = 0.5
SECONDS = 0.15
GRID = " / ".join(" ".join(f"v{row}_{col + k}" for k in range(4)) for row in range(9) for col in range(8))
LARGE = {"domineering": "10x10", "mnk": "8,8,5", "hypergraph": f"strong: {GRID}", "cram": "8x8"}
"""A position of each game that no search solves in the time; other games use their first example."""
HARD = {
    "why": "2x999999",
    "table": "120x120",
    "draw": "100x100 big.svg",
    "check": "big.zc --slow",
    "value domineering": "8x8",
    "value game": "'40.{5|3||-2|-7} + 30.{9|4|||1||-1|-8}'",
    "value build-db": "--squares 18 --file big.db",
    "proof info": "big.zc",
    "proof trim": "big.zc out.zc",
    "proof show": "big.zc --html out.html --depth 9",
    "proof extract": "big.zc '' out.zc",
    "proof merge": "7x7 H V out.zc big.zc",
    "proof derive": "2x1000000 H out.zc",
    "campaign new": "domineering 12x12 --store new.db",
    "campaign run": "--store large.db --workers 0",
    "campaign estimate": "--store large.db --units 1000",
}
PER_QUESTION = ("bench", "play", "serve")
"""Commands whose limit is for each of many questions."""


@pytest.fixture(scope="module")
def world(forker: Forker) -> World:
    made, game = World(forker), game_names()[0]
    made.prepare(f"solve {game} 7x7 --first V --proof big.zc", f"campaign new {game} 9x9 --cut 2 --store large.db")
    return made


def hard_line(words: tuple[str, ...]) -> list[str]:
    """Return a command line that takes long."""
    name = " ".join(words)
    if name in HARD:
        return [*words, *shlex.split(HARD[name]), "--time", str(SECONDS)]
    if len(words) == 2 and words[1] in game_names():
        return [*words, LARGE.get(words[1], find_game(words[1]).examples[0]), "--time", str(SECONDS)]
    typed = example_of(COMMANDS[words])
    return typed if "--time" in typed else [*typed, "--time", str(SECONDS)]


@pytest.mark.slow
@pytest.mark.parametrize("words", [words for words in TRIED if words[0] not in PER_QUESTION], ids=" ".join)
def test_time_holds_in_every_command(words: tuple[str, ...], world: World) -> None:
    where, line = world.copy(), hard_line(words)
    begin = time.monotonic()
    job = world.start(line, where)
    code, out, err = world.end(job)
    took = min(time.monotonic() - begin, job.used)
    assert took < SECONDS + LATE, f"{shlex.join(line)}: {took:.2f} s"
    assert code in (0, 1, 3), (code, out[-200:], err)
    shutil.rmtree(where)


@pytest.mark.slow
@pytest.mark.parametrize("suite", ["papers domi", "papers hsu"])
def test_time_holds_for_each_row_of_a_table(suite: str, world: World) -> None:
    where = world.copy()
    _, out, err = world.end(world.start(shlex.split(f"bench {suite} --time 0.02 --json"), where))
    rows = json.loads(out)["rows"]
    assert rows and all(row["seconds"] < 0.02 + LATE for row in rows), err
    shutil.rmtree(where)


# Calls


@pytest.fixture(scope="module", autouse=True)
def frozen() -> Iterator[None]:
    """Keep the garbage collector away from the objects of other tests."""
    gc.collect()
    gc.freeze()
    yield
    gc.unfreeze()


def took(work: Callable[[], Any]) -> float:
    begin, used = time.monotonic(), time.process_time()
    try:
        work()
    except cgt.LimitReached:
        pass
    except ValueError as refusal:
        assert "256 squares" in str(refusal)
    return min(time.monotonic() - begin, time.process_time() - used)


LIMITS = Limits(seconds=SECONDS, memory=1 << 26)
SPECS = [
    *LARGE.items(),
    ("domineering", "300x301"), ("domineering", "2x1000000"), ("domineering", "1x100000"),
    ("domineering", "torus:20x20"), ("domineering", "40x41:V3,3"), ("mnk", "16,16,6"), ("hypergraph", GRID),
]  # fmt: skip


def services(game: Game) -> dict[str, Callable[[Any, str, Path], Any]]:
    """Return a call of each service of the protocol that takes limits."""
    return {
        "solve": lambda p, who, to: game.solve(p, limits=LIMITS),
        "explain": lambda p, who, to: [game.explain(p, kind, limits=LIMITS) for kind in list(game.explanations)[:1]],
        "prove": lambda p, who, to: game.prove(p, who, to / "a.zc", limits=LIMITS),
        "chooser": lambda p, who, to: game.chooser(LIMITS).answer(p, who, LIMITS),
        "proof_chooser": lambda p, who, to: game.proof_chooser(LIMITS).answer(p, who, LIMITS),
        "machine": lambda p, who, to: game.machine(p, who, LIMITS, game.chooser(LIMITS)).reply(p),
        "distances": lambda p, who, to: game.distances(p, who, dict.fromkeys(p.moves(who)[:10_000], who), LIMITS),
    }


def test_every_service_with_limits_is_asked() -> None:
    methods = [(name, one) for name, one in inspect.getmembers(Game, inspect.isfunction) if name[0] != "_"]
    limited = {name for name, method in methods if "limits" in inspect.signature(method).parameters}
    assert limited == services(find_game(game_names()[0])).keys() | {"replay"}  # below: it takes a certificate


@pytest.mark.slow
@pytest.mark.parametrize(("name", "spec"), SPECS, ids=lambda text: text[:20])
def test_limits_hold_in_every_service(name: str, spec: str, tmp_path: Path) -> None:
    if name not in game_names():
        pytest.skip("not installed")
    game = find_game(name)
    position = game.parse(spec)
    player = position.to_move or game.players[0]
    late = {service: took(partial(ask, position, player, tmp_path)) for service, ask in services(game).items()}
    late["choose"] = took(lambda: choose_move(position, player, game.chooser(LIMITS), LIMITS))
    late["mark"] = took(lambda: list(mark_moves(position, player, game.chooser(LIMITS), LIMITS)))
    late["wins"] = took(lambda: position.winning_moves(player, seconds=SECONDS))
    assert {service: seconds for service, seconds in late.items() if seconds > SECONDS + LATE} == {}

"""The plain version of every service, for any game: by its rules alone.

It is slow, short and shares nothing with the fast solvers, which are checked with it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from zermelo.game import (
    DRAW,
    Answer,
    Chooser,
    Clock,
    Explanation,
    Game,
    Limits,
    Mark,
    Move,
    Player,
    Position,
    Step,
    Written,
)
from zermelo.game.marking import mark_moves
from zermelo.game.watch import Stopped, Watch
from zermelo.proof.container import Bytes, Claim, varint, write_payload
from zermelo.proof.play import FIRST_MOVE, OVER, REF, write_strategy
from zermelo.words import all_answered, counted

ENTRY_BYTES = 400
"""About the bytes of a remembered position: its key, and its place in a dictionary."""
LARGEST_CLAIM = 256
WIN, DREW, LOSS, UNSEEN = 1, 0, -1, -2  # as the player to move sees it


@dataclass
class _Node:
    """A position on the way: its best result so far, and the moves that are still to be tried, the next one last."""

    key: Hashable
    player: Player
    best: int = UNSEEN
    move: Move | None = None
    """The move that gives the best result."""
    waiting: list[tuple[Move, Position, Hashable]] = field(default_factory=list)
    trying: Move | None = None

    def sign(self, after: Position) -> int:
        """Return 1 if the same player moves after a move, else -1: results are those of the player to move."""
        return 1 if after.player_after(self.player) == self.player else -1

    def take(self, value: int, move: Move | None) -> None:
        if value > self.best:
            self.best, self.move = value, move


class PlainChooser:
    """The plain search of a game: AND/OR, with a memory of positions by their keys. Draws are results like others.

    A game must come to an end: no position is met twice on the way. Nothing recurses, so that it may be long.
    """

    def __init__(self, game: Game, limits: Limits) -> None:
        if limits.threads > 1:
            raise ValueError(f"--threads has no effect on the plain search of {game.title}")
        self.game = game
        self._entries = max(1000, limits.memory // ENTRY_BYTES)
        self._known: dict[Hashable, int] = {}

    def answer(self, position: Position, first: Player, limits: Limits, *, want_move: bool = True) -> Answer:
        decided = position.decided(first)
        if decided is not None:
            return Answer(first, decided, "over", why="the game is over")
        watch = Watch(limits)
        try:
            root = self._search(position, first, watch)
        except Stopped:
            return Answer.unknown(first, watch.clock)
        winner = {WIN: first, DREW: DRAW, LOSS: self.game.other(first)}[root.best]
        best = root.move if want_move and root.best != LOSS else None
        why = "proved by search"
        return Answer(first, winner, "search", best, why, watch.clock.nodes, seconds=watch.clock.seconds)

    def _search(self, position: Position, player: Player, watch: Watch) -> _Node:
        """Return the position with its result.

        :raises Stopped: if a limit is reached.
        """
        stack = [self._node(position, player, self._key(position, player), watch)]
        while True:
            node = stack[-1]
            if node.best < WIN and node.waiting:
                move, after, key = node.waiting.pop()
                value = self._known.get(key)
                if value is None:
                    node.trying = move
                    stack.append(self._node(after, after.player_after(node.player), key, watch))
                else:
                    node.take(value * node.sign(after), move)
                continue
            if len(self._known) >= self._entries:
                self._known.clear()
            self._known[node.key] = node.best
            stack.pop()
            if not stack:
                return node
            stack[-1].take(node.best if node.player == stack[-1].player else -node.best, stack[-1].trying)

    def _node(self, position: Position, player: Player, key: Hashable, watch: Watch) -> _Node:
        """Look at a position: decide it where the rules or known positions do, else list those that are not known."""
        watch.step()
        node = _Node(key, player)
        decided = position.decided(player)
        if decided is not None:
            node.best = DREW if decided == DRAW else WIN if decided == player else LOSS
            return node
        moves, seen = position.moves(player), set[Hashable]()
        if not moves:
            raise ValueError(f"the rules of {self.game.name} give no result for {position.text}, and no move")
        for move in moves:
            watch.look()
            after = position.after(move)
            after_key = self._key(after, after.player_after(player))
            if after_key in seen:
                continue
            seen.add(after_key)
            value = self._known.get(after_key)
            if value is None:
                node.waiting.append((move, after, after_key))
                continue
            node.take(value * node.sign(after), move)
            if node.best == WIN:
                return node

        def replies(entry: tuple[Move, Position, Hashable]) -> int:
            watch.look()
            return len(entry[1].moves(entry[1].player_after(player)))

        # The moves after which the opponent has the fewest come first: these positions are decided soonest.
        node.waiting.sort(key=replies, reverse=True)
        return node

    def _key(self, position: Position, player: Player) -> Hashable:
        return position.key(), self.game.players[0] if self.game.impartial else player


def explain(game: Game, position: Position, limits: Limits) -> Explanation:
    """Explain a position of any game: who wins, with which moves, and how many positions were searched."""
    chooser, clock = game.chooser(limits), Clock(limits)
    lines, data = [f"{game.title}: {position.text}"], dict[str, Any]()
    for player in game.starters(position, None):
        answer = Answer.unknown(player, Clock(limits))
        marks: dict[str, Mark] = {str(move): "unknown" for move in position.moves(player)}
        for found in mark_moves(position, player, chooser, clock.left()):
            clock.nodes += found.answer.nodes
            marks.update(dict.fromkeys(map(str, found.moves), found.mark))
            answer = answer if found.moves or found.mark == "unknown" else found.answer
        line = f"{game.player_names[player]} to move: {game.winner_words(answer.winner)} ({answer.why})"
        if answer.winner is not None and answer.by != "over":
            good = [move for move, mark in marks.items() if mark == answer.mark]
            if answer.mark == "loss":
                line += f"; all {len(marks)} moves lose"
            else:
                kind = {"win": "winning", "draw": "drawing"}[answer.mark]
                count = f"{len(good)} of {len(marks)} moves" if len(marks) > 1 else "the only move"
                line += f"; {kind}: {count}: {' '.join(good)}"
        lines.append(line)
        data[player] = {"winner": answer.winner, "moves": marks}
    lines.append(f"{counted(clock.nodes, 'position')} looked at")
    limited = any(start["winner"] is None for start in data.values())
    plain = {"starts": data, "nodes": clock.nodes}
    return Explanation(tuple(lines), tuple(lines[1:]), view=position.view(), data=plain, limited=limited)


# Certificates (checker/FORMAT.md 8)


def grid_claim(game: Game, position: Position, starter: Player, winner: Player) -> bytes:
    """Return the claim about a position of a game that is played on free squares, and needs nothing else."""
    if not game.claim_codes:
        raise ValueError(f"there are no certificates of {game.name}: the checkers do not know its rules")
    view = position.view()
    taken = {*view.blocked, *(square for piece in view.pieces for square in piece.squares)}
    squares = [(row, col) for row in range(1, view.rows + 1) for col in range(1, view.cols + 1)]
    free = sum(1 << number for number, square in enumerate(squares) if square not in taken)
    players = bytes(game.players.index(player) for player in (starter, winner))
    return bytes(game.claim_codes[:1]) + board_bytes(view.rows, view.cols, free) + players


def read_grid_claim(game: Game, source: Bytes) -> Claim:
    """Read such a claim, after its game byte."""
    spec = read_board(source)
    starter, winner = (game.players[player & 1] for player in source.varints(2))
    return Claim(game.name, spec, starter, winner, game.claim_codes[0])


def board_bytes(rows: int, cols: int, free: int) -> bytes:
    """Return a board as claims have it: its sides, and its free squares."""
    return varint(rows) + varint(cols) + free.to_bytes((rows * cols + 7) // 8, "little")


def read_board(source: Bytes) -> str:
    """Return the spec of such a board.

    :raises ValueError: if it has no squares, or too many.
    """
    rows, cols = source.varints(2)
    if not 1 <= rows * cols <= LARGEST_CLAIM:
        raise ValueError("the certificate's board is not possible")
    free = source.bits(rows * cols)
    lines = ["".join("#."[free >> (row * cols + col) & 1] for col in range(cols)) for row in range(rows)]
    return f"{rows}x{cols}" if free + 1 == 1 << rows * cols else "/".join(lines)


def prove(
    game: Game,
    position: Position,
    first: Player,
    path: Path,
    limits: Limits,
    chooser: Chooser | None,
    answer: Answer | None,
) -> Written:
    """Solve, and write the strategy: every move of the loser, one answer to each.

    :raises ValueError: if the result is a draw, or the checkers do not know the game.
    """
    chooser = chooser or game.chooser(limits)
    watch = Watch(limits.with_(on_progress=None))
    found = answer or chooser.answer(position, first, limits)
    watch.clock.nodes += found.nodes
    unknown = Written(None, None, nodes=found.nodes)
    if found.winner is None:
        return unknown
    if found.winner == DRAW:
        raise ValueError("there is no certificate of a draw")
    try:
        proof, positions = _strategy(game, position, first, found.winner, chooser, watch)
    except Stopped:
        return unknown
    claim = game.claim_bytes(position, first, found.winner)
    size = write_payload(claim + proof, path)
    return Written(found.winner, path, size, positions, found.nodes)


def _strategy(
    game: Game, root: Position, first: Player, winner: Player, chooser: Chooser, watch: Watch
) -> tuple[bytes, int]:
    """Return the proof, and how many positions it has."""
    loser = game.other(winner)

    def answer(position: Position) -> tuple[bytes, Position | None]:
        watch.step()
        if position.decided(winner) == winner:
            return bytes([OVER]), None
        found = chooser.answer(position, winner, watch.clock.left())
        if found.move is None:
            raise Stopped
        moves = position.moves(winner)
        index = moves.index(found.move)
        return varint(FIRST_MOVE + index), position.after(moves[index])

    def replies(position: Position) -> list[Position]:
        watch.step()
        return [position.after(move) for move in position.moves(loser)]

    chunks, positions = write_strategy(
        root, first == loser, answer=answer, replies=replies, key=lambda node: node.key()
    )
    return b"".join(chunks), positions


class PlayReplay(ABC):
    """Walks through a strategy in the order of play: its player always moves to a position that the file proves."""

    claim: Claim
    root: Position
    walker: Player
    """The player whose strategy it is."""

    @abstractmethod
    def place(self, position: Position, player: Player) -> Step:
        """Return the place at a position of the strategy; its moves are those that can be followed."""

    def step(self, moves: Sequence[str]) -> Step:
        """Return the place after some moves, both players' in turn.

        :raises ValueError: if the strategy never plays that way.
        """
        player = self.claim.starter
        here = self.place(self.root.turn_of(player), player)
        for number, text in enumerate(moves, 1):
            if not here.moves:
                raise ValueError(f"the strategy ends before move {number}")
            if text not in here.moves:
                own = player == self.walker
                wrong = "another move than the strategy plays:" if own else "not a move here:"
                raise ValueError(f"{text[:40]!r} (move {number}) is {wrong} {' '.join(here.moves)[:200]}")
            after = here.position.after(text)
            player = after.to_move or after.game.other(player)
            here = self.place(after, player)
        return here


class PlainReplay(PlayReplay):
    """Walks through a strategy of :func:`prove`. It reads the proof once; every step is short then."""

    def __init__(self, game: Game, payload: bytes, limits: Limits) -> None:
        source = Bytes(payload)
        if source.varint() not in game.claim_codes:
            raise ValueError(f"this certificate is not about {game.title}")
        self.game, self.claim = game, game.read_claim(payload[0], source)
        self.walker, self.root = self.claim.winner, game.parse(self.claim.spec)
        self._proved = set[str]()
        self.counts = Counter[str]()
        try:
            self._read(source, Watch(limits.with_(nodes=limits.memory // ENTRY_BYTES)))
        except Stopped:
            raise ValueError("the certificate is too large to walk within the limits") from None

    def _read(self, source: Bytes, watch: Watch) -> None:
        """Note the keys of the loser's positions."""
        loser = self.game.other(self.walker)
        todo = [(self.root, self.claim.starter)]
        while todo:
            position, player = todo.pop()
            watch.step()
            tag = source.varint()
            if player == self.walker:
                self.counts["move"] += 1
                moves = position.moves(player)
                if tag >= FIRST_MOVE + len(moves):
                    raise ValueError("the certificate plays a move that is not legal")
                if tag >= FIRST_MOVE:
                    todo.append((position.after(moves[tag - FIRST_MOVE]), loser))
                elif tag != OVER:
                    raise ValueError("the certificate holds an unknown tag")
                continue
            if tag > REF:
                raise ValueError("the certificate holds an unknown tag")
            self.counts[("all", "keep", "ref")[tag]] += 1
            if tag != REF:
                self._proved.add(position.key())
                todo += [(position.after(move), self.walker) for move in reversed(position.moves(loser))]
            elif position.key() not in self._proved:
                raise ValueError("the certificate refers to a position that it does not prove")

    def place(self, position: Position, player: Player) -> Step:
        name = self.game.player_names[player]
        if position.decided(player) is not None:
            says = f"the game is over: {self.game.winner_words(self.walker)}"
            return Step(position, player, says, leaf=True)
        moves = position.moves(player)
        if player != self.walker:
            return Step(position, player, all_answered(name, len(moves)), tuple(map(str, moves)))
        reply = next((move for move in moves if position.after(move).key() in self._proved), None)
        if reply is None:
            raise ValueError("the certificate has no answer here")
        return Step(position, player, f"{name} plays {reply}", (str(reply),))

"""The plain version of every service, for any game: by its rules alone.

It is slow, short and shares nothing with the fast solvers, which are checked with it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
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
from zermelo.game.search import DREW, LOSS, WIN, PlainSearch, Stopped, Watch
from zermelo.proof.container import Bytes, Claim, varint, write_payload
from zermelo.proof.play import ALL, FIRST_MOVE, KEEP, OVER, REF, write_strategy
from zermelo.words import all_answered, counted

ENTRY_BYTES = 400
"""About the bytes of a remembered position: its key, and its place in a dictionary."""
LARGEST_CLAIM = 256

Turn = tuple[Position, Player, "Move | None"]
"""A position, who is to move, and the move that led there."""


class PlainChooser:
    """The plain search of a game."""

    def __init__(self, game: Game, limits: Limits, options: Mapping[str, Any] = {}) -> None:
        """Take the memory from the limits.

        :raises ValueError: if there are options or threads, which the plain search does not have.
        """
        given = [name for name, value in options.items() if value not in (None, (), [], False)]
        if given or limits.threads > 1:
            raise ValueError(f"--{next(iter(given), 'threads')} has no effect on the plain search of {game.title}")
        self.game = game
        entries = max(1000, limits.memory // ENTRY_BYTES)
        # Try first the moves after which the opponent has the fewest: these positions are decided soonest.
        self._search = PlainSearch[Turn](
            self._look, self._key, entries=entries, worth=lambda node: -len(node[0].moves(node[1]))
        )

    def answer(self, position: Position, first: Player, limits: Limits, *, want_move: bool = True) -> Answer:
        decided = position.decided(first)
        if decided is not None:
            return Answer(first, decided, "over", why="the game is over")
        watch = Watch(limits)
        try:
            value, child = self._search.result((position, first, None), watch)
        except Stopped:
            return Answer.unknown(first, watch.clock)
        winner = {WIN: first, DREW: DRAW, LOSS: self.game.other(first)}[value]
        best = child[2] if want_move and child is not None and value != LOSS else None
        why = "proved by search"
        return Answer(first, winner, "search", best, why, watch.clock.nodes, seconds=watch.clock.seconds)

    def _look(self, node: Turn) -> int | Iterator[Turn]:
        position, player, _ = node
        decided = position.decided(player)
        if decided is not None:
            return DREW if decided == DRAW else WIN if decided == player else LOSS
        other = self.game.other(player)
        moves = position.moves(player)
        if not moves:
            raise ValueError(f"the rules of {self.game.name} give no result for {position.text}, and no move")
        return ((position.after(move), other, move) for move in moves)

    def _key(self, node: Turn) -> tuple[str, Player]:
        return node[0].key(), self.game.players[0] if self.game.impartial else node[1]


def explain(game: Game, position: Position, limits: Limits) -> Explanation:
    """Say what can be said of any game: who wins, with which moves, and how many positions were looked at."""
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
    limited = any(said["winner"] is None for said in data.values())
    said = {"starts": data, "nodes": clock.nodes}
    return Explanation(tuple(lines), tuple(lines[1:]), view=position.view(), data=said, limited=limited)


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


class PlainReplay:
    """Walks through such a strategy. Building it reads the proof once; every step is short then."""

    def __init__(self, game: Game, payload: bytes, limits: Limits) -> None:
        self._bytes = Bytes(payload)
        if self._bytes.varint() not in game.claim_codes:
            raise ValueError(f"this certificate is not about {game.title}")
        self.game, self.claim = game, game.read_claim(payload[0], self._bytes)
        self._winner, self._loser = self.claim.winner, game.other(self.claim.winner)
        self._root, self._start = game.parse(self.claim.spec), self._bytes.at
        self._answers: dict[int, list[int]] = {}
        self._remembered: dict[str, tuple[int, Position]] = {}
        self.counts = Counter[str]()
        try:
            self._read(Watch(limits.with_(nodes=limits.memory // ENTRY_BYTES)))
        except Stopped:
            raise ValueError("the certificate is too large to walk within the limits") from None

    def _read(self, watch: Watch) -> None:
        """Note where the answers to the loser's moves stand, and the remembered positions."""
        source = self._bytes
        root = (self._root, self.claim.starter == self._loser, -1)
        todo: list[tuple[Position, bool, int] | tuple[Position, str, int]] = [root]
        while todo:
            position, turn, number = todo.pop()
            if isinstance(turn, str):
                self._remembered.setdefault(turn, (number, position))
                continue
            watch.step()
            start = source.at
            if number >= 0:
                self._answers[number].append(start)
            tag = source.varint()
            self.counts["move" if not turn else ("all", "keep", "ref")[tag] if tag <= REF else ""] += 1
            if not turn and tag >= FIRST_MOVE:
                moves = position.moves(self._winner)
                if tag - FIRST_MOVE >= len(moves):
                    raise ValueError("the certificate plays a move that is not legal")
                todo.append((position.after(moves[tag - FIRST_MOVE]), True, -1))
            elif turn and tag in (ALL, KEEP):
                self._answers[start] = []
                if tag == KEEP:
                    todo.append((position, position.key(), start))
                todo += [(position.after(move), False, start) for move in reversed(position.moves(self._loser))]
            elif tag != (REF if turn else OVER):
                raise ValueError("the certificate holds an unknown tag")
            elif turn and position.key() not in self._remembered:
                raise ValueError("the certificate refers to a position that it does not prove")

    def step(self, moves: Sequence[str]) -> Step:
        """Return the place after some moves, both players' in turn.

        A reference leads to an image of the position. The walk goes on in the position that was reached: ``filed`` is
        the image, whose answers are in the file.

        :raises ValueError: if the strategy never plays that way.
        """
        shown = filed = self._root
        at, losers_turn = self._start, self.claim.starter == self._loser
        for number, text in enumerate([*moves, None], 1):
            if losers_turn and at not in self._answers:
                at, filed = self._remembered[filed.key()]
            player = self._loser if losers_turn else self._winner
            if losers_turn:
                legal = {str(move): move for move in shown.moves(player)}
                says = all_answered(self._name(player), len(legal))
            else:
                self._bytes.at = at
                tag = self._bytes.varint()
                legal = {}
                if tag >= FIRST_MOVE:
                    move = filed.moves(player)[tag - FIRST_MOVE]
                    filed = filed.after(move)
                    move = self._same(shown, player, move, filed)
                    legal = {str(move): move}
                    says = f"{self._name(player)} plays {move}"
            if text is None or not legal:
                if text is not None:
                    raise ValueError(f"before move {number} the game is over")
                if not legal:
                    says = f"the game is over: {self.game.winner_words(self._winner)}"
                return Step(shown, player, says, tuple(legal), leaf=not legal)
            if text not in legal:
                legal_for = "move" if losers_turn else "answer of the strategy"
                raise ValueError(f"{text[:40]!r} (move {number}) is no {legal_for} here: {' '.join(legal)[:200]}")
            shown = shown.after(legal[text])
            if losers_turn:
                keys = [filed.after(move) for move in filed.moves(player)]
                place = self._place(keys, shown)
                filed, at = keys[place], self._answers[at][place]
            else:
                at = self._bytes.at
            losers_turn = not losers_turn
        raise AssertionError("the loop ends by a return")

    def _name(self, player: Player) -> str:
        return self.game.player_names[player]

    def _place(self, images: Sequence[Position], shown: Position) -> int:
        """Return which of the positions is the one that is shown, or an image of it."""
        if shown in images:
            return images.index(shown)
        return [image.key() for image in images].index(shown.key())

    def _same(self, shown: Position, player: Player, move: Move, filed: Position) -> Move:
        """Return the move of the shown position that equals ``move`` in the file's image of it."""
        moves = shown.moves(player)
        if move in moves and shown.after(move).key() == filed.key():
            return move
        return next(other for other in moves if shown.after(other).key() == filed.key())

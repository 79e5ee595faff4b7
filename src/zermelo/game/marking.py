"""Every legal move of a position marked: it wins, draws, loses, or is not known. The easy ones come first.

Moves that lead to images of one position share one question. Every question gets a small allowance of nodes; those that
stay open get several times more, and so on: easy moves are marked at once, and a hard one delays no other. The position
itself is one of the questions: if it is lost, every move loses, and nothing more need be searched.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from zermelo.game import DRAW, Answer, Chooser, Clock, Limits, Mark, Move, Player, Position
from zermelo.game.distance import longest
from zermelo.running import Cache

FIRST_ALLOWANCE = 2_000
"""Nodes that every question gets at once; a hundred of them take a fraction of a second."""
TIMES_MORE = 8
MOST_NODES = 1 << 50
"""More than any search takes: then there is no limit but the time."""
TURNED: dict[Mark, Mark] = {"win": "loss", "loss": "win", "draw": "draw", "unknown": "unknown"}
WORTH: dict[Mark, int] = {"win": 3, "draw": 2, "unknown": 1, "loss": 0}
"""The order of preference: a certain draw ranks above an unknown move."""


@dataclass(frozen=True)
class MovesMark:
    """A mark and the moves that share it; without moves it is the mark of the position itself."""

    moves: Sequence[Move]
    mark: Mark
    """The result for the player who is to move now."""
    answer: Answer
    """The source of the mark: of the position after the moves, unless the position itself decides."""


class Memory(Cache[str, Answer]):
    """Answers of recent searches, for all images of a position."""

    def __init__(self, capacity: int = 50_000) -> None:
        super().__init__(capacity)

    def put(self, key: str, answer: Answer) -> None:
        """Remember who wins. A move and the details hold for one image only, and are dropped."""
        if answer.winner is not None:
            super().put(key, replace(answer, move=None, details={}, nodes=0, evaluations=0, seconds=0.0))


@dataclass(frozen=True)
class Question:
    """Who wins the position after some equivalent moves, or, without moves, the position itself."""

    key: str
    """Equal keys have equal answers."""
    moves: tuple[Move, ...]
    position: Position
    first: Player
    """The player who is to move there."""
    chooser: Chooser

    def ask(self, limits: Limits) -> Answer:
        """Ask the chooser, within limits."""
        over = self.position.decided(self.first)
        if over is not None:
            return Answer(self.first, over, "over", why="the game is over")
        return self.chooser.answer(self.position, self.first, limits, want_move=not self.moves)


def allowances(nodes: int | None) -> Iterator[int | None]:
    """Yield the nodes that each question may take, round by round; the last one is the limit.

    >>> list(allowances(1_000_000))
    [2000, 16000, 128000, 1000000]
    """
    allowance = FIRST_ALLOWANCE
    while allowance < (MOST_NODES if nodes is None else nodes):
        yield allowance
        allowance *= TIMES_MORE
    yield nodes


class Marking:
    """The open questions of a position, their schedule, and the conclusions from each answer.

    The seconds of the limits count for all questions together, the nodes for each of them. :meth:`take` names the next
    question and its allowance, :meth:`note` takes the answer; several questions may be asked at once.
    """

    def __init__(
        self, position: Position, player: Player, chooser: Chooser, limits: Limits, memory: Memory | None = None
    ) -> None:
        self._game, self._player, self._memory = position.game, player, memory or Memory()
        self.clock = Clock(limits.with_(nodes=None))
        position = position.turn_of(player)
        classes: dict[str, list[tuple[Move, Position]]] = {}
        moves = position.moves(player)
        self._unlisted: Sequence[Move] = ()
        """Moves for which there was no time to look at the position after them."""
        for number, move in enumerate(moves):
            if self.clock.over:
                self._unlisted = moves[number:]
                break
            after = position.after(move)
            classes.setdefault(self._key(after, after.player_after(player)), []).append((move, after))
        self._root = Question(self._key(position, player), (), position, player, chooser)
        self._best: MovesMark | None = None
        self._unknown: dict[str, Answer] = {}
        """The latest answer to each question that stays open, with the nodes of all."""
        self.waiting = {self._root.key: self._root}
        """The questions without an answer, the position itself first."""
        for key, members in classes.items():
            alike = tuple(move for move, _ in members)
            after = members[0][1]
            self.waiting[key] = Question(key, alike, after, after.player_after(player), chooser)
        self._allowances = list(allowances(limits.nodes))
        self._line = deque((question, 0) for question in self.waiting.values())
        self._rounds: dict[str, int] = {}
        """The round in which each question was last asked."""

    def _key(self, position: Position, first: Player) -> str:
        return f"{self._game.name} {first} {position.key()}"

    def known(self) -> Iterator[MovesMark]:
        """Yield the marks that need no search: the game is over, or the memory has the answer."""
        for question in list(self.waiting.values()):
            if self.clock.over:
                break
            answer = self._memory.get(question.key)
            if answer is None and question.position.decided(question.first) is not None:
                answer = question.ask(Limits())
            if answer is not None:
                yield from self.note(question, answer)

    def take(self) -> tuple[Question, Limits] | None:
        """Return the next question and its limits; None when the time is over, or no question is left to ask."""
        while self._line and not self.clock.over:
            question, turn = self._line.popleft()
            if question.key in self.waiting:
                self._rounds[question.key] = turn
                return question, self.clock.left().with_(nodes=self._allowances[turn])
        return None

    def note(self, question: Question, answer: Answer) -> list[MovesMark]:
        """Take an answer and return everything that it decides. An open question goes to the end of the line."""
        if self.waiting.get(question.key) is not question:
            return []
        earlier = self._unknown.pop(question.key, None)
        answer = replace(answer, nodes=answer.nodes + (earlier.nodes if earlier else 0))
        if answer.winner is None:
            self._unknown[question.key] = answer
            turn = self._rounds.get(question.key, -1) + 1
            if turn < len(self._allowances):
                self._line.append((question, turn))
            return []
        if question is self._root:
            return self._settle_root(answer)
        del self.waiting[question.key]
        self._memory.put(question.key, answer)
        mark = answer.mark if question.first == self._player else TURNED[answer.mark]
        found = [MovesMark(question.moves, mark, answer)]
        if self._best is None or WORTH[mark] > WORTH[self._best.mark]:
            self._best = found[0]
        # One winning move, or the best of all moves, decides the position itself.
        if self._root.key in self.waiting and (mark == "win" or (len(self.waiting) == 1 and not self._unlisted)):
            best = self._best
            winner = {"win": self._player, "draw": DRAW}.get(best.mark, self._game.other(self._player))
            move = None if best.mark == "loss" else best.moves[0]
            by, why = best.answer.by, best.answer.why
            if by == "over":  # after the move, not yet
                by, why = "search", "the next move ends the game"
            found += self._settle_root(Answer(self._player, winner, by, move, why))
        return found

    def _settle_root(self, answer: Answer) -> list[MovesMark]:
        """Mark the conclusions: in a lost position every move loses; the move that the answer names gets its result."""
        del self.waiting[self._root.key]
        self._memory.put(self._root.key, answer)
        found = [MovesMark((), answer.mark, answer)]
        for question in list(self.waiting.values()):
            if answer.mark == "loss" or answer.move in question.moves:
                del self.waiting[question.key]
                self._memory.put(question.key, replace(answer, first=question.first))
                found.append(MovesMark(question.moves, answer.mark, replace(answer, nodes=0)))
        return found

    def rest(self) -> Iterator[MovesMark]:
        """Yield the questions that stay open, as unknown; the position itself comes first."""
        for question in self.waiting.values():
            late = Answer(question.first, None, "limit", limit="time")
            yield MovesMark(question.moves, "unknown", self._unknown.get(question.key, late))
        self.waiting.clear()
        if self._unlisted:
            late = Answer(self._game.other(self._player), None, "limit", limit="time")
            yield MovesMark(self._unlisted, "unknown", late)


def mark_moves(
    position: Position, player: Player, chooser: Chooser, limits: Limits, *, memory: Memory | None = None
) -> Iterator[MovesMark]:
    """Yield every move with its mark as it is found, and the mark of the position itself."""
    marking = Marking(position, player, chooser, limits, memory)
    yield from marking.known()
    while marking.waiting and (task := marking.take()):
        question, within = task
        yield from marking.note(question, question.ask(within))
    yield from marking.rest()


# Choosing a move

MANY_MOVES = 400
"""Of more moves than these none is marked: to list the positions after them would take too long."""
SHARE_OF_SEARCH = 0.75
"""The part of the time in which the position itself is searched; marks of its moves get the rest."""


@dataclass(frozen=True)
class Choice:
    """A move for the player to move, and its mark."""

    move: Move | None
    """None where there is no move."""
    mark: Mark
    """The result that the move gives the player; ``unknown`` means that it is a guess."""
    answer: Answer
    """The answer for the position before the move."""
    nodes: int = 0


def choose_move(
    position: Position, player: Player, chooser: Chooser, limits: Limits, *, memory: Memory | None = None
) -> Choice:
    """Return the chooser's own move; where it names none, the best by marks; where those say nothing, a guess.

    If every move loses, it is one after which the game lasts long.
    """
    position = position.turn_of(player)
    moves = position.moves(player)
    clock = Clock(limits)
    share = None if limits.seconds is None else SHARE_OF_SEARCH * limits.seconds
    answer = Question("", (), position, player, chooser).ask(limits.with_(seconds=share))
    if not moves:
        return Choice(None, answer.mark, answer, answer.nodes)
    if answer.move is not None:
        return Choice(answer.move, answer.mark, answer, answer.nodes)
    if len(moves) > MANY_MOVES:
        mark: Mark = "loss" if answer.mark == "loss" else "unknown"
        return Choice(_likely(position, player, moves), mark, answer, answer.nodes)
    if answer.mark == "loss":
        return Choice(_last_long(position, player, moves, clock), "loss", answer, answer.nodes)
    wanted: Mark = "win" if answer.mark == "unknown" else answer.mark
    marks: dict[Move, Mark] = dict.fromkeys(moves, "unknown")
    nodes = answer.nodes
    for found in mark_moves(position, player, chooser, clock.left(), memory=memory):
        nodes += found.answer.nodes
        marks.update(dict.fromkeys(found.moves, found.mark))
        if not found.moves and found.mark != "unknown":
            answer = found.answer
        if found.moves and found.mark == wanted:
            break
    best = max(marks.values(), key=WORTH.__getitem__)
    if best == "loss":
        return Choice(_last_long(position, player, moves, clock), best, answer, nodes)
    return Choice(_likely(position, player, [m for m in moves if marks[m] == best]), best, answer, nodes)


def _likely(position: Position, player: Player, moves: Sequence[Move]) -> Move:
    return moves[0] if len(moves) == 1 else position.game.likely(position, player, moves)


def _last_long(position: Position, player: Player, moves: Sequence[Move], clock: Clock) -> Move:
    """Return a move of a lost position after which the game lasts as long as can be seen."""
    winner = position.game.other(player)
    limits = clock.left().with_(nodes=None)
    found = position.game.distances(position, player, dict.fromkeys(moves, winner), limits)
    return _likely(position, player, longest(found))


class MarkingMachine:
    """One side of a game that follows the chooser and the marks; it remembers its results from move to move."""

    def __init__(self, player: Player, limits: Limits, chooser: Chooser) -> None:
        self._player, self._limits, self._chooser = player, limits, chooser
        self._memory = Memory()

    def reply(self, position: Position) -> Choice:
        """Return a move, and its mark."""
        return choose_move(position, self._player, self._chooser, self._limits, memory=self._memory)

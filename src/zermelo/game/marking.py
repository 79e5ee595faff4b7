"""Every legal move of a position marked: it wins, draws, loses, or is not known. The easy ones come first.

Moves that lead to images of one position share one question. All questions get a small allowance of nodes, then those
that are left get several times more, and so on: easy moves are marked at once, and a hard one delays no other. The
position itself is one of the questions: where it is lost, every move loses, and nothing more need be searched.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from zermelo.game import DRAW, Answer, Chooser, Clock, Limits, Mark, Move, Player, Position
from zermelo.running import Kept

T = TypeVar("T")
Nodes = TypeVar("Nodes", int, int | None)
FIRST_ALLOWANCE = 2_000
"""Nodes that every question gets at once; a hundred of them take a fraction of a second."""
TIMES_MORE = 8
MOST_NODES = 1 << 50
"""More than any search takes: then there is no limit but the time."""
TURNED: dict[Mark, Mark] = {"win": "loss", "loss": "win", "draw": "draw", "unknown": "unknown"}
WORTH: dict[Mark, int] = {"win": 3, "draw": 2, "unknown": 1, "loss": 0}
"""How a player who must move now likes the marks: a draw that is sure before a hope."""


@dataclass(frozen=True)
class Judged:
    """Moves that share one mark; no moves at all: the mark is that of the position itself."""

    moves: Sequence[Move]
    mark: Mark
    """As the player sees it who is to move now."""
    answer: Answer
    """Where the mark comes from; of the position after the moves, unless that of the position itself decides."""


class Memory(Kept[str, Answer]):
    """What was found lately, for all images of a position."""

    def __init__(self, capacity: int = 50_000) -> None:
        super().__init__(capacity)

    def put(self, key: str, answer: Answer) -> None:
        """Remember who wins; a move and what belongs to it hold for one image only."""
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
    """Who is to move there."""
    chooser: Chooser

    def judge(self, limits: Limits) -> Answer:
        """Ask the chooser, within limits."""
        over = self.position.decided(self.first)
        if over is not None:
            return Answer(self.first, over, "over", why="the game is over")
        return self.chooser.answer(self.position, self.first, limits, want_move=not self.moves)


def allowances(nodes: int | None) -> Iterator[int | None]:
    """Yield what each question may cost, round by round; the last one is the limit.

    >>> list(allowances(1_000_000))
    [2000, 16000, 128000, 1000000]
    """
    allowance = FIRST_ALLOWANCE
    while allowance < (MOST_NODES if nodes is None else nodes):
        yield allowance
        allowance *= TIMES_MORE
    yield nodes


def first_yes(
    asked: Sequence[T], ask: Callable[[T, Nodes], bool | None], rounds: Iterable[Nodes], clock: Clock
) -> T | None:
    """Return the first of some things of which a question is answered with yes; None if there is none in time.

    ``ask`` returns None where the nodes of a round do not decide: then the next round gives it more.

    >>> first_yes([5, 30, 2], lambda cost, nodes: cost > 2 if cost <= nodes else None, [1, 10, 100], Clock(Limits()))
    5
    """
    for nodes in rounds:
        undecided = []
        for one in asked:
            answer = ask(one, nodes)
            if answer:
                return one
            if clock.over:
                return None
            if answer is None:
                undecided.append(one)
        asked = undecided
    return None


class Marking:
    """The open questions of one position, and what follows from each answer. Whoever asks them may do so in any way."""

    def __init__(
        self,
        position: Position,
        player: Player,
        chooser: Chooser,
        memory: Memory | None = None,
        clock: Clock | None = None,
    ) -> None:
        self._game, self._player = position.game, player
        self._memory, self._clock = memory or Memory(), clock or Clock(Limits())
        position = position.turn_of(player)
        other = self._game.other(player)
        classes: dict[str, list[tuple[Move, Position]]] = {}
        moves = position.moves(player)
        self._unasked: Sequence[Move] = ()
        for number, move in enumerate(moves):
            if self._clock.over:
                self._unasked = moves[number:]
                break
            after = position.after(move)
            classes.setdefault(self._key(after, other), []).append((move, after))
        self._root = Question(self._key(position, player), (), position, player, chooser)
        self._best: Judged | None = None
        self._open: dict[str, Answer] = {}
        """The latest answer to each question that stays open, with the nodes of all."""
        self.waiting = {self._root.key: self._root}
        """The questions without an answer, the position itself first."""
        for key, members in classes.items():
            alike = tuple(move for move, _ in members)
            self.waiting[key] = Question(key, alike, members[0][1], other, chooser)

    def _key(self, position: Position, first: Player) -> str:
        return f"{self._game.name} {first} {position.key()}"

    def known(self) -> Iterator[Judged]:
        """Yield what needs no search: the game is over, or it was found before."""
        for question in list(self.waiting.values()):
            if self._clock.over:
                break
            answer = self._memory.get(question.key)
            if answer is None and question.position.decided(question.first) is not None:
                answer = question.judge(Limits())
            if answer is not None:
                yield from self.note(question, answer)

    def note(self, question: Question, answer: Answer) -> list[Judged]:
        """Take an answer and return everything that it decides."""
        if self.waiting.get(question.key) is not question:
            return []
        earlier = self._open.pop(question.key, None)
        answer = replace(answer, nodes=answer.nodes + (earlier.nodes if earlier else 0))
        if answer.winner is None:
            self._open[question.key] = answer
            return []
        if question is self._root:
            return self._settle_root(answer)
        del self.waiting[question.key]
        self._memory.put(question.key, answer)
        mark = TURNED[answer.mark]
        found = [Judged(question.moves, mark, answer)]
        if self._best is None or WORTH[mark] > WORTH[self._best.mark]:
            self._best = found[0]
        # One winning move, or the best of all moves, decides the position itself.
        if self._root.key in self.waiting and (mark == "win" or (len(self.waiting) == 1 and not self._unasked)):
            best = self._best
            winner = {"win": self._player, "draw": DRAW}.get(best.mark, self._game.other(self._player))
            move = None if best.mark == "loss" else best.moves[0]
            found += self._settle_root(Answer(self._player, winner, best.answer.by, move, best.answer.why))
        return found

    def _settle_root(self, answer: Answer) -> list[Judged]:
        """Where the position is lost every move loses; a move that the answer names does what it promises."""
        del self.waiting[self._root.key]
        self._memory.put(self._root.key, answer)
        found = [Judged((), answer.mark, answer)]
        for question in list(self.waiting.values()):
            if answer.mark == "loss" or answer.move in question.moves:
                del self.waiting[question.key]
                found.append(Judged(question.moves, answer.mark, replace(answer, nodes=0)))
        return found

    def rest(self) -> Iterator[Judged]:
        """Yield what stayed without an answer, as unknown; the position itself comes first."""
        for question in self.waiting.values():
            unasked = Answer(question.first, None, "limit", limit="time")
            yield Judged(question.moves, "unknown", self._open.get(question.key, unasked))
        self.waiting.clear()
        if self._unasked:
            yield Judged(self._unasked, "unknown", Answer(self._game.other(self._player), None, "limit", limit="time"))


def mark_moves(
    position: Position, player: Player, chooser: Chooser, limits: Limits, *, memory: Memory | None = None
) -> Iterator[Judged]:
    """Yield every move with its mark as it is found, and the mark of the position itself.

    The seconds of the limits count for all moves together, the nodes for each question.
    """
    clock = Clock(limits.with_(nodes=None))
    marking = Marking(position, player, chooser, memory, clock)
    yield from marking.known()
    for nodes in allowances(limits.nodes):
        for question in list(marking.waiting.values()):
            if clock.over:
                break
            if question.key in marking.waiting:
                yield from marking.note(question, question.judge(clock.left().with_(nodes=nodes)))
        if not marking.waiting or clock.over:
            break
    yield from marking.rest()


# Choosing a move

MANY_MOVES = 400
"""Of more moves than these none is marked: to list the positions after them would take too long."""
SHARE_OF_SEARCH = 0.75
"""The part of the time in which the position itself is searched; marks of its moves get the rest."""


@dataclass(frozen=True)
class Choice:
    """A move for the player whose turn it is, and what is known of it."""

    move: Move | None
    """None where there is no move."""
    mark: Mark
    """What the move does for the player; ``unknown`` means that it is a guess."""
    answer: Answer
    """What is known of the position before the move."""
    nodes: int = 0


def choose_move(
    position: Position, player: Player, chooser: Chooser, limits: Limits, *, memory: Memory | None = None
) -> Choice:
    """Return the chooser's own move; where it names none, the best by marks; where those say nothing, a guess."""
    position = position.turn_of(player)
    moves = position.moves(player)
    clock = Clock(limits)
    share = None if limits.seconds is None else SHARE_OF_SEARCH * limits.seconds
    answer = Question("", (), position, player, chooser).judge(limits.with_(seconds=share))
    if not moves:
        return Choice(None, answer.mark, answer, answer.nodes)
    if answer.move is not None:
        return Choice(answer.move, answer.mark, answer, answer.nodes)
    if answer.mark == "loss" or len(moves) > MANY_MOVES:
        mark: Mark = "loss" if answer.mark == "loss" else "unknown"
        return Choice(_likely(position, player, moves), mark, answer, answer.nodes)
    wanted: Mark = "win" if answer.mark == "unknown" else answer.mark
    marks: dict[Move, Mark] = dict.fromkeys(moves, "unknown")
    nodes = answer.nodes
    for judged in mark_moves(position, player, chooser, clock.left(), memory=memory):
        nodes += judged.answer.nodes
        marks.update(dict.fromkeys(judged.moves, judged.mark))
        if not judged.moves and judged.mark != "unknown":
            answer = judged.answer
        if judged.moves and judged.mark == wanted:
            break
    best = max(marks.values(), key=WORTH.__getitem__)
    return Choice(_likely(position, player, [m for m in moves if marks[m] == best]), best, answer, nodes)


def _likely(position: Position, player: Player, moves: Sequence[Move]) -> Move:
    return moves[0] if len(moves) == 1 else position.game.likely(position, player, moves)


class MarkingMachine:
    """One side of a game that follows the chooser and the marks; it remembers from move to move what it has found."""

    def __init__(self, player: Player, limits: Limits, chooser: Chooser) -> None:
        self._player, self._limits, self._chooser = player, limits, chooser
        self._memory = Memory()

    def reply(self, position: Position) -> Choice:
        """Return a move, and what is known of it."""
        return choose_move(position, self._player, self._chooser, self._limits, memory=self._memory)

"""Words that every message uses: numbers with their nouns, who wins, letters."""

from __future__ import annotations


def counted(count: int, word: str, words: str | None = None) -> str:
    """Return a number with its word, the way numbers are written everywhere.

    >>> counted(1, "node"), counted(40640, "node"), counted(2, "vertex", "vertices")
    ('1 node', '40,640 nodes', '2 vertices')
    """
    return f"{count:,} {word if count == 1 else words or word + 's'}"


def capital(text: str) -> str:
    """Return a text that begins with a capital letter."""
    return text[:1].upper() + text[1:]


def won(winner: str | None) -> str:
    """Say who wins, by the short name.

    >>> won("V"), won("draw"), won(None)
    ('V wins', 'a draw', 'unknown')
    """
    return "unknown" if winner is None else "a draw" if winner == "draw" else f"{winner} wins"


def all_answered(player: str, moves: int) -> str:
    """Say that a strategy has an answer to every move of a player.

    >>> all_answered("Maker", 49), all_answered("V", 1)
    ('Maker to move: each of 49 moves is answered', 'V to move: the only move is answered')
    """
    return f"{player} to move: {'the only move' if moves == 1 else f'each of {moves} moves'} is answered"


def letter(player: str) -> str:
    """Return the letter that stands for a player's pieces.

    >>> letter("V"), letter("maker")
    ('V', 'M')
    """
    return player[:1].upper()


def letters(index: int) -> str:
    """Number with letters: a to z, aa, ab and so on.

    >>> [letters(i) for i in (0, 25, 26, 701, 702)]
    ['a', 'z', 'aa', 'zz', 'aaa']
    """
    return ("" if index < 26 else letters(index // 26 - 1)) + chr(ord("a") + index % 26)

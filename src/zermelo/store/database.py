"""One small interface over SQLite and PostgreSQL: transactions, queries, and the database's own clock.

SQL is written once, with ``?`` for values and the words of :data:`SQLITE` and :data:`POSTGRES` in braces.
"""

from __future__ import annotations

import contextlib
import logging
import re
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, TypeVar, cast

T = TypeVar("T")
Row = tuple[Any, ...]

SQLITE = {
    "?": "?",
    "begin": "BEGIN IMMEDIATE",
    "lock": "SELECT 1",  # the transaction holds the only write lock already
    # Seconds since 1970 by the database's clock, so that no machine's own clock matters to a lease.
    "now": "((julianday('now') - 2440587.5) * 86400.0)",
    "serial": "INTEGER PRIMARY KEY AUTOINCREMENT",
    "blob": "BLOB",
    "real": "REAL",
}
POSTGRES = {
    "?": "%s",
    "begin": "BEGIN",
    "lock": "SELECT pg_advisory_xact_lock(7236015)",
    "now": "extract(epoch from clock_timestamp())::float8",
    "serial": "BIGSERIAL PRIMARY KEY",
    "blob": "BYTEA",
    "real": "DOUBLE PRECISION",
}
CHUNK = 500  # rows a statement: far below both databases' limits on values


def chunks(values: Sequence[T]) -> Iterator[Sequence[T]]:
    """Return slices that fit a statement."""
    return (values[begin : begin + CHUNK] for begin in range(0, len(values), CHUNK))


def marks(count: int) -> str:
    """Return ``?,?,?``.

    >>> marks(3)
    '?,?,?'
    """
    return ",".join("?" * count)


class StoreError(OSError):
    """The store could not be read or written; the transaction was rolled back."""


class Database:
    """A connection; every change happens inside ``with database.transaction():``."""

    def __init__(self, url: str, *, read_only: bool = False) -> None:
        """Open ``postgresql://user@host/name``, or a SQLite file by its path.

        :raises ValueError: if the address is of another kind.
        :raises StoreError: if the database cannot be opened.
        """
        self.server = url.startswith(("postgresql://", "postgres://"))
        if not self.server and "://" in url:
            raise ValueError(f"store {url[:40]!r} is neither a file nor a postgresql:// address")
        self.url = re.sub(r"//([^:/@]+):[^@]*@", r"//\1@", url)  # never show the password
        self._words, self._error = SQLITE, cast(type[Exception], sqlite3.Error)
        if self.server:
            try:
                import psycopg
            except ImportError:
                raise ValueError("a PostgreSQL store needs the cluster extra: pip install 'zermelo[cluster]'") from None
            logging.getLogger("psycopg").addHandler(logging.NullHandler())  # its warnings are not for users
            self._words, self._error = POSTGRES, psycopg.Error
        with self._errors():
            self._connection: Any = (
                psycopg.connect(url, autocommit=True, connect_timeout=10)
                if self.server
                else open_file(Path(url), read_only)
            )
            if self.server and read_only:
                self._connection.execute("SET default_transaction_read_only = on")

    @contextlib.contextmanager
    def _errors(self) -> Iterator[None]:
        try:
            yield
        except self._error as error:
            raise StoreError(f"store {self.url}: {' '.join(str(error).split())}") from error

    def sql(self, text: str) -> str:
        """Return the statement in this database's dialect."""
        return re.sub(r"\{(\w+)\}", lambda match: self._words[match[1]], text).replace("?", self._words["?"])

    @contextlib.contextmanager
    def transaction(self) -> Iterator[None]:
        """Commit at the end, or roll back on any error."""
        self.rows("{begin}")
        try:
            yield
            self.rows("COMMIT")
        except BaseException:
            # After some errors, such as a full disk, the database has rolled back by itself.
            with contextlib.suppress(StoreError):
                self.rows("ROLLBACK")
            raise

    def rows(self, text: str, values: Sequence[Any] = ()) -> list[Row]:
        """Run one statement and return its rows."""
        with self._errors():
            cursor = self._connection.execute(self.sql(text), values)
            return cursor.fetchall() if cursor.description else []

    def one(self, text: str, values: Sequence[Any] = ()) -> Row | None:
        """Return the first row, or None."""
        return next(iter(self.rows(text, values)), None)

    def change(self, text: str, values: Sequence[Any] = ()) -> int:
        """Run one statement and return how many rows it changed."""
        with self._errors():
            return int(self._connection.execute(self.sql(text), values).rowcount)

    def change_many(self, text: str, values: Iterable[Sequence[Any]]) -> None:
        """Run one statement for each tuple of values."""
        with self._errors():
            self._connection.cursor().executemany(self.sql(text), values)

    def close(self) -> None:
        self._connection.close()


def open_file(path: Path, read_only: bool) -> sqlite3.Connection:
    """Open a SQLite file in write-ahead mode: readers never wait, a killed process leaves the last commit.

    A file to read stays as it is; one that cannot even be locked (a read-only disk) cannot change either.
    """
    if str(path) != ":memory:" and not path.parent.is_dir():
        raise ValueError(f"folder {str(path.parent)!r} does not exist")
    if not read_only:
        # FULL: a commit survives a power failure, not only a killed process.
        pragmas = ("journal_mode = WAL", "synchronous = FULL", "cache_size = -65536")
        return connect_file(str(path), *(f"PRAGMA {pragma}" for pragma in pragmas))
    address, log = f"{path.absolute().as_uri()}?mode=ro", path.with_name(f"{path.name}-wal")
    try:
        return connect_file(address, "SELECT count(*) FROM sqlite_master")
    except sqlite3.OperationalError:
        if log.exists() and log.stat().st_size:
            raise
        return connect_file(f"{address}&immutable=1")


def connect_file(address: str, *statements: str) -> sqlite3.Connection:
    """Open a SQLite file by its path or address, and run statements on it."""
    uri = address.startswith("file:")
    connection = sqlite3.connect(address, timeout=30, isolation_level=None, check_same_thread=False, uri=uri)
    try:
        for statement in statements:
            connection.execute(statement).fetchall()
    except sqlite3.Error:
        connection.close()
        raise
    return connection

"""One small interface over SQLite and PostgreSQL: transactions, queries, and the database's own clock.

SQL is written once, with ``?`` for values and these words in braces:

* ``{now}``: seconds since 1970 by the database's clock, so that no machine's own clock matters to a lease;
* ``{serial}``, ``{blob}``, ``{real}``: column types.
"""

from __future__ import annotations

import logging
import re
import sqlite3
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

T = TypeVar("T")
Row = tuple[Any, ...]


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


class Database(ABC):
    """A connection; every change happens inside ``with database.transaction():``."""

    words: Mapping[str, str]
    url: str
    _connection: Any
    _error: type[Exception]

    @contextmanager
    def _errors(self) -> Iterator[None]:
        try:
            yield
        except self._error as error:
            raise StoreError(f"store {self.url}: {' '.join(str(error).split())}") from error

    def sql(self, text: str) -> str:
        """Return the statement in this database's dialect."""
        return re.sub(r"\{(\w+)\}", lambda match: self.words[match[1]], text)

    @abstractmethod
    def transaction(self) -> Any:
        """Return a context manager: commit at the end, or roll back on any error."""

    def rows(self, text: str, values: Sequence[Any] = ()) -> list[Row]:
        """Run one statement and return its rows."""
        with self._errors():
            cursor = self._connection.execute(self.sql(text), values)
            return cursor.fetchall() if cursor.description else []

    def one(self, text: str, values: Sequence[Any] = ()) -> Row | None:
        """Return the first row, or None."""
        found = self.rows(text, values)
        return found[0] if found else None

    def change(self, text: str, values: Sequence[Any] = ()) -> int:
        """Run one statement and return how many rows it changed."""
        with self._errors():
            return int(self._connection.execute(self.sql(text), values).rowcount)

    def change_many(self, text: str, values: Iterable[Sequence[Any]]) -> None:
        """Run one statement for each tuple of values."""
        with self._errors():
            self._connection.cursor().executemany(self.sql(text), values)

    @abstractmethod
    def lock_schema(self) -> None:
        """Inside a transaction: keep every other process from migrating meanwhile."""

    def close(self) -> None:
        self._connection.close()


class SqliteDatabase(Database):
    """A file in write-ahead mode: readers never wait, a killed process leaves the last commit."""

    _error = sqlite3.Error
    words = {  # noqa: RUF012
        "now": "((julianday('now') - 2440587.5) * 86400.0)",
        "serial": "INTEGER PRIMARY KEY AUTOINCREMENT",
        "blob": "BLOB",
        "real": "REAL",
    }

    def __init__(self, path: Path, *, read_only: bool = False) -> None:
        self.url = str(path)
        if str(path) != ":memory:" and not path.parent.is_dir():
            raise ValueError(f"folder {str(path.parent)!r} does not exist")
        if read_only:
            self._connection = self._for_reading(path)
            return
        with self._errors():
            self._connection = self._connect(str(path))
        try:
            # FULL: a commit survives a power failure, not only a killed process.
            for pragma in ("journal_mode = WAL", "synchronous = FULL", "cache_size = -65536"):
                self.rows(f"PRAGMA {pragma}")
        except StoreError:
            self._connection.close()
            raise

    @staticmethod
    def _connect(address: str, *, uri: bool = False) -> sqlite3.Connection:
        return sqlite3.connect(address, timeout=30, isolation_level=None, check_same_thread=False, uri=uri)

    def _for_reading(self, path: Path) -> sqlite3.Connection:
        """Open a file that stays as it is; one that cannot even be locked (a read-only disk) cannot change either."""
        address = f"{path.absolute().as_uri()}?mode=ro"
        log = path.with_name(f"{path.name}-wal")
        with self._errors():
            connection = self._connect(address, uri=True)
            try:
                connection.execute("SELECT count(*) FROM sqlite_master").fetchall()
            except sqlite3.OperationalError:
                connection.close()
                if log.exists() and log.stat().st_size:
                    raise
                connection = self._connect(f"{address}&immutable=1", uri=True)
            return connection

    @contextmanager
    def transaction(self) -> Iterator[None]:
        with self._errors():
            self._connection.execute("BEGIN IMMEDIATE")
        try:
            yield
            with self._errors():
                self._connection.execute("COMMIT")
        except BaseException:
            # After some errors, such as a full disk, SQLite has rolled back by itself.
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")
            raise

    def lock_schema(self) -> None:
        """BEGIN IMMEDIATE already holds the only write lock."""


class PostgresDatabase(Database):
    """A server by URL; needs the ``cluster`` extra (psycopg)."""

    words = {  # noqa: RUF012
        "now": "extract(epoch from clock_timestamp())::float8",
        "serial": "BIGSERIAL PRIMARY KEY",
        "blob": "BYTEA",
        "real": "DOUBLE PRECISION",
    }

    def __init__(self, url: str, *, read_only: bool = False) -> None:
        try:
            import psycopg
        except ImportError:
            raise ValueError("a PostgreSQL store needs the cluster extra: pip install 'zermelo[cluster]'") from None
        logging.getLogger("psycopg").addHandler(logging.NullHandler())  # its warnings are not for users
        self._error = psycopg.Error
        self.url = re.sub(r"//([^:/@]+):[^@]*@", r"//\1@", url)  # never show the password
        with self._errors():
            self._connection = psycopg.connect(url, autocommit=True, connect_timeout=10)
            if read_only:
                self._connection.execute("SET default_transaction_read_only = on")

    @contextmanager
    def transaction(self) -> Iterator[None]:
        with self._errors(), self._connection.transaction():
            yield

    def sql(self, text: str) -> str:
        return super().sql(text).replace("%", "%%").replace("?", "%s")

    def lock_schema(self) -> None:
        self.rows("SELECT pg_advisory_xact_lock(7236015)")


def connect(url: str, *, read_only: bool = False) -> Database:
    """Open ``postgresql://user@host/name``, or a SQLite file by its path.

    :raises ValueError: if the address is of another kind.
    :raises StoreError: if the database cannot be opened.
    """
    if url.startswith(("postgresql://", "postgres://")):
        return PostgresDatabase(url, read_only=read_only)
    if "://" in url:
        raise ValueError(f"store {url[:40]!r} is neither a file nor a postgresql:// address")
    return SqliteDatabase(Path(url), read_only=read_only)

"""Every test of the store runs on SQLite and on a real PostgreSQL server, started here on loopback."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from processes import free_port

from zermelo.store import Store, open_store


def postgres_program(name: str) -> str:
    """Return the path of a program of Debian's postgresql package."""
    found = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"))
    path = str(found[-1]) if found else shutil.which(name)
    assert path, "PostgreSQL is missing; type: sudo apt-get install -y postgresql (./dev test does)"
    return path


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[str]:
    """Yield the address of a fresh server; it refuses to run as root, so then it runs as another user."""
    folder = Path(tempfile.mkdtemp(prefix="zermelo-postgres-"))
    data, port = folder / "data", free_port()
    run_as: dict[str, object] = {}
    if os.geteuid() == 0:
        names = [entry.pw_name for entry in pwd.getpwall()]
        user = pwd.getpwnam("postgres" if "postgres" in names else "nobody")
        shutil.chown(folder, user.pw_uid, user.pw_gid)
        run_as = {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}
    options = {"cwd": folder, "env": {"PATH": os.environ["PATH"], "LC_ALL": "C"}, **run_as}
    subprocess.run(
        [postgres_program("initdb"), "-D", data, "-U", "zermelo", "-A", "trust", "-N", "-E", "UTF8"],
        check=True,
        stdout=subprocess.DEVNULL,
        **options,  # type: ignore[call-overload]
    )
    control = [postgres_program("pg_ctl"), "-D", str(data), "-w", "-s"]
    settings = f"-h 127.0.0.1 -p {port} -k {folder} -c fsync=off"
    subprocess.run(
        [*control, "-l", str(folder / "log"), "-o", settings, "start"],
        check=True,
        **options,  # type: ignore[call-overload]
    )
    try:
        yield f"postgresql://zermelo@127.0.0.1:{port}"
    finally:
        subprocess.run([*control, "-m", "immediate", "stop"], check=False, **options)  # type: ignore[call-overload]
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def postgres_url(postgres_server: str) -> str:
    """The address of an empty database: always the same one, because a new one takes a second and a thousand files."""
    import psycopg

    url = f"{postgres_server}/postgres"
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )
        connection.execute("DROP SCHEMA public CASCADE")
        connection.execute("CREATE SCHEMA public")
    return url


@pytest.fixture(params=["sqlite", "postgres"])
def store_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of an empty store, of each kind."""
    if request.param == "sqlite":
        return str(tmp_path / "store.db")
    return str(request.getfixturevalue("postgres_url"))


@pytest.fixture
def store(store_url: str) -> Iterator[Store]:
    with open_store(store_url) as opened:
        yield opened

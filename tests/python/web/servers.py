"""Servers for the tests: the real one, on a free port, in a thread or as a process of its own."""

from __future__ import annotations

import atexit
import http.client
import json
import random
import re
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

import httpx
import psutil
from processes import ZERMELO

from zermelo.web.server import bind, make_server
from zermelo.web.settings import Settings

CLIENT = httpx.Client(timeout=60)
atexit.register(CLIENT.close)


def ask_api(site: str, path: str, **query: str) -> httpx.Response:
    """Ask the API."""
    return CLIENT.get(f"{site}/api/{path}", params=query)


def ask_json(site: str, path: str, **query: str) -> Any:
    """Return the JSON that the API answers to a good question."""
    answer = ask_api(site, path, **query)
    assert answer.status_code == 200, answer.text
    return answer.json()


def events(site: str, path: str, **query: str) -> list[dict[str, Any]]:
    """Return the events that the API answers."""
    answer = ask_api(site, path, **query)
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"].startswith("text/event-stream")
    return [json.loads(line[6:]) for line in answer.text.split("\n") if line.startswith("data: ")]


@contextmanager
def running(settings: Settings) -> Iterator[str]:
    """Run a server and yield its address; it must stop within seconds, whatever it was doing."""
    listening = bind("127.0.0.1", 0)
    server = make_server(settings, host="127.0.0.1", port=0)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
    thread.start()
    while not server.started:
        time.sleep(0.01)
    try:
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join(timeout=10)
        listening.close()
        assert not thread.is_alive(), "the server did not stop"


ATTACKER, VISITOR = "127.0.0.1", "127.0.0.2"
Answer = tuple[int, bytes, float]


@dataclass
class Served:
    """A server to attack: a process of its own."""

    process: subprocess.Popen[str]
    port: int

    def ask(
        self, path: str, *, body: bytes | None = None, address: str = ATTACKER, leave: float = 0, **headers: str
    ) -> Answer:
        """Ask once; return status, answer and seconds. With ``leave``, hang up after so many seconds instead."""
        begin = time.monotonic()
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60, source_address=(address, 0))
        with closing(connection):
            connection.request("GET" if body is None else "POST", path, body, headers)
            if leave:
                time.sleep(leave)
                return 0, b"", leave
            answer = connection.getresponse()
            return answer.status, answer.read(), time.monotonic() - begin

    def json(self, path: str, **more: Any) -> Any:
        status, answer, _ = self.ask(path, **more)
        assert status == 200, answer
        return json.loads(answer)

    def walk(self, proof: str, chance: random.Random, steps: int, address: str = ATTACKER) -> Iterator[Answer]:
        """Walk through a proof at random, and yield each answer."""
        moves: list[str] = []
        for _ in range(steps):
            answer = self.ask(f"/api/proofs/node?proof={quote(proof)}&moves={quote(';'.join(moves))}", address=address)
            yield answer
            node = json.loads(answer[1])
            if answer[0] != 200 or not (node["move"] or node["goes_on"]):
                return
            moves.append(node["move"] or chance.choice(node["view"]["moves"])["id"])

    @property
    def delayed(self) -> float:
        """Seconds in which the thread that answers was ready to run, but other programs had the processors."""
        return int(Path(f"/proc/{self.process.pid}/schedstat").read_text().split()[1]) / 1e9

    @property
    def resident(self) -> int:
        """Memory that the server holds, in MiB."""
        return int(psutil.Process(self.process.pid).memory_info().rss) >> 20

    @contextmanager
    def watched(self) -> Iterator[list[int]]:
        """Note the server's memory again and again."""
        stop, sizes = threading.Event(), [self.resident]

        def watch() -> None:
            while not stop.wait(0.05):
                sizes.append(self.resident)

        watcher = threading.Thread(target=watch)
        watcher.start()
        try:
            yield sizes
        finally:
            stop.set()
            watcher.join()

    def seconds_until_free(self, within: float) -> float:
        """Wait until no worker does anything."""
        begin = time.monotonic()
        while self.json("/api/health", address=VISITOR)["workers_busy"]:
            assert time.monotonic() - begin < within, "workers are not free again"
            time.sleep(0.02)
        return time.monotonic() - begin


@contextmanager
def served(*options: str) -> Iterator[Served]:
    command = [ZERMELO, "serve", "--port", "0", *options]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout
        match = re.search(r":(\d+)/ ", process.stdout.readline())
        assert match
        try:
            yield Served(process, int(match[1]))
        finally:
            process.terminate()
            errors = process.communicate(timeout=15)[1]
            print(errors, end="")  # an error of the test would hide them
    assert (process.returncode, errors) == (0, ""), errors  # no traceback, no warning

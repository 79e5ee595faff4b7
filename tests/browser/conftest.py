"""A real server and a real Chromium for the browser tests."""

from __future__ import annotations

import re
import shutil
import signal
import subprocess
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright
from processes import ZERMELO

ROOT = Path(__file__).resolve().parents[2]
# The shell is the browser without its windows, and takes two thirds of the time.
CHROMIUM = shutil.which("chromium-headless-shell") or shutil.which("chromium")
expect.set_options(timeout=20_000)  # The machine may be busy with something else.
# As root and without a network: no sandbox, and nothing that calls home.
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"]
FLAGS += ["--disable-background-networking", "--disable-component-update", "--disable-sync"]


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Start `zermelo serve` on a free port, with a planned campaign; it must end in good order on Ctrl-C."""
    store = str(tmp_path_factory.mktemp("store") / "campaigns.db")
    plan = [ZERMELO, "campaign", "new", "domineering", "6x6", "--cut", "2"]
    subprocess.run([*plan, "--store", store], check=True, capture_output=True, timeout=60)
    proofs = str(ROOT / "tests" / "data" / "certificates")
    command = [ZERMELO, "serve", "--port", "0", "--store", store, "--proofs", proofs]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout
        line = server.stdout.readline()
        match = re.search(r"http://\S+/", line)
        assert match, line
        yield match[0]
        server.send_signal(signal.SIGINT)
        assert server.wait(timeout=10) in (0, 130)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield chromium
        chromium.close()


@pytest.fixture
def visit(browser: Browser, site: str) -> Iterator[Callable[..., Page]]:
    """Open fresh pages in windows as the test wants them; they are closed with the test."""
    with ExitStack() as stack:
        yield lambda **window: stack.enter_context(browser.new_context(base_url=site, **window)).new_page()


@pytest.fixture
def page(visit: Callable[..., Page], site: str) -> Iterator[Page]:
    """A fresh page at 1400 px that fails the test on any script error or request to elsewhere."""

    def is_foreign(address: str) -> bool:
        return not address.startswith((site, "data:"))

    page = visit(viewport={"width": 1400, "height": 900})
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(f"script error: {error}"))
    page.on("console", lambda message: faults.append(message.text) if message.type == "error" else None)
    page.on("request", lambda request: faults.append(request.url) if is_foreign(request.url) else None)
    yield page
    page.context.close()
    assert faults == []

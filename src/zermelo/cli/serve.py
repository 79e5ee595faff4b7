"""`zermelo serve`: the web page."""

from __future__ import annotations

import os
import signal
import sys
import warnings
from ipaddress import ip_network
from pathlib import Path
from typing import Annotated

import typer

from zermelo.cli.options import memory_option, parse_memory, time_option

Seconds = Annotated[float, time_option("Give up the search of one request after this many seconds.", "--seconds")]


def serve(
    host: Annotated[str, typer.Option(help="Address to listen on; 0.0.0.0 is everybody.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port; 0 takes a free one.")] = 8000,
    workers: Annotated[int, typer.Option(min=0, max=256, help="Searches at once; 0 means one per core.")] = 0,
    seconds: Seconds = 20.0,
    memory: Annotated[str, memory_option("Memory that one search may use")] = "256M",
    longest: Annotated[float, typer.Option(min=0.1, help="Seconds that a visitor may ask for at most.")] = 120.0,
    name: Annotated[list[str] | None, typer.Option(help="A name that the server is called by.")] = None,
    proxy: Annotated[
        list[str] | None, typer.Option(help="Address or network of a proxy that says for whom it asks.")
    ] = None,
    proofs: Annotated[Path | None, typer.Option(help="Folder of certificates to show.")] = None,
    uploads: Annotated[
        Path | None, typer.Option(help="Folder for certificates that visitors send; by default in the cache folder.")
    ] = None,
    store: Annotated[str | None, typer.Option(help="Campaign store to show: a file or a PostgreSQL URL.")] = None,
) -> None:
    try:
        from zermelo._core import cache_folder
        from zermelo.web.server import bind, make_server
        from zermelo.web.settings import Settings
    except ModuleNotFoundError as error:
        raise ValueError(f"the page needs {error.name}, which is not installed: pip install 'zermelo[web]'") from None
    if proofs is not None and not proofs.is_dir():
        raise ValueError(f"folder {str(proofs)!r} does not exist")
    if store is not None and "://" not in store and not Path(store).is_file():
        raise ValueError(f"store {store!r} does not exist; make one with: zermelo campaign new")
    for network in proxy or ():
        ip_network(network, strict=False)
    defaults = Settings()
    settings = Settings(
        workers=workers or defaults.workers,
        seconds=seconds,
        longest_seconds=longest,
        names=(host, *(name or ())),
        proxies=tuple(proxy or ()),
        memory_mib=parse_memory(memory) >> 20,
        proofs=proofs,
        uploads=uploads or (Path(cache_folder(), "uploads") if cache_folder() else None),
        store=store,
    )
    listening = bind(host, port)
    shown = f"[{host}]" if ":" in host else host
    print(f"Zermelo is at http://{shown}:{listening.getsockname()[1]}/ (Ctrl-C ends it)", flush=True)
    server = make_server(settings, host=host, port=port)
    # Ctrl-C before the first turn of the loop: nothing is lost, and nothing has to be said.
    warnings.filterwarnings("ignore", message="coroutine .* was never awaited", category=RuntimeWarning)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    try:
        server.run(sockets=[listening])
    finally:
        if server.pool.busy:  # a worker that does not notice must not keep the process
            os._exit(130 if isinstance(sys.exception(), KeyboardInterrupt) else 0)

"""A scheduler and workers as separate processes, as on a cluster."""

from __future__ import annotations

import subprocess
import sys

from processes import free_port

from zermelo.campaign.executor import Tls


class LooseCluster:
    """A scheduler and two workers, which are restarted when they end."""

    def __init__(self, env: dict[str, str] | None = None, tls: Tls | None = None) -> None:
        self.env, self.port, self.protocol = env, free_port(), "tls" if tls else "tcp"
        files = zip(("--tls-ca-file", "--tls-cert", "--tls-key"), tls or (), strict=False)
        self.secure = [str(word) for option in files for word in option]
        self.address = f"{self.protocol}://127.0.0.1:{self.port}"
        self.workers: list[subprocess.Popen[bytes]] = []
        self.scheduler = self.start_scheduler()

    def start(self, program: str, *words: str) -> subprocess.Popen[bytes]:
        line = [sys.executable, "-m", f"distributed.cli.dask_{program}", *words, "--no-dashboard", *self.secure]
        return subprocess.Popen(line, env=self.env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def start_scheduler(self) -> subprocess.Popen[bytes]:
        place = ["--host", "127.0.0.1", "--port", str(self.port), "--protocol", self.protocol]
        return self.start("scheduler", *place, "--no-show")

    def keep_workers(self) -> None:
        """Start workers in place of those that ended."""
        self.workers = [worker for worker in self.workers if worker.poll() is None]
        while len(self.workers) < 2:
            options = ["--nthreads", "1", "--no-nanny", "--death-timeout", "20"]
            self.workers.append(self.start("worker", self.address, *options))

    def kill_scheduler(self) -> None:
        end(self.scheduler)
        self.scheduler = self.start_scheduler()

    def close(self) -> None:
        for process in (*self.workers, self.scheduler):
            end(process)


def end(process: subprocess.Popen[bytes]) -> None:
    process.kill()
    process.wait()

"""A scheduler and its workers as processes on this machine, for measurements and trials, with the usual commands."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType

_PATIENCE = 60.0
_LOOK_EVERY = 0.05


class Loopback:
    """A scheduler that listens on this machine only, and its single-threaded workers.

    A context manager, which kills all of them at its end.
    """

    def __init__(self, folder: Path, workers: int = 0, security: Sequence[str] = ()) -> None:
        """Start the scheduler and the workers.

        :param folder: for their files.
        :param security: options of both commands, such as ``--tls-key FILE``.
        """
        self._folder = folder
        self._security = security
        self.workers: list[subprocess.Popen[bytes]] = []
        self.address = ""
        self.start_scheduler()
        for _ in range(workers):
            self.start_worker()

    def start_scheduler(self) -> None:
        """Start a scheduler with a new address, in place of any earlier one, which must have ended."""
        file = self._folder / "scheduler.json"
        file.unlink(missing_ok=True)
        protocol = "tls" if self._security else "tcp"
        host = ("--host", "127.0.0.1", "--port", "0", "--protocol", protocol)
        self.scheduler = self._start("scheduler", *host, "--scheduler-file", str(file))
        given_up_at = time.monotonic() + _PATIENCE
        while not self._has_address(file):
            if self.scheduler.poll() is not None or time.monotonic() > given_up_at:
                self.end()
                raise RuntimeError("The scheduler does not start.")
            time.sleep(_LOOK_EVERY)

    def _has_address(self, file: Path) -> bool:
        try:
            self.address = json.loads(file.read_text(encoding="utf-8"))["address"]
        except (OSError, ValueError):  # it is being written
            return False
        return True

    def start_worker(self) -> subprocess.Popen[bytes]:
        """Start one more worker, without a nanny that would restart it."""
        options = ("--nthreads", "1", "--no-nanny", "--local-directory", str(self._folder))
        self.workers.append(self._start("worker", self.address, *options))
        return self.workers[-1]

    def end(self) -> None:
        for process in (*self.workers, self.scheduler):
            process.kill()
            process.wait()

    def _start(self, role: str, *options: str) -> subprocess.Popen[bytes]:
        words = [sys.executable, "-m", "dask", role, *options, "--no-dashboard", *self._security]
        return subprocess.Popen(
            words, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=self._folder
        )

    def __enter__(self) -> Loopback:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.end()

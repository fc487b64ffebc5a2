"""The server as a process of this run: started, asked what it served, stopped whatever happens."""

from __future__ import annotations

import http.client
import subprocess
import sys
from collections.abc import Generator
from contextlib import contextmanager

import msgspec

from tests.benchmarks.extractor.measure import ROOT, clean_environment


class Served(msgspec.Struct, frozen=True):
    requests: int
    rows: int
    most_at_once: int


class Api:
    def __init__(self, port: int) -> None:
        self.port = port

    def served(self) -> Served:
        """Since this was last asked."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port)
        connection.request("GET", "/served")
        try:
            return msgspec.json.decode(connection.getresponse().read(), type=Served)
        finally:
            connection.close()

    def prepare(self, kind: str) -> None:
        """Rows are rendered when they are first asked for, which must not be in somebody's measured time."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port)
        connection.request("GET", f"/offset/{kind}-1?limit=1")
        connection.getresponse().read()
        connection.close()


@contextmanager
def serve() -> Generator[Api]:
    command = [sys.executable, "-m", "tests.benchmarks.extractor.server"]
    # In a session of its own: at Ctrl-C the one who measures stops it, once the measured process is gone.
    with subprocess.Popen(
        command, cwd=ROOT, env=clean_environment(), stdout=subprocess.PIPE, start_new_session=True
    ) as server:
        assert server.stdout
        try:
            yield Api(int(server.stdout.readline()))
        finally:
            server.kill()

"""Refreshes that are killed: a program that forks a process for each, which ends at a chosen line of Python.

    python -m tests.unit.services.oauth.crashing FOLDER PROJECT NUMBER CRASHES

Each process gets the credential at a time of its own, two hours after the last, so that the token has expired. It kills
itself at one of its lines, counted in all modules. Then another process gets the credential, some minutes later. Prints
a JSON line for each: how the first process ended, whether the journal had a response, and which token was stored.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from types import FrameType
from typing import Any

import msgspec

from penstock.foundation import clock
from penstock.foundation.database import Database
from penstock.foundation.lake import Lake
from penstock.foundation.outbound import Policy
from penstock.foundation.secrets import Cipher, read_key
from penstock.foundation.stack import Stack
from penstock.services.oauth.operations import refreshing
from penstock.services.oauth.operations.sealing import scope_of, unseal
from penstock.services.oauth.store.credentials import find_by_number

START = clock.now()
LATER = 0.05


class Tracer:
    """Counts lines, and kills this process at one of them; 0 is none."""

    def __init__(self, at: int = 0) -> None:
        self.at, self.count = at, 0

    def __call__(self, frame: FrameType, event: str, _: Any) -> Tracer:
        if event == "line":
            self.count += 1
            if self.count == self.at:
                os.kill(os.getpid(), signal.SIGKILL)
        return self


class Job(msgspec.Struct, frozen=True):
    """Gets a credential, as a job of its project does."""

    folder: Path
    project: int
    number: int

    def get(self, hours: float, tracer: Tracer | None = None) -> str:
        """Its refresh token, at this time."""
        clock.source = lambda: START + timedelta(hours=hours)
        stack = self._open()
        with stack.database.reading() as tx:
            row = find_by_number(tx, self.project, self.number)
        assert row
        sys.settrace(tracer)
        row = refreshing.refresh_if_due(stack, row)
        sys.settrace(None)
        text = unseal(stack.cipher, row.data, scope_of(self.project, row.component_id), "")
        return msgspec.json.decode(text, type=dict[str, Any])["refresh_token"]

    def count_lines(self) -> str:
        tracer = Tracer()
        self.get(1, tracer)
        return str(tracer.count)

    def _open(self) -> Stack:
        """The parent has none: connections do not survive a fork."""
        return Stack(
            folder=self.folder,
            database=Database(self.folder / "metadata.sqlite"),
            lake=Lake(self.folder / "lake"),
            cipher=Cipher(read_key(self.folder / "key")),
            outbound=Policy(allow=("127.0.0.1",)),
        )


def main(job: Job, crashes: int) -> None:
    lines = int(in_process(job.count_lines))
    for crash in range(crashes):
        at, hours = 1 + crash * lines // crashes, 2 * (crash + 1)
        ended = in_process(lambda at=at, hours=hours: job.get(hours, Tracer(at)))
        has_response = any((job.folder / "oauth").glob("[0-9]*"))
        stored = in_process(lambda hours=hours: job.get(hours + LATER))
        print(json.dumps({"line": at, "ended": ended, "hasResponse": has_response, "stored": stored}), flush=True)


def in_process(work: Callable[[], str]) -> str:
    """What a new process returns; empty if it was killed, or failed."""
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        os.close(reading)
        try:
            os.write(writing, work().encode())
        finally:
            os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as pipe:
        text = pipe.read()
    os.waitpid(child, 0)
    return text


if __name__ == "__main__":
    main(Job(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])), int(sys.argv[4]))

"""Refreshes that are killed: a program that forks a process for each, which ends at a chosen line of Python.

    python -m tests.unit.services.oauth.crashing FOLDER PROJECT NUMBER CRASHES < policy

Each process refreshes one credential at a time of its own, two hours after the last, so that the token has expired. It
kills itself at one of its lines, counted in all modules. Then another process, a minute later, gets the credential.
Prints one JSON line for each: how the killed one ended, whether the journal had an answer, and which token was stored.
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


def main(folder: Path, project: int, number: int, crashes: int) -> None:
    policy = Policy(allow=("127.0.0.1",))
    secret = read_key(folder / "key")
    lines = int(in_process(lambda: count_lines(folder, secret, policy, project, number)))
    for crash in range(crashes):
        at, hours = 1 + crash * lines // crashes, 2 * (crash + 1)
        ended = in_process(lambda at=at, hours=hours: get(folder, secret, policy, project, number, hours, at))
        has_answer = bool(list((folder / "oauth").glob("[0-9]*")))
        stored = in_process(lambda hours=hours: get(folder, secret, policy, project, number, hours + 0.05, 0))
        print(json.dumps({"line": at, "ended": ended, "hasAnswer": has_answer, "stored": stored}), flush=True)


def in_process(work: Callable[[], str]) -> str:
    """What a new process returns; empty if it was killed."""
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


def count_lines(folder: Path, secret: bytes, policy: Policy, project: int, number: int) -> str:
    tracer = Tracer(0)
    get(folder, secret, policy, project, number, 1, tracer=tracer)
    return str(tracer.count)


def get(
    folder: Path,
    secret: bytes,
    policy: Policy,
    project: int,
    number: int,
    hours: float,
    at: int = 0,
    tracer: Tracer | None = None,
) -> str:
    """The refresh token of the credential that a job would get."""
    clock.source = lambda: START + timedelta(hours=hours)
    database = Database(folder / "metadata.sqlite")
    stack = Stack(folder=folder, database=database, lake=Lake(folder / "lake"), cipher=Cipher(secret), outbound=policy)
    with database.reading() as tx:
        row = find_by_number(tx, project, number)
    assert row
    sys.settrace(tracer or Tracer(at)) if at or tracer else None
    row = refreshing.refresh_if_due(stack, row)
    sys.settrace(None)
    data: dict[str, Any] = msgspec.json.decode(unseal(stack.cipher, row.data, scope_of(project, row.component_id), ""))
    return data["refresh_token"]


class Tracer:
    """Counts lines, and kills this process at one of them; 0 is none."""

    def __init__(self, at: int) -> None:
        self.at, self.count = at, 0

    def __call__(self, frame: FrameType, event: str, _: Any) -> Tracer:
        if event == "line":
            self.count += 1
            if self.count == self.at:
                os.kill(os.getpid(), signal.SIGKILL)
        return self


if __name__ == "__main__":
    main(Path(sys.argv[1]), *map(int, sys.argv[2:]))

"""What a started stack tells: people on the terminal, programs as JSON, other commands in the data folder."""

from __future__ import annotations

import os
import shlex
import shutil
import socket
import sys
from contextlib import suppress
from pathlib import Path

import msgspec

from penstock.app import SAMPLE_COMPONENT, FirstProject
from penstock.foundation import durable
from penstock.foundation.stacks import PORTAL, STORAGE
from penstock.settings import Settings
from penstock.web.addresses import Addresses

RUNNING = "running.json"


class Greeting(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    storage_url: str
    queue_url: str
    portal_url: str
    project_id: int
    token: str
    pid: int

    @classmethod
    def of(cls, settings: Settings, address: str, port: int, project: FirstProject) -> Greeting:
        addresses = _addresses(settings, address, port)
        return cls(
            storage_url=addresses.url_of(STORAGE),
            queue_url=addresses.url_of("queue"),
            portal_url=addresses.url_of(PORTAL),
            project_id=project.id,
            token=project.token,
            pid=os.getpid(),
        )


def greet(greeting: Greeting, settings: Settings, as_json: bool) -> None:
    durable.write_file(settings.folder / RUNNING, msgspec.json.encode(greeting))
    print(msgspec.json.encode(greeting).decode() if as_json else _for_people(greeting, settings), flush=True)


def forget(folder: Path) -> None:
    with suppress(OSError):
        (folder / RUNNING).unlink(missing_ok=True)


def read_running(folder: Path) -> Greeting | None:
    """The stack that runs on a data folder, if one does."""
    try:
        greeting = msgspec.json.decode((folder / RUNNING).read_bytes(), type=Greeting)
        os.kill(greeting.pid, 0)
    except (OSError, msgspec.MsgspecError):
        return None
    return greeting


def _addresses(settings: Settings, address: str, port: int) -> Addresses:
    """By host where the names resolve on this machine, by path otherwise: what is printed works from any program."""
    host = f"[{address}]" if ":" in address else address
    bare = None if _resolves(f"connection.{settings.domain}", address) else f"http://{host}:{port}"
    return Addresses("http", f":{port}", settings.domain, settings.public_url or bare)


def _resolves(name: str, address: str) -> bool:
    try:
        found = {str(entry[4][0]) for entry in socket.getaddrinfo(name, None)}
    except OSError:
        return False
    return found <= {address, "127.0.0.1", "::1"}


def _for_people(greeting: Greeting, settings: Settings) -> str:
    elsewhere = settings.data_dir != Settings().data_dir
    where = f" --data-dir {shlex.quote(settings.data_dir)}" if elsewhere else ""
    return f"""
Penstock is running. Ctrl-C stops it.

  Portal    {greeting.portal_url}/
  Storage   {greeting.storage_url}/v2/storage
  Token     {greeting.token}

A first job, in another terminal; it reads the sample API into a table:

  {_command()} run {SAMPLE_COMPONENT} sample-customers{where}
"""


def _command() -> str:
    """How this program was called, so that the line can be copied."""
    program = Path(sys.argv[0]).absolute()
    if shutil.which("penstock") == str(program):
        return "penstock"
    try:
        return shlex.quote(str(program.relative_to(Path.cwd())))
    except ValueError:
        return shlex.quote(str(program))

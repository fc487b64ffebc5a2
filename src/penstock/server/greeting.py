"""What a started stack tells: people on the terminal, programs as JSON, other commands in the data folder."""

from __future__ import annotations

import os
import shlex
import shutil
import socket
import sys
from pathlib import Path

import msgspec

from penstock.app import SAMPLE_COMPONENT, FirstProject
from penstock.foundation.stacks import PORTAL, STORAGE
from penstock.server.running import Running, remember
from penstock.settings import Settings
from penstock.web.addresses import Addresses


def describe(settings: Settings, address: str, port: int, project: FirstProject) -> Running:
    addresses = _addresses(settings, address, port)
    return Running(
        storage_url=addresses.url_of(STORAGE),
        queue_url=addresses.url_of("queue"),
        portal_url=addresses.url_of(PORTAL),
        project_id=project.id,
        token=project.token,
        pid=os.getpid(),
    )


def greet(running: Running, settings: Settings, as_json: bool) -> None:
    remember(settings.folder, running)
    print(msgspec.json.encode(running).decode() if as_json else _for_people(running, settings), flush=True)


def _addresses(settings: Settings, address: str, port: int) -> Addresses:
    """By host where the names resolve on this machine, by path otherwise: what is printed works from any program."""
    host = f"[{address}]" if ":" in address else address
    bare = None if _resolves(f"connection.{settings.domain}", address) else f"http://{host}:{port}"
    return Addresses("http", f":{port}", settings.domain, bare)


def _resolves(name: str, address: str) -> bool:
    try:
        found = {str(entry[4][0]) for entry in socket.getaddrinfo(name, None)}
    except OSError:
        return False
    return found <= {address, "127.0.0.1", "::1"}


def _for_people(running: Running, settings: Settings) -> str:
    elsewhere = settings.data_dir != Settings().data_dir
    public = f"\n  Public    {settings.public_url}\n" if settings.public_url else ""
    where = f" --data-dir {shlex.quote(settings.data_dir)}" if elsewhere else ""
    return f"""
Penstock is running. Ctrl-C stops it.
{public}
  Portal    {running.portal_url}/
  Storage   {running.storage_url}/v2/storage
  Token     {running.token}

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

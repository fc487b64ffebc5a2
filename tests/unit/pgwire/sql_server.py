"""The SQL port of a stack in this process, and workspaces to connect to."""

from __future__ import annotations

import asyncio
import os
import signal
import ssl
import threading
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

import psycopg
import uvloop

from penstock.foundation.admission import Admission
from penstock.pgwire.listener import SqlListener
from penstock.server.certificates import Secure, init_certificates
from penstock.server.sockets import open_sockets
from penstock.sql.folders import folder_of
from tests.support.patience import PATIENCE
from tests.support.stacks import ServicesOnly, wait_for

OTHER_PROGRAM = "a test"


class Login(NamedTuple):
    """A workspace, and how to connect to it."""

    id: int
    schema: str
    database: str
    user: str
    password: str


class SqlServer:
    def __init__(
        self, services: ServicesOnly, folder: Path, host: str = "loopback", admission: Admission | None = None
    ) -> None:
        self.services = services
        files = init_certificates(folder, "penstock.localhost").files
        self.authority = files.authority.certificate
        self.context: ssl.SSLContext | None = Secure(files.stack).context
        sockets = open_sockets(host, 0)
        self.port: int = sockets[0].getsockname()[1]
        self.listener = SqlListener(services.stack, sockets, lambda: self.context, admission or Admission(most=50))
        self._loop = uvloop.new_event_loop()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def _run(self) -> None:
        self._loop.call_soon(self.listener.start)
        self._loop.run_forever()

    def stop(self) -> None:
        asyncio.run_coroutine_threadsafe(self.listener.stop(), self._loop).result(PATIENCE)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(PATIENCE)

    def new_workspace(self, token: str | None = None, **fields: Any) -> Login:
        storage = self.services.service("storage", token)
        made = storage.post("/v2/storage/workspaces", {"backend": "snowflake", **fields})
        assert made.status == 201, made.text
        shown = made.json["connection"]
        return Login(made.json["id"], *(shown.get(name) for name in ("schema", "database", "user", "password")))

    def connect(self, login: Login, **options: Any) -> psycopg.Connection[Any]:
        wanted: dict[str, Any] = {
            "host": "127.0.0.1",
            "port": self.port,
            "user": login.user,
            "password": login.password,
            "dbname": login.database,
            "autocommit": True,
            "sslmode": "disable",
            "application_name": OTHER_PROGRAM,
            "connect_timeout": int(PATIENCE),
        }
        return psycopg.connect(**wanted | options)

    def kill_engine(self, login: Login) -> None:
        """That of this stack: others on the machine have workspaces with the same numbers."""
        tables = bytes(folder_of(self.services.stack.folder, login.id).tables.resolve())
        for entry in Path("/proc").iterdir():
            with suppress(OSError):
                words = (entry / "cmdline").read_bytes().split(b"\0") if entry.name.isdecimal() else []
                if b"penstock.sql.process" in words and words[0].endswith(b"python") and tables in b"".join(words):
                    os.kill(int(entry.name), signal.SIGKILL)

    def wait_until_idle(self) -> None:
        wait_for(lambda: not self.listener.connections)

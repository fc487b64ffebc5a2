"""Runs the engine process: `python -m penstock.sql.process SETUP`, with the setup as JSON."""

from __future__ import annotations

import os
import socket
import sys
import threading
from typing import cast

import duckdb
import msgspec

from penstock.sql import dialect
from penstock.sql.messages import Setup
from penstock.sql.process.database import open_database
from penstock.sql.process.server import Server

_NOT_USED = ("pandas", "numpy", "pyarrow", "polars")


def main() -> None:
    _hide_unused_libraries()
    setup = msgspec.json.decode(sys.argv[1], type=Setup)
    listener = socket.socket(fileno=setup.listener)
    # Meanwhile: the first statement needs both.
    threading.Thread(target=dialect.load, daemon=True, name="dialect").start()
    try:
        database = open_database(setup)
    except (duckdb.Error, OSError) as error:
        sys.exit(f"The database of the workspace cannot be opened: {str(error).splitlines()[0]}")
    Server(setup, database, listener).run()
    # Without waiting for threads: nothing runs any more, or it must not.
    os._exit(0)


def _hide_unused_libraries() -> None:
    """Hide libraries that are not used. Where they are installed, the database imports them with the first parameter of
    a query: half a second, and memory that its limit does not count."""
    cast(dict[str, None], sys.modules).update(dict.fromkeys(_NOT_USED))


if __name__ == "__main__":
    main()

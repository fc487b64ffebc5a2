"""Runs the engine process: `python -m penstock.sql.process SETUP`, with the setup as JSON."""

from __future__ import annotations

import os
import socket
import sys

import duckdb
import msgspec

from penstock.sql.messages import Setup
from penstock.sql.process.database import open_database
from penstock.sql.process.server import Server


def main() -> None:
    setup = msgspec.json.decode(sys.argv[1], type=Setup)
    listener = socket.socket(fileno=setup.listener)
    try:
        database = open_database(setup)
    except (duckdb.Error, OSError) as error:
        sys.exit(f"The database of the workspace cannot be opened: {str(error).splitlines()[0]}")
    Server(setup, database, listener).run()
    # Without waiting for threads: nothing runs any more, or it must not.
    os._exit(0)


if __name__ == "__main__":
    main()

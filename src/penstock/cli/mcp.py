"""Serve the tools of agents over standard input and output, by the Model Context Protocol. An agent starts this command
itself; see docs/mcp.md for the settings of agents."""

from __future__ import annotations

import os
import signal
from argparse import ArgumentParser, Namespace

from penstock.cli.target import add_target


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--read-only", action="store_true", help="offer only tools that change nothing")
    add_target(parser)


def run(options: Namespace) -> int:
    from functools import partial

    from penstock.cli.target import connect_to, find_stack, read_target
    from penstock.foundation.redaction import Redactor

    _, token = find_stack(options, read_target(options))
    # Only now: it takes over a second, and a missing stack is reported immediately.
    from penstock.mcp.server import Caller
    from penstock.mcp.stdio import serve

    signal.signal(signal.SIGINT, _stop)
    redactor = Redactor([token, token.rpartition("-")[2]])
    serve(Caller(partial(connect_to, options), redactor, is_read_only=options.read_only))
    return 0


def _stop(_number: int, _frame: object) -> None:
    """Exit immediately: a thread waits for input, which nothing but its end interrupts, and there is nothing to clean
    up."""
    os.write(2, b"Interrupted.\n")
    os._exit(130)

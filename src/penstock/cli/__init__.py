"""The command line: one file per command, each with SUMMARY, arguments() and run().

Command files import only what parsing needs; the work is imported inside run(), so that --help is fast.
"""

from __future__ import annotations

import os
import sys
from argparse import ArgumentParser, Namespace
from functools import partial
from importlib import import_module

from penstock.cli.output import print_error
from penstock.cli.suggestions import Parser, suggest

COMMANDS = (
    "up",
    "worker",
    "new",
    "extract",
    "run",
    "configs",
    "state",
    "jobs",
    "logs",
    "storage-jobs",
    "components",
    "projects",
    "tokens",
    "stacks",
    "tls",
    "hosts",
    "doctor",
    "backup",
    "restore",
    "completion",
)


def main(argv: list[str] | None = None) -> int:
    given = sys.argv[1:] if argv is None else argv
    if given and not given[0].startswith("-") and given[0] not in COMMANDS:
        print_error(f"penstock has no command {given[0]}.{suggest(given[0], COMMANDS)} See penstock --help.")
        return 2
    options = build_parser(given).parse_args(given)
    try:
        return options.run(options)
    except KeyboardInterrupt:
        print_error("Interrupted.")
        return 130
    except BrokenPipeError:
        # The reader of our output has closed the pipe, which is not an error; Python must not report it on exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 141
    except Exception as error:
        return _explain(error)


def build_parser(given: list[str]) -> ArgumentParser:
    """Only the given command has its arguments: without one, the summaries of all are enough."""
    parser = Parser(prog="penstock", description="A whole data platform in one program.")
    parser.add_argument("--version", action="store_true", help="show the version and exit")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", dest="command")
    parser.set_defaults(run=partial(_without_command, parser))
    named = [name for name in COMMANDS if given[:1] == [name]]
    for name in named or COMMANDS:
        command = import_module(f"penstock.cli.{name.replace('-', '_')}")
        sub = commands.add_parser(name, help=command.SUMMARY, description=command.__doc__)
        if named:
            command.arguments(sub)
        sub.set_defaults(run=command.run)
    return parser


def _without_command(parser: ArgumentParser, options: Namespace) -> int:
    if options.version:
        from penstock import __version__

        print(f"penstock {__version__}")
        return 0
    parser.print_help()
    return 2


def _explain(error: Exception) -> int:
    """Errors that the user can fix are printed as one message; anything else is a bug and has a traceback."""
    from penstock.foundation.errors import AppError
    from penstock.foundation.outbound import OutboundError

    if not isinstance(error, AppError | OutboundError | OSError):
        raise error
    print_error(str(error))
    return 1

"""The command line: one file per command, each with arguments() and run().

Command files import only what parsing needs; the work is imported inside run(), so that --help is fast.
"""

from __future__ import annotations

import os
import sys
from argparse import ArgumentParser, Namespace
from functools import partial
from importlib import import_module
from types import ModuleType

from penstock.cli.exiting import exit_quickly
from penstock.cli.imports import collect_rarely
from penstock.cli.output import print_error
from penstock.cli.suggestions import Parser, suggest

COMMANDS = {
    "up": "start a stack on this machine",
    "worker": "run jobs of a stack, in addition to its own workers",
    "new": "propose a configuration for an HTTP API, and try it",
    "extract": "read an HTTP API into tables",
    "run": "run a component in a stack and follow its log",
    "configs": "list, create, edit and run configurations, or keep them as files",
    "state": "show or reset what the next run of a configuration starts from",
    "jobs": "list, show, kill and retry jobs",
    "schedules": "list, activate and delete schedules, with their next runs",
    "logs": "show the log of a job, or follow it",
    "tables": "list, show, preview, download, upload and delete tables",
    "sql": "query the tables of a project, or open a prompt for that",
    "usage": "show what a project used and what that cost",
    "files": "list, upload and download files",
    "storage-jobs": "list and cancel loads, exports and other jobs of Storage",
    "mcp": "serve the tools of AI agents, by the Model Context Protocol",
    "components": "start, add, publish, list and remove components",
    "developers": "create, list and remove accounts that publish components",
    "projects": "list, create and choose projects, and turn their features on and off",
    "tokens": "create, list and revoke tokens",
    "login": "make links to set a password, and personal access tokens",
    "manage-tokens": "create, list and revoke tokens of programs that manage the stack",
    "keys": "list the root keys of a stack, and rotate to a new one",
    "audit": "show uses of secrets and changes of permissions",
    "stacks": "list the running stack, and those that --stack accepts",
    "tls": "create a certificate, and show how to trust it",
    "hosts": "make the stack's host names lead here",
    "doctor": "check this machine and the data folder",
    "backup": "write a data folder into one file",
    "restore": "restore a data folder from a backup",
    "completion": "print the completion script of a shell",
}
"""Each with its summary: penstock --help imports no command."""


def main(argv: list[str] | None = None) -> int:
    """`argv` defaults to the arguments of the process, which then belongs to the command."""
    if argv is not None:
        return _run(argv)
    collect_rarely()
    return exit_quickly(lambda: _run(sys.argv[1:]))


def _run(words: list[str]) -> int:
    if words and not words[0].startswith("-") and words[0] not in COMMANDS:
        print_error(f"penstock has no command {words[0]}.{suggest(words[0], COMMANDS)} See penstock --help.")
        return 2
    options = build_parser(words).parse_args(words)
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


def build_parser(words: list[str]) -> ArgumentParser:
    """Import the typed command only; the summaries of all others are enough."""
    parser = Parser(prog="penstock", description="A whole data platform in one program.")
    parser.add_argument("--version", action="store_true", help="show the version and exit")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", dest="command")
    parser.set_defaults(run=partial(_without_command, parser))
    named = words[0] if words and words[0] in COMMANDS else None
    for name in (named,) if named else COMMANDS:
        sub = commands.add_parser(name, help=COMMANDS[name])
        if named:
            _complete(sub, import_module(f"penstock.cli.{name.replace('-', '_')}"))
    return parser


def _complete(parser: ArgumentParser, command: ModuleType) -> None:
    parser.description = command.__doc__
    command.arguments(parser)
    parser.set_defaults(run=command.run)


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

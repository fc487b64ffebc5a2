"""Propose a configuration for an HTTP API, and prove it by running it.

Reads a few pages, finds records, pagination and authentication, writes the configuration to a file, and shows the first
rows of every table. Only reads, with at most 20 requests.
"""

from __future__ import annotations

import os
import signal
import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from penstock.extractor.base.log import Log
    from penstock.extractor.tools.discovery import Discovery, Target
    from penstock.extractor.tools.discovery.inputs import Choice


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument("url", nargs="?", default="", metavar="URL", help="the address of a list")
    source = parser.add_mutually_exclusive_group()
    source.add_argument("--curl", metavar="FILE", help="file with a curl command, - for standard input")
    source.add_argument("--openapi", metavar="FILE", help="OpenAPI document in JSON; URL replaces its server")
    source.add_argument("--har", metavar="FILE", help="HAR file, the recording of a browser")
    parser.add_argument("--endpoint", default="", metavar="PATH", help="which endpoint of --openapi or --har")
    parser.add_argument("-H", "--header", action="append", default=[], metavar="HEADER", help="as curl takes it")
    parser.add_argument("-u", "--user", default="", metavar="USER:PASSWORD", help="as curl takes it")
    parser.add_argument("--output", type=Path, metavar="FILE", help="where the configuration goes (default: HOST.json)")
    parser.add_argument("--force", action="store_true", help="overwrite the file")
    parser.add_argument("--requests", type=int, default=20, metavar="N", help="the most requests (default: 20)")
    parser.add_argument("--allow-post", action="store_true", help="the POST of the command only reads")
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(options: Namespace) -> int:
    from penstock.extractor.base.errors import UserError
    from penstock.extractor.tools.discovery.inputs import SeveralEndpoints

    try:
        return _discover(options)
    except SeveralEndpoints as error:
        return _offer(error.choices, str(error), options)
    except UserError as error:
        return _fail(str(error))


def _discover(options: Namespace) -> int:
    from penstock.cli.extract import RECURSION_LIMIT
    from penstock.extractor.base.errors import UserError

    if options.requests < 1:
        raise UserError("--requests must be at least 1.")
    target = _read_target(options)
    path = options.output or Path(f"{target.command.url.hostname}.json")
    if path.exists() and not options.force:
        raise UserError(f"{path} exists. Name another file with --output, or overwrite it with --force.")
    sys.setrecursionlimit(RECURSION_LIMIT)
    signal.signal(signal.SIGTERM, _stop)  # so that the temporary folder is removed
    discovery, log = _run(target, options)
    _write(path, discovery)
    _show(discovery, path, log, is_json=options.json)
    return 0


def _read_target(options: Namespace) -> Target:
    from penstock.extractor.tools.discovery.inputs import read_target

    named = {"curl": options.curl, "openapi": options.openapi, "har": options.har}
    kind, name = next(((kind, name) for kind, name in named.items() if name), ("url", ""))
    _check_use(kind, options)
    content = _read_file(name) if name else b""
    return read_target(kind, content, options.url, options.endpoint, options.header, options.user)


def _check_use(kind: str, options: Namespace) -> None:
    """An option that would have no effect is a mistake."""
    from penstock.extractor.base.errors import UserError

    if options.url and kind in ("curl", "har"):
        raise UserError(f"Give either a URL or --{kind}, which holds the address.")
    if options.endpoint and kind in ("curl", "url"):
        raise UserError("--endpoint chooses among the endpoints of --openapi or --har.")


def _read_file(name: str) -> bytes:
    from penstock.extractor.base.errors import UserError

    try:
        return sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
    except OSError as error:
        raise UserError(f"{name} cannot be read: {error.strerror}.") from error


def _run(target: Target, options: Namespace) -> tuple[Discovery, Log]:
    import asyncio
    import io

    from penstock.extractor.base.errors import UserError
    from penstock.extractor.base.log import Log
    from penstock.extractor.tools.discovery import discover
    from penstock.foundation.redaction import Redactor

    log = Log(io.StringIO(), Redactor())
    try:
        work = discover(target, log, options.requests, is_post_allowed=options.allow_post)
        return asyncio.run(work), log
    except UserError as error:
        raise UserError(log.redactor.clean(str(error))) from error


def _write(path: Path, discovery: Discovery) -> None:
    """Readable by its owner only, because it holds the secrets; written next to it and moved, so that it is whole."""
    import msgspec

    text = msgspec.json.format(msgspec.json.encode(discovery.document), indent=2)
    part = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(text + b"\n")
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


def _show(discovery: Discovery, path: Path, log: Log, *, is_json: bool) -> None:
    from penstock.cli.output import clean, print_json
    from penstock.extractor.tools.actions.action_request import hide
    from penstock.extractor.tools.discovery.explanation import explain

    if is_json:
        whole = {"configuration": log.redactor.hide(discovery.document), "findings": discovery.findings}
        document = {**whole, "tables": discovery.proof.tables, "requests": discovery.requests}
        print_json(hide(_plain({"file": str(path), **document}), log.redactor))
        return
    for line in explain(discovery):
        print(clean(log.redactor.clean(line)))
    print(f"\nWritten to {path} after {discovery.requests} requests. Run it: penstock extract {path}")


def _plain(value: object) -> object:
    import msgspec

    return msgspec.to_builtins(value)


def _offer(choices: list[Choice], message: str, options: Namespace) -> int:
    """Ask the user on a terminal; otherwise print the list."""
    from penstock.cli.output import print_columns, print_json

    if options.json:
        print_json({"endpoints": [{"endpoint": choice.endpoint, "note": choice.note} for choice in choices]})
        return _fail(message)
    is_asked = sys.stdin.isatty() and sys.stdout.isatty()
    numbers = [f"{number}." for number in range(1, len(choices) + 1)] if is_asked else [""] * len(choices)
    print_columns([(number, choice.endpoint, choice.note) for number, choice in zip(numbers, choices, strict=True)])
    return _ask(choices, message, options) if is_asked else _fail(message)


def _ask(choices: list[Choice], message: str, options: Namespace) -> int:
    answer = input("Which one? ").strip()
    if not answer.isdecimal() or not 1 <= int(answer) <= len(choices):
        return _fail(message)
    options.endpoint = choices[int(answer) - 1].endpoint
    return run(options)


def _fail(message: str) -> int:
    from penstock.cli.output import print_error

    print_error(message)
    return 1


def _stop(_number: int, _frame: object) -> None:
    sys.exit(143)

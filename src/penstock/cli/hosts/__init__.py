"""Make the stack's host names resolve to this machine, by one marked block in the hosts file.

Some programs require names such as connection.DOMAIN, and no DNS server has those of a local domain. Names that end in
.localhost need nothing on most systems.
"""

from __future__ import annotations

import shlex
from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from penstock.cli.hosts.block import Block
    from penstock.cli.hosts.file import HostsFile
    from penstock.settings import Settings

SYSTEM_FILE = Path("/etc/hosts")


def arguments(parser: ArgumentParser) -> None:
    actions = parser.add_subparsers(title="actions", metavar="install|remove|show", dest="action", required=True)
    install = actions.add_parser("install", help="write or update the block; usually needs sudo")
    install.add_argument("--force", action="store_true", help="write it also where the names lead here without it")
    remove = actions.add_parser("remove", help="take the block out again, and nothing else")
    show = actions.add_parser("show", help="print the block, and whether it is there")
    for action in (install, remove, show):
        _common_arguments(action)


def _common_arguments(action: ArgumentParser) -> None:
    action.add_argument("--domain", metavar="D", help="the stack's domain (penstock.localhost)")
    action.add_argument("--address", metavar="A", help="where the names should lead (127.0.0.1)")
    action.add_argument(
        "--file", metavar="FILE", type=Path, default=SYSTEM_FILE, help=f"the hosts file ({SYSTEM_FILE})"
    )
    action.add_argument("--json", action="store_true", help="print JSON")


def run(options: Namespace) -> int:
    from penstock.cli.hosts.file import HostsFile
    from penstock.settings import read_settings

    settings = read_settings({"domain": options.domain})
    block, file = _make_block(options, settings), HostsFile(options.file)
    {"install": _install, "remove": _remove, "show": _show}[options.action](options, file, block)
    return 0


def _make_block(options: Namespace, settings: Settings) -> Block:
    from ipaddress import ip_address

    from penstock.cli.hosts.block import Block
    from penstock.foundation.errors import Invalid
    from penstock.server.names import host_names

    try:
        address = str(ip_address(options.address or "127.0.0.1"))
    except ValueError as error:
        raise Invalid(f"--address must be an IP address, such as 127.0.0.1, not {options.address!r}.") from error
    return Block(address, tuple(host_names(settings.domain.lower())))


def _install(options: Namespace, file: HostsFile, block: Block) -> None:
    from penstock.cli.hosts.block import find_lines, with_block

    text = file.read()
    lines = find_lines(text)
    if sorted(lines) == sorted(block.lines):
        _log(options, f"{file.path} already has the block.", is_changed=False)
    elif not lines and not options.force and options.file == SYSTEM_FILE and _lead_there(block):
        _log(options, f"Nothing to install: all {len(block.names)} names lead to {block.address} already.", False)
    else:
        _change(options, file, with_block(text, block), block)
        _log(options, f"{len(block.names)} names lead to {block.address} now, by {file.path}.", is_changed=True)


def _remove(options: Namespace, file: HostsFile, block: Block) -> None:
    from penstock.cli.hosts.block import find_lines, without_block

    text = file.read()
    if not find_lines(text):
        _log(options, f"{file.path} has no block of Penstock.", is_changed=False)
    else:
        _change(options, file, without_block(text), block)
        _log(options, f"The block is gone from {file.path}.", is_changed=True)


def _show(options: Namespace, file: HostsFile, block: Block) -> None:
    from penstock.cli.hosts.block import find_lines
    from penstock.cli.output import print_error, print_json

    is_installed = find_lines(file.read()) == block.lines
    if options.json:
        facts = {"file": str(file.path), "isInstalled": is_installed, "leadHere": _lead_there(block)}
        print_json({**facts, "address": block.address, "names": block.names})
        return
    print("\n".join(block.lines))
    print_error(_explain(file, block, is_installed))


def _explain(file: HostsFile, block: Block, is_installed: bool) -> str:
    """Explain the block on stderr; the block alone goes to stdout, so that it can be piped."""
    if is_installed:
        return f"\nThis block is in {file.path}."
    if _lead_there(block):
        return f"\nThis block is not in {file.path}, and need not be: the names lead to {block.address} without it."
    return f"\nThis block is not in {file.path}. `penstock hosts install` puts it there."


def _change(options: Namespace, file: HostsFile, text: str, block: Block) -> None:
    from penstock.cli.hosts.file import NotPermitted
    from penstock.server.program import as_root

    try:
        file.write(text)
    except NotPermitted as error:
        flags = {"--domain": block.names[0], "--address": block.address, "--file": str(options.file)}
        command = f"{as_root()} hosts {options.action} {shlex.join(word for pair in flags.items() for word in pair)}"
        by_hand = "\n".join(["", "or put these lines there yourself:", "", *block.lines])
        raise NotPermitted(
            f"{error.message} Run this:\n\n  {command}\n{by_hand if options.action == 'install' else ''}"
        ) from error


def _lead_there(block: Block) -> bool:
    """Whether each name already resolves to this address, or to another of the same machine."""
    from penstock.foundation.machine import is_this_machine
    from penstock.server.names import look_up_all

    is_here = is_this_machine(block.address)
    return all(
        addresses and all(a == block.address or (is_here and is_this_machine(a)) for a in addresses)
        for addresses in look_up_all(block.names).values()
    )


def _log(options: Namespace, text: str, is_changed: bool) -> None:
    from penstock.cli.output import print_json

    if options.json:
        print_json({"file": str(options.file), "isChanged": is_changed, "message": text})
    else:
        print(text)

"""Create, list and remove accounts of the developer portal, which programs publish components with."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from typing import TYPE_CHECKING

from penstock.cli.data_folder import add_data_folder, read_data_folder

if TYPE_CHECKING:
    from penstock.settings import Settings

ACTIONS = {
    "create": "create an account; prints its password, this once",
    "list": "the accounts of the stack, without their passwords",
    "remove": "remove an account; its tokens stop working immediately",
}


def arguments(parser: ArgumentParser) -> None:
    actions = parser.add_subparsers(title="actions", metavar="|".join(ACTIONS), dest="action", required=True)
    parsers = {name: actions.add_parser(name, help=text) for name, text in ACTIONS.items()}
    for name in ("create", "remove"):
        parsers[name].add_argument("username", metavar="USERNAME", help="with which it signs in")
    create = parsers["create"]
    create.add_argument("--vendor", metavar="ID", action="append", default=[], help="a vendor; may be repeated")
    create.add_argument("--admin", action="store_true", help="it approves apps, and may change those of every vendor")
    create.add_argument("--description", metavar="TEXT", default="", help="what it is for")
    for action in parsers.values():
        add_data_folder(action)


def run(options: Namespace) -> int:
    settings = read_data_folder(options)
    {"create": _create, "list": _list, "remove": _remove}[options.action](options, settings)
    return 0


def _create(options: Namespace, settings: Settings) -> None:
    import msgspec

    from penstock.cli.output import print_json
    from penstock.server.developers import create_account

    account, password = create_account(
        settings, options.username, options.vendor, is_admin=options.admin, description=options.description
    )
    if options.json:
        print_json({**msgspec.to_builtins(account), "password": password})
    else:
        print(password)


def _list(options: Namespace, settings: Settings) -> None:
    from penstock.cli.output import print_json, print_table
    from penstock.server.developers import list_accounts

    accounts = list_accounts(settings)
    if options.json:
        print_json(accounts)
    else:
        rows = [
            (each.username, "all" if each.is_admin else " ".join(each.vendors), each.description) for each in accounts
        ]
        print_table(("USERNAME", "VENDORS", "DESCRIPTION"), rows)


def _remove(options: Namespace, settings: Settings) -> None:
    from penstock.cli.output import print_json
    from penstock.server.developers import remove_account

    remove_account(settings, options.username)
    if options.json:
        print_json({"username": options.username, "isRemoved": True})
    else:
        print(f"The account {options.username} no longer works.")

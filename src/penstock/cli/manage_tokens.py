"""Create, list and revoke manage tokens, which users and programs of the operator send in X-KBC-ManageApiToken."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from typing import TYPE_CHECKING

from penstock.cli.data_folder import add_data_folder, read_data_folder

if TYPE_CHECKING:
    from penstock.settings import Settings

ACTIONS = {
    "create": "create a manage token; prints it, this once",
    "list": "the manage tokens of the stack, without their secrets",
    "revoke": "revoke a manage token immediately",
}


def arguments(parser: ArgumentParser) -> None:
    actions = parser.add_subparsers(title="actions", metavar="|".join(ACTIONS), dest="action", required=True)
    parsers = {name: actions.add_parser(name, help=text) for name, text in ACTIONS.items()}
    create = parsers["create"]
    create.add_argument("--description", metavar="TEXT", default="", help="what it is for")
    create.add_argument("--expires-in", metavar="SECONDS", type=int, help="when it expires (never)")
    create.add_argument(
        "--scope",
        metavar="SCOPE",
        action="append",
        default=[],
        help="what it may do: oauth:manage, notifications:push-event, notifications:send-notification, or super for "
        "everything of the Manage API; may be repeated",
    )
    create.add_argument("--user", metavar="EMAIL", help="let it do what this user may do, instead of scopes")
    parsers["revoke"].add_argument("id", metavar="ID", type=int, help="the number of the token, as list shows it")
    for action in parsers.values():
        add_data_folder(action)


def run(options: Namespace) -> int:
    settings = read_data_folder(options)
    {"create": _create, "list": _list, "revoke": _revoke}[options.action](options, settings)
    return 0


def _create(options: Namespace, settings: Settings) -> None:
    import msgspec

    from penstock.cli.output import print_json
    from penstock.server.manage_tokens import create_token

    token, text = create_token(settings, options.description, options.scope, options.expires_in, options.user)
    if options.json:
        print_json({**msgspec.to_builtins(token), "token": text})
    else:
        print(text)


def _list(options: Namespace, settings: Settings) -> None:
    from penstock.cli.output import print_json, print_table
    from penstock.server.manage_tokens import Listed, list_tokens

    def to_row(token: Listed) -> tuple[str, ...]:
        expires = token.expires.isoformat(timespec="seconds") if token.expires else "never"
        return str(token.id), token.description, "expired" if token.is_expired else expires, " ".join(token.scopes)

    tokens = list_tokens(settings)
    if options.json:
        print_json(tokens)
    else:
        print_table(("ID", "DESCRIPTION", "EXPIRES", "SCOPES"), map(to_row, tokens))


def _revoke(options: Namespace, settings: Settings) -> None:
    from penstock.cli.output import print_json
    from penstock.server.manage_tokens import revoke_token

    revoke_token(settings, options.id)
    if options.json:
        print_json({"id": options.id, "isRevoked": True})
    else:
        print(f"Manage token {options.id} no longer works.")

"""Create, list and revoke the tokens of a project."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from typing import TYPE_CHECKING

from penstock.cli.target import add_target

if TYPE_CHECKING:
    from penstock.client import Token


def arguments(parser: ArgumentParser) -> None:
    actions = parser.add_subparsers(title="actions", metavar="create|list|revoke", dest="action", required=True)
    _create_arguments(actions.add_parser("create", help="create a token; prints its secret, this once"))
    listing = actions.add_parser("list", help="the tokens of the project, without their secrets")
    revoking = actions.add_parser("revoke", help="revoke a token immediately")
    revoking.add_argument("id", metavar="ID", help="the number of the token, as list shows it")
    for action in (listing, revoking):
        _common_arguments(action)


def _create_arguments(create: ArgumentParser) -> None:
    create.add_argument("--description", metavar="TEXT", default="", help="what it is for")
    create.add_argument("--expires-in", metavar="SECONDS", type=int, help="when it expires (never)")
    for flag, what in (("--read", "a bucket it may read"), ("--write", "a bucket it may read and write")):
        create.add_argument(flag, metavar="BUCKET", action="append", default=[], help=f"{what}; may be repeated")
    create.add_argument("--manage-buckets", action="store_true", help="it may create buckets, and read and write all")
    create.add_argument(
        "--component", metavar="ID", action="append", default=[], help="a component it may run; may be repeated"
    )
    _common_arguments(create)


def _common_arguments(action: ArgumentParser) -> None:
    action.add_argument("--json", action="store_true", help="print JSON")
    add_target(action)


def run(options: Namespace) -> int:
    {"create": _create, "list": _list, "revoke": _revoke}[options.action](options)
    return 0


def _create(options: Namespace) -> None:
    from penstock.cli.output import print_json
    from penstock.cli.target import connect_to

    with connect_to(options) as client:
        token = client.tokens.create(
            options.description,
            expires_in=options.expires_in,
            read=options.read,
            write=options.write,
            components=options.component,
            manage_buckets=options.manage_buckets,
        )
    if options.json:
        print_json(token)
    else:
        print(token.token)


def _list(options: Namespace) -> None:
    from penstock.cli.output import print_json, print_table
    from penstock.cli.target import connect_to

    with connect_to(options) as client:
        tokens = client.tokens.list()
    if options.json:
        print_json(tokens)
    else:
        print_table(("ID", "DESCRIPTION", "CREATED", "EXPIRES", "MAY"), map(_row, tokens))


def _revoke(options: Namespace) -> None:
    from penstock.cli.output import print_json
    from penstock.cli.target import connect_to

    with connect_to(options) as client:
        client.tokens.revoke(options.id)
    if options.json:
        print_json({"id": options.id, "isRevoked": True})
    else:
        print(f"Token {options.id} no longer works.")


def _row(token: Token) -> tuple[str, ...]:
    expires = "expired" if token.is_expired else token.expires or "never"
    return token.id, token.description, token.created or "", expires, _rights(token)


def _rights(token: Token) -> str:
    if token.is_master_token:
        return "everything"
    buckets = [f"{permission} {bucket}" for bucket, permission in token.bucket_permissions.items()]
    components = [f"run {component}" for component in token.component_access]
    return ", ".join([*buckets, *components]) or "nothing"

"""Make links with which people set a password, and create, list and revoke personal access tokens."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from typing import TYPE_CHECKING

from penstock.cli.data_folder import add_data_folder, read_data_folder

if TYPE_CHECKING:
    from penstock.server.logins import PersonalToken
    from penstock.settings import Settings

ACTIONS = {
    "link": "a link with which a user sets a password; it works once, within 24 hours",
    "create-token": "create a personal access token of a user; prints it, this once",
    "tokens": "the personal access tokens of all users, without their secrets",
    "revoke-token": "revoke a personal access token immediately",
}


def arguments(parser: ArgumentParser) -> None:
    actions = parser.add_subparsers(title="actions", metavar="|".join(ACTIONS), dest="action", required=True)
    parsers = {name: actions.add_parser(name, help=text) for name, text in ACTIONS.items()}
    for name in ("link", "create-token"):
        parsers[name].add_argument("--email", metavar="E", help="the user (the first administrator)")
    create = parsers["create-token"]
    create.add_argument("--description", metavar="TEXT", default="", help="what it is for")
    create.add_argument("--expires-in", metavar="SECONDS", type=int, help="when it expires (never)")
    create.add_argument(
        "--project",
        metavar="ID",
        type=int,
        action="append",
        default=[],
        help="a project that it opens; may be repeated",
    )
    create.add_argument("--read-only", action="store_true", help="it reads, and changes nothing")
    parsers["revoke-token"].add_argument(
        "id", metavar="ID", type=int, help="the number of the token, as tokens shows it"
    )
    for action in parsers.values():
        add_data_folder(action)


def run(options: Namespace) -> int:
    settings = read_data_folder(options)
    runs = {"link": _link, "create-token": _create, "tokens": _list, "revoke-token": _revoke}
    runs[options.action](options, settings)
    return 0


def _link(options: Namespace, settings: Settings) -> None:
    from penstock.cli.output import print_json
    from penstock.server.logins import make_link

    email, link = make_link(settings, options.email)
    if options.json:
        print_json({"email": email, "loginUrl": link})
    else:
        print(link)


def _create(options: Namespace, settings: Settings) -> None:
    from penstock.cli.output import print_json
    from penstock.server.logins import create_token, read_wanted

    request = read_wanted(options.description, options.expires_in, options.project, only_reads=options.read_only)
    token = create_token(settings, options.email, request)
    if options.json:
        print_json(token)
    else:
        print(token.token)


def _list(options: Namespace, settings: Settings) -> None:
    from penstock.cli.output import print_json, print_table
    from penstock.server.logins import list_tokens

    tokens = list_tokens(settings)
    if options.json:
        print_json(tokens)
    else:
        print_table(("ID", "DESCRIPTION", "EXPIRES", "PROJECTS", "MAY"), map(_to_row, tokens))


def _to_row(token: PersonalToken) -> tuple[str, ...]:
    expires = token.expires.isoformat(timespec="seconds") if token.expires else "never"
    projects = " ".join(map(str, token.project_ids)) or "all"
    may = "read" if token.only_reads else "read and write"
    return str(token.id), token.description, "expired" if token.is_expired else expires, projects, may


def _revoke(options: Namespace, settings: Settings) -> None:
    from penstock.cli.output import print_json
    from penstock.server.logins import revoke_token

    revoke_token(settings, options.id)
    if options.json:
        print_json({"id": options.id, "isRevoked": True})
    else:
        print(f"Personal access token {options.id} no longer works.")

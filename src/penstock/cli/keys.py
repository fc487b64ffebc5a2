"""List the root keys of a stack, or rotate to a new one while the stack runs."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from typing import TYPE_CHECKING

from penstock.cli.data_folder import add_data_folder

if TYPE_CHECKING:
    from penstock.settings import Settings

ACTIONS = {
    "list": "the keys of the stack, newest first, by their fingerprints",
    "rotate": "make a new key and wrap all stored secrets with it; older keys still decrypt",
}


def arguments(parser: ArgumentParser) -> None:
    actions = parser.add_subparsers(title="actions", metavar="|".join(ACTIONS), dest="action", required=True)
    for name, text in ACTIONS.items():
        action = actions.add_parser(name, help=text)
        add_data_folder(action)
        action.add_argument("--key-file", metavar="FILE", help="the stack's key, if not in the data folder")


def run(options: Namespace) -> int:
    from penstock.settings import read_settings

    flags = ("data_dir", "database", "key_file")
    settings = read_settings({flag: getattr(options, flag) for flag in flags})
    {"list": _list, "rotate": _rotate}[options.action](options, settings)
    return 0


def _list(options: Namespace, settings: Settings) -> None:
    from penstock.cli.output import print_json, print_table
    from penstock.server.keys import list_keys

    keys = list_keys(settings)
    if options.json:
        print_json(keys)
        return
    rows = [(key.id, "encrypts" if key.is_current else "decrypts", f"{key.rows:,}") for key in keys.keys]
    print_table(("KEY", "USE", "ROWS THAT NEED IT"), rows)
    if keys.unmarked_rows and len(keys.keys) > 1:
        print(f"Keep the last key: {keys.unmarked_rows:,} rows may have secrets from before ciphers named their keys.")
    if not keys.is_rotated:
        print("A rotation was stopped. Finish it: penstock keys rotate")


def _rotate(options: Namespace, settings: Settings) -> None:
    from penstock.cli.output import print_json
    from penstock.server.keys import rotate_keys

    done = rotate_keys(settings)
    if options.json:
        print_json(done)
        return
    print("Finished the rotation that was stopped." if done.is_continued else f"Made the key {done.id}.")
    print(f"Stored secrets are wrapped with it: {done.rows:,} rows were changed.")
    print(f"Back up {settings.key}: the older keys in it still decrypt what was encrypted with them.")

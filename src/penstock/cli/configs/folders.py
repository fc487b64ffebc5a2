"""`penstock configs pull`, `push` and `diff`."""

from __future__ import annotations

import sys
from argparse import Namespace

from penstock.cli.configs.documents import check_document
from penstock.cli.output import clean, paint, print_error, print_json
from penstock.client import Client
from penstock.client.config_files import (
    Change,
    Folder,
    apply_pull,
    apply_push,
    diff_lines,
    plan_pull,
    plan_push,
    read_remote,
)
from penstock.client.config_files.folder import Base
from penstock.foundation.errors import AppError, Invalid, NotFound

DONE = {"create": "created", "update": "updated", "delete": "deleted"}


def pull(client: Client, options: Namespace) -> int:
    folder = Folder(options.folder)
    remote, versions = read_remote(client), folder.read_versions()
    local = folder.read_contents()
    changes = plan_pull(local, remote, versions)
    done, skipped = _split(changes, is_forced=options.force)
    skipped_keys = {change.key for change in skipped}
    # A configuration whose version alone is new has the same files.
    bases = {key: versions[key] for key in versions.keys() & ({*remote} | skipped_keys)}
    bases |= {key: Base(it.version, it.content.digest) for key, it in remote.items() if local.get(key) == it.content}
    for change in done:
        if base := apply_pull(folder, change):
            bases[change.key] = base
        else:
            bases.pop(change.key, None)
    folder.write_versions(bases)
    return _report(done, skipped, options, total=len(remote))


def diff(client: Client, options: Namespace) -> int:
    changes = _plan_push(client, options)
    if options.json:
        print_json([_summary(change) | {"diff": list(diff_lines(change))} for change in changes])
    else:
        _show(changes)
    return 0


def push(client: Client, options: Namespace) -> int:
    changes = _plan_push(client, options)
    sent = [change for change in changes if change.local or options.delete]
    removed = [change for change in changes if not change.local and not options.delete]
    done, skipped = _split(sent, is_forced=options.force)
    _warn_of_invalid(done)
    if not options.json:
        _show(done)
        for change in removed:
            print_error(f"{change.key} has no folder any more. Delete it in the project with --delete.")
    if not done or not _is_wanted(options, len(done)):
        return _report([], skipped, options)
    return _push_all(client, done, skipped, options)


def _push_all(client: Client, changes: list[Change], skipped: list[Change], options: Namespace) -> int:
    folder = Folder(options.folder)
    versions, done = folder.read_versions(), list[Change]()
    try:
        for change in changes:
            base = apply_push(client, folder, change)
            versions = {key: each for key, each in versions.items() if key != change.key}
            versions |= {change.key: base} if base else {}
            done.append(change)
    except AppError as error:
        raise Invalid(f"{changes[len(done)].key} was not changed, {len(done)} others were. {error}") from error
    finally:
        folder.write_versions(versions)
    return _report(done, skipped, options)


def _plan_push(client: Client, options: Namespace) -> list[Change]:
    if not options.folder.is_dir():
        raise NotFound(f"There is no folder {options.folder}. Create it with penstock configs pull {options.folder}.")
    folder = Folder(options.folder)
    return plan_push(folder.read_contents(), read_remote(client), folder.read_versions())


def _split(changes: list[Change], *, is_forced: bool) -> tuple[list[Change], list[Change]]:
    """Return the changes to apply, and those to skip."""
    chosen = [change.forced if is_forced else change for change in changes]
    return [each for each in chosen if each.kind in DONE], [each for each in chosen if each.kind not in DONE]


def _warn_of_invalid(changes: list[Change]) -> None:
    """Warn, and send it all the same: a change of the name must not need a valid document."""
    for change in changes:
        if not change.local or change.local.rows:
            continue
        try:
            check_document(change.key.component, change.local.configuration)
        except Invalid as error:
            print_error(f"warning: {change.key}: {error}")


def _show(changes: list[Change]) -> None:
    for change in changes:
        if change.reason:
            print(clean(f"{change.key}: {paint('note', sys.stdout)}: {change.reason}"))
        for line in diff_lines(change):
            print(_coloured(clean(line)))


def _coloured(line: str) -> str:
    word = {"+": "ok", "-": "error"}.get(line[:1])
    return paint(word, sys.stdout).replace(word, line) if word else line


def _is_wanted(options: Namespace, count: int) -> bool:
    if options.yes:
        return True
    if not sys.stdin.isatty():
        raise Invalid("Nothing was sent. Send the changes with --yes.")
    return input(f"Send these changes ({count})? [y/N] ").strip().lower() in ("y", "yes")


def _report(done: list[Change], skipped: list[Change], options: Namespace, total: int | None = None) -> int:
    conflicts = [change for change in skipped if change.kind == "conflict"]
    if options.json:
        print_json({"changed": [_summary(each) for each in done], "skipped": [_summary(each) for each in skipped]})
    else:
        for change in done:
            print(clean(f"{DONE[change.kind]} {change.key}"))
        of_all = "" if total is None else f" of {total}"
        print(f"Configurations changed: {len(done)}{of_all}.")
    for change in skipped:
        advice = " Overwrite it with --force." if change.kind == "conflict" else ""
        print_error(f"{change.key} was left alone: {change.reason}.{advice}")
    return 1 if conflicts else 0


def _summary(change: Change) -> dict[str, str]:
    named = {"component": change.key.component, "id": change.key.id, "change": change.kind}
    return named | ({"reason": change.reason} if change.reason else {})

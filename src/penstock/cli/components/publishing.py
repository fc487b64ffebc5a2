"""Actions for components that are published: archives in the stack, with versions."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from penstock.cli.target import add_target

if TYPE_CHECKING:
    from penstock.server.components import Published
    from penstock.settings import Settings


def arguments(parsers: Mapping[str, ArgumentParser]) -> None:
    parsers["init"].add_argument("id", metavar="ID", help="a vendor, a dot, and a name: acme.ex-weather")
    parsers["init"].add_argument("--dir", metavar="DIR", type=Path, help="the folder to make (the name)")
    publishing = parsers["publish"]
    publishing.add_argument("folder", metavar="DIR", type=Path, help="the folder with component.json")
    publishing.add_argument("--json", action="store_true", help="print JSON")
    publishing.add_argument("--database", metavar="URL", help="the stack's PostgreSQL, if it has one")
    add_target(
        publishing,
        "Without these: the data folder, whether its stack runs or not.",
        "a personal access token, or one of the developer portal (PENSTOCK_TOKEN)",
    )
    for name in ("versions", "approve", "reject", "rollback", "remove-version"):
        parsers[name].add_argument("id", metavar="ID", help="the id of the component")
    for name in ("approve", "reject", "rollback", "remove-version"):
        parsers[name].add_argument("version", metavar="VERSION", help="its number, as versions shows it")
    parsers["reject"].add_argument("--reason", metavar="TEXT", required=True, help="what its vendor reads")


def init(options: Namespace) -> None:
    from penstock.cli.output import clean
    from penstock.server.components import create_folder

    folder = create_folder(options.id, options.dir)
    print(clean(f"Made {folder} with a component that works."))
    print(clean(f"Test it:    cd {folder} && python -m unittest"))
    print(clean(f"Publish it: penstock components publish {folder}"))


def publish(options: Namespace) -> None:
    """Send the archive to the data folder of a stack or, with the address of a stack, over HTTP."""
    from penstock.cli.target import names_stack, read_target
    from penstock.server.components import publish_component

    settings = read_target(options)
    if names_stack(options, settings):
        published, is_approved = _publish_remotely(options)
    else:
        published, is_approved = publish_component(settings, options.folder), True
    _tell(options, published, "Published {0.id} {0.tag} as version {0.version}.")
    if not is_approved and not options.json:
        print("Projects can use it once an administrator has approved it.")
    elif published.runs != published.tag and not options.json:
        print(f"Projects run {published.runs} until an administrator has approved it.")


def _publish_remotely(options: Namespace) -> tuple[Published, bool]:
    from penstock.cli.target import connect_to
    from penstock.client import PackedComponent
    from penstock.server.components import Published, pack_component

    packed = pack_component(options.folder)
    component = PackedComponent(id=packed.id, name=packed.name, type=packed.type, archive=packed.archive)
    with connect_to(options) as client:
        app = client.apps.publish(component)
    published = Published(
        id=app.id,
        version=app.version,
        tag=app.repository.tag,
        sha256=app.repository.uri.removeprefix("sha256:") or None,
        digest=app.repository.uri or None,
        runs=app.repository.tag if app.runs_current else f"version {app.approved_version}",
    )
    return published, app.is_approved


def _versions(options: Namespace, settings: Settings) -> None:
    from penstock.cli.output import print_json, print_table
    from penstock.server.components import list_versions

    versions = list_versions(settings, options.id)
    if options.json:
        print_json(versions)
        return
    rows = [
        (
            str(each.version),
            each.tag,
            "current" if each.is_current else "",
            "approved" if each.is_approved else "not approved",
            f"{each.created_on:%Y-%m-%d %H:%M}",
        )
        for each in versions
    ]
    print_table(("VERSION", "TAG", "", "", "CREATED"), rows)


def _approve(options: Namespace, settings: Settings) -> None:
    from penstock.server.components import approve_version

    published = approve_version(settings, options.id, options.version)
    _tell(options, published, "Approved version {0.version} of {0.id}. Projects run {0.runs}.")
    if not published.digest and not options.json:
        print("Its image has no digest: a push to that tag changes what runs.")


def _reject(options: Namespace, settings: Settings) -> None:
    from penstock.server.components import reject_version

    published = reject_version(settings, options.id, options.version, options.reason)
    runs = "Projects run {0.runs}." if published.runs else "Projects can no longer run it."
    _tell(options, published, f"Rejected version {{0.version}} of {{0.id}}. {runs}")


def _roll_back(options: Namespace, settings: Settings) -> None:
    from penstock.server.components import roll_back

    published = roll_back(settings, options.id, options.version)
    _tell(options, published, "{0.id} is at {0.tag} again, as version {0.version}.")


def _remove_version(options: Namespace, settings: Settings) -> None:
    from penstock.cli.output import print_json
    from penstock.server.components import remove_version

    remove_version(settings, options.id, options.version)
    if options.json:
        print_json({"id": options.id, "version": options.version, "isRemoved": True})
    else:
        print(f"Removed version {options.version} of {options.id}.")


def _tell(options: Namespace, published: Published, sentence: str) -> None:
    from penstock.cli.output import clean, print_json

    if options.json:
        print_json(published)
    else:
        print(clean(sentence.format(published)))


ACTIONS: dict[str, Callable[[Namespace, Settings], None]] = {
    "versions": _versions,
    "approve": _approve,
    "reject": _reject,
    "rollback": _roll_back,
    "remove-version": _remove_version,
}

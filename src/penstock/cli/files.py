"""List, upload and download the files of a project."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import TYPE_CHECKING

from penstock.cli.target import add_target

if TYPE_CHECKING:
    from penstock.client import Client, File

STDIO = "-"


def arguments(parser: ArgumentParser) -> None:
    actions = parser.add_subparsers(title="actions", metavar="list|upload|download", dest="action", required=True)
    listing = actions.add_parser("list", help="the newest files")
    listing.add_argument("--search", metavar="TEXT", default="", help="such as name:report, or a part of a name")
    listing.add_argument("--limit", metavar="N", type=int, default=20, help="the maximum number, up to 1000 (20)")
    listing.add_argument("--offset", metavar="N", type=int, default=0, help="skip this many (0)")
    upload = actions.add_parser("upload", help="upload a file; prints its id")
    upload.add_argument("file", metavar="FILE", help="the file, - for standard input")
    upload.add_argument("--name", metavar="NAME", default="", help="its name in Storage (that of the file)")
    upload.add_argument("--permanent", action="store_true", help="keep it until it is deleted (15 days)")
    download = actions.add_parser("download", help="download a file; the slices of a sliced one are joined")
    download.add_argument("id", metavar="ID", type=int, help="the number of the file, as list shows it")
    download.add_argument("file", metavar="FILE", nargs="?", help="where to, - for standard output (its name)")
    download.add_argument("--overwrite", action="store_true", help="replace FILE if it exists")
    for action, what in ((listing, "only files with this tag"), (upload, "a tag to find it by")):
        action.add_argument("--tag", metavar="TAG", action="append", default=[], help=f"{what}; may be repeated")
    for action in (listing, upload, download):
        action.add_argument("--json", action="store_true", help="print JSON")
        add_target(action)


def run(options: Namespace) -> int:
    from penstock.cli.target import connect_to

    with connect_to(options) as client:
        {"list": _list, "upload": _upload, "download": _download}[options.action](client, options)
    return 0


def _list(client: Client, options: Namespace) -> None:
    from penstock.cli.output import print_json, print_table

    files = client.files.list(options.tag, search=options.search, limit=options.limit, offset=options.offset)
    if options.json:
        print_json(files)
    else:
        print_table(("ID", "NAME", "BYTES", "CREATED", "TAGS"), map(_row, files))


def _upload(client: Client, options: Namespace) -> None:
    from penstock.cli.output import print_json
    from penstock.cli.transfer_progress import TransferProgress
    from penstock.foundation.errors import NotFound

    source = sys.stdin.buffer if options.file == STDIO else Path(options.file)
    if isinstance(source, Path) and not source.is_file():
        raise NotFound(f"There is no file {options.file}.")
    size = source.stat().st_size if isinstance(source, Path) else None
    with TransferProgress(f"Uploading {options.file}", size) as progress:
        file = client.files.upload(
            source, options.name, tags=options.tag, permanent=options.permanent, on_bytes=progress.add
        )
    if options.json:
        print_json(file)
    else:
        print(file.id)


def _download(client: Client, options: Namespace) -> None:
    from penstock.cli.destination import destination
    from penstock.cli.output import clean, print_json
    from penstock.cli.transfer_progress import TransferProgress

    file = client.files.get(options.id)
    # The name comes from the user who uploaded the file: only its last part is used, never a path.
    name = options.file or Path(file.name).name or f"file-{file.id}"
    with (
        destination(name, overwrite=options.overwrite) as target,
        TransferProgress(f"Downloading {name}") as progress,
    ):
        client.files.download(file.id, target, on_bytes=progress.add)
        size = target.stat().st_size
    if options.json and name != STDIO:
        print_json({"id": file.id, "file": name, "bytes": size})
    elif name != STDIO:
        print(clean(f"{name}: {size} bytes"))


def _row(file: File) -> tuple[str | int | None, ...]:
    return file.id, file.name, file.size_bytes, file.created or "", ", ".join(file.tags)

"""List the tables of a project, look at their rows, download and upload them as CSV, JSON lines or Parquet."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from typing import TYPE_CHECKING

from penstock.cli.target import add_target

if TYPE_CHECKING:
    from penstock.client import Client, Table

FORMATS = ("csv", "jsonl", "parquet")


def arguments(parser: ArgumentParser) -> None:
    actions = parser.add_subparsers(
        title="actions", metavar="list|show|preview|download|upload|delete", dest="action", required=True
    )
    listing = actions.add_parser("list", help="the tables of the project")
    listing.add_argument("bucket", metavar="BUCKET", nargs="?", help="only those of this bucket, such as in.c-shop")
    show = actions.add_parser("show", help="one table: its size, primary key, columns and their types")
    preview = actions.add_parser("preview", help="the first rows")
    download = actions.add_parser("download", help="all rows, into a file or to standard output")
    upload = actions.add_parser("upload", help="load a file into a table, which is created if it does not exist")
    delete = actions.add_parser("delete", help="delete a table")
    for action in (show, preview, download, upload, delete):
        action.add_argument("table", metavar="TABLE", help="the id of the table, such as in.c-shop.orders")
    preview.add_argument("--limit", metavar="N", type=int, default=20, help="how many rows, up to 1000 (20)")
    _download_arguments(download)
    _upload_arguments(upload)
    delete.add_argument("--force", action="store_true", help="also delete its aliases")
    for action in (listing, show, preview, download, upload, delete):
        action.add_argument("--json", action="store_true", help="print JSON")
        add_target(action)


def _download_arguments(download: ArgumentParser) -> None:
    download.add_argument(
        "file", metavar="FILE", nargs="?", help="the file to write, - for standard output (TABLE.csv)"
    )
    download.add_argument("--format", choices=FORMATS, help="the format (by the name of the file, else csv)")
    download.add_argument("--delimiter", metavar="C", help="between the fields of CSV (, and of .tsv a tab)")
    download.add_argument("--overwrite", action="store_true", help="replace the file if it exists")


def _upload_arguments(upload: ArgumentParser) -> None:
    upload.add_argument("file", metavar="FILE", help="the file to load, - for standard input")
    upload.add_argument("--format", choices=FORMATS, help="its format (by its name; of standard input csv)")
    upload.add_argument("--delimiter", metavar="C", help="between the fields of CSV (, and of .tsv a tab)")
    upload.add_argument(
        "--primary-key", metavar="COLUMN", action="append", default=[], help="of a new table; may be repeated"
    )
    upload.add_argument(
        "--incremental", action="store_true", help="keep the rows of the table, unless their key is in FILE"
    )


def run(options: Namespace) -> int:
    from penstock.cli.suggestions import explain_missing_table
    from penstock.cli.target import connect_to

    actions = {"list": _list, "upload": _upload}
    of_table = {"show": _show, "preview": _preview, "download": _download, "delete": _delete}
    with connect_to(options) as client:
        if options.action in actions:
            actions[options.action](client, options)
        else:
            with explain_missing_table(client, options.table):
                of_table[options.action](client, options)
    return 0


def _list(client: Client, options: Namespace) -> None:
    from penstock.cli.output import print_error, print_json, print_table
    from penstock.cli.suggestions import suggest

    tables = client.tables.list()
    listed = [table for table in tables if options.bucket in (None, _bucket(table))]
    if options.json:
        print_json(listed)
    else:
        print_table(("TABLE", "ROWS", "BYTES", "COLUMNS", "PRIMARY KEY", "LAST LOAD"), map(_row, listed))
        if options.bucket and not listed:
            print_error(f"{options.bucket} has no tables.{suggest(options.bucket, map(_bucket, tables))}")


def _show(client: Client, options: Namespace) -> None:
    from penstock.cli.output import print_columns, print_json, print_table

    table = client.tables.get(options.table)
    if options.json:
        print_json(table)
        return
    facts = {
        "Table": table.id,
        "Rows": _number(table.rows_count),
        "Bytes": _number(table.data_size_bytes),
        "Primary key": ", ".join(table.primary_key),
        "Created": table.created or "",
        "Last load": table.last_import_date or "",
    }
    print_columns([(name, value) for name, value in facts.items() if value])
    print()
    print_table(("COLUMN", "TYPE"), table.types.items())


def _preview(client: Client, options: Namespace) -> None:
    from penstock.cli.output import print_json, print_table

    preview = client.tables.preview(options.table, options.limit)
    if options.json:
        print_json([dict(zip(preview.columns, row, strict=True)) for row in preview.rows])
    else:
        print_table(preview.columns, preview.rows)


def _delete(client: Client, options: Namespace) -> None:
    from penstock.cli.output import print_json

    client.tables.delete(options.table, force=options.force)
    if options.json:
        print_json({"id": options.table, "isDeleted": True})
    else:
        print(f"{options.table} is deleted.")


def _download(client: Client, options: Namespace) -> None:
    from penstock.cli.table_files import download

    table, target, rows = download(client, options)
    _report({"id": table.id, "file": target, "rows": rows}, f"{table.id}: {rows} rows in {target}", options)


def _upload(client: Client, options: Namespace) -> None:
    from penstock.cli.table_files import upload

    table = upload(client, options)
    _report(table, f"{table.id}: {_number(table.rows_count)} rows", options)


def _report(value: object, text: str, options: Namespace) -> None:
    """Print to stderr where standard output has the rows."""
    from penstock.cli.output import clean, print_json

    if options.action == "download" and options.file == "-":
        print(clean(text.replace(" in -", "")), file=sys.stderr)
    elif options.json:
        print_json(value)
    else:
        print(clean(text))


def _row(table: Table) -> tuple[str | int | None, ...]:
    key, loaded = ", ".join(table.primary_key), table.last_import_date or ""
    return table.id, table.rows_count, table.data_size_bytes, len(table.columns), key, loaded


def _bucket(table: Table) -> str:
    return table.id.rpartition(".")[0]


def _number(value: int | None) -> str:
    return "" if value is None else str(value)

"""Project tables as queries over links to their files.

What lies in the folder of links can be read by SQL of users with all its rows and columns. So an alias that shows only
a part of its table is not linked: that part is written to a file of its own.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from uuid import uuid4

import msgspec

from penstock.foundation.files.removal import remove_tree
from penstock.foundation.lake import INTERNAL_TIMESTAMP, Lake, NoSuchTable, export_rows
from penstock.foundation.lake.table_files import StoredColumn, StoredFile, TableFiles, find_files
from penstock.foundation.lake.types import HIDDEN
from penstock.foundation.stack import Stack
from penstock.foundation.text.quoting import folded, name_list, quote_name, quote_value
from penstock.sql.folders import WorkspaceFolder, from_data
from penstock.sql.links import Links
from penstock.sql.messages import TableView
from penstock.sql.tables import TableLink

_NO_FILES = "SELECT {columns} WHERE false"


def make_views(stack: Stack, folder: WorkspaceFolder, links: Sequence[TableLink]) -> list[TableView]:
    """Make views of the tables as they are now; those that were dropped in the meantime are left out."""
    store = Links(folder.tables, stack)
    found: list[TableView] = []
    for link in links:
        try:
            sql = select_from(stack.lake, store, link)
        except NoSuchTable:
            continue
        found.append(TableView(schema=link.schema, name=link.name, sql=from_data(folder, sql)))
    return found


def select_from(lake: Lake, store: Links, link: TableLink) -> str:
    """A query for the table's rows, with its columns in order."""
    files = find_files(lake, link.table)
    known = {folded(column.name): column for column in files.columns}
    columns = [known[folded(column.name)] for column in link.columns if folded(column.name) in known]
    if link.has_timestamp:
        columns.append(known[INTERNAL_TIMESTAMP])
    if not link.query.is_everything or _hides_some(columns, files):
        return _select_part(lake, store, link, columns, files)
    return _select(store, columns, files.files)


def _hides_some(columns: Iterable[StoredColumn], files: TableFiles) -> bool:
    return {column.name for column in columns} < {column.name for column in files.columns} - HIDDEN.keys()


def _select_part(lake: Lake, store: Links, link: TableLink, columns: list[StoredColumn], files: TableFiles) -> str:
    """Select from a file with only those rows and columns, which is written once for each version of the table."""
    names = tuple(column.name for column in columns)
    version = msgspec.json.encode(
        [link.table, names, link.query, [str(file.path) for file in files.files]], enc_hook=str
    )
    deletes = [str(file.deletes) for file in files.files]
    digest = hashlib.sha256(version + msgspec.json.encode(deletes)).hexdigest()[:40]
    target = store.find(f"part-{digest}.parquet")
    if not store.renew(target):
        query = msgspec.structs.replace(link.query, columns=names)
        folder = lake.folder / "tmp" / uuid4().hex
        written = export_rows(lake, link.table, query, folder, parquet=True)
        store.move(written[0].path, target)
        remove_tree(folder)
    return f"SELECT {name_list(names)} FROM read_parquet({quote_value(target)})"


def _select(store: Links, columns: list[StoredColumn], files: Sequence[StoredFile]) -> str:
    if not files:
        values = ", ".join(f"CAST(NULL AS {column.type}) AS {quote_name(column.name)}" for column in columns)
        return _NO_FILES.format(columns=values)
    return " UNION ALL ".join(
        _select_group(store, columns, group, names, has_deletes) for names, has_deletes, group in _group(files)
    )


_Names = Mapping[int, str] | None


def _group(files: Sequence[StoredFile]) -> list[tuple[_Names, bool, list[StoredFile]]]:
    """Files with the same columns are read together; one with deleted rows alone."""
    groups: list[tuple[_Names, bool, list[StoredFile]]] = []
    for file in files:
        same = next((group for group in groups if group[0] == file.names and not group[1] and not file.deletes), None)
        if same:
            same[2].append(file)
        else:
            groups.append((file.names, file.deletes is not None, [file]))
    return groups


def _select_group(
    store: Links, columns: list[StoredColumn], files: list[StoredFile], names: _Names, has_deletes: bool
) -> str:
    paths = [store.add(file.path) for file in files]
    options = ", file_row_number = true" if has_deletes else ""
    if names is None:
        fields = ", ".join(_field(column) for column in columns)
        source = f"read_parquet({_list(paths)}, schema = MAP {{{fields}}}{options})"
        values = name_list(column.name for column in columns)
    else:
        source = f"read_parquet({_list(paths)}{options})"
        values = ", ".join(f"{_value(column, names)} AS {quote_name(column.name)}" for column in columns)
    return f"SELECT {values} FROM {source}{_without_deleted(store, files[0])}"


def _without_deleted(store: Links, file: StoredFile) -> str:
    if not file.deletes:
        return ""
    deleted = f"SELECT pos FROM read_parquet({quote_value(store.add(file.deletes))})"
    return f" WHERE file_row_number NOT IN ({deleted})"


def _value(column: StoredColumn, names: Mapping[int, str]) -> str:
    """The column in a file that knows it by a name, or its default in one that is older than the column."""
    if column.id in names:
        return f"CAST({quote_name(names[column.id])} AS {column.type})"
    return f"CAST({_default(column)} AS {column.type})"


def _field(column: StoredColumn) -> str:
    parts = f"name: {quote_value(column.name)}, type: {quote_value(column.type)}, default_value: {_default(column)}"
    return f"{column.id}: {{{parts}}}"


def _default(column: StoredColumn) -> str:
    return "NULL" if column.default is None else quote_value(column.default)


def _list(paths: list[Path]) -> str:
    return f"[{', '.join(map(quote_value, paths))}]"

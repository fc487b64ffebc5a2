"""Table data: DuckDB on DuckLake, one catalog for a hundred tables of a bucket.

    catalogs.py      where a table is on disk
    engine.py        DuckDB in this process
    attachments.py   the catalogs that it has open
    lake.py          the tables below a folder, and sessions at them
    session.py       a connection of one's own, and how it commits
    sql.py           names and values, quoted
    types.py         columns, their types, and the columns that are ours
    relations.py     a table as its catalog knows it
    changes.py       tables made, changed, dropped
    loads.py         a CSV file becomes rows: written outside the lock, committed under it
      csv_source.py    how the file is written, and the engine's reader of it
      python_csv.py    the other reader, for what that one cannot take
      unpacking.py     how far compressed files may unpack
      values.py        fields become values, and the file Parquet
      staging.py       Parquet that is not committed yet
      merging.py       rows with a key
    query.py         which rows are meant
    reads.py         rows out, as text
    exports.py       rows out, into files
    deletions.py     rows that go
    snapshots.py     what a table was
    sizes.py         how much it holds
    compaction.py    small files merged by loads
    rewrite.py       a table written again
    maintenance.py   everything else that a bucket needs now and then

On disk a bucket is a folder named by its number: `catalog.sqlite` says which Parquet files make up each table,
`data/` holds them. DuckDB itself keeps nothing; it is a disposable engine over immutable files.
"""

from penstock.foundation.lake.catalogs import LakeTable
from penstock.foundation.lake.changes import (
    add_column,
    change_column,
    create_table,
    drop_bucket,
    drop_column,
    drop_table,
)
from penstock.foundation.lake.csv_source import CsvSource
from penstock.foundation.lake.deletions import Deleted, delete_rows
from penstock.foundation.lake.errors import (
    BadCsv,
    ColumnGone,
    DamagedFile,
    LakeUnavailable,
    NoSuchTable,
    RowTooLarge,
    UnpacksTooFar,
)
from penstock.foundation.lake.exports import Slice, export_file, export_rows
from penstock.foundation.lake.lake import Lake
from penstock.foundation.lake.loads import Load, Loaded, is_loaded, load_csv
from penstock.foundation.lake.maintenance import maintain
from penstock.foundation.lake.query import Filter, Order, Query
from penstock.foundation.lake.reads import count_rows, has_duplicates, read_rows
from penstock.foundation.lake.snapshots import copy_table, current_version, version_at
from penstock.foundation.lake.sql import folded
from penstock.foundation.lake.types import Column
from penstock.foundation.lake.unpacking import Unpacking

__all__ = [
    "BadCsv",
    "Column",
    "ColumnGone",
    "CsvSource",
    "DamagedFile",
    "Deleted",
    "Filter",
    "Lake",
    "LakeTable",
    "LakeUnavailable",
    "Load",
    "Loaded",
    "NoSuchTable",
    "Order",
    "Query",
    "RowTooLarge",
    "Slice",
    "Unpacking",
    "UnpacksTooFar",
    "add_column",
    "change_column",
    "copy_table",
    "count_rows",
    "create_table",
    "current_version",
    "delete_rows",
    "drop_bucket",
    "drop_column",
    "drop_table",
    "export_file",
    "export_rows",
    "folded",
    "has_duplicates",
    "is_loaded",
    "load_csv",
    "maintain",
    "read_rows",
    "version_at",
]

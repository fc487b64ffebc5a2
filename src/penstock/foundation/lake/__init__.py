"""Table data: DuckDB on DuckLake, one catalog for a hundred tables of a bucket.

    catalogs.py      the location of a table on disk
    engine.py        DuckDB in this process
    attachments.py   its open catalogs
    lake.py          the tables below a folder, and sessions on them
    session.py       a connection to one catalog, and its commits
    types.py         columns, their types, and the hidden columns
    native_types.py  types under the names that Storage shows
    relations.py     a table in its catalog
    changes.py       create, alter and drop tables
    loads.py         load a CSV file: written outside the lock, committed under it
      csv_source.py    the format of a CSV file, and the engine's reader
      python_csv.py    the fallback reader in Python
      unpacking.py     limits for compressed files
      values.py        convert fields to values, and the file to Parquet
      staging.py       uncommitted Parquet files
      merging.py       upserts by key
    query.py         filters, order and limit
    reads.py         read rows as text
    exports.py       export rows to files
      stored_files.py  the files of a table, if they are exactly the requested rows
    deletions.py     delete rows
    snapshots.py     earlier versions and copies of a table
    sizes.py         size statistics
    compaction.py    merging of small files after loads
    rewrite.py       rewriting of a table
    maintenance.py   periodic maintenance of a bucket

On disk a bucket is a folder named by its number: `catalog.sqlite` lists the Parquet files of each table,
`data/` holds them. DuckDB itself stores nothing; it is a disposable engine over immutable files.
"""

from penstock.foundation.lake.catalogs import LakeTable
from penstock.foundation.lake.changes import (
    add_column,
    change_columns,
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
from penstock.foundation.lake.exports import Slice, export_file, export_rows, open_stored_file
from penstock.foundation.lake.lake import Lake
from penstock.foundation.lake.loads import Load, Loaded, is_loaded, load_csv
from penstock.foundation.lake.maintenance import maintain
from penstock.foundation.lake.native_types import NativeType, to_engine_type, to_native_type
from penstock.foundation.lake.profiles import MAX_EXACT_ROWS, ColumnStatistics, measure_columns
from penstock.foundation.lake.query import Filter, Order, Query
from penstock.foundation.lake.reads import (
    count_rows,
    find_empty_columns,
    find_misfit,
    find_null_column,
    has_duplicates,
    read_rows,
)
from penstock.foundation.lake.snapshots import copy_table, current_version, is_copied, version_at
from penstock.foundation.lake.types import TIMESTAMP as INTERNAL_TIMESTAMP
from penstock.foundation.lake.types import Column
from penstock.foundation.lake.unpacking import Unpacking
from penstock.foundation.text.quoting import folded

__all__ = [
    "INTERNAL_TIMESTAMP",
    "MAX_EXACT_ROWS",
    "BadCsv",
    "Column",
    "ColumnGone",
    "ColumnStatistics",
    "CsvSource",
    "DamagedFile",
    "Deleted",
    "Filter",
    "Lake",
    "LakeTable",
    "LakeUnavailable",
    "Load",
    "Loaded",
    "NativeType",
    "NoSuchTable",
    "Order",
    "Query",
    "RowTooLarge",
    "Slice",
    "Unpacking",
    "UnpacksTooFar",
    "add_column",
    "change_columns",
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
    "find_empty_columns",
    "find_misfit",
    "find_null_column",
    "folded",
    "has_duplicates",
    "is_copied",
    "is_loaded",
    "load_csv",
    "maintain",
    "measure_columns",
    "open_stored_file",
    "read_rows",
    "to_engine_type",
    "to_native_type",
    "version_at",
]

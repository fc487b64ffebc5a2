"""Table data: DuckDB on DuckLake, one catalog per bucket.

    engine.py   DuckDB in this process, with the catalogs it has open
    loads.py    a CSV file becomes rows: written outside the lock, committed under it
    reads.py    rows out

On disk a bucket is a folder named by its number: `catalog.sqlite` says which Parquet files make up each table,
`data/` holds them. DuckDB itself keeps nothing; it is a disposable engine over immutable files.
"""

from penstock.foundation.lake.engine import Lake, LakeTable, LakeUnavailable
from penstock.foundation.lake.loads import BadCsv, Csv, Load, Loaded, load_csv
from penstock.foundation.lake.reads import read_rows

__all__ = ["BadCsv", "Csv", "Lake", "LakeTable", "LakeUnavailable", "Load", "Loaded", "load_csv", "read_rows"]

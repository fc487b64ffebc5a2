"""`python -m tests.benchmarks.lake`: tables beside the same work done by hand in DuckDB and DuckLake.

__main__.py   the command: options, the run, the table, the exit code
lines.py      what was measured beside what, and what it may be
bench.py      a lake, and beside it a catalog without us
data.py       the rows
work.py       loads, upserts, exports, previews
growth.py     a thousand loads, two thousand tables, four processes, ten million rows
"""

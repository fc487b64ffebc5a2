"""Rows of a result as messages of the PostgreSQL protocol, encoded by the database itself: columns, and not cells.

rows.py      a page of a result
cells.py     the expression of one column
texts.py     values as text
binary.py    values in binary
numeric.py   `numeric` in binary

The port encodes what is not here cell by cell (`penstock.pgwire.results`); both give the same bytes.
"""

from penstock.sql.wire.rows import read_rows

__all__ = ["read_rows"]

"""The catalog of PostgreSQL, for its clients: queries of pg_catalog become queries of the database's own catalog.

translation.py    a query with the tables and functions of PostgreSQL, as one of the database
functions.py      what becomes of functions and casts
spelling.py       functions that only PostgreSQL has
names.py          the names of columns
formats.py        templates of to_char and to_date
tables.py         the tables that have rows here, as queries
information_schema.py   the same of information_schema
empty_tables.py   the tables that exist for clients and have no rows

Queries with functions that only PostgreSQL has are translated in the same way; a function whose result would be another
one than in PostgreSQL is refused. All other statements stay as they are: the dialect of a connection is that of the
database.
"""

from penstock.sql.postgresql.translation import translate_catalog

__all__ = ["translate_catalog"]

"""Definitions as PostgreSQL writes them, for the parser of the database, which lacks or separates some of them.

translation.py  which statements these are, and what becomes of each
reading.py      names and lists in the tokens of a statement
catalog.py      what the catalog knows of a table: its kind, its comment, its indexes, its sequences
alterations.py  ALTER TABLE of views, of tables with indexes, with several actions
grants.py       GRANT and REVOKE, recorded in the comment of the table
columns.py      SERIAL and IDENTITY: a sequence, and the default of a column
"""

from penstock.sql.process.definitions.reading import Definition
from penstock.sql.process.definitions.translation import translate_definition

__all__ = ["Definition", "translate_definition"]

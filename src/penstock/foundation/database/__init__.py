"""The metadata database: one engine, and transactions that commit when their block ends.

columns.py       column types that all services use
transaction.py   queries and changes
bulk.py          many rows in few statements
database.py      begins transactions: to read, to write, to claim a job
sqlite.py        a file in the data folder; nothing to install
turns.py         a fair queue for its writers in one process
postgresql.py    a server, for more than one machine
notifications.py changes by other processes, received from PostgreSQL
errors.py        errors, with messages for users

Nothing slow happens inside a transaction: no tables, files, processes or HTTP.
"""

from penstock.foundation.database.columns import Timestamp, metadata
from penstock.foundation.database.database import Database
from penstock.foundation.database.errors import DatabaseUnavailable, Unstorable
from penstock.foundation.database.transaction import Transaction

__all__ = ["Database", "DatabaseUnavailable", "Timestamp", "Transaction", "Unstorable", "metadata"]

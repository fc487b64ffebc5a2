"""The metadata database: one engine, and transactions that commit when their block ends.

columns.py       what every service's tables are made with
transaction.py   queries and changes
bulk.py          many rows in few statements
database.py      begins transactions: to read, to write, to claim a job
sqlite.py        a file in the data folder; nothing to install
turns.py         its writers in one process, one after the other
postgresql.py    a server, for more than one machine
notifications.py what others write, told by PostgreSQL
errors.py        what can go wrong, in sentences

Nothing slow happens inside a transaction: no tables, files, processes or HTTP.
"""

from penstock.foundation.database.columns import Moment, metadata
from penstock.foundation.database.database import Database
from penstock.foundation.database.errors import DatabaseUnavailable, Unstorable
from penstock.foundation.database.transaction import Transaction

__all__ = ["Database", "DatabaseUnavailable", "Moment", "Transaction", "Unstorable", "metadata"]

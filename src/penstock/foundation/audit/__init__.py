"""The audit log: every use of a secret and every change of permissions, with who, when, from where and what.

entry.py   what is recorded; never a value
store.py   the table, which the database itself lets grow only

An entry is recorded in the transaction of what it is about: both are committed, or neither. These are not the events of
Storage, which users of a project read and which are removed with time.
"""

from penstock.foundation.audit.entry import AuditEntry, AuditFilter, NewEntry
from penstock.foundation.audit.store import MIN_DAYS, list_entries, maintain, record, record_all

__all__ = ["MIN_DAYS", "AuditEntry", "AuditFilter", "NewEntry", "list_entries", "maintain", "record", "record_all"]

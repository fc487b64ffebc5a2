"""Output mapping: what a component left in `out/tables` and `out/files` becomes tables and files.

plans.py          what is to be done, decided before anything is
mappings.py       a configuration's items, by the file they are about
items.py          what a configuration and a manifest may say
merging.py        a manifest, with the configuration over it
destinations.py   which table a file goes into
schemas.py        columns with their types
deletions.py      rows that go before
tables.py         files in `out/tables` → loads
files.py          files in `out/files` → files to store
ledger.py         which ids files get, stored for a retry
storing.py        everything is checked, then loaded
"""

from penstock.runtime.output_mapping.plans import Defaults, Plan, check, plan
from penstock.runtime.output_mapping.storing import LoadsFailed, Stored, store
from penstock.runtime.written import BadOutput

__all__ = ["BadOutput", "Defaults", "LoadsFailed", "Plan", "Stored", "check", "plan", "store"]

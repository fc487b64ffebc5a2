"""Output mapping: what a component left in `out/tables` and `out/files` becomes tables and files.

items.py      what a configuration and a manifest may specify
mappings.py   a configuration's items by file, merged with the manifests
plans.py      what is to be done, decided before anything is; files in `out/files` → files to store
tables.py     files in `out/tables` → loads into which tables
schemas.py    columns with their types
deletions.py  rows that are deleted first
storing.py    everything is checked, then loaded
"""

from penstock.runtime.output_mapping.plans import Defaults, Plan, check, plan
from penstock.runtime.output_mapping.storing import LoadsFailed, Stored, store
from penstock.runtime.written import BadOutput

__all__ = ["BadOutput", "Defaults", "LoadsFailed", "Plan", "Stored", "check", "plan", "store"]

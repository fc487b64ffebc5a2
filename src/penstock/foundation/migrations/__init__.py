"""The schema, versioned: the steps that all services share, and those of each service.

versions/    the common steps: everything until services got their own, and what belongs to the foundation
schema.py    which steps there are, and the format number that they add up to
running.py   carries out the steps that a database does not have yet

A step is a file, `0001_words.py` with `upgrade()`, and is never edited once released. Every service has its own
numbers, in its own folder. The format number of a data folder is the number of all steps together: it grows with each
one, so an older program refuses what a newer one has written.
"""

from penstock.foundation.migrations.running import find_format, migrate
from penstock.foundation.migrations.schema import COMMON, Chain, Schema

__all__ = ["COMMON", "Chain", "Schema", "find_format", "migrate"]

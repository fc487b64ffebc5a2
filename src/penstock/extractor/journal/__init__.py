"""Every answer of a run on disk, from which a run that was killed goes on.

entry.py    one response as it is kept: what it answers, how it was got, its body
journal.py  all of them, in one file: appended as they come, found again by their key
places.py   where in it each of them is
sync.py     what is written is durable within a second
folder.py   the folder of a run that is not finished: whose it is, how old, and whether it may go on
extra.py    the extra columns of a response's records, as bytes

What a run makes of its responses is certain, so answers are nearly all that must be kept: a continued run takes those
that it has from here, as fast as it can read them, and asks the API for the rest. Rows, types, positions and warnings
come out as if nothing had happened. Only time is not certain, so when jobs began and where their lists ended is kept
too.
"""

from __future__ import annotations

from penstock.extractor.journal.entry import Entry, JournalEntry
from penstock.extractor.journal.folder import Choice, Identity, RunFolder, open_folder
from penstock.extractor.journal.journal import Journal

__all__ = ["Choice", "Entry", "Identity", "Journal", "JournalEntry", "RunFolder", "open_folder"]

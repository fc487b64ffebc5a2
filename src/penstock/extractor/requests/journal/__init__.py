"""All responses of a run on disk, from which a killed run resumes.

entry.py        one response as it is stored: its request, how it was received, its body, and the extra columns
journal.py      all entries in one file: appended as they arrive, found by their key
entry_index.py  the offsets of the entries
sync.py         makes what was written durable within a second
folder.py       the folder of an unfinished run: its configuration, its age, and whether it may be resumed

What a run does with its responses is deterministic, so the responses are nearly all that must be stored: a resumed run
reads those that it has, and requests the rest from the API. Rows, types, positions and warnings are the same as in a
run that was not interrupted. Only time is not deterministic, so the start of each job and the end of its pagination are
stored too.
"""

from __future__ import annotations

from penstock.extractor.requests.journal.entry import Entry, JournalEntry
from penstock.extractor.requests.journal.folder import Choice, Identity, RunFolder, open_folder
from penstock.extractor.requests.journal.journal import Journal

__all__ = ["Choice", "Entry", "Identity", "Journal", "JournalEntry", "RunFolder", "open_folder"]

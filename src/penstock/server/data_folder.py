"""The database of a data folder, for commands of its operator that do not ask the running stack.

A stack that runs on the folder sees what they change with its next query.
"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager

from penstock.foundation.database import Database
from penstock.foundation.errors import Invalid, NotFound
from penstock.foundation.metadata_locations import find_location
from penstock.foundation.migrations import FORMAT
from penstock.foundation.stack import read_format
from penstock.settings import Settings


@contextmanager
def open_database(settings: Settings) -> Generator[Database]:
    """Never made or migrated here: that is for `penstock up`, which keeps a copy first."""
    folder = settings.folder
    found = read_format(folder)
    if not found:
        raise NotFound(
            f"There is no stack in {folder}. Make one with `penstock up`, or name its folder with --data-dir."
        )
    if found != FORMAT:
        raise Invalid(f"{folder} has format {found}, and this version of Penstock uses {FORMAT}. Run `penstock up`.")
    database = find_location(folder, found, settings.database).open()
    try:
        yield database
    finally:
        database.close()

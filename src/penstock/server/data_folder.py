"""The database of a data folder, for operator commands that do not contact the running stack.

A stack that runs on the folder sees their changes with its next query.
"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager

from penstock.app import find_schema
from penstock.foundation.database import Database
from penstock.foundation.errors import Invalid, NotFound
from penstock.foundation.metadata_locations import find_location
from penstock.foundation.stack import read_format
from penstock.settings import Settings


@contextmanager
def open_database(settings: Settings) -> Generator[Database]:
    """Never created or migrated here: `penstock up` does that, after a backup copy."""
    folder = settings.folder
    found = read_format(folder)
    if not found:
        raise NotFound(
            f"There is no stack in {folder}. Create one with `penstock up`, or give its folder with --data-dir."
        )
    schema = find_schema()
    if found != (own := schema.format):
        raise Invalid(f"{folder} has format {found}, and this version of Penstock uses {own}. Run `penstock up`.")
    database = find_location(folder, found, settings.database, schema).open()
    try:
        yield database
    finally:
        database.close()

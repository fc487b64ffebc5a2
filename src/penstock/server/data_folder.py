"""The database of a data folder, for operator commands that do not contact the running stack.

A stack that runs on the folder sees their changes with its next query.
"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager

from penstock.app import find_schema
from penstock.foundation.database import Database
from penstock.foundation.errors import Invalid, NotFound
from penstock.foundation.stack import read_format
from penstock.foundation.stack.metadata_locations import find_location
from penstock.settings import Settings


@contextmanager
def open_database(settings: Settings) -> Generator[Database]:
    """Never created or migrated here: `penstock up` does that, after a backup copy."""
    folder = settings.folder
    format_number = read_format(folder)
    if not format_number:
        raise NotFound(
            f"There is no stack in {folder}. Create one with `penstock up`, or give its folder with --data-dir."
        )
    schema = find_schema()
    if format_number != (own := schema.format):
        raise Invalid(
            f"{folder} has format {format_number}, and this version of Penstock uses {own}. Run `penstock up`."
        )
    database = find_location(folder, format_number, settings.database, schema).open()
    try:
        yield database
    finally:
        database.close()

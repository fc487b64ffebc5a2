"""The PostgreSQL of a stack: it responds, has a supported version, and contains this stack."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from penstock.app import find_schema
from penstock.cli.doctor.check import Check, note, ok, wrong
from penstock.foundation.errors import AppError
from penstock.foundation.metadata_locations import find_server, read_note
from penstock.foundation.stack import read_format
from penstock.settings import Settings

FIX = "Check that PostgreSQL runs and accepts your login, or correct the setting: --database URL"


def examine(settings: Settings) -> Iterator[Check]:
    place = read_note(settings.folder)
    if settings.database:
        yield check_server(settings.folder, settings.database)
    elif place:
        yield wrong("database", f"the stack keeps its metadata in {place}", "Give its address: --database URL")


def check_server(folder: Path, address: str) -> Check:
    schema = find_schema()
    try:
        location = find_server(folder, read_format(folder), address, schema)
    except AppError as error:
        return wrong("database", error.message, FIX)
    location.close()
    if location.inside < schema.format:
        what = f"has format {location.inside}" if location.inside else "is empty"
        return note("database", f"{location.place} {what}; the next start brings it to {schema.format}")
    return ok("database", f"{location.place}; format {location.inside}")

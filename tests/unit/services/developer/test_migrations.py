"""Steps of the schema of the developer portal, on data of the step before."""

from __future__ import annotations

import shutil
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import inspect, text

from penstock.foundation import clock
from penstock.foundation.database import Database
from penstock.foundation.migrations import Chain, Schema, migrate
from penstock.services.developer import migrations
from penstock.services.developer.store.vendors import vendors

STEPS = Path(migrations.__file__).parent
NEW_TABLES = ("developer_sign_ups", "developer_invitations", "developer_join_requests", "developer_icons")


@pytest.fixture(params=["metadata_file", "metadata_url"], ids=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest) -> Generator[Database]:
    opened = Database(request.getfixturevalue(request.param))
    yield opened
    opened.close()


def migrate_to(database: Database, folder: Path, step: int) -> None:
    """As a version of the program that had only the first steps."""
    folder.mkdir(exist_ok=True)
    for path in sorted(STEPS.glob("[0-9]*.py"))[:step]:
        shutil.copy(path, folder)
    migrate(database.engine, schema=Schema((Chain("developer", folder),)))


def add_vendor(database: Database, vendor_id: str, created_by: str, *, is_approved: bool) -> None:
    row: dict[str, Any] = {
        **dict.fromkeys(("name", "address", "email"), vendor_id),
        "id": vendor_id,
        "created_by": created_by,
        "is_public": False,
        "is_approved": is_approved,
        "created": clock.now(),
    }
    with database.engine.begin() as connection:
        connection.execute(vendors.insert().values(row))


def test_people_come_and_only_vendors_of_the_operator_are_approved(database: Database, tmp_path: Path) -> None:
    migrate_to(database, tmp_path / "steps", 3)
    add_vendor(database, "acme", "operator", is_approved=False)
    add_vendor(database, "keen", "operator", is_approved=True)
    add_vendor(database, "other", "ann@example.com", is_approved=False)
    add_vendor(database, "good", "ann@example.com", is_approved=True)
    assert not set(NEW_TABLES) & set(inspect(database.engine).get_table_names())

    migrate_to(database, tmp_path / "steps", 4)
    migrate_to(database, tmp_path / "steps", 4)

    with database.engine.connect() as connection:
        approved = {row.id: bool(row.is_approved) for row in connection.execute(vendors.select())}
        counts = [connection.execute(text(f"SELECT count(*) FROM {name}")).scalar() for name in NEW_TABLES]
        kept = [row.name for row in connection.execute(vendors.select().order_by(vendors.c.id))]
    assert approved == {"acme": True, "keen": True, "other": False, "good": True}
    assert (counts, kept) == ([0, 0, 0, 0], ["acme", "good", "keen", "other"])

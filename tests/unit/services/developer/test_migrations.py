"""Steps of the schema of the developer portal, on data of the step before."""

from __future__ import annotations

import shutil
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Column, Connection, MetaData, Table, inspect, text

from penstock.foundation import clock
from penstock.foundation.database import Database, Timestamp
from penstock.foundation.migrations import Chain, Schema, migrate
from penstock.services.developer import migrations

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
        connection.execute(table(connection, "developer_vendors").insert().values(row))


def table(connection: Connection, name: str) -> Table:
    """As it is at this step, and not as the newest step leaves it."""
    return Table(name, MetaData(), Column("created", Timestamp), autoload_with=connection)


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
        vendors = table(connection, "developer_vendors")
        approved = {row.id: bool(row.is_approved) for row in connection.execute(vendors.select())}
        counts = [connection.execute(text(f"SELECT count(*) FROM {name}")).scalar() for name in NEW_TABLES]
        kept = [row.name for row in connection.execute(vendors.select().order_by(vendors.c.id))]
    assert approved == {"acme": True, "keen": True, "other": False, "good": True}
    assert (counts, kept) == ([0, 0, 0, 0], ["acme", "good", "keen", "other"])


def test_versions_of_approved_apps_are_approved_and_others_are_not(database: Database, tmp_path: Path) -> None:
    migrate_to(database, tmp_path / "steps", 4)
    with database.engine.begin() as connection:
        apps, versions = table(connection, "developer_apps"), table(connection, "developer_versions")
        known = {"vendor_id": "acme", "version": 2, "last_version": 2, "is_public": False, "is_deprecated": False}
        known |= {"created": clock.now(), "created_by": "ann"}
        for app_id, is_approved in (("acme.used", True), ("acme.new", False)):
            connection.execute(apps.insert().values(**known, id=app_id, is_approved=is_approved))
            for number in (1, 2):
                version = {"app_id": app_id, "version": number, "tag": f"{number}", "fields": {}, "command": []}
                version |= {"created": clock.now(), "created_by": "ann"}
                connection.execute(versions.insert().values(version))

    migrate_to(database, tmp_path / "steps", 5)
    migrate_to(database, tmp_path / "steps", 5)

    with database.engine.connect() as connection:
        used = {
            row.id: row.approved_version for row in connection.execute(table(connection, "developer_apps").select())
        }
        approved = connection.execute(
            text("SELECT app_id, version FROM developer_versions WHERE approved IS NOT NULL ORDER BY version")
        )
        assert used == {"acme.used": 2, "acme.new": 0}
        assert [tuple(row) for row in approved] == [("acme.used", 1), ("acme.used", 2)]

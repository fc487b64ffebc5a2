"""Carries out the steps that a database does not have yet.

The table `alembic_version` has the format number, which versions before services had their own steps read as well.
"""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import Column, Integer, Table, Text, delete, insert, inspect, select, text

from penstock.foundation.database import metadata
from penstock.foundation.migrations.schema import COMMON, Chain, Schema

if TYPE_CHECKING:
    from alembic.runtime.migration import MigrationContext
    from sqlalchemy import Connection, Engine

finished = Table(
    "foundation_migrations",
    metadata,
    Column("chain", Text, primary_key=True),
    Column("steps", Integer, nullable=False),
)
"""How many steps of each chain the database has."""

_MAKE_VERSION = "CREATE TABLE IF NOT EXISTS alembic_version (version_num VARCHAR(32) NOT NULL PRIMARY KEY)"


def migrate(engine: Engine, to: int | None = None, schema: Schema | None = None) -> None:
    """Bring the database to a schema, in one transaction; without one, to the common steps, or the first `to` of them.

    Nothing happens if it is there already.
    """
    # As a writer: two processes that start at once do it one after the other.
    with engine.connect().execution_options(writing=True) as connection, connection.begin():
        known = _read_finished(connection)
        for chain in (schema or Schema()).chains:
            known[chain.name] = _finish(connection, chain, known.get(chain.name, 0), to)
        _record(connection, known)


def find_format(connection: Connection) -> int:
    """The format of the schema that is there; 0 if there is none."""
    if not inspect(connection).has_table("alembic_version"):
        return 0
    return int(connection.execute(text("SELECT version_num FROM alembic_version")).scalar() or 0)


def _read_finished(connection: Connection) -> dict[str, int]:
    """Return the finished steps of each chain. Until services had their own steps, the format was the number of common
    ones."""
    if not inspect(connection).has_table(finished.name):
        return {COMMON.name: find_format(connection)}
    return {row.chain: row.steps for row in connection.execute(select(finished))}


def _finish(connection: Connection, chain: Chain, done: int, to: int | None) -> int:
    """Carry out what is missing; how many steps of the chain the database has then."""
    missing = chain.steps[done:to]
    if missing:
        context = _make_context(connection)
        for path in missing:
            _carry_out(context, path)
    return done + len(missing)


def _make_context(connection: Connection) -> MigrationContext:
    from alembic.runtime.migration import MigrationContext  # takes long to import, and most starts migrate nothing

    return MigrationContext.configure(connection, opts={"target_metadata": metadata})


def _carry_out(context: MigrationContext, path: Path) -> None:
    from alembic.operations import Operations

    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    with Operations.context(context):
        module.upgrade()


def _record(connection: Connection, steps_by_chain: dict[str, int]) -> None:
    finished.create(connection, checkfirst=True)
    connection.execute(delete(finished))
    connection.execute(insert(finished), [{"chain": chain, "steps": steps} for chain, steps in steps_by_chain.items()])
    connection.execute(text(_MAKE_VERSION))
    connection.execute(text("DELETE FROM alembic_version"))
    number = f"{sum(steps_by_chain.values()):04}"
    connection.execute(text("INSERT INTO alembic_version VALUES (:number)"), {"number": number})

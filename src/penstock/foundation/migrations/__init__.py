"""The schema, versioned: one file per step in versions/, never edited once released.

The number of the newest step is the format number of a data folder.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sqlalchemy import Connection, Engine

FORMAT = 18


def migrate(engine: Engine, to: int = FORMAT) -> None:
    """Bring the schema to a format; already there, nothing happens."""
    from alembic import command  # takes 0.4 s to import, and most starts have nothing to migrate
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent))
    # As a writer: two processes that start at once do it one after the other.
    with engine.connect().execution_options(writing=True) as connection, connection.begin():
        config.attributes["connection"] = connection
        command.upgrade(config, f"{to:04}")


def find_format(connection: Connection) -> int:
    """The format of the schema that is there; 0 if there is none."""
    from sqlalchemy import inspect, text

    if not inspect(connection).has_table("alembic_version"):
        return 0
    return int(connection.execute(text("SELECT version_num FROM alembic_version")).scalar() or 0)

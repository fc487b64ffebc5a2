"""The schema, versioned: one file per step in versions/, never edited once released.

The number of the newest step is the format number of a data folder.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sqlalchemy import Engine

FORMAT = 8


def migrate(engine: Engine, to: int = FORMAT) -> None:
    """Bring the schema to a format; already there, nothing happens."""
    from alembic import command  # takes 0.4 s to import, and most starts have nothing to migrate
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent))
    with engine.begin() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, f"{to:04}")

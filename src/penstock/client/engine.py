"""DuckDB in the client's process: converts rows between files and formats without a loop over them in Python."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection


def open_engine(folder: Path) -> DuckDBPyConnection:
    """What does not fit into memory goes to the folder."""
    import duckdb  # here, because most commands do not need it and it takes a while to load

    engine = duckdb.connect(
        config={
            "autoinstall_known_extensions": False,
            "autoload_known_extensions": False,
            "temp_directory": str(folder),
            "python_enable_replacements": False,
        }
    )
    engine.execute("SET TimeZone = 'UTC'")
    return engine


def quote_name(name: str) -> str:
    escaped = name.replace('"', '""')
    return f'"{escaped}"'


def quote_text(value: object) -> str:
    escaped = str(value).replace("'", "''")
    return f"'{escaped}'"


def quote_list(values: list[Path]) -> str:
    return f"[{', '.join(quote_text(value) for value in values)}]"

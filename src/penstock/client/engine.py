"""DuckDB in the client's process: converts rows between files and formats without a loop over them in Python."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from penstock.client.errors import ClientError

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection


class ConversionFailed(ClientError):
    """A file that is not what its format says, or a full disk."""

    status = 400

    def __init__(self, error: Exception) -> None:
        super().__init__(f"The rows cannot be converted. {str(error).strip()}")


@contextmanager
def open_engine(folder: Path) -> Generator[DuckDBPyConnection]:
    """Open an engine; data that does not fit into memory goes to the folder."""
    import duckdb  # here, because most commands do not need it and it takes a while to load

    config: dict[str, str | bool | int | float | list[str]] = {
        "autoinstall_known_extensions": False,
        "autoload_known_extensions": False,
        "temp_directory": str(folder),
        "python_enable_replacements": False,
    }
    try:
        with duckdb.connect(config=config) as engine:
            engine.execute("SET TimeZone = 'UTC'")
            yield engine
    except duckdb.InterruptException:
        raise KeyboardInterrupt from None
    except duckdb.Error as error:
        raise ConversionFailed(error) from error


def quote_name(name: str) -> str:
    escaped = name.replace('"', '""')
    return f'"{escaped}"'


def quote_text(value: object) -> str:
    escaped = str(value).replace("'", "''")
    return f"'{escaped}'"


def quote_list(values: list[Path]) -> str:
    return f"[{', '.join(quote_text(value) for value in values)}]"

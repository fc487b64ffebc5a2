"""The database of a workspace, locked before it runs SQL of users.

SQL can read files, connect to hosts and load code. So nothing but the links to project tables, the results and the
exports can be opened, no extension can be loaded, and none of these settings can be changed back.
"""

from __future__ import annotations

import duckdb

from penstock.foundation.text.quoting import quote_name, quote_value
from penstock.sql.folders import FILES, RESULTS, TEMPORARY
from penstock.sql.messages import Setup

_OWN_MEGABYTES, _SHARE = 120, 0.75
"""What Python and the libraries take, and which part of the rest the database counts."""


def open_database(setup: Setup) -> duckdb.DuckDBPyConnection:
    """The name of the file is the name of the catalog."""
    database = duckdb.connect(f"{setup.database}.duckdb", config=_settings(setup))
    database.execute(f"CREATE SCHEMA IF NOT EXISTS {quote_name(setup.schema)}")
    places = ", ".join(quote_value(place) for place in (f"{setup.tables}/", f"{RESULTS}/", f"{FILES}/"))
    database.execute("SET GLOBAL TimeZone = 'UTC'")
    database.execute(f"SET GLOBAL allowed_directories = [{places}]")
    database.execute("SET GLOBAL enable_external_access = false")
    database.execute("SET GLOBAL lock_configuration = true")
    return database


def _settings(setup: Setup) -> dict[str, str | bool | int | float | list[str]]:
    limits = setup.limits
    return {
        "temp_directory": TEMPORARY,
        "max_temp_directory_size": f"{limits.temp_megabytes}MB",
        "memory_limit": f"{(limits.memory_megabytes - _OWN_MEGABYTES) * _SHARE:.0f}MB",
        "threads": limits.threads,
        "autoinstall_known_extensions": False,
        "autoload_known_extensions": False,
        "allow_community_extensions": False,
        "allow_persistent_secrets": False,
        "python_enable_replacements": False,
        # Rows of a result have the order of its query.
        "preserve_insertion_order": True,
    }


def use_schema(cursor: duckdb.DuckDBPyConnection, setup: Setup) -> None:
    cursor.execute(f"USE {quote_name(setup.database)}.{quote_name(setup.schema)}")

"""What a translation knows beside the statement."""

from __future__ import annotations

import msgspec

WAREHOUSE = "KEBOOLA_PROD"


class Context(msgspec.Struct):
    database: str
    schema: str
    flattened: set[str]
    """Aliases of FLATTEN: their columns VALUE and THIS are VARIANT."""
    session: dict[str, str]
    """Functions that name where the statement runs."""

    @classmethod
    def of(cls, database: str, schema: str) -> Context:
        return cls(database, schema, set(), _session(database, schema))


def _session(database: str, schema: str) -> dict[str, str]:
    """The user and the role of a workspace have its name."""
    return {
        "CURRENT_DATABASE": database,
        "CURRENT_SCHEMA": schema,
        "CURRENT_ROLE": schema,
        "CURRENT_USER": schema,
        "CURRENT_WAREHOUSE": WAREHOUSE,
    }

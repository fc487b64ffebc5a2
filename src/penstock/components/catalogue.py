"""The list of bundled components; to add one, write its folder and add one name.

Components that were added to a stack are in services/developer.
"""

from __future__ import annotations

from penstock.components.component import Component
from penstock.components.config_only import CONFIG_ONLY
from penstock.components.documentation import documented
from penstock.components.duckdb_transformation import DUCKDB_TRANSFORMATION
from penstock.components.flow import FLOW
from penstock.components.generic_extractor import GENERIC_EXTRACTOR
from penstock.components.generic_writer import GENERIC_WRITER
from penstock.components.orchestrator import ORCHESTRATOR
from penstock.components.planned import PLANNED
from penstock.components.python_transformation import PYTHON_TRANSFORMATION
from penstock.components.runner_test import RUNNER_TEST
from penstock.components.snowflake_transformation import SNOWFLAKE_TRANSFORMATION

_SHIPPED = (
    GENERIC_EXTRACTOR,
    GENERIC_WRITER,
    DUCKDB_TRANSFORMATION,
    SNOWFLAKE_TRANSFORMATION,
    PYTHON_TRANSFORMATION,
    FLOW,
    ORCHESTRATOR,
    *CONFIG_ONLY,
    RUNNER_TEST,
    *PLANNED,
)
CATALOGUE: tuple[Component, ...] = tuple(map(documented, _SHIPPED))


def find_component(component_id: str) -> Component | None:
    """Returns a bundled component, by its id or an alias."""
    return next((c for c in CATALOGUE if component_id == c.id or component_id in c.aliases), None)

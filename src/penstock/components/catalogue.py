"""The list of components; to add one, write its folder and add one name."""

from __future__ import annotations

from penstock.components.component import Component
from penstock.components.generic_extractor import GENERIC_EXTRACTOR

CATALOGUE: tuple[Component, ...] = (GENERIC_EXTRACTOR,)


def find_component(component_id: str) -> Component | None:
    return next((c for c in CATALOGUE if component_id == c.id or component_id in c.aliases), None)

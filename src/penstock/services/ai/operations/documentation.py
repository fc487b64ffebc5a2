"""The documentation of a component, from the registry."""

from __future__ import annotations

from penstock.components.component import Component
from penstock.components.documentation import documented
from penstock.foundation.database import Transaction
from penstock.services.ai.errors import UnknownComponent
from penstock.services.ai.models import ComponentDocumentation
from penstock.services.developer import interface as developer


def get_documentation(tx: Transaction, component_id: str) -> ComponentDocumentation:
    """Return the documentation of a component by its id or an alias."""
    component = developer.find_component(tx, component_id)
    if not component:
        raise UnknownComponent(component_id)
    return documentation_view(component if component.documentation else documented(component))


def documentation_view(component: Component) -> ComponentDocumentation:
    return ComponentDocumentation(
        component_id=component.id,
        component_type=component.type,
        component_name=component.name,
        component_categories=list(component.categories),
        component_flags=list(component.flags),
        description=component.description,
        long_description=component.long_description,
        documentation_url=component.documentation_url or None,
        documentation=component.documentation or None,
        configuration_schema=component.configuration_schema if component.full_schema else None,
        configuration_row_schema=component.configuration_row_schema or None,
        configuration_description=component.configuration_description or None,
        root_configuration_examples=list(component.configuration_examples),
        row_configuration_examples=list(component.configuration_row_examples),
        synchronous_actions=list(component.synchronous_actions),
    )

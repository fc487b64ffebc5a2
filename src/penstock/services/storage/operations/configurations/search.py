"""Search configurations by component, id and metadata."""

from __future__ import annotations

from penstock.components.catalogue import find_component
from penstock.foundation.callers import Caller
from penstock.foundation.database import Transaction
from penstock.services.storage.models.components import SearchQuery
from penstock.services.storage.models.configurations import ConfigurationRow
from penstock.services.storage.models.metadata import CONFIGURATION, MetadataRow
from penstock.services.storage.operations.configurations.configurations import list_configurations
from penstock.services.storage.operations.metadata import list_all_metadata

Hit = tuple[ConfigurationRow, list[MetadataRow]]


def search_configurations(tx: Transaction, caller: Caller, query: SearchQuery) -> list[Hit]:
    """Matching configurations with their matching metadata: of the requested keys, or all of it."""
    known = list_all_metadata(tx, caller.project_id, caller.branch_id, CONFIGURATION)
    component = find_component(query.id_component)
    wanted = component.id if component else query.id_component
    hits: list[Hit] = []
    for found in list_configurations(tx, caller, with_documents=False):
        row = found.configuration
        if wanted in ("", row.component_id) and query.configuration_id in ("", row.id):
            hits.append((row, [item for item in known.get(row.key.owner.id, []) if _fits(item, query)]))
    return [hit for hit in hits if hit[1] or not query.keys]


def _fits(item: MetadataRow, query: SearchQuery) -> bool:
    return not query.keys or item.key in query.keys

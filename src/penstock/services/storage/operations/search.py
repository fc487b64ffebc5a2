"""Search: objects of a project by name, and tables by their metadata."""

from __future__ import annotations

from collections.abc import Collection
from urllib.parse import quote

from msgspec import UNSET, UnsetType

from penstock.foundation.callers import Caller
from penstock.foundation.database import Transaction
from penstock.foundation.errors import Invalid
from penstock.services.developer import interface as developer
from penstock.services.management import interface as management
from penstock.services.storage.models import to_text
from penstock.services.storage.models.branches import Branch
from penstock.services.storage.models.buckets import ProjectRef
from penstock.services.storage.models.metadata import TABLE as TABLE_METADATA
from penstock.services.storage.models.search import (
    BUCKET,
    DEVELOPMENT,
    FLOW,
    OTHER_TYPES,
    PRODUCTION,
    ROW,
    SHARED_CODE,
    TABLE,
    TRANSFORMATION,
    TYPES,
    WORKSPACE,
    BranchRef,
    FullPath,
    GlobalSearchQuery,
    Hit,
    NameRef,
    SearchItem,
    SearchResult,
    TableSearchQuery,
)
from penstock.services.storage.models.tables import TableRow
from penstock.services.storage.names import split_table_id
from penstock.services.storage.operations.permissions import may_read_bucket
from penstock.services.storage.operations.tables.tables import resolve
from penstock.services.storage.operations.tables.views import Viewer
from penstock.services.storage.store import branches, metadata, search, tables

MAX_HITS = 500
MAX_QUERY_CHARACTERS, MAX_WORDS = 255, 10
FLOWS, SHARED_CODES = ("keboola.flow", "keboola.orchestrator"), ("keboola.shared-code",)

Components = dict[str, developer.Component]


def search_everywhere(tx: Transaction, viewer: Viewer, query: GlobalSearchQuery) -> SearchResult:
    """Objects of the caller's project by name; tokens of a project find nothing in other projects."""
    caller, words = viewer.caller, _read_words(query.query)
    _check_words("types", query.types, (*TYPES, *OTHER_TYPES))
    _check_words("branchTypes", query.branch_types, (PRODUCTION, DEVELOPMENT))
    components = {each.id: each for each in developer.list_components(tx)}
    within = {branch.id: branch for branch in branches.list_branches(tx, caller.project_id) if _fits(branch, query)}
    types = [each for each in TYPES if not query.types or each in query.types]
    project = management.get_project(tx, caller.project_id)
    if not types or not within or (query.project_ids and caller.project_id not in query.project_ids):
        return SearchResult(all=0, items=[], by_type={"total": 0}, by_project={})
    scope = _make_scope(caller, words, types, within, components)
    counts = search.count_hits(tx, scope)
    hits = search.list_hits(tx, scope, min(query.limit, MAX_HITS), query.offset) if counts else []
    total = sum(counts.values())
    return SearchResult(
        all=total,
        items=[_view(viewer, project, within[hit.branch_id], components, hit) for hit in hits],
        by_type={"total": total, **counts},
        by_project={str(project.id): project.name} if total else {},
    )


def search_tables(tx: Transaction, caller: Caller, query: TableSearchQuery) -> list[TableRow]:
    """Tables that have a matching item of metadata. Those of linked buckets have theirs in their own project."""
    if not (query.metadata_key or query.metadata_provider or query.metadata_value is not None):
        raise Invalid(
            "Invalid request:\n - metadataKey: Say what to search for: metadataKey, metadataValue or "
            "metadataProvider, or several of them."
        )
    place = (caller.project_id, caller.storage_branch_id)
    ids = metadata.list_owner_ids(
        tx, *place, TABLE_METADATA, query.metadata_key, query.metadata_value, query.metadata_provider
    )
    readable = [split_table_id(each) for each in ids if may_read_bucket(caller, each.rpartition(".")[0])]
    return [resolve(tx, row) for row in tables.list_named(tx, *place, readable)]


def _read_words(text: str) -> list[str]:
    words = text.split()
    if not words:
        raise Invalid("Invalid request:\n - query: The query is empty. Say a part of the name to search for.")
    if len(text) > MAX_QUERY_CHARACTERS or len(words) > MAX_WORDS:
        raise Invalid(
            f"Invalid request:\n - query: A query has at most {MAX_QUERY_CHARACTERS} characters and {MAX_WORDS} words."
        )
    return words


def _check_words(field: str, words: Collection[str], allowed: Collection[str]) -> None:
    unknown = [word for word in words if word not in allowed]
    if unknown:
        raise Invalid(f'Invalid request:\n - {field}: "{unknown[0]}" is not known; use one of {", ".join(allowed)}.')


def _fits(branch: Branch, query: GlobalSearchQuery) -> bool:
    kind = PRODUCTION if branch.is_default else DEVELOPMENT
    is_listed = not query.branch_ids or branch.id in query.branch_ids
    return is_listed and (not query.branch_types or kind in query.branch_types)


def _make_scope(
    caller: Caller, words: list[str], types: list[str], within: Collection[int], components: Components
) -> search.Scope:
    sees_all, main = caller.sees_all_buckets, caller.main_branch_id
    return search.Scope(
        project_id=caller.project_id,
        words=words,
        types=types,
        branch_ids=list(within),
        storage_branch_ids=[each for each in within if caller.has_storage_branches or each == main],
        bucket_ids=None if sees_all else list(caller.bucket_permissions),
        component_ids=None if sees_all else list(caller.component_access),
        workspaces_of=None if sees_all else caller.token_id,
        types_of_components={
            FLOW: list(FLOWS),
            SHARED_CODE: list(SHARED_CODES),
            TRANSFORMATION: [each.id for each in components.values() if each.type == TRANSFORMATION],
        },
    )


def _view(viewer: Viewer, project: management.Project, branch: Branch, components: Components, hit: Hit) -> SearchItem:
    caller, component = viewer.caller, components.get(hit.component_id or "")
    path = FullPath(
        project=ProjectRef(id=project.id, name=project.name),
        branch=BranchRef(
            id=branch.id, name=branch.name, is_default=branch.is_default, is_native=caller.has_storage_branches
        ),
        component=_ref(hit.component_id, component.name if component else hit.component_id),
        configuration=_ref(hit.config_id if hit.type in (ROW, WORKSPACE) else None, hit.config_name),
        bucket=_ref(hit.bucket_id, hit.bucket_name),
    )
    return SearchItem(
        id=hit.id,
        name=hit.name,
        type=hit.type,
        full_path=path,
        component_id=hit.component_id,
        organization_id=project.organization_id,
        project_id=project.id,
        project_name=project.name,
        created=to_text(hit.created),
        uri=f"{viewer.url}/v2/storage/branch/{branch.id}/{_path(hit)}",
    )


def _ref(object_id: str | None, name: str | None) -> NameRef | UnsetType:
    return NameRef(id=object_id, name=name or object_id) if object_id else UNSET


def _path(hit: Hit) -> str:
    """The address of the object below its branch."""
    if hit.type in (BUCKET, TABLE, WORKSPACE):
        return f"{hit.type}s/{quote(hit.id, safe='')}"
    of_config = f"components/{quote(hit.component_id or '', safe='')}/configs/{quote(hit.config_id or '', safe='')}"
    return f"{of_config}/rows/{quote(hit.id, safe='')}" if hit.type == ROW else of_config

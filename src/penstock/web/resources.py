"""The resource that an operation belongs to, from its path: the portal groups operations by it."""

from __future__ import annotations

import re

_GROUPS = {
    "Aliases": "alias-columns-auto-sync alias-filter table-aliases",
    "Applications": "manage",
    "Apps": "apps changes",
    "Authorizations": "authorize",
    "Branches": "dev-branches merge-request",
    "Buckets": "buckets listings",
    "Components": "components",
    "Configurations": "configs configurations component-configurations",
    "Deleted projects": "deleted-projects",
    "Events": "events",
    "Features": "features",
    "Files": "files upload-file",
    "File storages": "file-storage-s3 file-storage-abs file-storage-gcs",
    "Icons": "icon icons",
    "Invitations": "invitations accept-invitation decline-invitation projects-invitations organizations-invitations "
    "maintainers-invitations",
    "Jobs": "jobs job configurations-jobs latest-configurations-jobs grouped-jobs orchestration-rerun-plan stats",
    "Members": "users join-maintainer join-organization join-project join-requests projects-join-requests "
    "request-access user-requests projects-users",
    "Metadata": "metadata",
    "Names": "webalize validate",
    "Queries": "queries",
    "Rows of configurations": "rows",
    "Search": "global-search search",
    "Questions": "suggest question explain describe prompt",
    "Service": "health-check documentation storage",
    "Sessions": "sessions session get-output-tables",
    "Sharing": "share share-organization share-organization-project share-to-projects share-to-users links "
    "shared-buckets",
    "Snapshots": "snapshots",
    "Storage backends": "storage-backend",
    "Tables": "tables tables-async tables-definition write-table",
    "Rows of tables": "data-preview data-file import import-async export-async",
    "Tokens": "tokens personal-tokens",
    "Triggers": "triggers",
    "Versions": "versions",
    "User interfaces": "ui-apps",
    "Workspaces": "workspaces",
}
_OF_SEGMENT = {segment: group for group, segments in _GROUPS.items() for segment in segments.split()}
_WITHIN = {
    "tables": {**_OF_SEGMENT, "rows": "Rows of tables"},
    "auth": {"auth": "Sign-in", "personal-tokens": "Tokens"},
    "duration": {"duration": "Usage"},
    "repository": {"repository": "Documents"},
}
"""Paths that begin with one of these have groups of their own."""
_AROUND = re.compile(r"/(v1|v2|api|storage|manage|admin|repository)(?=/[^{])|/branch/\{\w+\}(?=/.)")
"""What says nothing about the resource: versions, and the branch that it is in."""


def find_resource(template: str) -> str:
    """Return the group of the last segment that has one; otherwise the first segment, as a title."""
    segments = [each for each in _AROUND.sub("", template).split("/") if each and not each.startswith("{")]
    if not segments:
        return "Service"
    groups = _WITHIN.get(segments[0], _OF_SEGMENT)
    return next((groups[each] for each in reversed(segments) if each in groups), _to_title(segments[0]))


def _to_title(segment: str) -> str:
    return segment.partition(".")[0].replace("-", " ").capitalize()

"""Who writes for several projects at once, and so keeps everybody else in the stack from writing.

On PostgreSQL `writing()` without a project waits for all writers and all writers wait for it, so it is for what is rare
and short. Whatever a request or a job does belongs to one project: `writing(project_id)`.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

SOURCE = Path(__file__).parents[2] / "src" / "penstock"

ALONE = {
    "app.py: _check_key": "a fact about the stack",
    "server/first_project.py: _make_project": "a project that nobody knows yet",
    "foundation/audit/store.py: maintain": "old entries of every project",
    "foundation/stored_ciphers.py: _rewrap_table": "secrets of every project, in batches",
    "server/components.py: add_component": "components belong to the stack",
    "server/components.py: remove_component": "components belong to the stack",
    "server/credits.py: add_credits": "the project is found out inside",
    "server/keys.py: _rotate": "a fact about the stack",
    "server/manage_tokens.py: create_token": "manage tokens belong to the stack",
    "server/manage_tokens.py: revoke_token": "manage tokens belong to the stack",
    "server/projects.py: create_project": "a project that nobody knows yet",
    "server/projects.py: set_feature": "the project is found out inside",
    "server/projects.py: trust_host": "the project is found out inside",
    "foundation/events/outbox.py: maintain": "old events of every project",
    "foundation/jobs/worker.py: prepare": "leases of workers that are gone, in every project",
    "web/idempotency.py: maintain": "old responses of every project",
    "services/management/routes/projects.py: move_project": "links between projects of the old organization",
    "services/management/routes/users.py: remove_user": "the user goes from every project",
    "services/ai/service.py: maintain": "old feedback of every project",
    "services/metastore/service.py: maintain": "deleted documents of every project",
    "services/notification/service.py: maintain": "old deliveries of every project",
    "services/notification/worker.py: prepare": "deliveries of every project that other settings have refused",
    "services/oauth/operations/authorizing.py: remove_expired": "old authorizations of every project",
    "services/queue/triggers/worker.py: maintain": "old checks of triggers of every project",
    "services/storage/operations/maintenance.py: maintain_all": "old jobs of every project",
    "services/storage/operations/events.py: remove_old_events": "old events of every project",
    "services/storage/operations/buckets.py: _delete": "the links that other projects have to the bucket go too",
    "services/storage/routes/sharing.py: unshare_bucket": "the links of others go too",
    "services/storage/routes/sharing.py: unlink_bucket": "the link of another project goes",
    "services/storage/routes/sharing.py: _share": "what others may link, and their links",
    "services/storage/purging.py: _remove_links": "links of other projects to buckets that are purged",
    "services/storage/routes/buckets.py: create_bucket": "with a source: whether it may be linked is another's to say",
}


def test_only_these_write_for_several_projects_at_once() -> None:
    assert sorted(set(_find_alone())) == sorted(ALONE)


def _find_alone() -> Iterator[str]:
    # Only those are parsed that have the word.
    sources = {path: source for path in SOURCE.rglob("*.py") if "writing" in (source := path.read_text())}
    for path, source in sources.items():
        for function in ast.walk(ast.parse(source)):
            if isinstance(function, ast.FunctionDef) and any(_is_alone(node) for node in ast.walk(function)):
                yield f"{path.relative_to(SOURCE)}: {function.name}"


def _is_alone(node: ast.AST) -> bool:
    """`….database.writing()`, or `request.writing(across_projects=…)`."""
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute) or node.func.attr != "writing":
        return False
    if any(keyword.arg == "across_projects" for keyword in node.keywords):
        return True
    return not node.args and "database" in ast.unparse(node.func.value)

"""Rows of the contract that this stack does not implement. Each says so, and what to do instead: clients do not retry a
501, and would take a 404 for an object that is missing."""

from __future__ import annotations

import inspect

from penstock.foundation.callers import Right
from penstock.services.storage.errors.configurations import NotImplementedHere
from penstock.web.requests import Request
from penstock.web.routing import Route, delete, get, post, put
from penstock.web.signatures import Handler, path_parameters

ROOT = "/v2/storage"

Sentences = tuple[str, str]
"""What is not available, and what to do instead."""

EXTERNAL = (
    "Buckets of external databases are not available: every bucket is stored by this stack.",
    "Load the data with a component, or write it into a table with tables-async.",
)
LISTINGS = (
    "Listings of data exchanges are not available: this stack is not BigQuery.",
    "Share the bucket with POST buckets/{id}/share-organization or share-to-projects.",
)
MERGE_REQUESTS = (
    "Merge requests are not available.",
    "Apply the changes of a branch to Main with the kbc CLI (pull from the branch, push to Main), or update the "
    "configurations of Main.",
)
BRANCH_CHANGES = (
    "Comparing and rebasing configurations of branches on the server is not available.",
    "Read both with GET branch/{id}/components/{component}/configs/{config}; POST …/reset-to-default copies Main's.",
)
USERS = (
    "A bucket cannot be shared with single users.",
    "Share it with their projects: POST buckets/{id}/share-to-projects.",
)
OWNERS = (
    "Buckets do not have an owner.",
    "Keep one as metadata of the bucket: POST buckets/{id}/metadata.",
)
REFRESHED_FILES = (
    "Credentials of an upload are not refreshed: only files in Google Cloud Storage need that.",
    "Prepare the upload again with POST files/prepare; its credentials work for at least twelve hours.",
)
PULLS = (
    "A table of Main cannot be pulled into a branch.",
    "Export it from Main with export-async, and create it in the branch from that file with tables-async.",
)
SCHEDULED_TASKS = (
    "Scheduled tasks of Storage are not available.",
    "Schedule a configuration or a flow with the Scheduler API.",
)


def routes() -> list[Route]:
    bucket, config = f"{ROOT}/buckets/{{bucket_id}}", f"{ROOT}/components/{{component_id}}/configs/{{config_id}}"
    table = f"{ROOT}/tables/{{table_id}}"
    return [
        _row("POST", f"{ROOT}/buckets/register", EXTERNAL, "register_bucket", Right.MANAGE_BUCKETS),
        _row(
            "GET",
            f"{ROOT}/buckets/register-guide",
            EXTERNAL,
            "get_register_guide",
            title="Get the guide to register a bucket",
        ),
        _row("PUT", f"{bucket}/refresh", EXTERNAL, "refresh_bucket"),
        _row(
            "POST",
            f"{bucket}/refresh-tables-info",
            EXTERNAL,
            "refresh_tables_info",
            title="Refresh the tables of a bucket",
        ),
        _row("GET", f"{bucket}/listing", LISTINGS, "get_listing", title="Get the listing of a bucket"),
        _row("GET", f"{ROOT}/listings", LISTINGS, "list_listings"),
        _row("GET", f"{bucket}/owner", OWNERS, "get_bucket_owner"),
        _row("POST", f"{bucket}/owner", OWNERS, "set_bucket_owner"),
        _row(
            "POST",
            f"{bucket}/share-to-users",
            USERS,
            "share_to_users",
            Right.SHARE_BUCKETS,
            "Share a bucket with users",
        ),
        _row(
            "GET",
            f"{config}/diff",
            BRANCH_CHANGES,
            "get_configuration_diff",
            title="Get the difference to the configuration of Main",
        ),
        _row("POST", f"{config}/rebase", BRANCH_CHANGES, "rebase_configuration"),
        _row("POST", f"{table}/pull", PULLS, "pull_table", title="Pull a table of Main into a branch"),
        _row("PUT", f"{ROOT}/files/{{file_id}}/refresh", REFRESHED_FILES, "refresh_file"),
    ]


def main_routes() -> list[Route]:
    """Routes that exist only without a branch."""
    every, one = f"{ROOT}/merge-request", f"{ROOT}/merge-request/{{merge_request_id}}"
    return [
        _row("GET", every, MERGE_REQUESTS, "list_merge_requests"),
        _row("POST", every, MERGE_REQUESTS, "create_merge_request", Right.MANAGE_BUCKETS),
        _row("GET", one, MERGE_REQUESTS, "get_merge_request"),
        _row("PUT", one, MERGE_REQUESTS, "update_merge_request", Right.MANAGE_BUCKETS),
        _row(
            "PUT",
            f"{one}/{{action}}",
            MERGE_REQUESTS,
            "change_merge_request",
            Right.MANAGE_BUCKETS,
            "Move a merge request on",
        ),
        _row("DELETE", f"{ROOT}/scheduled-tasks/{{task_id}}", SCHEDULED_TASKS, "delete_scheduled_task"),
    ]


def _row(method: str, path: str, sentences: Sentences, name: str, needs: Right = Right.TOKEN, title: str = "") -> Route:
    make = {"GET": get, "POST": post, "PUT": put, "DELETE": delete}[method]
    return make(path, _refuse(path, sentences, name), needs=needs, status=501, works_on_full_disk=True, title=title)


def _refuse(path: str, sentences: Sentences, name: str) -> Handler:
    """A handler that takes the parameters of the path, whatever they are."""

    def handle(_request: Request, **_parameters: str) -> None:
        raise NotImplementedHere(" ".join(sentences))

    names = path_parameters(path)
    kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
    parameters = [inspect.Parameter(each, kind) for each in ("request", *names)]
    handle.__dict__["__signature__"] = inspect.Signature(parameters)
    handle.__annotations__ = {"request": Request, **dict.fromkeys(names, str), "return": None}
    handle.__name__, handle.__doc__ = name, f"Refused, since it is not implemented. {' '.join(sentences)}"
    return handle

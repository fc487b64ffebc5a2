"""The selected job with its parents, as a configuration.

Other jobs are left out, so that an error in an unfinished one does not prevent the action.
"""

from __future__ import annotations

import re
from typing import Any

from penstock.extractor.base.errors import UserError
from penstock.extractor.base.json_text import json_text
from penstock.extractor.base.values import as_map, is_empty
from penstock.extractor.config.effective import Config, read_configs
from penstock.extractor.config.jobs import Job
from penstock.extractor.tools.actions.action_request import ActionRequest
from penstock.extractor.tools.actions.auth_method import with_auth_method

KEY = "__SELECTED_JOB"
LEFT_OUT = ("jobs", "mappings")
_IS_PATH = re.compile(r"[0-9]{1,6}(_[0-9]{1,6})*").fullmatch


def read_selected(request: ActionRequest) -> tuple[Config, list[Job]]:
    """Returns the configuration, and the selected job after its parents. Only the first iteration is used."""
    path = _read_path(request.parameters.get(KEY))
    config = read_configs(_document(request, path, LEFT_OUT), request.folder, request.log.warning)[0]
    request.log.hide(config.sending.auth.secrets)
    jobs = [config.jobs[0]]
    while len(jobs) < len(path):
        jobs.append(jobs[-1].children[0])
    return config, jobs


def selected_document(request: ActionRequest) -> dict[str, Any]:
    """Returns the configuration of the selected job and its parents, with the mappings, as a run takes it."""
    document = _document(request, _read_path(request.parameters.get(KEY)), ("jobs",))
    parameters = {key: value for key, value in document["parameters"].items() if not key.startswith("__")}
    return {**document, "parameters": parameters}


def _document(request: ActionRequest, path: list[int], left_out: tuple[str, ...]) -> dict[str, Any]:
    return with_auth_method(_with_limits(_narrowed(request.document, path, left_out)), request.log.warning)


def _read_path(value: Any) -> list[int]:
    """`0_1` is the second child of the first job."""
    if value is None or value == "":
        raise UserError(
            f"{KEY} is missing! Set `parameters.{KEY}` to `0` for the first job, `0_1` for its second child."
        )
    if isinstance(value, (dict, list, bool)) or not _IS_PATH(str(value)):
        raise UserError(
            f"{KEY} is {json_text(value)}, which names no job. Use `0` for the first job, `0_1` for its child."
        )
    return [int(part) for part in str(value).split("_")]


def _narrowed(document: dict[str, Any], path: list[int], left_out: tuple[str, ...]) -> dict[str, Any]:
    parameters = as_map(document.get("parameters"))
    config = as_map(parameters.get("config"))
    jobs = config.get("jobs")
    if is_empty(jobs) or not isinstance(jobs, (dict, list)):
        return document  # reading the configuration reports the error
    job = _only(as_map(jobs), path, path)
    _check_scrollers(job, as_map(as_map(parameters.get("api")).get("pagination")))
    plain = {key: value for key, value in config.items() if key not in left_out}
    narrow = {"config": {**plain, "jobs": [job]}, "iterations": _first(parameters.get("iterations"), left_out)}
    return {**document, "parameters": {**parameters, **narrow}}


def _with_limits(document: dict[str, Any]) -> dict[str, Any]:
    """Returns the list of allowed hosts with `endpoint`, which is called `path` for actions."""
    image = as_map(document.get("image_parameters"))
    if not isinstance(image.get("allowed_hosts"), (dict, list)):
        return document
    entries = [as_map(entry) for entry in as_map(image["allowed_hosts"]).values()]
    limited = [{**entry, "endpoint": entry["path"]} if entry.get("path") else entry for entry in entries]
    return {**document, "image_parameters": {**image, "allowed_hosts": limited}}


def _only(jobs: dict[str, Any], path: list[int], full_path: list[int]) -> Any:
    """Returns the job at the path, with only the child jobs on the path."""
    selected = list(jobs.values())[path[0] : path[0] + 1]
    if not selected:
        raise UserError(
            f"{KEY} is {'_'.join(map(str, full_path))}, but there is no such job in `parameters.config.jobs`."
        )
    if not isinstance(selected[0], dict):
        return selected[0]
    job = as_map(selected[0])
    below = [_only(as_map(job.get("children")), path[1:], full_path)] if path[1:] else []
    return {**job, "children": below}


def _check_scrollers(job: Any, pagination: dict[str, Any]) -> None:
    """Checks the names of scrollers. Without `multiple`, a run ignores the scroller of a job."""
    scroller, scrollers = as_map(job).get("scroller"), as_map(pagination.get("scrollers"))
    if pagination.get("method") == "multiple" and not is_empty(scroller) and str(scroller) not in scrollers:
        names = ", ".join(scrollers) or "none"
        raise UserError(f"Paginator '{scroller}' not found in the configuration. Scrollers defined: {names}.")
    for child in as_map(as_map(job).get("children")).values():
        _check_scrollers(child, pagination)


def _first(iterations: Any, left_out: tuple[str, ...]) -> Any:
    """Returns a list with the first iteration, without what is left out of `config`."""
    if is_empty(iterations) or not isinstance(iterations, (dict, list)):
        return iterations
    first = as_map(next(iter(as_map(iterations).values())))
    return [{key: value for key, value in first.items() if key not in left_out}]

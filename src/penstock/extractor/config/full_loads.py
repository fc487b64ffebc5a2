"""Parameters that ask only for what is new, of a load that replaces the whole table: from its second run on the table
holds only what is new, and nothing after a run that finds nothing. The console has the same rule in `fullLoads.ts`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, cast

from penstock.extractor.base.section import Section
from penstock.extractor.base.values import as_map
from penstock.extractor.config.unknown_keys import check_keys

MAX_DEPTH = 20
Warn = Callable[[str], None]


def lint(parameters: Mapping[str, Any], warn: Warn) -> None:
    """Warn about what is accepted, and probably not meant; with `strict`, raise UserError about unknown keys."""
    check_keys(parameters, warn)
    for sentence in find_full_loads(parameters):
        warn(sentence)


def find_full_loads(parameters: Mapping[str, Any]) -> Iterator[str]:
    """Yield a sentence for each job that would replace its table by what is new."""
    config = as_map(parameters.get("config"))
    if not Section(config, "parameters.config").flag("incrementalOutput"):
        yield from _in_jobs(config.get("jobs"), "config.jobs", config)


def _in_jobs(jobs: Any, path: str, config: dict[str, Any]) -> Iterator[str]:
    for number, value in enumerate(cast(list[Any], jobs) if isinstance(jobs, list) else []):
        job, where = as_map(value), f"{path}[{number}]"
        param = None if Section(job, f"parameters.{where}").flag("incremental") else _find_param(job, config)
        if param:
            yield (
                f"{where}.{param} asks only for what is new since the last run, but the table is replaced as a whole: "
                "the rows of earlier runs are lost, and a run that finds nothing new empties it. Set "
                '"incrementalOutput": true and a primary key, or remove previousStart.'
            )
        yield from _in_jobs(job.get("children"), f"{where}.children", config)


def _find_param(job: dict[str, Any], config: dict[str, Any]) -> str | None:
    """Return the setting of a job that depends on the time of the last run."""
    for name, value in as_map(job.get("params")).items():
        if _uses_last_run(value, config):
            return f"params.{name}"
    return "endpoint" if _uses_last_run(job.get("endpoint"), config) else None


def _uses_last_run(value: Any, config: dict[str, Any], depth: int = 0) -> bool:
    if depth > MAX_DEPTH:
        return False
    if isinstance(value, list):
        return any(_uses_last_run(item, config, depth + 1) for item in cast(list[Any], value))
    if not isinstance(value, dict):
        return False
    function = cast(dict[str, Any], value)
    name = function.get("attr")
    if function.get("time") == "previousStart":
        return True
    if isinstance(name, str) and _uses_last_run(config.get(name.partition(".")[0]), config, depth + 1):
        return True
    return any(_uses_last_run(item, config, depth + 1) for item in function.values())

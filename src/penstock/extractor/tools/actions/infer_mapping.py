"""The action `infer_mapping`: suggests a mapping for the records of a job."""

from __future__ import annotations

from typing import Any

from penstock.extractor.base.errors import UserError
from penstock.extractor.base.values import as_map, to_text
from penstock.extractor.config.children.placeholders import PREFIX, Placeholder
from penstock.extractor.tools.actions.action_request import ActionRequest
from penstock.extractor.tools.actions.calls import Outcome, call_selected
from penstock.extractor.tools.actions.columns import WantedColumn, infer_columns

NESTING, PRIMARY_KEY = "__NESTING_LEVEL", "__PRIMARY_KEY"
NO_DATA = "The request returned no data to infer mapping from."
DEFAULT_LEVELS = 2


async def run(request: ActionRequest) -> dict[str, Any]:
    levels = _read_levels(request.parameters.get(NESTING))
    keys = _read_keys(request.parameters.get(PRIMARY_KEY))
    outcome = await call_selected(request)
    if outcome.failure:
        raise outcome.failure
    if not outcome.records:
        raise UserError(f"{NO_DATA} {outcome.problem}".rstrip())
    return infer_columns(outcome.records, levels, keys, _wanted(outcome))


def _wanted(outcome: Outcome) -> list[WantedColumn]:
    """Returns the extra columns: the user data, and for a child job the placeholders."""
    config, (first, *below) = outcome.config, outcome.jobs
    user_data = {**config.user_data, **first.user_data} if not below else below[-1].user_data
    placeholders = {name: source for job in below for name, source in job.placeholders.items()}
    parents = {_parent_column(name, source): PREFIX + name for name, source in placeholders.items()}
    return [
        *(WantedColumn(key, key) for key in user_data),
        *(WantedColumn(key, destination, is_key=True) for key, destination in parents.items()),
    ]


def _parent_column(name: str, source: Any) -> str:
    """Returns a name after the path, not after the placeholder, as in a run."""
    path = as_map(source).get("path") if isinstance(source, (dict, list)) else source
    return Placeholder(name, to_text(path), None).column


def _read_levels(value: Any) -> int:
    if value is None or value == "":
        return DEFAULT_LEVELS
    text = str(value)
    if isinstance(value, bool) or not (text.isascii() and text.isdigit()) or len(text) > 6:
        raise UserError(
            f"{NESTING} is {value!r}. Set `parameters.{NESTING}` to how many objects deep columns are taken."
        )
    return int(text)


def _read_keys(value: Any) -> list[str]:
    """Reads dotted paths."""
    values = as_map(value) if isinstance(value, (dict, list)) else {"": value}
    if any(isinstance(item, (dict, list)) for item in values.values()):
        raise UserError(f"{PRIMARY_KEY} must be a list of paths, such as `id` or `address.zip`.")
    return [to_text(item) for item in values.values() if item not in (None, "")]

"""What is said about a wrong configuration: what, where, and how to mend it."""

from __future__ import annotations

import re

from penstock.extractor.errors import UserError
from penstock.extractor.pagination import KNOWN

HINTS = {
    "api": "It holds `baseUrl` and `pagination`.",
    "api.baseUrl": "Set it to the address of the API without user and password, for example https://api.example.com.",
    "api.pagination.method": f"Known methods: {', '.join(KNOWN)}.",
    "api.pagination.limit": "Set it to the page size, a whole number such as 100.",
    "api.pagination.idKey": "Set it to the path of the id in each record, for example id.",
    "api.pagination.param": "Set it to the name of the query parameter that carries the cursor, for example since_id.",
    "api.pagination.increment": "Set it to a whole number such as 1 or -1, or remove it.",
    "config": "It holds `jobs` and `outputBucket`.",
    "config.jobs": "List at least one job with an `endpoint`.",
    "config.jobs[].endpoint": "Set it to the path of the resource below `baseUrl`, for example users.",
    "config.jobs[].dataField.path": "Set it to the path of the array in the response, for example items.",
    "config.jobs[].dataType": "Set it to the name of the table, for example users.",
    "config.outputBucket": "A bucket name holds no `/`.",
}
_MISSING = re.compile(r"Object missing required field `([^`]+)`")
_WHERE = re.compile(r" - at `(?:key in )?\$([^`]*)`$")
_PATTERN = re.compile(r"Expected `str` matching regex '.*'")


def sentence(complaint: str) -> str:
    """What msgspec says, with the path rooted at `parameters`."""
    where = _WHERE.search(complaint)
    path = "parameters" + (where[1] if where else "")
    what = _WHERE.sub("", complaint)
    if missing := _MISSING.fullmatch(what):
        return str(invalid("Missing required key", f"{path}.{missing[1]}"))
    if _PATTERN.fullmatch(what):
        what = "Not an address of the web" if path.endswith(".baseUrl") else "Not a valid name"
    return str(invalid(what, path))


def invalid(what: str, path: str) -> UserError:
    hint = HINTS.get(re.sub(r"\[\d+\]", "[]", path).removeprefix("parameters."), "")
    return UserError(f"Invalid configuration: {what} - at `{path}`. {hint}".rstrip())

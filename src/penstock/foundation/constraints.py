"""What is wrong with a value, in words: msgspec names types and regular expressions, which users of an API do not read.

    Name = Annotated[str, matching(r"^[a-z]+$", "small letters", "orders", max_length=255)]

explain() turns its messages into sentences; a message that is one already stays. explain_error() does so with an error,
and names the field in front: "`schedule.state`: 'on' is not a valid value here."
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from typing import Any

import msgspec

_FORMS: dict[str, tuple[str, str]] = {}
"""By regular expression: what a text must be, and an example."""
_TYPES = {
    "str": "a text",
    "int": "a whole number",
    "float": "a number",
    "bool": "true or false",
    "array": "a list",
    "object": "an object",
    "null": "null",
    "datetime": "a time such as 2026-01-31T10:00:00+00:00",
    "date": "a day such as 2026-01-31",
    "uuid": "a UUID",
    "bytes": "a text in Base64",
}
_PATH = re.compile(r"(?P<problem>.*?)(?: - at (?P<key>`key` in )?`\$\.?(?P<path>.*)`)?", re.DOTALL)
_UNITS = {"str": "character", "array": "item", "object": "field", "bytes": "byte"}
_BOUNDS = {">=": "at least", "<=": "at most", ">": "more than", "<": "less than"}


def matching(pattern: str, words: str, example: str, **limits: Any) -> msgspec.Meta:
    """The constraint of a text: a regular expression, with what it asks for, in words that follow "must be"."""
    _FORMS[pattern] = (words, example)
    return msgspec.Meta(pattern=pattern, **limits)


def find_example(pattern: str) -> str | None:
    """Return None for a regular expression that nobody has put into words."""
    return _FORMS[pattern][1] if pattern in _FORMS else None


def explain(problem: str) -> str:
    """The message of a ValidationError without its path, as a sentence."""
    for form, write in _SENTENCES:
        if match := form.fullmatch(problem):
            return write(match)
    return problem


def explain_error(error: Exception, root: str = "") -> str:
    """A ValidationError as a sentence, with the path of the field in front. `root`: the path of what was read."""
    problem, path = split_path(error, root)
    return f"`{path}`: {explain(problem)}" if path else explain(problem)


def split_path(error: Exception, root: str = "") -> tuple[str, str]:
    """The problem, and the path of the field, which is empty if the whole document is wrong. A problem may be that of a
    key, whose value msgspec does not name."""
    match = _PATH.fullmatch(str(error))
    if not match:
        return str(error), root
    path = ".".join(filter(None, (root, match["path"])))
    return match["problem"], f"keys of {path}".removesuffix(" of ") if match["key"] else path


def _explain_pattern(match: re.Match[str]) -> str:
    form = _FORMS.get(str(ast.literal_eval(match[1])))
    return (
        f"This must be {form[0]}, such as `{form[1]}`." if form else "This text does not have the form of such a value."
    )


def _explain_length(match: re.Match[str]) -> str:
    kind, bound, count = match[1], match[2], int(match[3])
    if bound == ">=" and count == 1:
        return "This must not be empty."
    return f"This must have {_BOUNDS[bound]} {_count(count, kind)}."


def _explain_tuple(match: re.Match[str]) -> str:
    low, high = int(match[1]), int(match[2] or match[1])
    return f"This must have {low:,} to {high:,} items." if high > low else f"This must have {_count(low, 'array')}."


def _explain_bound(match: re.Match[str]) -> str:
    return f"This must be {_TYPES[match[1]]}, {_BOUNDS[match[2]]} {_number(match[3])}."


def _explain_multiple(match: re.Match[str]) -> str:
    return f"This must be a whole number that is a multiple of {int(match[1]):,}."


def _explain_type(match: re.Match[str]) -> str:
    kinds = [_TYPES.get(kind.strip(), "another value") for kind in match[1].split("|")]
    listed = " or ".join(dict.fromkeys(kinds))
    return (
        f"This must be {listed}, and not {_TYPES.get(match[2], 'another value')}."
        if match[2]
        else f"This must be {listed}."
    )


def _explain_choice(match: re.Match[str]) -> str:
    return f"{match[1]} is not a valid value here."


def _explain_format(match: re.Match[str]) -> str:
    return f"This must be {_TYPES[match[1].lower()]}."


def _count(count: int, kind: str) -> str:
    return f"{count:,} {_UNITS[kind]}{'' if count == 1 else 's'}"


def _number(text: str) -> str:
    """Whole numbers with the groups of digits that people read; others as they are."""
    return f"{int(text):,}" if re.fullmatch(r"-?\d+", text) else text.removesuffix(".0")


_SENTENCES: tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], str]], ...] = (
    (re.compile(r"Expected `str` matching regex (.+)", re.DOTALL), _explain_pattern),
    (re.compile(r"Expected `(str|array|object|bytes)` of length (<=|>=) (\d+)"), _explain_length),
    (re.compile(r"Expected `array` of length (\d+)(?: to (\d+))?(?:, got \d+)?"), _explain_tuple),
    (re.compile(r"Expected `(int|float)` (<=|>=|<|>) (\S+)"), _explain_bound),
    (re.compile(r"Expected `(?:int|float)` that's a multiple of (-?\d+)(?:\.0)?"), _explain_multiple),
    (re.compile(r"Expected `([^`]+)`(?:, got `([^`]+)`)?"), _explain_type),
    (re.compile(r"Object missing required field (`[^`]+`)"), lambda match: f"The field {match[1]} is missing."),
    (re.compile(r"Object contains unknown field (`[^`]*`)"), lambda match: f"There is no field {match[1]} here."),
    (re.compile(r"Invalid (?:enum )?value ('.*'|\".*\"|\S+)", re.DOTALL), _explain_choice),
    (re.compile(r"(?:Integer value|Number) out of range"), lambda _: "This number is too large."),
    (re.compile(r"Invalid (?:RFC3339 encoded )?(datetime|date|uuid|UUID)(?: encoding)?"), _explain_format),
)

"""The tables of known failures, and how a message is looked up in them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

import msgspec

from penstock.services.ai.documents import Document
from penstock.services.ai.failures import places
from penstock.services.ai.failures.places import Place


class Diagnosis(msgspec.Struct, frozen=True, kw_only=True):
    cause: str
    path: str
    """Of the setting in the configuration; empty if no setting is the cause."""
    fix: str
    page: str = ""
    """Of the documentation."""


class Known(msgspec.Struct, frozen=True, kw_only=True):
    """A failure by the message that it has. Texts may name the groups of the pattern: `{host}`."""

    pattern: re.Pattern[str]
    cause: str
    fix: str
    path: str = ""
    """The path if `place` finds none."""
    place: Place | None = None
    page: str = ""


class Source(msgspec.Struct, frozen=True):
    """A document of the job's configuration: its own, or that of a row, whose paths begin with the row."""

    prefix: str
    document: Document


MAX_CHARACTERS = 4_000
_PATH = r"(?:parameters|storage|authorization|processors|runtime|api|config)(?:\.[\w#*-]+|\[\d+\])+"
_PATHS = (
    re.compile(rf"at `(?P<path>{_PATH})`"),
    re.compile(r"at `\$\.(?P<inner>[\w.\[\]#-]+)`(?: of `(?P<outer>[\w.]+)`)?"),
    re.compile(rf"`(?P<path>{_PATH})`"),
    re.compile(r"\"container\.(?P<path>storage[\w.]*)\""),
    re.compile(r"\"(?P<path>(?:storage|parameters)\.[\w.]+)\""),
)
_ADVICE = re.compile(
    r"(?:^|(?<=[.!:]\s))((?:Set|Check|Correct|Use|Write|Enter|Remove|Add|Give|Ask|Choose|Name|Rename|Create|Run|Put|"
    r"If|To accept|Delete|Turn|Make)\b.*)",
    re.DOTALL,
)


def diagnose(message: str, sources: Sequence[Source], tables: Iterable[Sequence[Known]]) -> Diagnosis | None:
    """Look a message up; None if no table has it and it names no setting."""
    text = message[:MAX_CHARACTERS]
    for known in (known for table in tables for known in table):
        if match := known.pattern.search(text):
            return _describe(known, match, sources)
    return _read_path(text)


def _describe(fact: Known, match: re.Match[str], sources: Sequence[Source]) -> Diagnosis:
    groups = {name: value or "" for name, value in match.groupdict().items()}
    return Diagnosis(
        cause=fact.cause.format_map(groups),
        path=_find_place(fact, groups, sources) or _number_items(fact.path.format_map(groups)),
        fix=fact.fix.format_map(groups),
        page=fact.page,
    )


def _find_place(fact: Known, groups: places.Groups, sources: Sequence[Source]) -> str:
    if not fact.place:
        return ""
    paths = ((source.prefix, fact.place(source.document, groups)) for source in sources)
    place = next((prefix + path for prefix, path in paths if path), "")
    # An address that was redirected or made by a pagination looks like no endpoint; one job alone must be the one.
    return place or (fact.place(sources[0].document, {}) or "" if len(sources) == 1 else "")


def _read_path(text: str) -> Diagnosis | None:
    """Read a message that names its setting itself, as most do that are about one."""
    match = next((match for pattern in _PATHS if (match := pattern.search(text))), None)
    if not match:
        return None
    advice = _ADVICE.search(text)
    cause = text[: advice.start()] if advice else text
    return Diagnosis(
        cause=" ".join((cause.strip() or text).split()),
        path=_join(match.groupdict()),
        fix=" ".join(advice[1].split())
        if advice
        else "Correct this setting as the message says, and run the job again.",
    )


def _join(parts: dict[str, str | None]) -> str:
    if path := parts.get("path"):
        path = _number_items(path)
        return f"parameters.{path}" if path.startswith(("api.", "config.")) else path
    return ".".join(filter(None, (parts.get("outer") or "parameters", parts.get("inner"))))


def _number_items(path: str) -> str:
    """Write the numbers of items in brackets; messages about mappings write them as keys."""
    return re.sub(r"\.(\d+)(?=\.|$)", r"[\1]", path)

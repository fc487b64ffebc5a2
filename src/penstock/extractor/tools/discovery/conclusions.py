"""Findings in words: what was chosen, what was seen, and what could not be proven."""

from __future__ import annotations

from typing import Any, cast

from msgspec import UNSET

from penstock.extractor.base.path import look_up
from penstock.extractor.responses.response_meta.fields import render_value
from penstock.extractor.tools.discovery.authentication import Credentials
from penstock.extractor.tools.discovery.changes import Filter
from penstock.extractor.tools.discovery.draft import Finding
from penstock.extractor.tools.discovery.pagination import Clues, Outcome, looks_full
from penstock.extractor.tools.discovery.proof import Proof
from penstock.extractor.tools.discovery.target import Target

MAX_REJECTED = 4


def nested_arrays(records: list[Any]) -> list[str]:
    """Returns the paths of arrays of the records, in the order in which they are seen."""
    paths: dict[str, None] = {}
    for record in records:
        _collect(record, "", paths)
    return list(paths)


def _collect(value: Any, path: str, paths: dict[str, None]) -> None:
    if not isinstance(value, dict):
        return
    for key, member in cast(dict[str, Any], value).items():
        below = f"{path}.{key}" if path else key
        if isinstance(member, list) and member:
            paths[below] = None
        else:
            _collect(member, below, paths)


def describe_first(clues: Clues, credentials: Credentials, target: Target) -> list[Finding]:
    records = clues.records
    others = f" Other arrays: {', '.join(records.others)}." if records.others else ""
    evidence = f"{clues.first.message.method} {clues.first.message.url} holds {clues.size} of them.{others}"
    findings = [Finding("records", records.place, evidence, is_proven=clues.size > 0)]
    if credentials.evidence:
        evidence = f"{_sentence('; '.join(credentials.evidence))}."
        findings.append(Finding("authentication", "as in the request", evidence))
    elif target.needs:
        needs = f"The description asks for {', '.join(target.needs)}; the API responded without it."
        findings.append(Finding("authentication", "none", needs, is_proven=False))
    return findings


def describe_pagination(clues: Clues, outcome: Outcome | None, settings: dict[str, Any]) -> list[Finding]:
    """`settings` are those of the draft."""
    if outcome is None:
        return [_single_page(clues)]
    if outcome.candidate is not None:
        return [Finding("pagination", _settings(settings), f"{_sentence(outcome.evidence)}.")]
    tried = "; ".join(outcome.rejected[:MAX_REJECTED])
    why = _sentence(f"{tried}." if tried else "nothing in the response suggests another page.")
    spent = " No requests were left to try more; give more with --requests." if outcome.is_spent else ""
    if clues.signs.says_more(clues.size):
        sign = clues.signs.flag and f"`{'.'.join(clues.signs.flag.path)}` is {render_value(clues.signs.flag.value)}"
        more = sign or f"`{clues.signs.total_name}` is {clues.signs.total}"
        missing = f"There are more pages ({more}), but how to ask for them was not found: look up the parameter. {why}"
        return [Finding("pagination", "missing", missing + spent, is_proven=False)]
    full = f"{clues.size} records may be a full page; if there are more, look up the parameter. "
    return [Finding("pagination", "one page", (full if looks_full(clues.size) else "") + why + spent, is_proven=False)]


def _single_page(clues: Clues) -> Finding:
    flag, total = clues.signs.flag, clues.signs.total
    if clues.size == 0:
        return Finding(
            "pagination", "unknown", "The first page holds no records, so it shows nothing.", is_proven=False
        )
    if flag is not None:
        return Finding(
            "pagination", "one page", f"`{'.'.join(flag.path)}` is {render_value(flag.value)} on the first page."
        )
    return Finding("pagination", "one page", f"`{clues.signs.total_name}` is {total}, and so many records are on it.")


def describe_fields(seen: list[Any], key: str) -> list[Finding]:
    findings: list[Finding] = []
    if key:
        evidence = (
            f"{len(seen)} records have {len(seen)} different values, such as {render_value(look_up(key, seen[0]))}."
        )
        findings.append(Finding("primary key", f"probably `{key}`", evidence, job={"primaryKey": [key]}))
    elif seen:
        evidence = f"No field with the name of an id is unique in {len(seen)} records."
        findings.append(Finding("primary key", "none found", evidence, is_proven=False))
    if arrays := nested_arrays(seen):
        findings.append(
            Finding("nested arrays", ", ".join(f"`{path}`" for path in arrays), "Each becomes a separate table.")
        )
    return findings


def describe_changes(updated: str, value: Any, changes: Filter | None, key: str) -> Finding:
    """Describes the changes, which are not applied: a run that reads only changes needs a table with a primary key."""
    subject = "incremental loading"
    if changes is None:
        rendered = render_value(value)
        evidence = f"It holds {rendered}; no parameter that selects by it was found, so every run reads all records."
        return Finding(subject, f"`{updated}` is the time of the last change", evidence)
    setting = f"`params.{changes.param}` set to {render_value(changes.setting)}, `incrementalOutput` and a primary key"
    evidence = f"{changes.evidence}. To read only what is new: {setting}."
    job = {"params": {changes.param: changes.setting}, "primaryKey": [key], "incremental": True} if key else UNSET
    return Finding(subject, f"possible by `{updated}` with the parameter `{changes.param}`", evidence, job=job)


def describe_proof(proof: Proof, total: int | None) -> list[Finding]:
    if proof.problem:
        return [Finding("run", "failed", proof.problem, is_proven=False)]
    is_whole = proof.is_whole or proof.records == total
    read = f"read all {proof.records} records" if is_whole else f"read {proof.records} records of {proof.pages} pages"
    stated = f"; the API states a total of {total}" if total is not None else ""
    findings = [Finding("run", read, f"The configuration was run with the extractor{stated}.")]
    return [*findings, *(Finding("warning", "of the run", warning, is_proven=False) for warning in proof.warnings)]


def _settings(settings: dict[str, Any]) -> str:
    method, *others = settings.items()
    details = ", ".join(f"{name} {render_value(value)}" for name, value in others)
    return f"{method[1]} ({details})" if details else str(method[1])


def _sentence(text: str) -> str:
    """Returns the text with a capital letter, unless it starts with a name in backticks."""
    return text[:1].upper() + text[1:]

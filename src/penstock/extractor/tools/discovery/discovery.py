"""The whole procedure: from a target to a configuration, its explanation, and the rows that it reads."""

from __future__ import annotations

from functools import partial
from typing import Any, cast
from urllib.parse import urlsplit, urlunsplit

import msgspec

from penstock.extractor.base.errors import UserError
from penstock.extractor.base.log import Log
from penstock.extractor.base.path import look_up
from penstock.extractor.requests.sending.tunnel import open_gate
from penstock.extractor.responses.response_meta.fields import fields, spell
from penstock.extractor.responses.response_meta.signs import read_signs
from penstock.extractor.tools.curl.command import Command
from penstock.extractor.tools.curl.job import job_of_command
from penstock.extractor.tools.discovery.authentication import Credentials, take_credentials
from penstock.extractor.tools.discovery.budget import DEFAULT_REQUESTS, Budget, BudgetSpent, CountingGate
from penstock.extractor.tools.discovery.changes import find_filter, find_updated
from penstock.extractor.tools.discovery.conclusions import (
    describe_changes,
    describe_fields,
    describe_first,
    describe_pagination,
    describe_proof,
)
from penstock.extractor.tools.discovery.draft import Draft, Finding
from penstock.extractor.tools.discovery.ending import check_ending
from penstock.extractor.tools.discovery.keys import find_key
from penstock.extractor.tools.discovery.page_size import enlarge
from penstock.extractor.tools.discovery.pagination import Clues, find_pagination, is_single_page
from penstock.extractor.tools.discovery.probe import Probe, Sample
from penstock.extractor.tools.discovery.proof import Proof, prove
from penstock.extractor.tools.discovery.records import Records, find, table_name
from penstock.extractor.tools.discovery.safety import check_reads
from penstock.extractor.tools.discovery.target import Target


class Discovery(msgspec.Struct, frozen=True):
    """The result."""

    document: dict[str, Any]
    """The configuration, with its secrets."""
    findings: list[Finding]
    proof: Proof
    requests: int


async def discover(
    target: Target, log: Log, requests: int = DEFAULT_REQUESTS, *, is_post_allowed: bool = False
) -> Discovery:
    """Raises UserError if the request cannot be sent, or its response holds no records."""
    check_reads(target.command, is_post_allowed=is_post_allowed)
    draft, credentials = start(target.command)
    log.hide(value for key, value in credentials.attributes.items() if key.startswith("#"))
    budget = Budget(requests)
    async with open_gate(partial(CountingGate, budget), None, None) as gate:
        return await _Procedure(Probe(gate, draft, log), draft, credentials, target, budget, log).run()


class _Procedure:
    def __init__(
        self, probe: Probe, draft: Draft, credentials: Credentials, target: Target, budget: Budget, log: Log
    ) -> None:
        self._probe, self._draft, self._credentials = probe, draft, credentials
        self._target, self._budget, self._log = target, budget, log
        self._findings: list[Finding] = []

    async def run(self) -> Discovery:
        first, records = await self._read_first()
        clues = self._clues(first, records)
        self._findings += describe_first(clues, self._credentials, self._target)
        seen = await self._paginate(clues)
        key = find_key(seen, str(clues.draft.job["dataType"]))
        self._findings += describe_fields(seen, key)
        self._findings += await self._find_changes(seen, key)
        proof = await prove(self._draft, self._log.redactor, self._budget)
        is_of_page = clues.signs.total == clues.size and bool(self._draft.pagination)
        self._findings += describe_proof(proof, None if is_of_page else clues.signs.total)
        findings = [finding.cleaned(self._log.redactor) for finding in self._findings]
        return Discovery(self._draft.document(), findings, proof, self._budget.used)

    async def _find_changes(self, seen: list[Any], key: str) -> list[Finding]:
        updated = find_updated(seen)
        if not updated:
            return []
        value = look_up(updated, seen[0])
        can_filter = self._draft.job.get("method", "GET") == "GET"
        changes = await find_filter(self._draft, self._target.declared, value, self._probe) if can_filter else None
        return [describe_changes(updated, value, changes, key)]

    async def _read_first(self) -> tuple[Sample, Records]:
        try:
            first = (await self._probe.walk(self._draft, 1)).pages[0]
        except BudgetSpent:
            raise UserError("The first request was redirected or retried until no requests were left.") from None
        if first.problem:
            raise UserError(f"{first.problem.rstrip('.')}. {_advice(first, self._target)}".rstrip())
        records = find(first.document, _segment(self._target.command))
        if records is None:
            raise UserError(
                f"{first.address} returned no array, so there are no records to read. Give the URL of a list; if this "
                "is a single record, write the configuration with `dataField` set to `.`."
            )
        return first, records

    def _clues(self, first: Sample, records: Records) -> Clues:
        name = table_name(records, _segment(self._target.command))
        self._draft = self._draft.with_job(dataType=name, dataField=records.setting)
        all_fields = list(fields(first.document, records.path))
        first = msgspec.structs.replace(first, records=records.items)
        signs = read_signs(all_fields, first.response.headers, len(records.items))
        key = find_key(records.items, name)
        return Clues(self._draft, first, records, all_fields, signs, key, self._target.declared)

    async def _paginate(self, clues: Clues) -> list[Any]:
        """Returns the records that were seen."""
        seen = list(clues.records.items)
        if clues.size == 0 or is_single_page(clues):
            self._findings += describe_pagination(clues, None, {})
            return seen
        outcome = await find_pagination(clues, self._probe)
        refined: list[Finding] = []
        if outcome.candidate is not None:
            self._draft = outcome.candidate.applied(self._draft)
            seen += outcome.second.records if outcome.second else []
            refined = await self._refine(clues)
        self._findings += [*describe_pagination(clues, outcome, self._draft.pagination), *refined]
        return seen

    async def _refine(self, clues: Clues) -> list[Finding]:
        findings: list[Finding] = []
        enlarged = await enlarge(self._draft, clues, self._probe)
        if enlarged is not None:
            self._draft = enlarged.draft
            findings.append(Finding("page size", str(len(enlarged.pages[0].records)), f"{enlarged.evidence}."))
        ending = await check_ending(self._draft, clues, self._probe)
        self._draft = ending.draft
        text, delimiter = spell(clues.signs.total_path)
        if text and delimiter == "." and (clues.signs.total or 0) > clues.size:
            self._draft = self._draft.with_job(expectedCount=text)
        return [*findings, *ending.findings]


def start(command: Command) -> tuple[Draft, Credentials]:
    parts = command.url
    folder = parts.path.rstrip("/").rpartition("/")[0]
    base = urlunsplit((parts.scheme, parts.netloc, f"{folder}/", "", ""))
    job = job_of_command(command, base)
    params = cast(dict[str, Any], job["params"]) if isinstance(job["params"], dict) else {}
    credentials = take_credentials(cast(dict[str, Any], job["headers"]), params, str(job["method"]))
    method_setting = {"method": job["method"]} if job["method"] != "GET" else {}
    draft = Draft(
        base,
        {"endpoint": job["endpoint"], **method_setting, "params": credentials.params, "dataType": job["dataType"]},
        credentials.authentication,
        credentials.headers,
        credentials.attributes,
    )
    return draft, credentials


def _segment(command: Command) -> str:
    return next((part for part in reversed(urlsplit(command.url.path).path.split("/")) if part), "")


def _advice(first: Sample, target: Target) -> str:
    if first.response.status in (401, 403):
        needs = f" The description of the API asks for {', '.join(target.needs)}." if target.needs else ""
        return f"Give the credentials: -u USER:PASSWORD or -H 'Authorization: Bearer TOKEN'.{needs}"
    if first.response.status == 404:
        return "Check the address."
    is_other = first.response.status < 400
    return "Lines of JSON and CSV need a configuration with `responseFormat`." if is_other else ""

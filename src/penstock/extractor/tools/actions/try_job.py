"""The action `try_job`: runs the first two pages of a job, and shows requests, responses, records and tables."""

from __future__ import annotations

from functools import partial
from typing import Any, cast

import msgspec

from penstock.extractor.base.charset import readable_body
from penstock.extractor.base.errors import UserError
from penstock.extractor.requests.pagination.method import OnePage
from penstock.extractor.tools.actions.action_request import ActionRequest, hide
from penstock.extractor.tools.actions.calls import Exchange, Following, Outcome, RecordingGate, call_selected
from penstock.extractor.tools.actions.discover import POST_KEY
from penstock.extractor.tools.actions.records import read_data
from penstock.extractor.tools.actions.selected import read_selected, selected_document
from penstock.extractor.tools.actions.test_request import exchange_view
from penstock.extractor.tools.discovery.budget import Budget, BudgetSpent, CountingGate
from penstock.extractor.tools.discovery.comparison import compare
from penstock.extractor.tools.discovery.keys import find_key
from penstock.extractor.tools.discovery.probe import Sample
from penstock.extractor.tools.discovery.proof import Proof, try_run
from penstock.extractor.tools.discovery.safety import check_job_reads

PAGES, ROWS, REQUESTS = 2, 20, 20
SPENT = f"The job needs more than {REQUESTS} requests for its first pages. Run it to see all of it."

Values = dict[str, Any]

MAX_ITEMS = 20


def shorten(value: Any) -> tuple[Any, list[dict[str, Any]]]:
    """Returns the value, and `path` and `length` of each array that was shortened."""
    lengths: list[dict[str, Any]] = []
    return _shorten(value, (), lengths), lengths


def _shorten(value: Any, path: tuple[str | int, ...], lengths: list[dict[str, Any]]) -> Any:
    if isinstance(value, dict):
        members = cast(dict[str, Any], value).items()
        return {key: _shorten(member, (*path, key), lengths) for key, member in members}
    if not isinstance(value, list):
        return value
    items = cast(list[Any], value)
    if len(items) > MAX_ITEMS:
        lengths.append({"path": list(path), "length": len(items)})
    return [_shorten(item, (*path, at), lengths) for at, item in enumerate(items[:MAX_ITEMS])]


class TryingGate(CountingGate, RecordingGate):
    """Counts, and records what it sends last."""


async def run(request: ActionRequest) -> Values:
    config, jobs = read_selected(request)
    for job in jobs:
        check_job_reads(job, config.sending.builder, is_post_allowed=request.parameters.get(POST_KEY) is True)
    budget = Budget(REQUESTS)
    budget.release()
    try:
        outcome = await call_selected(request, kind=partial(TryingGate, budget), with_following=True)
    except BudgetSpent:
        raise UserError(SPENT) from None
    proof = await _run(request, outcome, budget)
    result = {
        "pages": _pages(outcome),
        "pagination": _compare(outcome),
        "tables": msgspec.to_builtins(proof.tables),
        "problem": proof.problem,
        "warnings": list(proof.warnings),
    }
    redactor = request.log.redactor
    return {**hide(result, redactor), "requests": budget.used, "debug_log": request.log_text}


async def _run(request: ActionRequest, outcome: Outcome, budget: Budget) -> Proof:
    """Runs the job only if the first request succeeded: a run would fail in the same way."""
    if outcome.failure:
        return Proof([], is_whole=False, problem=str(outcome.failure))
    proof = await try_run(selected_document(request), PAGES, request.log.redactor, budget, ROWS)
    is_spent = bool(proof.problem) and not budget.remaining
    return msgspec.structs.replace(proof, problem=SPENT) if is_spent else proof


def _pages(outcome: Outcome) -> list[Values]:
    problem = str(outcome.failure or outcome.problem)
    pages = [_page(outcome.exchange, outcome.page, problem)]
    following = outcome.following
    if following and following.exchange:
        pages.append(_page(following.exchange, following.records, following.problem))
    return pages


def _page(exchange: Exchange, records: list[Any], problem: str) -> Values:
    view = exchange_view(exchange)
    data, lengths = shorten(view["response"]["data"])
    response = {**view["response"], "data": data, "lengths": lengths}
    return {**view, "response": response, "records": shorten(records)[0], "count": len(records), "problem": problem}


def _compare(outcome: Outcome) -> Values:
    """`isNext` says whether page 2 is another page than page 1; null if there is no page 2 to compare."""
    following = outcome.following
    if following is None or following.exchange is None:
        return {"isNext": None, "evidence": _why_one_page(outcome, following)}
    if not outcome.page:
        return {"isNext": None, "evidence": outcome.problem or "The first page has no records to compare."}
    key = find_key(outcome.page, outcome.jobs[-1].data_type)
    first = _sample(outcome.exchange, outcome.page, "")
    comparison = compare(first, _sample(following.exchange, following.records, following.problem), key)
    return {"isNext": comparison.is_next, "evidence": f"{comparison.evidence.rstrip('.')}."}


def _why_one_page(outcome: Outcome, following: Following | None) -> str:
    if following is None:
        return "The first request failed."
    if isinstance(outcome.config.pagination.method_for(outcome.jobs[-1].scroller), OnePage):
        return "No pagination is set, so the job sends one request."
    last = f"The first page, with {len(outcome.page)} records, is the last one by these settings."
    return f"{last} {following.problem}".rstrip()


def _sample(exchange: Exchange, records: list[Any], problem: str) -> Sample:
    response = exchange.response
    return Sample(exchange.sent, response, readable_body(response), read_data(response), records, problem)

"""The schema takes every configuration that the extractor takes, and refuses those that anyone can see to be wrong."""

from __future__ import annotations

from typing import Any

import pytest
from jsonschema import Draft7Validator, Draft202012Validator

from penstock.extractor.config.schema import PARAMETERS
from tests.unit.extractor.config.schema.configurations import CASE_CONFIGURATIONS, SHOWN_CONFIGURATIONS, Given

VALIDATOR = Draft7Validator(PARAMETERS)
SHOWN_MISTAKES = {
    "docs/extractor/actions.md": "'jobs' is a required property",  # an action needs none
    "docs/extractor/ssh-tunnel.md": "'#privateKey' is a required property",  # a command of the page adds it
    "docs/extractor/command.md": "$.api.retryConfig.maxRetries",  # the page shows how a mistake is told
}
UNSEEN = (
    # What only values say, or what is outside of `parameters`: credentials of OAuth, the state, names in use.
    *("oauth", "state-", "legacy-state", "functions-", "hosts-", "headers-", "query-auth-refers", "multiple-"),
    *("mapping-of-", "mapping-table-", "user-data-with-a-list", "tables-without-a-name"),
    *("address-whose-function-gives-none", "recursion-filter-with-a-dangling-and"),
)
JOBS = [{"endpoint": "users"}]


def mistakes(parameters: Any) -> list[str]:
    return [f"{error.json_path}: {error.message}" for error in VALIDATOR.iter_errors(parameters)]


@pytest.mark.parametrize("dialect", [Draft7Validator, Draft202012Validator])
def test_it_is_a_schema_in_old_and_new_dialects(dialect: Any) -> None:
    dialect.check_schema(PARAMETERS)


@pytest.mark.parametrize("given", [c for c in CASE_CONFIGURATIONS if not c.is_refused], ids=lambda c: c.name)
def test_what_the_extractor_runs_is_accepted(given: Given) -> None:
    assert mistakes(given.parameters) == []


@pytest.mark.parametrize("given", SHOWN_CONFIGURATIONS, ids=lambda c: c.name)
def test_what_the_pages_show_is_accepted(given: Given) -> None:
    shown = SHOWN_MISTAKES.get(given.name.rpartition("-")[0], "nothing")

    assert [mistake for mistake in mistakes(given.parameters) if shown not in mistake] == []


@pytest.mark.parametrize(
    "given",
    [c for c in CASE_CONFIGURATIONS if c.is_refused and not c.name.startswith(UNSEEN)],
    ids=lambda c: c.name,
)
def test_what_the_extractor_refuses_at_once_is_refused(given: Given) -> None:
    assert mistakes(given.parameters) != []


@pytest.mark.parametrize(
    ("parameters", "mistake"),
    [
        ({"config": {"jobs": JOBS}}, "'api' is a required property"),
        ({"api": {}, "config": {"jobs": JOBS}}, "$.api: 'baseUrl' is a required property"),
        ({"api": {"baseUrl": "api.example.com"}, "config": {"jobs": JOBS}}, "$.api.baseUrl"),
        ({"api": {"baseUrl": "https://h/"}, "config": {}}, "'jobs' is a required property"),
        ({"api": {"baseUrl": "https://h/"}, "config": {"jobs": [{}]}}, "'endpoint' is a required property"),
        (
            {"api": {"baseUrl": "https://h/", "pagination": {"method": "offset"}}, "config": {"jobs": JOBS}},
            "$.api.pagination: 'limit' is a required property",
        ),
        (
            {"api": {"baseUrl": "https://h/", "pagination": {"method": "pages"}}, "config": {"jobs": JOBS}},
            "$.api.pagination.method",
        ),
        (
            {"api": {"baseUrl": "https://h/", "authentication": {"type": "login"}}, "config": {"jobs": JOBS}},
            "'loginRequest' is a required property",
        ),
        (
            {
                "api": {"baseUrl": "https://h/"},
                "config": {"jobs": [{"endpoint": "a", "children": [{"method": "GET"}]}]},
            },
            "$.config.jobs[0].children[0]: 'endpoint' is a required property",
        ),
        (
            {
                "api": {"baseUrl": "https://h/"},
                "config": {"jobs": [{"endpoint": "a", "params": {"x": {"function": "eval"}}}]},
            },
            "$.config.jobs[0].params.x.function",
        ),
    ],
)
def test_a_mistake_is_named_with_its_place(parameters: Any, mistake: str) -> None:
    assert any(mistake in each for each in mistakes(parameters)), mistakes(parameters)

from __future__ import annotations

import io
from typing import Any

import pytest

from penstock.extractor.base.errors import UserError
from penstock.extractor.tools.actions import ACTIONS
from tests.unit.extractor.tools.actions.asking import ask, complaint


@pytest.mark.parametrize("name", ["nope", "", None, ["run"]])
def test_an_unknown_action_is_refused_with_those_that_are_known(name: Any):
    with pytest.raises(UserError) as refused:
        ask(name, {})

    assert str(refused.value).endswith(
        "Known actions: test_request, infer_mapping, load_from_curl, perform_function, discover, try_job."
    )


@pytest.mark.parametrize("name", ACTIONS)
@pytest.mark.parametrize(
    "parameters",
    [
        {},
        [],
        None,
        5,
        {"api": 5, "config": 5, "__SELECTED_JOB": "0"},
        {"api": {}, "config": {"jobs": []}, "__SELECTED_JOB": "0"},
        {"api": {"baseUrl": 5}, "config": {"jobs": [5]}, "__SELECTED_JOB": "0", "__CURL_COMMAND": "curl http://h"},
        {
            "api": {"baseUrl": "http://h"},
            "config": {"jobs": [{}]},
            "__SELECTED_JOB": "0",
            "__FUNCTION_CFG": {"function": 5},
        },
        {"api": {}, "config": {}, "__SELECTED_JOB": {}, "__FUNCTION_CFG": {"function": "nope"}, "__CURL_COMMAND": []},
    ],
)
def test_whatever_is_wrong_is_said_in_a_sentence(name: str, parameters: Any):
    said = complaint(name, parameters)

    assert said
    assert "failed:" not in said


def test_a_failure_is_logged_too():
    log = io.StringIO()

    ask("test_request", {}, log)

    assert "__SELECTED_JOB is missing!" in log.getvalue()


def test_secrets_are_not_in_what_is_said():
    parameters = {"api": {"baseUrl": {"attr": "#url"}}, "config": {"#url": "no address", "jobs": [{"endpoint": "x"}]}}

    said = complaint("test_request", {**parameters, "__SELECTED_JOB": "0"})

    assert said == 'The "baseUrl" attribute in API configuration resulted in an invalid URL (--HIDDEN--)'

"""The test component, which does what its parameters select."""

from __future__ import annotations

from typing import Any

import pytest

from penstock.components.runner_test import RUNNER_TEST, operations
from tests.support.components import Finished, Trial


def operate(trial: Trial, operation: str, **parameters: Any) -> Finished:
    return trial.call(operations.operate, {"parameters": {"operation": operation, **parameters}})


def start(trial: Trial, operation: str, **parameters: Any) -> Finished:
    """As a process."""
    return trial.run(RUNNER_TEST, {"parameters": {"operation": operation, **parameters}}, {"KBC_TOKEN": "1-2-three"})


@pytest.mark.parametrize("operation", ["dump-config", "unsafe-dump-config"])
def test_it_prints_its_configuration_without_secrets(trial: Trial, operation: str) -> None:
    done = operate(trial, operation, arbitrary={"#foo": "swordfish", "bar": 1})

    assert done.code == 0
    assert '"#foo":"[hidden]","bar":1' in done.lines[0]


def test_it_prints_its_environment_without_secrets(trial: Trial) -> None:
    done = start(trial, "dump-env")

    assert any('Environment "KBC_RUNID" has value "7".' in line for line in done.lines)
    assert any('Environment "KBC_TOKEN" has value "[hidden]".' in line for line in done.lines)
    assert "three" not in done.all_output


def test_it_lists_what_came_in(trial: Trial) -> None:
    trial.add_table("a.csv", "x\n")

    assert [line.split(": ")[1] for line in operate(trial, "list").lines] == ["a.csv [] []", "a.csv.manifest [] []"]


def test_it_writes_tables_and_state_and_reads_state(trial: Trial) -> None:
    trial.state = {"last": 3}

    assert '{"last":3}' in operate(trial, "dump-state").lines[0]
    assert operate(trial, "create-state", state={"a": 1}).text("state.json") == '{"a":1}'
    assert operate(trial, "write-table", table="t.csv", rows=[{"a": 1}]).rows("t.csv") == [["a"], ["1"]]


@pytest.mark.parametrize(
    ("operation", "parameters", "code", "said"),
    [
        ("user-error", {}, 1, "This is a user error."),
        ("user-error", {"message": "No such thing."}, 1, "No such thing."),
        ("application-error", {"message": "Boom."}, 2, "The component itself failed: RuntimeError: Boom."),
        ("sleep", {"timeout": 0.01}, 0, ""),
        (
            "sleep",
            {"timeout": "soon"},
            1,
            "Invalid configuration: `parameters.timeout`: This must be a number",
        ),
        ("child-jobs", {}, 1, "Invalid operation 'child-jobs'"),
        ("write-table", {"table": "../x"}, 1, "Invalid configuration: `table` must be the name of a file"),
    ],
)
def test_it_ends_as_its_parameters_require(
    trial: Trial, operation: str, parameters: dict[str, Any], code: int, said: str
) -> None:
    done = operate(trial, operation, **parameters)

    assert done.code == code
    assert done.errors.startswith(said)
    assert "Traceback" not in done.errors


@pytest.mark.parametrize("code", [5, 0])
def test_its_process_ends_with_the_code_that_its_parameters_say(trial: Trial, code: int) -> None:
    done = start(trial, "exit", code=code)

    assert (done.code, done.errors) == (code, "")

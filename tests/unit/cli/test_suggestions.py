"""Suggestions for mistyped commands, actions and names."""

from __future__ import annotations

import pytest

from penstock.cli import main
from penstock.cli.suggestions import suggest
from tests.unit.cli.conftest import Shell


def test_the_nearest_names_are_suggested_whatever_their_case() -> None:
    assert suggest("ordrs", ["Orders", "customers"]) == " Did you mean Orders?"
    assert suggest("xyz", ["Orders", "customers"]) == ""


def test_a_mistyped_command_is_answered_with_the_nearest(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["job", "list"]) == 2
    assert capsys.readouterr().err == "penstock has no command job. Did you mean jobs? See penstock --help.\n"


def test_a_mistyped_action_is_answered_with_the_nearest(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["configs", "pul"])

    assert ended.value.code == 2
    assert "Did you mean pull" in capsys.readouterr().err


def test_a_wrong_table_is_answered_with_the_nearest(shell: Shell) -> None:
    columns = {"name": "orders", "columns": [{"name": "id"}]}
    bucket = shell.storage.post("/v2/storage/buckets", {"name": "near", "stage": "in"}).json["id"]
    assert shell.storage.post(f"/v2/storage/buckets/{bucket}/tables-definition", columns).status == 202

    for action in ("show", "preview", "download", "delete"):
        message = shell("tables", action, "in.c-near.order", code=1)
        assert message.startswith("There is no table in.c-near.order. Did you mean in.c-near.orders")
        assert message.endswith(" See penstock tables list.\n")
    assert shell("tables", "list", "in.c-nea").startswith("TABLE")


def test_a_wrong_component_or_configuration_is_answered_with_the_nearest(shell: Shell) -> None:
    shell.configure("near-shop")

    assert shell("run", "ex-generic-v3", "near-shop", code=1) == (
        "There is no component ex-generic-v3. Did you mean ex-generic-v2? See penstock components list.\n"
    )
    assert shell("run", "ex-generic-v2", "near-shpo", code=1) == (
        "There is no configuration near-shpo of ex-generic-v2. Did you mean near-shop? See penstock configs list.\n"
    )
    assert shell("run", "keboola.flow", "near-shop", code=1) == (
        "There is no configuration near-shop of keboola.flow. ex-generic-v2 has one. See penstock configs list.\n"
    )
    assert "mode" in shell("run", "ex-generic-v2", "near-shop", "--mode", "wrong", code=1)


def test_a_wrong_job_is_answered_with_the_nearest(shell: Shell) -> None:
    shell.configure("near-job")
    wish = {"mode": "run", "component": "ex-generic-v2", "config": "near-job", "delay": 3600}
    job = shell.queue.post("/jobs", wish).json["id"]

    for command in (("jobs", "show"), ("jobs", "kill"), ("jobs", "retry"), ("logs",)):
        assert f" Did you mean {job}" in shell(*command, f"{job}0", code=1)
        assert shell(*command, "none", code=1).startswith(f"There is no job none. The newest is {job}.")
        assert f"The newest of near-job is {job}." in shell(*command, "near-job", code=1)

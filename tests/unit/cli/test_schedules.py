"""`penstock schedules`."""

from __future__ import annotations

import json

from tests.support.stacks import RunningStack
from tests.unit.cli.conftest import Penstock


def configure(stack: RunningStack, config_id: str, state: str, cron: str = "30 2 1 1 *") -> None:
    content = {
        "schedule": {"cronTab": cron, "timezone": "+0100", "state": state},
        "target": {"componentId": "ex-generic-v2", "configurationId": "sample-customers", "mode": "run"},
    }
    body = {"name": config_id, "configurationId": config_id, "configuration": content}
    made = stack.storage.post("/v2/storage/components/keboola.scheduler/configs", body)
    assert made.status == 201, made.text


def test_schedules_are_activated_listed_with_their_next_runs_and_deleted(
    penstock: Penstock, stack: RunningStack
) -> None:
    target = ("--data-dir", stack.folder)
    configure(stack, "cli-yearly", "enabled")
    configure(stack, "cli-off", "disabled")
    said = penstock("schedules", "activate", "cli-yearly", *target).stdout
    off = json.loads(penstock("schedules", "activate", "cli-off", "--json", *target).stdout)
    header, *lines = penstock("schedules", "list", *target).stdout.splitlines()
    found = {
        each["configurationId"]: each for each in json.loads(penstock("schedules", "list", "--json", *target).stdout)
    }
    yearly = found["cli-yearly"]

    assert header.split() == ["ID", "CRON", "TIME", "ZONE", "TARGET", "NEXT", "RUN", "THEN", "LAST", "RUN", "ERROR"]
    assert said.startswith(f"Schedule {yearly['id']} runs ex-generic-v2/sample-customers at {yearly['nextRuns'][0]}, ")
    assert yearly["nextRuns"][0].endswith("-01-01T01:30:00+00:00")
    assert any(yearly["nextRuns"][0] in line and yearly["nextRuns"][1] in line for line in lines)
    assert any(line.split()[0] == off["id"] and "disabled" in line for line in lines)
    for each in (yearly, off):
        gone = penstock("schedules", "delete", each["id"], *target)
        assert gone.stdout == f"Schedule {each['id']} is deleted.\n"
    assert penstock("schedules", "delete", off["id"], *target).returncode == 1


def test_a_wrong_schedule_is_a_sentence(penstock: Penstock, stack: RunningStack) -> None:
    configure(stack, "cli-wrong", "enabled", cron="30 25 * * *")
    ended = penstock("schedules", "activate", "cli-wrong", "--data-dir", stack.folder)

    assert (ended.returncode, ended.stdout) == (1, "")
    assert 'The field hour is "25", and "25" is out of range. Allowed: 0-23;' in ended.stderr

"""A project that pays as it goes: it spends its credits until a job is refused, gets more, and runs again."""

from __future__ import annotations

import csv
import io
import json
import subprocess
from pathlib import Path

from tests.support.http import Http
from tests.support.stacks import ONE_WORKER, PENSTOCK, RunningStack, clean_environment, run_copy

COMPONENT = "keboola.runner-config-test"
PRICES = json.dumps({"other_hour": 3600, "free_minutes": 0})
"""A credit for each second, of a component that only sleeps."""


def command(stack: RunningStack, *words: str) -> str:
    found = subprocess.run(
        [*PENSTOCK, *words, "--data-dir", str(stack.folder)],
        capture_output=True,
        text=True,
        check=True,
        env={**clean_environment(), "PENSTOCK_PRICES": PRICES},
    )
    return found.stdout


def test_credits_are_spent_until_a_job_is_refused_and_a_top_up_lets_it_run(
    new_data_folder: Path, tmp_path: Path
) -> None:
    stack = run_copy(new_data_folder, tmp_path / "data", *ONE_WORKER, variables={"PENSTOCK_PRICES": PRICES})
    try:
        _spend(stack)
    finally:
        stack.stop()


def _spend(stack: RunningStack) -> None:
    sleep = {"component": COMPONENT, "configData": {"parameters": {"operation": "sleep", "timeout": 1}}}
    billing = Http(stack.greeting["queueUrl"].replace("queue", "billing"), stack.greeting["token"])
    command(stack, "projects", "enable", "pay-as-you-go")
    assert stack.queue.post("/jobs", sleep).status == 402
    assert "Remaining: 1.5." in command(stack, "projects", "top-up", "1.5")

    ran = 0
    while (started := stack.queue.post("/jobs", sleep)).status == 201:
        assert stack.finish_job(started.json["id"])["status"] == "success"
        ran += 1
    assert ran in (1, 2)
    assert started.status == 402
    assert "You do not have enough credits" in started.json["error"]
    spent = billing.get("/credits").json
    assert spent["remaining"] <= 0
    assert spent["consumed"] == round(1.5 - spent["remaining"], 6)

    command(stack, "projects", "top-up", "100", "--description", "more")
    again = stack.queue.post("/jobs", sleep)
    assert again.status == 201
    assert stack.finish_job(again.json["id"])["status"] == "success"

    [row] = json.loads(command(stack, "usage", "--json"))["rows"]
    assert (row["component"], row["entries"]) == (COMPONENT, ran + 1)
    [line] = csv.DictReader(io.StringIO(command(stack, "usage", "--by", "component", "--csv")))
    assert float(line["credits"]) == row["credits"] == billing.get("/credits").json["consumed"]
    assert COMPONENT in command(stack, "usage", "--by", "day,component")

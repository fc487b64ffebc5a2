"""`penstock run`."""

from __future__ import annotations

import json
import re
import signal
import subprocess
from pathlib import Path

from tests.support.api import Api, Response
from tests.support.patience import PATIENCE
from tests.support.stacks import PENSTOCK, RunningStack, clean_environment, wait_for
from tests.unit.cli.conftest import Penstock

COMPONENT = "ex-generic-v2"


def test_a_job_is_run_and_its_log_and_tables_are_shown(penstock_process: Penstock, stack: RunningStack) -> None:
    ended = penstock_process("run", COMPONENT, "sample-orders", "--data-dir", stack.folder)

    assert ended.returncode == 0, ended.stderr
    assert "warning: dataField 'orders' contains no data!" in ended.stdout
    assert (
        ended.stdout.count("in.c-sample.orders: it has 430 rows now.\n") == ended.stdout.count("c-sample.orders:") == 1
    )
    assert "\x1b" not in ended.stdout
    assert ended.stderr == ""


def test_with_json_the_job_is_the_only_line_on_stdout(penstock: Penstock, stack: RunningStack) -> None:
    ended = penstock("run", COMPONENT, "sample-customers", "--json", "--data-dir", stack.folder)

    job = json.loads(ended.stdout)
    assert (ended.returncode, job["status"], job["isFinished"]) == (0, "success", True)
    assert "Extractor finished successfully." in ended.stderr


def test_a_job_that_fails_ends_the_command_with_its_sentence(penstock_process: Penstock, stack: RunningStack) -> None:
    with Api() as api:
        jobs = {"outputBucket": "b", "jobs": [{"endpoint": "nothing"}]}
        stack.configure({"api": {"baseUrl": api.url}, "config": jobs}, "cli-nothing")
        ended = penstock_process("run", COMPONENT, "cli-nothing", "--data-dir", stack.folder)

    assert ended.returncode == 1
    assert "\nerror: " in ended.stdout
    assert "ended with error: " in ended.stderr
    assert "404" in ended.stderr
    assert "Traceback" not in ended.stderr


def test_on_one_stream_the_error_of_a_job_is_printed_once(
    penstock: Penstock, stack: RunningStack, tmp_path: Path
) -> None:
    script = {"name": "sums", "script": ["SELECT * FROM missing_table"]}
    document = {"parameters": {"blocks": [{"name": "all", "codes": [script]}]}}
    (tmp_path / "sql.json").write_text(json.dumps(document))
    component, target = "keboola.duckdb-transformation", ("--data-dir", str(stack.folder))
    made = penstock("configs", "create", "sql.json", "--id", "cli-sql", "--component", component, *target)
    assert made.returncode == 0, made.stderr

    printed = _run_on_one_stream([*PENSTOCK, "run", component, "cli-sql", *target], tmp_path)
    shown = penstock("jobs", "show", printed.split()[1].rstrip(":"), *target)

    assert [text.count("missing_table does not exist!") for text in (printed, shown.stdout)] == [1, 1], printed
    assert re.search(r"Job \d+ ended with error\.\n$", printed)


def test_an_unknown_configuration_is_a_sentence(penstock: Penstock, stack: RunningStack) -> None:
    ended = penstock("run", COMPONENT, "nope", "--data-dir", stack.folder)

    assert (ended.returncode, ended.stdout) == (1, "")
    assert "There is no configuration nope of ex-generic-v2" in ended.stderr


def test_a_stack_that_is_lost_on_the_way_leaves_the_job_to_itself(penstock: Penstock) -> None:
    with Api() as api:
        api.on("/v2/storage", {"services": [{"id": "queue", "url": api.url}]})
        api.on("/jobs", Response.json({"id": "7", "status": "created", "component": "c", "config": "1"}, 201))
        api.on("/jobs/7", Response.json({"error": "Invalid access token"}, 401))
        ended = penstock("run", "c", "1", "--url", api.url, "--token", "t")

    assert (ended.returncode, ended.stdout) == (1, "Job 7: c 1\n")
    assert "Job 7 continues" in ended.stderr
    assert "answered 401: Invalid access token" in ended.stderr


def test_ctrl_c_stops_following_and_the_job_goes_on(stack: RunningStack, tmp_path: Path) -> None:
    command = [*PENSTOCK, "run", COMPONENT, "sample-customers", "--data-dir", str(stack.folder)]
    # The first of its kind holds the second back, so that there is something to wait for.
    following = [_start(command, tmp_path) for _ in range(2)]
    assert following[1].stdout
    line = following[1].stdout.readline()
    following[1].send_signal(signal.SIGINT)
    errors = following[1].communicate(timeout=PATIENCE)[1]
    following[0].communicate(timeout=PATIENCE)

    job_id = line.split()[1].rstrip(":")
    assert following[1].returncode == 130
    assert f"Job {job_id} continues" in errors
    assert wait_for(lambda: stack.job(job_id)["status"] == "success")


def test_a_reader_that_leaves_early_is_not_an_error(stack: RunningStack, tmp_path: Path) -> None:
    running = _start([*PENSTOCK, "run", COMPONENT, "sample-orders", "--data-dir", str(stack.folder)], tmp_path)
    assert running.stdout
    assert running.stderr
    running.stdout.readline()
    running.stdout.close()

    assert "Traceback" not in running.stderr.read()
    running.stderr.close()
    assert running.wait(PATIENCE) == 141


def _run_on_one_stream(command: list[str], folder: Path) -> str:
    environment = clean_environment()
    ended = subprocess.run(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        cwd=folder,
        env=environment,
        timeout=PATIENCE,
    )
    assert ended.returncode == 1, ended.stdout
    return ended.stdout


def _start(command: list[str], folder: Path) -> subprocess.Popen[str]:
    return subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=folder, env=clean_environment()
    )

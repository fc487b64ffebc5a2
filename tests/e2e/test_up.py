"""`penstock up` as a person and as a program meet it."""

from __future__ import annotations

import os
import re
import shutil
import signal
import socket
import subprocess
from pathlib import Path
from urllib.request import urlopen

import pytest

from tests.support.http import Http
from tests.support.patience import PATIENCE
from tests.support.sandbox import WITHOUT_NAMESPACES
from tests.support.stacks import (
    ALL_THREADS,
    ONE_WORKER,
    PENSTOCK,
    RunningStack,
    ServicesOnly,
    clean_environment,
    run_copy,
    wait_for,
)
from tests.support.terminal import read_before, start_on_terminal
from tests.support.views import ROOT


def up(folder: Path, *flags: str) -> subprocess.CompletedProcess[str]:
    """An `up` that is expected to end by itself."""
    command = [*PENSTOCK, "up", "--data-dir", str(folder), *flags]
    return subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, env=clean_environment())


def start_for_people(folder: Path, *flags: str, program: list[str] = PENSTOCK) -> subprocess.Popen[str]:
    """An `up` that prints its greeting as text."""
    command = [*program, "up", "--data-dir", str(folder), "--port", "0", *ONE_WORKER, *flags]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=clean_environment(), cwd=ROOT)


def read_until(process: subprocess.Popen[str], text: str) -> str:
    """What it prints up to the line with this text."""
    assert process.stdout
    lines = [""]
    while text not in lines[-1]:
        line = process.stdout.readline()
        assert line, f"It ended without a line with {text}: {''.join(lines)}"
        lines.append(line)
    return "".join(lines)


def stop(process: subprocess.Popen[str]) -> str:
    """What else it has printed."""
    process.terminate()
    rest, _ = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0
    return rest


def test_every_address_in_the_greeting_answers(tmp_path: Path) -> None:
    options = ["--data-dir", str(tmp_path / "data"), "--port", "0", "--no-sample", *ONE_WORKER]
    process, printed = start_on_terminal([*PENSTOCK, "up", *options], ROOT)
    greeting = read_before(printed, "sample-customers")

    addresses = re.findall(r"http://\S+", greeting)
    token = re.search(r"Token +(\S+)", greeting)

    assert len(addresses) == 4
    assert [urlopen(address).status for address in addresses] == [200] * 4
    assert token
    [storage] = [address for address in addresses if address.endswith("/v2/storage")]
    assert Http(storage, token[1]).get("/tokens/verify").status == 200
    with printed:
        process.terminate()
        assert process.wait(PATIENCE) == 0


def test_the_first_start_loads_the_sample_and_later_ones_do_not(tmp_path: Path) -> None:
    first = start_for_people(tmp_path / "data")
    assert read_until(first, "Loaded").endswith("\nLoaded in.c-sample.customers: 250 rows\n")
    assert stop(first) == ""

    second = RunningStack(tmp_path / "data", *ONE_WORKER, variables={"PENSTOCK_SAMPLE": "true"})
    assert [job["status"] for job in second.queue.get("/jobs").json] == ["success"]
    assert second.rows_count("in.c-sample.customers") == 250
    second.stop()


def test_a_start_without_the_sample_creates_no_job(tmp_path: Path) -> None:
    first = start_for_people(tmp_path / "data", "--no-sample")
    greeting = read_until(first, "sample-customers")
    assert (tmp_path / "data/admin-token").read_text().strip() not in greeting, "it may be kept, as in a journal"
    assert not re.search(r"code=|/link\?", greeting)
    assert "Loaded" not in stop(first)

    second = RunningStack(tmp_path / "data", *ONE_WORKER)
    assert second.queue.get("/jobs").json == []
    second.stop()


def test_a_stack_that_requires_a_sandbox_which_is_missing_says_so_when_it_starts(tmp_path: Path) -> None:
    program = [*WITHOUT_NAMESPACES, *PENSTOCK]
    process = start_for_people(tmp_path / "data", "--no-sample", "--host", "0.0.0.0", program=program)
    greeting = read_until(process, "sample-customers")
    stop(process)

    assert (
        "WARNING: Jobs and queries are refused: this stack runs components only in a sandbox (it listens on" in greeting
    )
    assert 'or set sandbox = "auto"' in greeting


def test_the_first_line_of_json_tells_a_program_all_it_needs(stack: RunningStack) -> None:
    assert {"storageUrl", "queueUrl", "portalUrl", "projectId", "token"} <= set(stack.greeting)
    for name in ("storageUrl", "queueUrl", "portalUrl"):
        assert Http(stack.greeting[name]).get("/").status == 200


def test_a_second_start_finds_the_same_data_also_in_a_folder_that_was_moved(tmp_path: Path) -> None:
    """With as many threads as without a setting."""
    first = RunningStack(tmp_path / "here", *ONE_WORKER, variables=ALL_THREADS)
    first.run_job("sample-customers")
    first.stop()
    (tmp_path / "here").rename(tmp_path / "there")

    second = RunningStack(tmp_path / "there", *ONE_WORKER, variables=ALL_THREADS)

    assert second.greeting["token"] == first.greeting["token"]
    assert second.rows_count("in.c-sample.customers") == 250
    assert [row[0] for row in second.rows("in.c-sample.customers")][:3] == ["1", "2", "3"]
    second.run_job("sample-customers")
    assert second.rows_count("in.c-sample.customers") == 250
    second.stop()


def test_a_second_stack_on_one_data_folder_is_refused_with_the_first_ones_process(stack: RunningStack) -> None:
    refused = up(stack.folder, "--port", "0")

    assert refused.returncode == 1
    assert f"process {stack.process.pid}" in refused.stderr
    assert "--data-dir" in refused.stderr
    assert "Traceback" not in refused.stderr


def test_a_taken_port_names_its_holder_and_the_flag(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        refused = up(tmp_path / "data", "--port", str(port))

    assert refused.returncode == 1
    assert f"Port {port} is taken by process" in refused.stderr
    assert "--port" in refused.stderr


@pytest.mark.parametrize("flags", [("--port", "70000"), ("--workers", "0"), ("--allow-host", "not a host!")])
def test_a_wrong_setting_is_a_sentence(tmp_path: Path, flags: tuple[str, str]) -> None:
    refused = up(tmp_path / "data", *flags)

    assert refused.returncode in (1, 2)
    assert refused.stderr
    assert "Traceback" not in refused.stderr


def test_a_data_folder_of_a_newer_version_is_refused_with_a_sentence(new_data_folder: Path, tmp_path: Path) -> None:
    shutil.copytree(new_data_folder, tmp_path / "data")
    (tmp_path / "data" / "format").write_text("99\n")

    refused = up(tmp_path / "data", "--port", "0")

    assert refused.returncode == 1
    assert "format 99" in refused.stderr
    assert "Traceback" not in refused.stderr


def test_the_stack_answers_on_both_loopbacks(stack: RunningStack) -> None:
    port = stack.greeting["storageUrl"].split(":")[2].partition("/")[0]

    assert Http(f"http://127.0.0.1:{port}/_svc/storage").get("/v2/storage").status == 200
    if socket.has_ipv6 and "::1" in {entry[4][0] for entry in socket.getaddrinfo("localhost", None)}:
        assert Http(f"http://[::1]:{port}/_svc/storage").get("/v2/storage").status == 200


def test_a_token_of_another_stack_is_invalid_here(stack: RunningStack, tmp_path: Path) -> None:
    services = ServicesOnly(tmp_path / "data")
    mine, foreign = stack.greeting["token"], services.project.token

    response = Http(stack.greeting["storageUrl"], foreign).get("/v2/storage/tokens/verify")
    at_queue = services.service("queue", mine).post("/jobs", {"component": "ex-generic-v2", "config": "x"})
    services.close()

    assert (response.status, response.json["error"]) == (401, "Invalid access token")
    assert (at_queue.status, at_queue.json["error"]) == (401, "Invalid access token")


def test_components_give_way_to_requests_and_workers_and_ctrl_c_ends_all_of_them(
    new_data_folder: Path, tmp_path: Path
) -> None:
    stack = run_copy(new_data_folder, tmp_path / "data", variables={"PENSTOCK_COMPONENT_NICENESS": "7"})
    blocks = [{"name": "b", "codes": [{"name": "c", "script": ["import os; print(f'nice {os.nice(0)}')"]}]}]
    wish = {"component": "keboola.python-transformation-v2", "configData": {"parameters": {"blocks": blocks}}}
    job = stack.finish_job(stack.queue.post("/jobs", wish).json["id"])
    children = _children(stack)

    assert "nice 7" in [event["message"] for event in stack.events(job["id"])]
    assert [os.getpriority(os.PRIO_PROCESS, int(pid)) for pid in children] == [0, 0]
    assert stack.stop(signal.SIGINT) == 0
    wait_for(lambda: not any(_is_alive(pid) for pid in children))


@pytest.mark.faults
def test_workers_end_when_their_stack_is_killed(tmp_path: Path) -> None:
    stack = RunningStack(tmp_path / "data")
    wait_for(lambda: len(_children(stack)) == 2)
    children = _children(stack)

    stack.stop(signal.SIGKILL)

    wait_for(lambda: not any(_is_alive(pid) for pid in children))


def _children(stack: RunningStack) -> list[str]:
    return subprocess.run(["pgrep", "-P", str(stack.process.pid)], capture_output=True, text=True).stdout.split()


def _is_alive(pid: str) -> bool:
    shown = subprocess.run(["ps", "-o", "stat=", "-p", pid], capture_output=True, text=True).stdout.strip()
    return bool(shown) and not shown.startswith("Z")

"""`penstock extract` as a process, against a real API."""

from __future__ import annotations

import io
import json
import os
import pty
import re
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.extract.command import config_for, environment_with, run, write_config
from tests.support.api import Api, Response, Seen
from tests.support.extraction import Extraction
from tests.support.patience import PATIENCE
from tests.support.stacks import wait_for

LINE = re.compile(r"\[\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}\+00:00\] logger\.(DEBUG|INFO|WARNING|ERROR): .* \[\]")


@pytest.mark.parametrize("is_wrapped", [True, False])
def test_a_configuration_file_becomes_tables_in_the_output_folder(api: Api, tmp_path: Path, is_wrapped: bool):
    document = config_for(api)
    write_config(tmp_path / "config.json", {"parameters": document} if is_wrapped else document)

    done = run("config.json", cwd=tmp_path)

    assert (done.returncode, done.stderr) == (0, "")
    result = Extraction(tmp_path / "out", done.stdout)
    assert result.column("test.users", "name") == ["Ada"]
    assert result.column("test.users_tags", "data") == ["x"]
    assert json.loads((tmp_path / "out/tables/test.users.manifest").read_text()) == {
        "destination": "in.c-test.users",
        "incremental": False,
    }
    assert json.loads((tmp_path / "out/state.json").read_text())["json_parser.structVersion"] == 3
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["report.json", "state.json", "tables"]


def test_the_output_folder_can_be_named(api: Api, tmp_path: Path):
    write_config(tmp_path / "config.json", config_for(api))

    assert run("config.json", "--out", "here/there", cwd=tmp_path).returncode == 0
    assert (tmp_path / "here/there/tables/test.users").exists()


def test_a_data_folder_has_its_configuration_state_and_results(api: Api, tmp_path: Path):
    data = tmp_path / "data"
    write_config(data / "config.json", {"parameters": config_for(api)})
    (data / "out/tables").mkdir(parents=True)
    write_config(data / "in/state.json", {"custom": 1, "time": {"previousStart": 7}})

    assert run("--data-dir", data, cwd=tmp_path).returncode == 0

    state = json.loads((data / "out/state.json").read_text())
    assert (state["custom"], state["time"]["previousStart"] > 7) == (1, True)
    assert (data / "out/tables/test.users").exists()


def test_a_second_run_keeps_the_columns_of_the_first(api: Api, tmp_path: Path):
    write_config(tmp_path / "config.json", {"parameters": config_for(api)})
    assert run("--data-dir", ".", cwd=tmp_path).returncode == 0
    write_config(tmp_path / "in/state.json", json.loads((tmp_path / "out/state.json").read_text()))
    api.on("/users", {"items": [{"new": True}]})

    assert run("--data-dir", ".", cwd=tmp_path).returncode == 0

    table = (tmp_path / "out/tables/test.users").read_text()
    assert table == '"id","name","tags","new"\n"","","","1"\n'


@pytest.mark.parametrize("end", ["", "/"])
def test_the_data_folder_may_come_from_the_environment(api: Api, tmp_path: Path, end: str):
    write_config(tmp_path / "data/config.json", {"parameters": config_for(api)})

    assert run(cwd=tmp_path, KBC_DATADIR=f"{tmp_path}/data{end}").returncode == 0
    assert (tmp_path / "data/out/tables/test.users").exists()


def test_what_the_command_names_goes_before_the_environment(api: Api, tmp_path: Path):
    for folder in ("given", "named"):
        write_config(tmp_path / folder / "config.json", {"parameters": config_for(api)})
    given = {"KBC_DATADIR": str(tmp_path / "given")}

    assert run("--data-dir", "named", cwd=tmp_path, **given).returncode == 0
    assert run("named/config.json", cwd=tmp_path, **given).returncode == 0

    assert (tmp_path / "named/out/tables/test.users").exists()
    assert (tmp_path / "out/tables/test.users").exists()
    assert not (tmp_path / "given/out").exists()


def test_a_data_folder_without_a_state_is_a_warning(api: Api, tmp_path: Path):
    write_config(tmp_path / "data/config.json", {"parameters": config_for(api)})

    done = run("--data-dir", "data", cwd=tmp_path)

    message = "State file not found Configuration file 'data/in/state.json' not found."
    assert f"logger.WARNING: {message} [] []\n" in done.stdout


def test_a_plan_is_printed_and_nothing_is_sent_or_written(api: Api, tmp_path: Path):
    document = config_for(api, method="offset", limit=2)
    document["config"]["#key"] = "s3cret/key"
    document["config"]["jobs"][0]["params"] = {"key": {"attr": "#key"}, "since": {"time": "previousStart"}}
    document["config"]["incrementalOutput"] = True
    write_config(tmp_path / "data/config.json", {"parameters": document})
    write_config(tmp_path / "data/in/state.json", {"time": {"previousStart": 7}})

    done = run("--data-dir", "data", "--explain", cwd=tmp_path)

    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == (
        "tables for bucket in.c-test\n"
        "  authentication: none\n"
        "\n"
        f"  1. GET {api.url}/users?key=[hidden]&since=7&limit=2&offset=0\n"
        "     paging   offset (limit 2)\n"
        "     records  what is at items\n"
        "     table    test.users, added to what is there; arrays in records become tables\n"
    )
    assert api.seen == []
    assert not (tmp_path / "data/out").exists()


def test_a_plan_of_a_wrong_configuration_is_its_error(tmp_path: Path):
    write_config(tmp_path / "config.json", {"api": {"baseUrl": "https://api.example.com/"}, "config": {"jobs": [{}]}})

    done = run("config.json", "--explain", cwd=tmp_path)

    assert done.returncode == 1
    assert done.stderr.startswith("The 'endpoint' property must be set in job.")


def test_child_jobs_iterations_and_state_work_together(api: Api, tmp_path: Path):
    api.on("/orders/1", {"items": [{"total": 9.5}]})
    document = config_for(api)
    order = {"endpoint": "orders/{id}", "dataType": "orders", "placeholders": {"id": "id"}}
    document["config"]["jobs"][0]["children"] = [order]
    iterations = [{"userData": {"run": 1}}, {"userData": {"run": 2}}]
    write_config(tmp_path / "config.json", {**document, "iterations": iterations})

    assert run("config.json", cwd=tmp_path).returncode == 0

    result = Extraction(tmp_path / "out", "")
    assert result.column("test.users", "run") == ["1", "2"]
    assert result.rows("test.orders") == [{"total": "9.5", "parent_id": "1"}] * 2


def test_the_log_is_one_line_per_event(api: Api, tmp_path: Path):
    api.on("/users", {"items": []})
    write_config(tmp_path / "config.json", config_for(api, method="offset", limit=2))

    lines = run("config.json", cwd=tmp_path).stdout.splitlines()

    assert all(LINE.fullmatch(line) for line in lines)
    where = f'"endpoint":"users","page":1,"method":"GET","url":"{api.url}/users?limit=2&offset=0","status":200'
    assert [line.partition("logger.")[2] for line in lines] == [
        f'WARNING: dataField \'items\' contains no data! {{{where},"response":"{{\\"items\\": []}}"}} []',
        "INFO: Offset limit reached, stopping scrolling. [] []",
        "INFO: Records written: 0 (pages: 1, tables: 0). [] []",
        "INFO: Job  users  0 items  1 page  1 request [] []",
        "INFO: Extractor finished successfully. [] []",
    ]


def test_on_a_terminal_the_log_is_short_and_a_failure_is_said_once(api: Api, tmp_path: Path):
    write_config(tmp_path / "good.json", config_for(api))
    write_config(tmp_path / "bad.json", {"api": {}, "config": {"jobs": [{"endpoint": "users"}]}})

    shown = on_terminal("good.json", cwd=tmp_path)
    assert re.match(r"\r\x1b\[K1 pages, 1 records, \d+ records/s\r\x1b\[K", shown)
    assert "Records written: 1 (pages: 1, tables: 2).\n\r\x1b[KJob  users  1 item  1 page  1 request\n" in shown
    assert shown.endswith("\r\x1b[KExtractor finished successfully.\n")
    assert on_terminal("bad.json", cwd=tmp_path).count("The 'baseUrl' attribute must be set") == 1


def test_a_failure_is_in_the_log_and_on_stderr_but_once_if_both_are_one(api: Api, tmp_path: Path):
    write_config(tmp_path / "bad.json", {"api": {}, "config": {"jobs": [{"endpoint": "users"}]}})
    sentence = "The 'baseUrl' attribute must be set"

    apart = run("bad.json", cwd=tmp_path)
    together = run_on_one_stream("bad.json", cwd=tmp_path)

    assert (apart.stdout.count(sentence), apart.stderr.count(sentence)) == (1, 1)
    assert together.count(sentence) == 1
    assert LINE.match(together)


def test_in_a_stack_the_load_warns_about_keys_and_not_the_extractor(api: Api, tmp_path: Path):
    api.on("/users", {"items": [{"id": 1, "team": 1}, {"id": 2, "team": 1}]})
    document = config_for(api)
    document["config"]["jobs"][0]["primaryKey"] = "team"
    write_config(tmp_path / "config.json", document)

    alone, in_a_stack = run("config.json", cwd=tmp_path), run("config.json", cwd=tmp_path, KBC_RUNID="1")

    assert ["become 1 when they are loaded" in done.stdout for done in (alone, in_a_stack)] == [True, False]


def test_a_failed_action_is_one_line_on_stderr(api: Api, tmp_path: Path):
    write_config(tmp_path / "config.json", {"action": "nonsense", "parameters": config_for(api)})

    done = run("config.json", cwd=tmp_path)

    assert (done.returncode, done.stdout) == (1, "")
    assert len(done.stderr.splitlines()) == 1
    assert "logger.ERROR" not in done.stderr
    assert run_on_one_stream("config.json", cwd=tmp_path) == done.stderr


def run_on_one_stream(config: str, cwd: Path) -> str:
    command = [sys.executable, "-m", "penstock", "extract", config]
    one, environment = subprocess.STDOUT, environment_with()
    done = subprocess.run(
        command, cwd=cwd, env=environment, stdout=subprocess.PIPE, stderr=one, text=True, timeout=PATIENCE, check=False
    )
    return done.stdout


def on_terminal(config: str, cwd: Path) -> str:
    reader, terminal = pty.openpty()
    command = [sys.executable, "-m", "penstock", "extract", config]
    subprocess.run(
        command, cwd=cwd, env=environment_with(), stdout=terminal, stderr=terminal, timeout=PATIENCE, check=False
    )
    os.close(terminal)
    with io.FileIO(reader) as screen:
        return read_all(screen).decode().replace("\r\n", "\n")


def read_all(screen: io.FileIO) -> bytes:
    text = b""
    with suppress(OSError):  # the end of a terminal is an error on Linux
        while part := screen.read(4096):
            text += part
    return text


def test_debug_mode_shows_requests_but_no_secret(api: Api, tmp_path: Path):
    document = config_for(api)
    document["config"] |= {"debug": True, "#key": "s3cret key"}
    document["config"]["jobs"][0]["params"] = {"key": "s3cret key"}
    write_config(tmp_path / "config.json", document)

    done = run("config.json", cwd=tmp_path)

    assert api.asked("/users") == ["key=s3cret+key"]
    assert "logger.DEBUG: GET /users?key=[hidden] HTTP/1.1 " in done.stdout
    assert "s3cret" not in done.stdout + done.stderr


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_an_interrupted_run_leaves_only_what_it_can_go_on_with(tmp_path: Path, number: int, code: int):
    def never_ending(seen: Seen) -> Response:
        time.sleep(0.01)
        return Response.json({"items": [{"id": seen.params["offset"]}]})

    with Api() as api:
        api.on("/users", never_ending)
        write_config(tmp_path / "config.json", config_for(api, method="offset", limit=1))
        command = [sys.executable, "-m", "penstock", "extract", "config.json"]
        process = subprocess.Popen(command, cwd=tmp_path, env=environment_with(), stderr=subprocess.PIPE, text=True)
        wait_for(lambda: len(api.seen) > 3)
        process.send_signal(number)
        _, stderr = process.communicate(timeout=PATIENCE)

    assert process.returncode == code
    assert "Traceback" not in stderr
    assert [path.name for path in (tmp_path / "out").iterdir()] == [".extracting"]


def test_a_page_of_50_megabytes_works(api: Api, tmp_path: Path):
    row = json.dumps({"id": 1, "text": "x" * 990})
    api.on("/users", Response(body=f'{{"items":[{",".join([row] * 50_000)}]}}'.encode()))
    write_config(tmp_path / "config.json", config_for(api))

    assert run("config.json", cwd=tmp_path).returncode == 0
    assert len(Extraction(tmp_path / "out", "").rows("test.users")) == 50_000


def test_a_document_of_500_levels_works(api: Api, tmp_path: Path):
    deep: Any = [1]
    for _ in range(500):
        deep = {"a": deep}
    api.on("/users", {"items": [deep]})
    write_config(tmp_path / "config.json", config_for(api))

    done = run("config.json", cwd=tmp_path)

    assert (done.returncode, done.stderr) == (0, "")


def test_the_command_starts_without_the_parts_of_a_stack():
    code = (
        "import sys, penstock.cli.extract, penstock.extractor.run; "
        "print([name for name in ('duckdb', 'sqlalchemy', 'starlette', 'uvicorn', 'alembic') if name in sys.modules])"
    )

    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"

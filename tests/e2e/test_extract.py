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

from tests.support.api import Api, Response, Seen
from tests.support.extraction import Extraction, parameters
from tests.support.patience import PATIENCE
from tests.support.stacks import wait_for

LINE = re.compile(r"\[\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}\+00:00\] logger\.(DEBUG|INFO|WARNING|ERROR): .* \[\]")
ONE_USER = {"items": [{"id": 1, "name": "Ada", "tags": ["x"]}]}
TOO_MANY_LEVELS = b"[" * 10_000 + b"]" * 10_000


@pytest.fixture
def api():
    with Api() as api:
        api.on("/users", ONE_USER)
        yield api


def run(*arguments: str | Path, cwd: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "penstock", "extract", *map(str, arguments)]
    return subprocess.run(
        command,
        cwd=cwd,
        env=environment_with(**environment),
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )


def environment_with(**more: str) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if name not in ("KBC_DATADIR", "PENSTOCK_OUTBOUND")}
    return {**kept, **more}


def write_config(path: Path, document: dict[str, Any]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(document))
    return path


def config_for(api: Api, **pagination: Any) -> dict[str, Any]:
    job = {"endpoint": "users", "dataField": "items"}
    return parameters(api.url, job, pagination=pagination or None)


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
        "     table    test.users; arrays in records become tables\n"
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


NOT_FOUND = (
    "The API request failed: [404] Client error: `GET {url}/users` resulted in a `404 Not Found` response:\ngone"
)
NOT_JSON = "Invalid JSON response from API: JSON decode error: "
WEB_PAGE = (
    f"{NOT_JSON}Syntax error, malformed JSON (invalid character at byte 0 of page 1 of 'users'). It is a web page: "
    "check `baseUrl` and `endpoint`, and whether the API wants a login. The response starts with: <html><h1>Log in</h1>"
)
CUT_OFF = (
    f"{NOT_JSON}Syntax error, malformed JSON (input data was truncated at byte 15 of page 1 of 'users'). "
    'The response starts with: {"items'
)
TWO_TYPES = 'Error parsing response JSON: Unhandled nodeType change from "scalar" to "object" in "users.[].a"'


@pytest.mark.parametrize(
    ("response", "sentence"),
    [
        (Response(404, b"gone"), NOT_FOUND),
        (Response(body=b"<html><h1>Log in</h1>"), WEB_PAGE),
        (Response(body=b'{"items": [1, 2'), CUT_OFF),
        (Response(body=TOO_MANY_LEVELS), f"{NOT_JSON}Maximum stack depth exceeded"),
        (Response.json({"items": [{"a": 1}, {"a": {"b": 1}}]}), TWO_TYPES),
    ],
)
def test_what_the_api_does_wrong_is_a_sentence_and_leaves_only_the_report(
    api: Api, tmp_path: Path, response: Response, sentence: str
):
    api.on("/users", response)
    write_config(tmp_path / "config.json", config_for(api))

    done = run("config.json", cwd=tmp_path)

    assert done.returncode == 1
    assert done.stderr.startswith(sentence.replace("{url}", api.url))
    assert "Traceback" not in done.stderr
    assert f"logger.ERROR: {' '.join(done.stderr.splitlines()).strip()}" in done.stdout
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["report.json"]


def test_a_host_that_does_not_answer_is_a_sentence(tmp_path: Path):
    with Api() as gone:
        write_config(tmp_path / "config.json", config_for(gone))

    done = run("config.json", "--retries", "1", cwd=tmp_path)

    assert done.returncode == 1
    assert done.stderr.startswith("CURL error 7: ")
    assert f"(GET {gone.url}/users)" in done.stderr
    assert done.stdout.count("Http request failed, retrying in 1.0 seconds [1x].") == 1


def test_a_wrong_configuration_sends_nothing(api: Api, tmp_path: Path):
    write_config(tmp_path / "config.json", config_for(api, method="offset", limit=0))

    done = run("config.json", cwd=tmp_path)

    assert done.returncode == 1
    assert done.stderr.startswith("Missing 'pagination.limit' attribute required for offset pagination")
    assert api.seen == []


def test_an_error_shows_no_secret(api: Api, tmp_path: Path):
    api.on("/users", lambda seen: Response(403, f"{seen.query} is not allowed".encode()))
    document = config_for(api)
    document["config"]["#key"] = "s3cret/key"
    document["config"]["jobs"][0]["params"] = {"key": "s3cret/key"}
    write_config(tmp_path / "config.json", document)

    done = run("config.json", cwd=tmp_path)

    assert done.returncode == 1
    assert "s3cret" not in done.stdout + done.stderr
    assert "key=[hidden] is not allowed" in done.stderr


def test_a_missing_configuration_is_a_sentence(tmp_path: Path):
    named, folder = run("config.json", cwd=tmp_path), run("--data-dir", "data", cwd=tmp_path)

    assert (named.returncode, named.stderr) == (1, "Configuration file 'config.json' not found.\n")
    assert (folder.returncode, folder.stderr) == (2, "Configuration file 'data/config.json' not found.\n")


def test_nothing_named_is_a_sentence(tmp_path: Path):
    done = run(cwd=tmp_path)

    assert (done.returncode, done.stdout) == (1, "")
    assert "penstock extract CONFIG" in done.stderr


def test_an_output_folder_that_cannot_be_written_is_a_sentence(api: Api, tmp_path: Path):
    write_config(tmp_path / "config.json", config_for(api))
    (tmp_path / "out").write_text("a file")

    done = run("config.json", cwd=tmp_path)

    assert done.returncode == 1
    assert done.stderr == "'out' is not a folder. Remove it, or set another `--out`.\n"
    assert "Traceback" not in done.stderr


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

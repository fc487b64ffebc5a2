"""Components on a whole stack, through HTTP jobs: tables in, tables out, secrets and values from where they are."""

from __future__ import annotations

import io
import json
import subprocess
import zipfile
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest

from tests.support.api import Api, Response
from tests.support.http import Http
from tests.support.stacks import ONE_WORKER, PENSTOCK, RunningStack, clean_environment, run_copy

OWN = Path(__file__).parents[1] / "unit" / "components" / "own"
SQL, PYTHON = "keboola.duckdb-transformation", "keboola.python-transformation-v2"
WHEEL, METADATA = "tripled-1.0-py3-none-any.whl", "Metadata-Version: 2.1\nName: tripled\nVersion: 1.0\n"
DONE = "Component processing finished."
NUMBERS = {"source": "in.c-main.numbers", "destination": "numbers.csv", "columns": ["id", "n"]}


@pytest.fixture(scope="module")
def stack(new_data_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Generator[RunningStack]:
    """One of the module's own, because components are added to it; its packages come from an index of one package."""
    with Api() as index, pytest.MonkeyPatch.context() as patch:
        link = f'<a href="/{WHEEL}" data-core-metadata="true">{WHEEL}</a>'.encode()
        index.on("/simple/tripled/", lambda _seen: Response(200, link, {"Content-Type": "text/html"}))
        index.on(f"/{WHEEL}.metadata", lambda _seen: Response(200, METADATA.encode()))
        index.on(f"/{WHEEL}", lambda _seen: Response(200, make_wheel()))
        patch.setenv("PIP_INDEX_URL", f"{index.url}/simple")
        patch.delenv("PIP_FIND_LINKS", raising=False)
        folder = tmp_path_factory.mktemp("components") / "data"
        running = run_copy(new_data_folder, folder, "--allow-host", "127.0.0.1", *ONE_WORKER)
        write_numbers(running)
        yield running
        running.stop()


def make_wheel() -> bytes:
    about, made = "tripled-1.0.dist-info", io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        archive.writestr("tripled.py", "def triple(text):\n    return int(text or 0) * 3\n")
        archive.writestr(f"{about}/METADATA", METADATA)
        archive.writestr(f"{about}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        archive.writestr(f"{about}/RECORD", "")
    return made.getvalue()


def write_numbers(stack: RunningStack) -> None:
    rows = [{"id": "1", "n": "10", "note": "x"}, {"id": "2", "n": "20", "note": "y"}, {"id": "3", "n": "", "note": ""}]
    parameters = {"operation": "write-table", "table": "numbers", "rows": rows}
    output = {"tables": [{"source": "numbers", "destination": "in.c-main.numbers", "primary_key": ["id"]}]}
    document = {"parameters": parameters, "storage": {"output": output}}
    assert run(stack, "keboola.runner-config-test", document)["status"] == "success"


def run(stack: RunningStack, component: str, document: dict[str, Any], **fields: Any) -> dict[str, Any]:
    return stack.run_job("", component=component, configData=document, **fields)


def configure(stack: RunningStack, component: str, document: dict[str, Any], *rows: dict[str, Any]) -> str:
    place = f"/v2/storage/components/{component}/configs"
    made = stack.storage.post(place, {"name": "story", "configuration": document})
    assert made.status == 201, made.text
    for number, row in enumerate(rows):
        wanted = {"name": "row", "rowId": f"row-{number}", "configuration": row}
        assert stack.storage.post(f"{place}/{made.json['id']}/rows", wanted).status == 201
    return made.json["id"]


def transformation(*scripts: str, output: str, **parameters: Any) -> dict[str, Any]:
    blocks = [{"name": "Block", "codes": [{"name": "Code", "script": list(scripts)}]}]
    mapping = {"source": "made.csv", "destination": output, "primary_key": ["id"]}
    return {
        "parameters": {"blocks": blocks, **parameters},
        "storage": {"input": {"tables": [NUMBERS]}, "output": {"tables": [mapping]}},
    }


def add(stack: RunningStack, folder: Path) -> str:
    # Root's components are another user, who has to read it; pytest closes its folders.
    folder.chmod(0o755)
    command = [*PENSTOCK, "components", "add", str(folder), "--data-dir", str(stack.folder)]
    done = subprocess.run(command, env=clean_environment(), check=True, capture_output=True, text=True)
    return done.stdout


def said(stack: RunningStack, job: dict[str, Any]) -> list[str]:
    return [event["message"] for event in stack.events(job["id"])]


def test_sql_and_python_transform_one_after_the_other(stack: RunningStack) -> None:
    sql = "CREATE TABLE made AS SELECT id, try_cast(n AS INTEGER) * 2 AS n FROM numbers WHERE id <> '3'"
    python = "\n".join(
        [
            "import csv, tripled",
            "with open('in/tables/doubled.csv') as source, open('out/tables/made.csv', 'w') as target:",
            "    rows = csv.DictReader(source)",
            "    csv.writer(target).writerows([['id', 'n'], *([row['id'], tripled.triple(row['n'])] for row in rows)])",
        ]
    )
    second = transformation(python, output="out.c-story.sixfold", packages=["tripled==1.0"])
    second["storage"]["input"]["tables"] = [{"source": "out.c-story.doubled", "destination": "doubled.csv"}]

    jobs = [run(stack, SQL, transformation(sql, output="out.c-story.doubled")), run(stack, PYTHON, second)]

    assert [job["result"]["message"] for job in jobs] == [DONE, DONE]
    assert sorted(stack.rows("out.c-story.sixfold")) == [["1", "60"], ["2", "120"]]
    assert [table["id"] for table in jobs[1]["result"]["input"]["tables"]] == ["out.c-story.doubled"]


def test_what_a_project_keeps_for_its_next_runs_is_out_of_reach_of_others(stack: RunningStack) -> None:
    script = "import os; print(os.path.relpath(os.environ['PENSTOCK_CACHE'], os.path.abspath('../../../..')))"

    job = run(stack, PYTHON, {"parameters": {"script": [script]}})

    assert f"cache/{job['project']['id']}" in said(stack, job)


@pytest.mark.parametrize(
    "sql",
    [
        "ATTACH '{data}/metadata.sqlite' AS stolen (TYPE sqlite)",
        "COPY (SELECT 1) TO '{data}/evil.csv'",
        "CREATE TABLE made AS SELECT 1 AS id \0 AND THE REST IS LOST",
    ],
)
def test_hostile_sql_ends_in_a_sentence(stack: RunningStack, sql: str) -> None:
    job = run(stack, SQL, transformation(sql.format(data=stack.folder), output="out.c-hostile.made"))

    assert (job["status"], job["result"]["error"]["type"]) == ("error", "user")
    assert 'block "Block", code "Code"' in job["result"]["message"]
    assert stack.storage.get("/v2/storage/buckets/out.c-hostile").status == 404
    assert not (stack.folder / "evil.csv").exists()


def test_a_component_of_ones_own_has_tables_state_log_and_errors(stack: RunningStack) -> None:
    added = add(stack, OWN)
    where = {**NUMBERS, "where_column": "id", "where_values": ["1", "2"]}
    parameters = {"factor": 3, "#key": "sword/fish"}
    document = {"parameters": parameters, "storage": {"input": {"tables": [where]}}}
    config = configure(stack, "tests.ex-doubles", document)

    jobs = [stack.run_job(config, component="tests.ex-doubles") for _ in range(2)]
    wrong = run(stack, "tests.ex-doubles", {**document, "parameters": {**parameters, "factor": -1}})

    assert "tests.ex-doubles" in added
    assert [job["result"]["message"] for job in jobs] == [DONE, DONE]
    assert sorted(stack.rows("out.c-x.made")) == [["1", "30"], ["2", "60"]]
    assert "Ran 2 times, with [hidden]." in said(stack, jobs[1])
    assert not any("legacy queue" in message for message in said(stack, jobs[1]))
    kept = stack.storage.get(f"/v2/storage/components/tests.ex-doubles/configs/{config}").json
    assert kept["state"]["component"] == {"runs": 2}
    assert (wrong["status"], wrong["result"]["message"]) == ("error", "The factor must not be negative.")


def test_what_the_operator_sets_is_told_the_component_and_nobody_else(stack: RunningStack, tmp_path: Path) -> None:
    told = {
        "image_parameters": {"#key": "canary-1", "plain": "seen"},
        "stack_parameters": {"other": {"#k": "canary-2"}},
    }
    words = ["python", "-c", "print(open('config.json').read(), 'canary-2')"]
    manifest = {"id": "tests.ex-told", "name": "Told", "type": "extractor", "command": words, **told}
    (tmp_path / "component.json").write_text(json.dumps(manifest))
    add(stack, tmp_path)

    job = run(stack, "tests.ex-told", {})
    tmp_path.rename(tmp_path.with_name("moved"))
    gone = run(stack, "tests.ex-told", {})

    everything = " ".join(said(stack, job))
    assert job["status"] == "success", job["result"]
    assert "seen" in everything
    assert "canary" not in everything
    assert "canary" not in stack.storage.get("/v2/storage/components/tests.ex-told").text
    assert (gone["status"], gone["result"]["error"]["type"]) == ("error", "user")
    assert "its folder is not there" in gone["result"]["message"]
    assert str(tmp_path) not in gone["result"]["message"]


def test_shared_code_vault_and_variables_meet_in_a_job(stack: RunningStack) -> None:
    vault = Http(stack.greeting["queueUrl"].replace("/queue", "/vault"), stack.greeting["token"])
    for variable in ({"key": "plain", "value": 'a"b'}, {"key": "secret", "value": "hush-4711", "flags": ["encrypted"]}):
        assert vault.post("/variables", variable).status == 201
    values = {"values": [{"name": "who", "value": 'O"Neil'}]}
    variables = configure(stack, "keboola.variables", {"variables": [{"name": "who", "type": "string"}]}, values)
    shared = configure(stack, "keboola.shared-code", {}, {"code_content": ["print('''hello {{ who }}''')"]})
    shown = "import json; found = json.load(open('config.json'))['parameters']; print(found['p'], len(found['#s']))"
    document = {
        "parameters": {"script": ["{{ row-0 }}", shown], "p": "{{ vault.plain }}", "#s": "{{ vault.secret }}"},
        "variables_id": variables,
        "variables_values_id": "row-0",
        "shared_code_id": shared,
        "shared_code_row_ids": ["row-0"],
    }
    config = configure(stack, PYTHON, document)

    job = stack.run_job(config, component=PYTHON)
    other = {"values": [{"name": "who", "value": "you"}]}
    again = stack.run_job(config, component=PYTHON, variableValuesData=other)

    assert job["status"] == again["status"] == "success", job["result"]
    assert {'hello O"Neil', 'a"b 9'} <= set(said(stack, job))
    assert "hello you" in said(stack, again)
    assert job["result"]["variables"] == [
        {"name": "vault.plain", "value": 'a"b'},
        {"name": "vault.secret", "value": "[hidden]"},
        {"name": "who", "value": 'O"Neil'},
    ]


def test_the_writer_sends_rows_with_a_secret_that_nobody_sees(stack: RunningStack) -> None:
    with Api() as api:
        api.on("/rows", lambda _seen: Response.json({}))
        document = {
            "parameters": {
                "api": {"base_url": api.url},
                "user_parameters": {"#key": "canary-4711"},
                "request_parameters": {"endpoint_path": "rows", "headers": {"X-Key": {"attr": "#key"}}},
                "request_content": {"json_mapping": {"chunk_size": 2, "request_data_wrapper": '{"rows": [[data]]}'}},
            },
            "storage": {"input": {"tables": [NUMBERS]}},
        }
        config = configure(stack, "kds-team.wr-generic", document)
        job = stack.run_job(config, component="kds-team.wr-generic")

    assert job["status"] == "success", job["result"]
    assert [len(json.loads(seen.body)["rows"]) for seen in api.seen] == [2, 1]
    assert {seen.headers["x-key"] for seen in api.seen} == {"canary-4711"}
    assert not any("canary" in message for message in said(stack, job))

"""Failures that the product itself produces, each explained by its cause, the path of the setting and the fix."""

from __future__ import annotations

import json
import socket
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from penstock.components.duckdb_transformation.transform import transform
from penstock.components.snowflake_transformation.__main__ import transform_snowflake
from penstock.runtime.exit_status import Facts, judge
from penstock.runtime.launch import Limits, ProcessExit, Reason
from penstock.services.ai.failures.diagnosis import Source, diagnose
from penstock.services.ai.operations.explaining import TABLES
from penstock.services.ai.search.library import documentation
from tests.support.api import Api, Response
from tests.support.components import Trial
from tests.support.extraction import try_extraction
from tests.support.stacks import ServicesOnly
from tests.unit.services.ai.a_model import PATH, completion, sent
from tests.unit.services.ai.test_configurations import create
from tests.unit.services.ai.test_jobs import answer
from tests.unit.services.each_database import on_one_database
from tests.unit.services.queue.jobs import add_job, result_of
from tests.unit.services.queue.own_components import claim, create_job, execute

Document = dict[str, Any]
GENERIC, SQL = "ex-generic-v2", "keboola.duckdb-transformation"
NO_RETRIES = {"retryConfig": {"maxRetries": 0}}


@pytest.fixture(scope="module")
def failing() -> Generator[Api]:
    """An API of which every path that is a number responds with that status."""
    with Api() as api:
        api.on_everything(lambda seen: Response.json({"error": "x"}, int(seen.path.rpartition("/")[2])))
        api.on("/good", lambda _seen: Response.json([{"id": 1}]))
        api.on("/page", lambda _seen: Response(200, b"<html>", {"Content-Type": "text/html"}))
        api.on("/broken", lambda _seen: Response(200, b'{"a": ', {"Content-Type": "application/json"}))
        api.on("/two", lambda _seen: Response.json({"a": [{"x": 1}], "b": [{"y": 1}]}))
        api.on("/cut", lambda _seen: Response(200, b"[]" * 100, cut=3))
        yield api


def fail(services: ServicesOnly, message: str | None, document: Document, component: str = GENERIC) -> str:
    """Explain a job that ended with a message."""
    assert message
    result = result_of(message, error={"type": "user", "exceptionId": "exception-1"})
    config = json.dumps(document).encode()
    return answer(
        services, add_job(services, component=component, status="error", config_data=config, result=result).id
    )


def lines(text: str) -> tuple[str, str, str]:
    """The cause, the path and the fix that an explanation names."""
    named = dict(
        line[2:].split(": ", 1) for line in text.splitlines() if line.startswith(("- Cause", "- Where", "- Fix"))
    )
    return named["Cause"], named.get("Where", "").removesuffix(" of the configuration").strip("`"), named["Fix"]


def jobs(*endpoints: str, **settings: Any) -> Document:
    return {"config": {"outputBucket": "x", "jobs": [{"endpoint": each, **settings} for each in endpoints]}}


@on_one_database
@pytest.mark.parametrize(
    ("endpoint", "path", "cause", "fix"),
    [
        ("401", "parameters.api.authentication", "did not accept the credentials", "enter its secrets again"),
        ("403", "parameters.api.authentication", "does not allow this request", "the right to read"),
        ("404", "parameters.config.jobs[1].endpoint", "There is nothing at the address", "parameters.api.baseUrl"),
        ("410", "parameters.config.jobs[1].endpoint", "There is nothing at the address", "parameters.api.baseUrl"),
        ("405", "parameters.config.jobs[1].method", "does not accept this HTTP method", "GET, POST or FORM"),
        ("400", "parameters.config.jobs[1].params", "did not accept the parameters", "correct the parameter"),
        ("422", "parameters.config.jobs[1].params", "did not accept the parameters", "correct the parameter"),
        ("429", "parameters.api.rateLimit", "allows fewer requests", '"interval": "second"'),
        ("500", "parameters.api.retryConfig", "The API itself failed", "Run the job again later"),
        ("503", "parameters.api.retryConfig", "The API itself failed", "Run the job again later"),
        ("cut", "parameters.api.retryConfig", "closed the connection", "Run the job again later"),
        ("page", "parameters.config.jobs[1].endpoint", "a web page instead of data", "parameters.api.authentication"),
        ("broken", "parameters.config.jobs[1].endpoint", "is not valid JSON", "responseFormat"),
        ("two", "parameters.config.jobs[1].dataField", "several lists (a, b)", "Set it to one of: a, b."),
    ],
)
def test_a_request_that_fails(
    shared: ServicesOnly, failing: Api, tmp_path: Path, endpoint: str, path: str, cause: str, fix: str
) -> None:
    parameters = {"api": {"baseUrl": f"{failing.url}/", **NO_RETRIES}, **jobs("good", endpoint)}
    found = lines(fail(shared, try_extraction(parameters, tmp_path / "out").error, {"parameters": parameters}))

    assert found[1] == path
    assert cause in found[0]
    assert fix in found[2]


@on_one_database
@pytest.mark.parametrize(
    ("url", "cause"),
    [
        ("http://nobody.invalid/", "There is no host nobody.invalid"),
        ("http://127.0.0.1:{closed}/", "Nothing accepts connections at 127.0.0.1 port {closed}"),
        ("https://127.0.0.1:{port}/", "does not speak TLS"),
        ("no address", "is not a valid URL"),
        ("ftp://api.example.com/", "is not a valid URL"),
    ],
)
def test_an_address_that_is_wrong(shared: ServicesOnly, failing: Api, tmp_path: Path, url: str, cause: str) -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        ports = {"closed": str(unused.getsockname()[1]), "port": failing.url.rpartition(":")[2]}
        parameters = {"api": {"baseUrl": url.format_map(ports), **NO_RETRIES}, **jobs("good")}
        message = try_extraction(parameters, tmp_path / "out").error
    found = lines(fail(shared, message, {"parameters": parameters}))

    assert found[1] == "parameters.api.baseUrl"
    assert cause.format_map(ports) in found[0]


SETTINGS: list[tuple[Document, Document, str, str]] = [
    ({"authentication": {"type": "magic"}}, {}, "parameters.api.authentication.type", "`magic` is not"),
    ({"authentication": {"type": "basic"}}, {}, "parameters.config.#username", "needs `#username`"),
    ({"authentication": {"type": "basic"}}, {"username": "x"}, "parameters.config.#password", "needs `#password`"),
    ({"authentication": {"type": "login"}}, {}, "parameters.api.authentication.loginRequest", "no request to log in"),
    ({"authentication": {"type": "oauth20"}}, {}, "authorization.oauth_api.credentials", "no authorization"),
    ({"authentication": {"type": "url.query"}}, {}, "parameters.api.authentication.query", "which parameters"),
    ({"pagination": {"method": "pages"}}, {}, "parameters.api.pagination.method", "Unknown pagination method 'pages'"),
    ({"pagination": {"method": "offset"}}, {}, "parameters.api.pagination.limit", "Missing 'pagination.limit'"),
    ({"pagination": {"method": "cursor"}}, {}, "parameters.api.pagination.idKey", "Missing 'pagination.idKey'"),
    ({"rateLimit": "x"}, {}, "parameters.api.rateLimit.requests", "Expected a whole number"),
    ({"http": {"requiredHeaders": ["X-Key"]}}, {}, "parameters.config.http.headers.X-Key", "the header `X-Key`"),
    ({}, {"jobs": [{"dataType": "x"}]}, "parameters.config.jobs[0].endpoint", "A job has no endpoint"),
    ({}, {"jobs": [{"endpoint": "good", "method": "DELETE"}]}, "parameters.config.jobs[0].method", "`DELETE` is not"),
    ({}, {"jobs": [{"endpoint": "good", "params": "a"}]}, "parameters.config.jobs[0].params", "not an object"),
    (
        {},
        {"jobs": [{"endpoint": "good", "params": {"a": {"function": "nope", "args": []}}}]},
        "parameters.config.jobs[0].params.a.function",
        "`nope` is not a function",
    ),
    (
        {},
        {"jobs": [{"endpoint": "good", "params": {"a": {"attr": "missing"}}}]},
        "parameters.config.missing",
        "refers to the setting `missing`",
    ),
    (
        {},
        {"jobs": [{"endpoint": "good", "children": [{"endpoint": "{id}", "placeholders": {"id": "no"}}]}]},
        "parameters.config.jobs[0].children[0].placeholders.id",
        "No value found for id",
    ),
    ({}, {"mappings": "x"}, "parameters.config.mappings", "The mappings are not valid"),
    (
        {},
        {"jobs": [{"endpoint": "good", "dataType": "o"}], "mappings": {"o": {"id": {"type": "column"}}}},
        "parameters.config.mappings.o.id",
        "no `mapping.destination`",
    ),
]


@on_one_database
@pytest.mark.parametrize(("api", "config", "path", "cause"), SETTINGS)
def test_a_setting_that_is_missing_or_wrong(
    shared: ServicesOnly, failing: Api, tmp_path: Path, api: Document, config: Document, path: str, cause: str
) -> None:
    parameters = {"api": {"baseUrl": f"{failing.url}/", **api}, "config": {**jobs("good")["config"], **config}}
    found = lines(fail(shared, try_extraction(parameters, tmp_path / "out").error, {"parameters": parameters}))

    assert found[1] == path
    assert cause in found[0]
    assert found[2]


@on_one_database
@pytest.mark.parametrize(("missing", "path"), [("api", "parameters.api"), ("config", "parameters.config")])
def test_a_section_that_is_missing(shared: ServicesOnly, tmp_path: Path, missing: str, path: str) -> None:
    parameters = {"api": {"baseUrl": "http://a.example/"}, **jobs("x")}
    del parameters[missing]

    assert (
        lines(fail(shared, try_extraction(parameters, tmp_path / "out").error, {"parameters": parameters}))[1] == path
    )


SCRIPT = "parameters.blocks[1].codes[0].script"
STATEMENTS = [
    ("SELECT * FROM nothing", "reads the table `nothing`", "storage.input.tables"),
    ("SELECT missing FROM orders", 'a column "missing"', 'Similar names: "'),
    ("SELEC 1", "SQL is not valid", "Correct the script"),
    ("SELECT 'x", "SQL is not valid", "Correct the script"),
    ("SELECT CAST(name AS INTEGER) FROM orders", "cannot be converted", "TRY_CAST"),
    ("SELECT name + 1 FROM orders", "other types than", "CAST(amount AS DOUBLE)"),
    ("SELECT name, count(*) FROM orders", "groups rows", "GROUP BY"),
    ("SELECT nofunc(name) FROM orders", "no function `nofunc`", "Snowflake transformation"),
    ("SELECT name FROM orders a, orders b", 'a column "name"', "Write the table before it"),
    ("CREATE TABLE orders AS SELECT 1", 'creates the table "orders"', "CREATE OR REPLACE"),
    ("SELECT * FROM read_csv('/etc/passwd')", "opens a file", "storage.input.tables"),
]


@on_one_database
@pytest.mark.parametrize(("statement", "cause", "fix"), STATEMENTS)
@pytest.mark.parametrize("is_snowflake", [False, True])
def test_sql_that_fails(
    shared: ServicesOnly, tmp_path: Path, statement: str, cause: str, fix: str, is_snowflake: bool
) -> None:
    if is_snowflake and "read_csv" in statement:
        cause, fix = "SQL is not valid, or not supported", "Correct the script"
    if is_snowflake and "missing" in statement:
        fix = "Correct its name in the script"  # Snowflake names no candidates
    clean = {"name": "Clean", "codes": [{"name": "Dates", "script": ["SELECT 1"]}]}
    last = {"name": "Report", "codes": [{"name": "Sums", "script": [statement]}]}
    document = {"parameters": {"blocks": [clean, last]}}
    trial = Trial(tmp_path)
    trial.add_table("ORDERS" if is_snowflake else "orders", "id,name\n1,x\n")
    ended = trial.call(transform_snowflake if is_snowflake else transform, document)
    assert ended.code == 1
    found = lines(fail(shared, ended.errors, document, SQL))

    assert found[1] == SCRIPT
    assert cause.lower() in found[0].lower()
    assert fix in found[2]


@on_one_database
def test_an_output_that_no_script_makes(shared: ServicesOnly, tmp_path: Path) -> None:
    tables = [{"source": "a", "destination": "out.c-x.a"}, {"source": "result", "destination": "out.c-x.result"}]
    blocks = [{"name": "B", "codes": [{"name": "C", "script": ["CREATE TABLE a AS SELECT 1 AS id"]}]}]
    document = {"parameters": {"blocks": blocks}, "storage": {"output": {"tables": tables}}}
    found = lines(fail(shared, Trial(tmp_path).call(transform, document).errors, document, SQL))

    assert found[1] == "storage.output.tables[1].source"
    assert "which no script creates" in found[0]


def inputs(*tables: Document) -> Document:
    return {"storage": {"input": {"tables": list(tables)}}}


A, B = {"source": "in.c-x.a", "destination": "a"}, {"source": "in.c-x.b", "destination": "a"}
RUNS: list[tuple[str, Document, str, str]] = [
    (SQL, inputs(A), "storage.input.tables[0].source", "reads the table `in.c-x.a`, which does not exist"),
    (SQL, inputs({"destination": "a"}), "storage.input.tables[0]", 'needs a "source"'),
    (SQL, inputs(A, B), "storage.input.tables[0].destination", "have the destination `a`"),
    (SQL, inputs({**A, "kolumns": []}), "storage.input.tables[0].kolumns", "`kolumns` is not a setting"),
    (SQL, inputs({**A, "where_column": "x"}), "storage.input.tables[0]", '"where_values"'),
    (SQL, {"storage": {"input": {"files": [{"file_ids": [999]}]}}}, "storage.input.files[].file_ids", "the file 999"),
    (SQL, {"storage": "x"}, "storage", "is an object in a configuration"),
    (SQL, {"storage": {"output": {"default_bucket": 5}}}, "storage.output.default_bucket", "the id of a bucket"),
    (SQL, {"variables_id": "7"}, "variables_id", "uses variables that do not exist"),
    (SQL, {"parameters": {"a": "{{ vault.x }}"}}, "parameters", "the vault has no such variable"),
    (SQL, {"shared_code_id": "7", "shared_code_row_ids": ["1"]}, "shared_code_id", "shared code that does not exist"),
    (GENERIC, {"parameters": {"#x": "KBC::ProjectSecure::no"}}, "parameters.#x", "encrypted for another stack"),
]


@on_one_database
@pytest.mark.parametrize(("component", "document", "path", "cause"), RUNS)
def test_a_job_that_cannot_start(
    shared: ServicesOnly, component: str, document: Document, path: str, cause: str
) -> None:
    create_job(shared, component, configData=document)
    job = execute(shared, claim(shared))
    assert job["status"] == "error"
    found = lines(answer(shared, job["id"]))

    assert found[1] == path
    assert cause in found[0]
    assert found[2]


LIMITS = Limits(timeout_seconds=60, memory_megabytes=512)


@on_one_database
@pytest.mark.parametrize(
    ("reason", "path", "cause", "fix"),
    [
        (Reason.TIMEOUT, "", "longer than the 60 seconds", "only new records"),
        (Reason.MEMORY, "runtime.backend.type", "the 512 MB of memory", "`medium` or `large`"),
        (Reason.DISK, "", "disk space", "read less at a time"),
    ],
)
def test_a_limit_that_was_exceeded(shared: ServicesOnly, reason: Reason, path: str, cause: str, fix: str) -> None:
    ended = ProcessExit(exit_code=137, output="", errors="", reason=reason)
    found = lines(fail(shared, judge(ended, Facts(name="ex-generic-v2", limits=LIMITS)).message, {}))

    assert found[1] == path
    assert cause in found[0]
    assert fix in found[2]


@on_one_database
def test_the_setting_of_a_row_is_named_with_the_row(shared: ServicesOnly) -> None:
    create(shared, "in-rows", {"parameters": {"api": {"baseUrl": "https://a.example/"}}})
    for name in ("orders", "users/{id}"):
        row = {"rowId": name[:5], "name": name, "configuration": {"parameters": jobs(name)}}
        path = "/v2/storage/components/ex-generic-v2/configs/in-rows/rows"
        assert shared.service("storage").post(path, row).status == 201
    message = "The API request failed: [404] Client error: `GET https://a.example/users/7` resulted in a `404` response"
    job = add_job(shared, config="in-rows", status="error", result=result_of(message))

    assert lines(answer(shared, job.id))[1] == "rows[users].parameters.config.jobs[0].endpoint"


@on_one_database
def test_the_page_about_the_failure_is_linked_first(shared: ServicesOnly) -> None:
    text = fail(shared, "The API request failed: [429] Client error: `GET http://a/b` resulted in a `429` response", {})

    assert "In the documentation:\n- [Rate limit](" in text


def test_the_model_gets_the_diagnosis_and_the_page(asking: ServicesOnly, api: Api) -> None:
    api.on(PATH, lambda _seen: Response.json(completion("Because.")))
    document = {"parameters": {"api": {"#token": "row-canary"}, **jobs("orders")}}
    message = "The API request failed: [404] Client error: `GET http://a/orders` resulted in a `404` response"

    assert fail(asking, message, document) == "Because."
    facts = sent(api)["facts"]
    assert facts["diagnosis"]["path"] == "parameters.config.jobs[0].endpoint"
    assert facts["passages"][0]["title"] == "Requests: Where it goes"
    assert "path of the setting" in sent(api)["task"]
    assert b"row-canary" not in api.seen[-1].body


@on_one_database
def test_an_unknown_message_is_not_explained_by_a_guess(shared: ServicesOnly) -> None:
    assert "- Cause:" not in fail(shared, "The moon is in the wrong phase.", {})


def test_every_page_about_a_failure_exists() -> None:
    pages = [known.page for table in TABLES for known in table]

    assert all(pages)
    assert [page for page in pages if not documentation().get(page)] == []


@given(st.text(max_size=200), st.recursive(st.none() | st.text(max_size=5), lambda of: st.lists(of, max_size=3)))
def test_any_message_and_any_document_can_be_looked_up(text: str, node: Any) -> None:
    known = 'The API request failed: [404] `GET http://[x/{}` Illegal function \'a\' block "a", code "b" '
    for document in ({"parameters": node}, {"parameters": {"config": {"jobs": node}, "blocks": node}}):
        for message in (text, known + text, text + known):
            diagnose(message, [Source("", document)], TABLES)

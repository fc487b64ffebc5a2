"""Responses without a body, where records were expected: whole runs against a real API."""

from __future__ import annotations

import codecs
import json
from pathlib import Path
from typing import Any

import pytest

from tests.support.api import Api, Response, Script
from tests.support.extraction import parameters, run_extraction, try_extraction

PAGED = {"method": "pagenum"}
LONG = " " * (5 << 20)
"""So long that it goes to a file."""
BLANK = {
    "nothing": b"",
    "blank": b" \r\n\t",
    "mark": codecs.BOM_UTF8,
    "utf-16": " \n".encode("utf-16"),
    "large": LONG.encode(),
    "large with a mark": codecs.BOM_UTF8 + LONG.encode(),
    "large in utf-16": LONG.encode("utf-16"),
}
blank = pytest.mark.parametrize("body", BLANK.values(), ids=BLANK.keys())


@pytest.fixture
def api():
    with Api() as api:
        yield api


def users(empty: Response) -> Script:
    """Five pages, of which the third comes without its content."""
    return lambda seen: empty if seen.params["page"] == "3" else Response.json([{"id": int(seen.params["page"])}])


def document(api: Api, job: dict[str, Any] | None = None, **config: Any) -> dict[str, Any]:
    made = parameters(f"{api.url}/", {"endpoint": "users", **(job or {})}, pagination=PAGED)
    made["config"] |= config
    return made


def report(folder: Path) -> dict[str, Any]:
    return json.loads((folder / "report.json").read_text())


@blank
def test_a_page_without_a_body_ends_the_scrolling_with_a_warning_in_log_and_report(
    api: Api, tmp_path: Path, body: bytes
):
    api.on("/users", users(Response(200, body)))

    result = run_extraction(document(api), tmp_path)

    assert result.column("test.users", "id") == ["1", "2"]
    said, concluded = result.warnings
    assert said.startswith(f"The response body of page 3 of 'users' is empty (GET {api.url}/users?page=3, status 200)")
    assert report(tmp_path)["status"] == "warning"
    assert report(tmp_path)["warnings"] == [concluded]
    assert f"received 1 response with an empty body, the first for page 3, GET {api.url}/users?page=3." in concluded


def test_an_empty_list_is_the_end_and_its_warning_does_not_change_the_status(api: Api, tmp_path: Path):
    api.on("/users", users(Response(200, b"[]")))

    result = run_extraction(document(api), tmp_path)

    (warning,) = result.warnings
    assert warning.startswith("dataField '.' contains no data!")
    assert (report(tmp_path)["status"], report(tmp_path)["warnings"]) == ("ok", [])


def test_a_response_of_no_content_is_the_end_and_no_warning(api: Api, tmp_path: Path):
    api.on("/users", users(Response(204)))

    result = run_extraction(document(api, emptyResponse="error"), tmp_path)

    assert result.column("test.users", "id") == ["1", "2"]
    assert (result.warnings, report(tmp_path)["status"]) == ([], "ok")


@blank
def test_an_empty_response_can_be_an_error(api: Api, tmp_path: Path, body: bytes):
    api.on("/users", users(Response(200, body)))

    result = try_extraction(document(api, {"emptyResponse": "error"}), tmp_path)

    assert result.error == (
        f"The response body of page 3 of 'users' is empty (GET {api.url}/users?page=3, status 200), so it contains no "
        "data. Records may be missing, on this page and after it. To continue without them, set `emptyResponse` to "
        '"warning" or "ignore".'
    )
    assert (report(tmp_path)["status"], report(tmp_path)["error"]) == ("error", result.error)
    assert [path.name for path in tmp_path.iterdir()] == ["report.json"]


def test_an_empty_response_can_be_what_the_api_means(api: Api, tmp_path: Path):
    api.on("/users", users(Response(200)))

    result = run_extraction(document(api, {"emptyResponse": "ignore"}, emptyResponse="error"), tmp_path)

    assert (result.warnings, report(tmp_path)["warnings"]) == ([], [])


def test_the_configuration_speaks_for_jobs_that_do_not(api: Api, tmp_path: Path):
    api.on("/users", users(Response(200)))

    assert "is empty" in (try_extraction(document(api, emptyResponse="error"), tmp_path).error or "")


@pytest.mark.parametrize(("name", "warnings"), [("ndjson", 0), ("csv", 2), ("json", 2)])
def test_lines_of_json_are_complete_without_a_line(api: Api, tmp_path: Path, name: str, warnings: int):
    api.on("/users", Response(200))

    result = run_extraction(document(api, {"responseFormat": name}), tmp_path)

    assert len(result.warnings) == warnings


@pytest.mark.parametrize("ignored", [[], [0], [200]])
@pytest.mark.parametrize("body", [b"", b"\n", codecs.BOM_UTF8, codecs.BOM_UTF8 + LONG.encode()])
def test_an_empty_csv_response_is_empty_also_where_errors_are_ignored(
    api: Api, tmp_path: Path, ignored: list[int], body: bytes
):
    api.on("/users", Response(200, body))
    made = document(api, {"responseFormat": "csv", "emptyResponse": "error"})
    made["api"]["http"] = {"ignoreErrors": ignored}

    assert "The response body of page 1 of 'users' is empty" in (try_extraction(made, tmp_path).error or "")


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-8-sig"])
@pytest.mark.parametrize("text", [" \n", LONG])
def test_white_space_in_the_encoding_of_csv_is_empty(api: Api, tmp_path: Path, encoding: str, text: str):
    api.on("/users", Response(200, text.encode(encoding)))
    form = {"format": "csv", "encoding": encoding}

    assert (
        "The response body of page 1 of 'users' is empty"
        in run_extraction(document(api, {"responseFormat": form}), tmp_path).log
    )


@pytest.mark.parametrize(("word", "is_error"), [(None, False), ("error", True)])
def test_empty_lines_of_json_are_what_the_job_says_also_where_errors_are_ignored(
    api: Api, tmp_path: Path, word: str | None, is_error: bool
):
    api.on("/users", Response(200))
    made = document(api, {"responseFormat": "ndjson", "emptyResponse": word})
    made["api"]["http"] = {"ignoreErrors": [0]}
    result = try_extraction(made, tmp_path)

    assert (bool(result.error), result.warnings) == (is_error, [])


def test_an_empty_json_response_is_error_data_where_errors_are_ignored(api: Api, tmp_path: Path):
    api.on("/users", Response(200))
    made = document(api, {"dataField": ".", "emptyResponse": "error"})
    made["api"]["http"] = {"ignoreErrors": [0]}

    assert run_extraction(made, tmp_path).column("test.users", "errorData") == [""]


def test_the_empty_responses_of_many_runs_are_one_warning_in_the_report(api: Api, tmp_path: Path):
    api.on("/users", Response.json([{"id": number} for number in range(40)]))
    api.on_everything(lambda seen: Response(200))
    child = {"endpoint": "users/{id}", "placeholders": {"id": "id"}}
    made = parameters(f"{api.url}/", {"endpoint": "users", "children": [child]})
    made["api"]["parallelism"] = 8

    result = run_extraction(made, tmp_path)

    assert len(set(result.warnings)) == 41
    (concluded,) = report(tmp_path)["warnings"]
    assert f"received 40 responses with an empty body, the first for page 1, GET {api.url}/users/0." in concluded


def test_another_word_is_a_mistake(api: Api, tmp_path: Path):
    said = try_extraction(document(api, {"emptyResponse": "fail"}), tmp_path).error

    assert said == (
        'Invalid configuration: Expected "ignore", "warning" or "error", got "fail" - at '
        "`parameters.config.jobs[0].emptyResponse`."
    )

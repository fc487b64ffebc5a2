"""What goes wrong with `penstock extract` is a sentence, and shows no secret."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.e2e.extract.command import config_for, run, write_config
from tests.support.api import Api, Response
from tests.support.extraction import parameters
from tests.support.refusing import refusing_url

TOO_MANY_LEVELS = b"[" * 10_000 + b"]" * 10_000

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
    with refusing_url() as url:
        write_config(tmp_path / "config.json", parameters(url, {"endpoint": "users"}))
        done = run("config.json", "--retries", "1", cwd=tmp_path)

    assert done.returncode == 1
    assert done.stderr.startswith("CURL error 7: ")
    assert f"(GET {url}/users)" in done.stderr
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

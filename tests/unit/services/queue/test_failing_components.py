"""Components that fail, and what their configurations can get wrong: the sentence that counts reaches the user."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest

from tests.support.stacks import ServicesOnly
from tests.unit.services.queue.own_components import add_component, messages, preview, run

pytestmark = pytest.mark.parametrize("services_on_each", ["sqlite"], indirect=True)

OWN = "own.test"
ALWAYS = """
write_table("a.csv", "id\\n1\\n", destination="in.c-main.a", write_always=True)
write_table("b.csv", "id\\n1\\n", destination="in.c-main.b")
"""


def fail(services: ServicesOnly, folder: Path, script: str, **document: Any) -> dict[str, Any]:
    add_component(services, folder, OWN, f"{script}\nprint('it broke', file=sys.stderr)\nsys.exit(1)")
    return run(services, OWN, configData={"parameters": {}, **document})


def test_only_what_is_always_wanted_is_stored_of_a_component_that_failed(
    services: ServicesOnly, tmp_path: Path
) -> None:
    job = fail(services, tmp_path, ALWAYS)

    assert (job["status"], job["result"]["message"]) == ("error", "it broke")
    assert preview(services, "in.c-main.a") == ['"1"']
    assert [table["name"] for table in services.service("storage").get("/v2/storage/tables").json] == ["a"]
    assert not (services.stack.jobs_folder / job["id"]).exists()


@pytest.mark.parametrize(
    "script",
    [
        "",
        'print("[2026-01-01T00:00:00] app.ERROR: it broke [] []", flush=True)',
        'print("[2026-01-01T00:00:00] app.ERROR: it  broke {\\"page\\": 1} []", flush=True)',
    ],
)
def test_an_error_is_one_event_whichever_streams_it_is_written_to(
    services: ServicesOnly, tmp_path: Path, script: str
) -> None:
    job = fail(services, tmp_path, script)

    assert job["result"]["message"] == "it broke"
    assert [" ".join(line.split()) for line in messages(services, job)] == ["it broke"]


def test_an_error_that_is_longer_than_a_message_is_one_event(services: ServicesOnly, tmp_path: Path) -> None:
    job = fail(services, tmp_path, "print('word ' * 700 + '\\n' + 'word ' * 700, file=sys.stderr)")

    assert len(job["result"]["message"]) == 4000
    assert len(messages(services, job)) == 1


def test_another_error_on_stderr_is_logged_too(services: ServicesOnly, tmp_path: Path) -> None:
    job = fail(services, tmp_path, 'print("[2026-01-01T00:00:00] app.ERROR: no disk [] []", flush=True)')

    assert messages(services, job) == ["no disk", "it broke"]


@pytest.mark.parametrize(
    "script",
    [
        'write_table("a.csv", "id,_timestamp\\n1,2\\n", destination="in.c-main.a", write_always=True)',
        '(out / "tables" / "a.csv").write_text("id"); (out / "tables" / "a.csv.manifest").write_text("{")',
        '(out / "usage.json").write_text("no json")',
        '(out / "usage.json").symlink_to("/etc/passwd")',
    ],
)
def test_what_else_goes_wrong_does_not_hide_why_the_component_failed(
    services: ServicesOnly, tmp_path: Path, script: str
) -> None:
    job = fail(services, tmp_path, script)

    assert (job["status"], job["result"]["error"]["type"]) == ("error", "user")
    assert job["result"]["message"] == "it broke"
    assert any("cannot be" in line or "System columns" in line for line in messages(services, job))


def test_usage_is_kept_of_a_component_that_failed(services: ServicesOnly, tmp_path: Path) -> None:
    job = fail(services, tmp_path, '(out / "usage.json").write_text(\'[{"metric": "calls", "value": 7}]\')')

    assert job["usageData"] == [{"metric": "calls", "value": 7}]


@pytest.mark.parametrize("content", ["{}", '[{"metric": "calls"}]', f'[{{"metric": "calls", "value": {"9" * 5000}}}]'])
def test_usage_of_another_shape_fails_a_job_that_went_well(
    services: ServicesOnly, tmp_path: Path, content: str
) -> None:
    add_component(services, tmp_path, OWN, f'(out / "usage.json").write_text({content!r})')
    job = run(services, OWN, configData={"parameters": {}})

    assert (job["status"], job["result"]["error"]["type"]) == ("error", "user")
    assert "usage.json" in job["result"]["message"]


@pytest.mark.parametrize(
    ("document", "sentence"),
    [
        ({"runtime": "fast"}, '"container.runtime" is an object'),
        ({"runtime": {"process_timeout": "soon"}}, '"container.runtime.process_timeout" is a number of seconds'),
        ({"runtime": {"process_timeout": "9" * 5000}}, '"container.runtime.process_timeout" is a number of seconds'),
        ({"runtime": {"process_timeout": 86_401}}, "86,400 (24 hours) at most"),
        ({"runtime": {"process_timeout": [1]}}, '"container.runtime.process_timeout" is a number of seconds'),
        ({"runtime": {"process_timeout": True}}, '"container.runtime.process_timeout" is a number of seconds'),
        ({"processors": {"after": [{"definition": {}}]}}, 'The processor "" is not there'),
        ({"processors": {"after": [{"definition": {"component": 5}}]}}, 'The processor "" is not there'),
        ({"processors": {"after": "all"}}, '"container.processors.after" is a list of objects'),
        ({"nonsense": {}}, 'Unrecognized option "nonsense" under "container"'),
    ],
)
def test_a_configuration_that_cannot_be_run_is_refused_before_anything_is_fetched(
    services: ServicesOnly, tmp_path: Path, document: dict[str, Any], sentence: str
) -> None:
    missing = {"storage": {"input": {"tables": [{"source": "in.c-main.missing"}]}}}
    job = fail(services, tmp_path, "", **document, **missing)

    assert (job["status"], job["result"]["error"]["type"]) == ("error", "user")
    assert sentence in job["result"]["message"]


def test_a_timeout_of_the_configuration_counts(services: ServicesOnly, tmp_path: Path) -> None:
    job = fail(services, tmp_path, "import time; time.sleep(60)", runtime={"process_timeout": "1"})

    assert job["result"]["message"] == f"Running {OWN} container exceeded the timeout of 1 seconds."


def test_a_record_that_is_too_large_ends_the_component_and_keeps_what_is_always_wanted(
    services: ServicesOnly, tmp_path: Path
) -> None:
    script = """
    import socket, time
    line = socket.create_connection((os.environ["KBC_LOGGER_ADDR"], int(os.environ["KBC_LOGGER_PORT"])))
    line.sendall(b"x" * 300_000)
    time.sleep(60)
    """
    add_component(services, tmp_path, OWN, ALWAYS + script.replace("\n    ", "\n"), logging={"type": "gelf"})
    job = run(services, OWN, configData={"parameters": {}})

    assert "larger than 200,000 bytes" in job["result"]["message"]
    assert preview(services, "in.c-main.a") == ['"1"']


SECRET = "canary-first-line-1\ncanary-second-line-2"
TELL = """
for line in [*config["parameters"]["#key"].splitlines(), config["image_parameters"]["#maker"]]:
    print(line)
    print(line, file=sys.stderr)
(out / "usage.json").write_text(json.dumps([{"metric": config["image_parameters"]["#maker"], "value": 1}]))
(out / "result.json").write_text(json.dumps({"variables": {"told": config["parameters"]["#key"].splitlines()[0]}}))
"""


@pytest.mark.parametrize("end", ["", "sys.exit(1)", "sys.exit(2)"])
def test_no_secret_leaves_in_the_result_or_the_log(services: ServicesOnly, tmp_path: Path, end: str) -> None:
    parameters = {"#maker": "canary-of-the-maker"}
    add_component(services, tmp_path, OWN, TELL + end, image_parameters=parameters)
    job = run(services, OWN, configData={"parameters": {"#key": SECRET}})

    assert job["usageData"] == [{"metric": "[hidden]", "value": 1}]
    assert "canary" not in json.dumps([job["result"], messages(services, job)])


def test_stack_parameters_are_laid_over_image_parameters_at_any_depth(services: ServicesOnly, tmp_path: Path) -> None:
    host = f"connection.{services.stack.domain}"
    script = 'print("told", json.dumps(config["image_parameters"]))'
    image, stack = {"a": {"x": 1, "y": 2}}, {host: {"a": {"y": 3}}}
    add_component(services, tmp_path, OWN, script, image_parameters=image, stack_parameters=stack)
    job = run(services, OWN, configData={"parameters": {}})

    assert 'told {"a": {"x": 1, "y": 3}}' in messages(services, job)


def test_no_secret_leaves_in_the_archives_of_debug_mode(services: ServicesOnly, tmp_path: Path) -> None:
    add_component(services, tmp_path, OWN, TELL, image_parameters={"#maker": "canary-of-the-maker"})
    job = run(services, OWN, configData={"parameters": {"#key": SECRET}}, mode="debug")
    stored = [path for path in (services.stack.files_folder / "stored").rglob("*") if path.is_file()]

    assert job["status"] == "success", job["result"]
    assert len(stored) == 2
    for path in stored:
        with ZipFile(path) as archive:
            assert not any(b"canary" in archive.read(name) for name in archive.namelist())

"""The examples of the portal are true: each is sent again to a new stack, which responds as it is written."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from penstock.services.management.routes.backends import KINDS
from penstock.services.portal.examples import Example, read_examples
from penstock.web.openapi_errors import NOT_IMPLEMENTED
from tests.examples.recording import DOCUMENTED, FOLDER, open_stack, record
from tests.examples.stable import find_difference, shape

SECRETS = {
    "a token of Storage": re.compile(r"\b\d+-\d+-[A-Za-z0-9]{16,}"),
    "a token of a person": re.compile(r"\bkbc_[a-z]+_[A-Za-z0-9]{4,}"),
    "a cipher": re.compile(r"KBC::\w+::[A-Za-z0-9+/=]{8,}"),
    "a key": re.compile(r"-----BEGIN [A-Z ]*PRIVATE KEY"),
    "a port of the machine": re.compile(r"127\.0\.0\.1:\d+/_svc"),
}
REFUSED = {
    "data-science": {"POST /apps", "GET /apps/{app_id}", "PATCH /apps/{app_id}", "DELETE /apps/{app_id}"},
    "editor": {"GET /sql/sessions/{session_id}/credentials"},
    "management": {
        "DELETE /manage/projects/{project_id}/storage-backend/{backend_id}",
        "POST /manage/storage-backend",
        "POST /manage/storage-backend/snowflake",
        "POST /manage/storage-backend/bigquery",
        "PATCH /manage/storage-backend/{backend_id}",
        "PATCH /manage/storage-backend/{backend_id}/bigquery",
        "PATCH /manage/storage-backend/bigquery/{backend_id}",
        "DELETE /manage/storage-backend/{backend_id}",
        *(f"POST /manage/file-storage-{kind}" for kind in KINDS),
        *(f"POST /manage/file-storage-{kind}/{{file_storage_id}}/credentials" for kind in KINDS),
        *(f"POST /manage/file-storage-{kind}/{{file_storage_id}}/default" for kind in ("s3", "gcs")),
        "POST /manage/ui-apps",
        "DELETE /manage/ui-apps/{app_id}",
    },
    "storage": {
        "POST /v2/storage/components/{component_id}/configs/{config_id}/reset-to-default",
        *(f"{row.method} {row.template}" for row in DOCUMENTED["storage"] if row.status == NOT_IMPLEMENTED),
    },
}
"""Operations of the contract that a stack has nothing for: one backend, one file storage and one user interface come
with it, and others cannot be added; there is no BigQuery; there are no data apps yet;
Main is not reset to itself."""
HINT = "Write the examples again with `make examples`, and look at what has changed."
MAX_BYTES = 10_000


@pytest.mark.parametrize("service", DOCUMENTED)
def test_every_operation_has_an_example(service: str) -> None:
    wanted = {f"{row.method} {row.template}" for row in DOCUMENTED[service]}

    assert read_examples(service).keys() == wanted, HINT


@pytest.mark.parametrize("service", DOCUMENTED)
def test_only_what_a_stack_refuses_by_design_has_an_error_as_its_example(service: str) -> None:
    found = {name for name, example in read_examples(service).items() if example.response.status >= 400}

    assert found == REFUSED.get(service, set())


@pytest.mark.parametrize("service", REFUSED)
def test_the_description_of_a_refused_operation_says_so(service: str) -> None:
    rows = {f"{row.method} {row.template}": row for row in DOCUMENTED[service]}

    assert [name for name in REFUSED[service] if "Refused" not in (rows[name].handler.__doc__ or "")] == []


def test_no_example_has_a_secret_or_is_long() -> None:
    for file in FOLDER.iterdir():
        text = file.read_text()
        assert [kind for kind, pattern in SECRETS.items() if pattern.search(text)] == [], file.name
        assert max(map(len, text.splitlines())) < MAX_BYTES, file.name


def test_the_examples_are_what_a_stack_responds(new_data_folder: Path, tmp_path: Path) -> None:
    shutil.copytree(new_data_folder, tmp_path / "data")
    stack = open_stack(tmp_path / "data")
    try:
        recorded = record(stack)
    finally:
        stack.close()

    found = [
        f"{service}: {name}: {problem}"
        for service, examples in recorded.items()
        for name, new in examples.items()
        if (problem := _compare(read_examples(service).get(name), new))
    ]
    assert found == [], HINT


def _compare(old: Example | None, new: Example) -> str | None:
    if not old:
        return "it has no example"
    if old.response.status != new.response.status:
        return f"the status is {new.response.status}, and not {old.response.status}: {new.response.body}"
    if old.request != new.request:
        return f"the request is {new.request}, and not {old.request}"
    return find_difference(shape(old.response.body), shape(new.response.body))

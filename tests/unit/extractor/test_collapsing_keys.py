"""A full load whose primary key many rows share is reported: `penstock extract` loads nothing that would show it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.support.api import Api, Response
from tests.support.extraction import Extraction, parameters, run_extraction

USERS = [{"id": number, "team": {"id": number % 3}, "tags": ["a"]} for number in range(30)]
MAPPED = {"users": {"team.id": {"mapping": {"destination": "team", "primaryKey": True}}}}


def extract(out: Path, records: list[Any], job: dict[str, Any], **config: Any) -> Extraction:
    with Api() as api:
        api.on_everything(lambda _seen: Response.json(records))
        document = parameters(api.url, {"endpoint": "users", **job})
        document["config"] |= config
        return run_extraction(document, out)


@pytest.mark.parametrize(
    ("job", "config", "key"),
    [({"primaryKey": "team.id"}, {}, "team_id"), ({}, {"mappings": MAPPED}, "team")],
)
def test_rows_that_share_the_key_of_a_full_load_are_a_warning(
    tmp_path: Path, job: dict[str, Any], config: dict[str, Any], key: str
) -> None:
    result = extract(tmp_path, USERS, job, **config)

    sentence = (
        f"30 rows of the table test.users become 3 when they are loaded, because rows with the same primary key "
        f"`{key}` replace each other. If they are different rows, choose columns that identify a row."
    )
    report = json.loads((tmp_path / "report.json").read_text())
    assert result.warnings == [sentence]
    assert (report["status"], report["warnings"]) == ("warning", [sentence])
    assert report["tables"][0] == {"name": "test.users", "rows": 30, "duplicates": 27}


@pytest.mark.parametrize(
    "job",
    [
        {"primaryKey": "id"},
        {"primaryKey": ["id", "team_id"]},
        {"primaryKey": "team_id", "incremental": True},
        {"incremental": False},
    ],
)
def test_other_keys_and_loads_give_no_warning(tmp_path: Path, job: dict[str, Any]) -> None:
    assert extract(tmp_path, USERS, job).warnings == []


def test_pages_that_overlap_a_little_give_no_warning(tmp_path: Path) -> None:
    assert extract(tmp_path, [*USERS, *USERS[:3]], {"primaryKey": "id"}).warnings == []

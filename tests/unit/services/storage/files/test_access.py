"""Files: who sees and changes which."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.files import Container, prepare, to_write, upload
from tests.support.http import Http
from tests.support.stacks import ServicesOnly
from tests.unit.services.fill import add_project
from tests.unit.services.storage.files.asking import FILES, listed


@pytest.fixture
def services(new_project: ServicesOnly) -> ServicesOnly:
    return new_project


def token(services: ServicesOnly, **rights: Any) -> Http:
    made = services.service("storage").post("/v2/storage/tokens", rights).json
    return services.service("storage", made["token"])


def test_a_file_of_another_project_is_absent(services: ServicesOnly) -> None:
    file = upload(services.service("storage"), b"1", tags=["t"])
    stranger = services.service("storage", add_project(services).token)

    assert listed(stranger) == listed(stranger, q='tags:"t"') == listed(stranger, **{"tags[]": "t"}) == []
    assert stranger.get(f"{FILES}/{file['id']}").status == 404
    assert stranger.delete(f"{FILES}/{file['id']}").status == 404
    assert stranger.delete(f"{FILES}/{file['id']}?async=1").status == 404
    assert stranger.post(f"{FILES}/{file['id']}/tags", {"tag": "mine"}).status == 404
    assert services.service("storage").get(f"{FILES}/{file['id']}").json["tags"] == ["t"]


def test_a_token_sees_its_own_files_unless_it_may_read_all(services: ServicesOnly) -> None:
    admin, limited = services.service("storage"), token(services)
    theirs, mine = prepare(admin)["id"], prepare(limited)["id"]

    assert listed(limited) == [mine]
    assert limited.get(f"{FILES}/{theirs}").status == 404
    assert limited.get(f"{FILES}/{mine}").status == 200
    assert listed(admin) == [mine, theirs]
    assert admin.delete(f"{FILES}/{mine}").status == 204


def test_who_may_read_all_files_may_not_change_those_of_others(services: ServicesOnly) -> None:
    file = prepare(services.service("storage"))["id"]
    reader = token(services, canReadAllFileUploads=True)

    assert listed(reader) == [file]
    refused = [reader.delete(f"{FILES}/{file}"), reader.post(f"{FILES}/{file}/tags", {"tag": "x"})]
    assert {(response.status, response.json["code"]) for response in refused} == {(403, "accessDenied")}


def test_no_secret_of_an_address_is_shown_to_others(storage: Http, shared: ServicesOnly) -> None:
    file = prepare(storage)
    wrong = Container(to_write(file).endpoint, to_write(file).name, "sp=rw&se=2999-01-01T00:00:00Z&sig=guess")

    assert to_write(file).signature.rpartition("sig=")[2] not in wrong.get("x").text

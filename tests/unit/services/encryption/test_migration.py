"""Configurations that move with their secrets: within a stack, and to another one."""

from __future__ import annotations

import json
from collections.abc import Generator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from penstock.foundation import audit
from penstock.foundation.outbound import Policy
from penstock.services.encryption import migration
from penstock.services.encryption.migration import FEATURE
from penstock.services.encryption.models import NewMigration
from penstock.services.encryption.ports import Place
from penstock.services.login import interface as login
from penstock.services.management import interface as management
from penstock.services.storage.interface import FOR_ENCRYPTION, authenticate
from penstock.services.storage.interface.encryption import read_plain
from penstock.web.auth.manage_token import HEADER
from tests.support.http import Http, Response
from tests.support.stacks import ServicesOnly
from tests.unit.services.fill import add_project

COMPONENT = "ex-generic-v2"
SECRET, ROW_SECRET, STATE_SECRET = "CANARY-1", "CANARY-2", "CANARY-3"
HERE = "connection.penstock.localhost"


@pytest.fixture
def source(shared: ServicesOnly) -> dict[str, str]:
    """A configuration with secrets in the document, in a row and in the state; its fields of a request."""
    storage = shared.service("storage", project := add_project(shared).token)
    configs = f"/v2/storage/components/{COMPONENT}/configs"
    api = {"baseUrl": "https://api.example.com/"}
    new = {
        "configurationId": "shop",
        "name": "Shop",
        "description": "Orders",
        "configuration": {"parameters": {"api": api, "config": {"#password": SECRET}}},
        "state": {"component": {"#token": STATE_SECRET}},
        "rowsSortOrder": ["b", "a"],
    }
    assert storage.post(configs, new).status == 201
    for name, row in (("b", {"#key": ROW_SECRET}), ("a", {})):
        body = {"rowId": name, "name": name, "configuration": {"parameters": row}, "isDisabled": name == "a"}
        assert storage.post(f"{configs}/shop/rows", body).status == 201
    return {
        "sourceStorageApiToken": project,
        "destinationStack": HERE,
        "componentId": COMPONENT,
        "configId": "shop",
        "branchId": "default",
    }


def make_manager(services: ServicesOnly, *, has_feature: bool = True) -> Http:
    """Somebody with a manage token, and with the feature as a super administrator gives it."""
    email = f"migrator-{has_feature}@example.com"
    with services.stack.database.writing() as tx:
        boss = management.ensure_administrator(tx, "boss@example.com")
        user = management.ensure_administrator(tx, email)
        tokens = [management.create_manage_token(tx, "tests", [], user=each)[1] for each in (boss, user)]
    admin = Http(services.service("management").base, None, headers={HEADER: tokens[0]})
    feature = {"name": FEATURE, "type": "admin", "title": "Migrate", "description": "Migrate secrets."}
    admin.post("/manage/features", feature)
    if has_feature:
        assert admin.post(f"/manage/users/{email}/features", {"feature": FEATURE}).status < 300
    return Http(services.service("encryption").base, None, headers={HEADER: tokens[1]})


def migrate(manager: Http, source: dict[str, str], token: str, **more: Any) -> Response:
    return manager.post("/migrate-configuration", {**source, "destinationStorageApiToken": token, **more})


def read(services: ServicesOnly, token: str) -> dict[str, Any]:
    place = Place(token=token, branch="default", component_id=COMPONENT, config_id="shop")
    return msgspec.to_builtins(read_plain(services.stack, place))


def check_same(found: dict[str, Any], original: dict[str, Any]) -> None:
    assert {**found, "project_id": 0} == {**original, "project_id": 0}
    assert found["project_id"] != original["project_id"]
    assert found["document"]["parameters"]["config"]["#password"] == SECRET
    assert found["state"]["component"]["#token"] == STATE_SECRET
    assert [(row["id"], row["is_disabled"]) for row in found["rows"]] == [("b", False), ("a", True)]
    assert found["rows"][0]["document"]["parameters"]["#key"] == ROW_SECRET


def test_a_configuration_moves_within_a_stack(shared: ServicesOnly, source: dict[str, str]) -> None:
    token = add_project(shared).token
    response = migrate(make_manager(shared), source, token)

    assert response.status == 200, response.text
    assert response.json == {
        "message": f'Configuration with ID "shop" successfully migrated to stack "{HERE}".',
        "data": {"destinationStack": HERE, "componentId": COMPONENT, "configId": "shop", "branchId": "default"},
        "warnings": [],
    }
    check_same(read(shared, token), read(shared, source["sourceStorageApiToken"]))
    stored = shared.service("storage", token).get(f"/v2/storage/components/{COMPONENT}/configs/shop").text
    assert "CANARY" not in stored


@pytest.fixture
def elsewhere(tmp_path: Path) -> Generator[ServicesOnly]:
    other = ServicesOnly(tmp_path / "elsewhere")
    yield other
    other.close()


def move_elsewhere(services: ServicesOnly, other: ServicesOnly, source: dict[str, str], **more: Any) -> Any:
    """As the row does it, with a policy that lets a test reach another stack on this machine."""
    make_manager(services)
    with services.stack.database.reading() as tx:
        user = management.find_user_by_email(tx, "migrator-True@example.com")
        assert user
    with services.stack.database.writing() as tx:
        text = management.create_manage_token(tx, "elsewhere", [], user=user)[1]
    caller = login.authenticate_manager(services.stack, text)
    stack = msgspec.structs.replace(services.stack, outbound=Policy(allow=("127.0.0.1",)))
    body = {
        **source,
        "destinationStack": other.service("storage").base,
        "destinationStorageApiToken": other.project.token,
        **more,
    }
    return migration.migrate(stack, FOR_ENCRYPTION, caller, msgspec.convert(body, NewMigration))


def test_a_configuration_moves_to_another_stack(
    shared: ServicesOnly, elsewhere: ServicesOnly, source: dict[str, str]
) -> None:
    moved = move_elsewhere(shared, elsewhere, source)

    assert moved.data.config_id == "shop"
    found = {**read(elsewhere, elsewhere.project.token), "project_id": -1}
    check_same(found, read(shared, source["sourceStorageApiToken"]))
    stored = elsewhere.service("storage").get(f"/v2/storage/components/{COMPONENT}/configs/shop")
    assert stored.json["configuration"]["parameters"]["config"]["#password"].startswith("KBC::")
    with pytest.raises(Exception, match='has a configuration "shop"'):
        move_elsewhere(shared, elsewhere, source)
    with pytest.raises(Exception, match="refuses destinationStorageApiToken"):
        move_elsewhere(shared, elsewhere, source, destinationStorageApiToken="1-2-wrong")


def test_a_private_destination_is_not_called(shared: ServicesOnly, source: dict[str, str]) -> None:
    refused = migrate(make_manager(shared), source, "1-2-x", destinationStack="http://127.0.0.1:9")

    assert refused.status == 400
    assert "private address" in refused.json["error"]


def test_only_users_with_the_feature_migrate(shared: ServicesOnly, source: dict[str, str]) -> None:
    refused = migrate(make_manager(shared, has_feature=False), source, add_project(shared).token)

    assert (refused.status, FEATURE in refused.json["error"]) == (403, True)


@pytest.mark.parametrize(
    ("more", "status"),
    [
        ({"configId": "none"}, 404),
        ({"componentId": "no.such"}, 404),
        ({"branchId": "999999"}, 404),
        ({"branchId": 999999}, 404),
        ({"sourceStorageApiToken": "1-2-wrong"}, 401),
        ({"destinationStorageApiToken": "1-2-wrong"}, 401),
        ({"destinationStack": "user@host"}, 422),
        ({"destinationStack": ""}, 422),
        ({"configId": None}, 422),
    ],
)
def test_what_cannot_be_migrated_is_refused(
    shared: ServicesOnly, source: dict[str, str], more: dict[str, Any], status: int
) -> None:
    refused = migrate(make_manager(shared), source, add_project(shared).token, **more)

    assert refused.status == status, refused.text
    assert "CANARY" not in refused.text


def test_a_configuration_that_is_there_is_not_replaced(shared: ServicesOnly, source: dict[str, str]) -> None:
    manager, token = make_manager(shared), add_project(shared).token
    assert migrate(manager, source, token).status == 200

    refused = migrate(manager, source, token)
    assert refused.status in (400, 422)
    assert "shop" in refused.json["error"]


def test_the_audit_log_of_the_source_names_the_destination(shared: ServicesOnly, source: dict[str, str]) -> None:
    migrate(make_manager(shared), source, add_project(shared).token)
    project_id = authenticate(shared.stack, source["sourceStorageApiToken"]).project_id
    with shared.stack.database.reading() as tx:
        found = audit.list_entries(tx, audit.AuditFilter(project_id=project_id))
    [entry] = [each for each in found if each.event == "configuration.migrated"]

    assert entry.target == f"configuration {COMPONENT}/shop"
    assert entry.details == {"destination": HERE}
    assert "CANARY" not in json.dumps(msgspec.to_builtins(found, builtin_types=()), default=str)

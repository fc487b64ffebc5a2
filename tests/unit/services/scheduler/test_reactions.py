"""Configurations of keboola.scheduler that are deleted in Storage."""

from __future__ import annotations

from typing import Any

from penstock.app import list_reactions
from penstock.foundation.events import EventWorker
from tests.support.stacks import ServicesOnly
from tests.unit.services.scheduler.schedules import activate

CONFIGS = "/v2/storage/components/keboola.scheduler/configs"


def deliver(services: ServicesOnly) -> None:
    worker = EventWorker(services.stack.database, "w", list_reactions())
    while worker.run_one():
        pass


def delete(services: ServicesOnly, schedule: dict[str, Any]) -> None:
    assert services.service("storage").delete(f"{CONFIGS}/{schedule['configurationId']}").status == 204


def test_deleting_the_configuration_ends_the_schedule(services_on_each: ServicesOnly) -> None:
    gone, stays = activate(services_on_each), activate(services_on_each)
    delete(services_on_each, gone)
    deliver(services_on_each)

    assert services_on_each.service("scheduler").get("/schedules").json == [stays]
    assert services_on_each.service("storage").get(f"/v2/storage/tokens/{gone['tokenId']}").status == 404


def test_a_configuration_that_is_restored_at_once_keeps_its_schedule(shared: ServicesOnly) -> None:
    schedule = activate(shared)
    delete(shared, schedule)
    restored = shared.service("storage").post(f"{CONFIGS}/{schedule['configurationId']}/restore")
    assert restored.status == 200, restored.text
    deliver(shared)

    assert shared.service("scheduler").get(f"/schedules/{schedule['id']}").status == 200


def test_deleting_a_configuration_of_another_component_ends_nothing(shared: ServicesOnly) -> None:
    schedule = activate(shared)
    body = {"name": "same id", "configurationId": schedule["configurationId"]}
    path = "/v2/storage/components/ex-generic-v2/configs"
    assert shared.service("storage").post(path, body).status == 201
    assert shared.service("storage").delete(f"{path}/{schedule['configurationId']}").status == 204
    deliver(shared)

    assert shared.service("scheduler").get(f"/schedules/{schedule['id']}").status == 200

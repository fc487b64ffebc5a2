"""Configurations, made and changed over HTTP."""

from __future__ import annotations

from typing import Any

from tests.support.http import Answer
from tests.support.stacks import ServicesOnly

COMPONENT = "/v2/storage/components/ex-generic-v2"


CONFIGS = f"{COMPONENT}/configs"


def create(services: ServicesOnly, **wanted: Any) -> Answer:
    return services.service("storage").post(CONFIGS, {"name": "A configuration", **wanted})


def created(services: ServicesOnly, **wanted: Any) -> dict[str, Any]:
    answer = create(services, **wanted)
    assert answer.status == 201, answer.text
    return answer.json


def put(services: ServicesOnly, path: str, document: Any) -> Answer:
    return services.service("storage").put(path, document)


def changed(services: ServicesOnly, config_id: str, **wanted: Any) -> dict[str, Any]:
    answer = put(services, f"{CONFIGS}/{config_id}", wanted)
    assert answer.status == 200, answer.text
    return answer.json

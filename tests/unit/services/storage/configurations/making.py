"""Configurations, made and changed over HTTP."""

from __future__ import annotations

from typing import Any

from tests.support.http import Response
from tests.support.stacks import ServicesOnly

COMPONENT = "/v2/storage/components/ex-generic-v2"


CONFIGS = f"{COMPONENT}/configs"


def create(services: ServicesOnly, **wanted: Any) -> Response:
    return services.service("storage").post(CONFIGS, {"name": "A configuration", **wanted})


def created(services: ServicesOnly, **wanted: Any) -> dict[str, Any]:
    response = create(services, **wanted)
    assert response.status == 201, response.text
    return response.json


def put(services: ServicesOnly, path: str, document: Any) -> Response:
    return services.service("storage").put(path, document)


def changed(services: ServicesOnly, config_id: str, **wanted: Any) -> dict[str, Any]:
    response = put(services, f"{CONFIGS}/{config_id}", wanted)
    assert response.status == 200, response.text
    return response.json

"""The objects that have metadata, and how the tests write and clear it."""

from __future__ import annotations

from typing import Any

from tests.support.stacks import ServicesOnly

BUCKET_ID, TABLE_ID = "in.c-main", "in.c-main.users"
BUCKET = f"/v2/storage/buckets/{BUCKET_ID}/metadata"
OF_TABLE = f"/v2/storage/tables/{TABLE_ID}/metadata"
OF_COLUMN = f"/v2/storage/columns/{TABLE_ID}.name/metadata"
ALL = [BUCKET, OF_TABLE, OF_COLUMN]
FORM = {"Content-Type": "application/x-www-form-urlencoded"}


def body(*pairs: tuple[str, Any], provider: str = "user") -> dict[str, Any]:
    return {"provider": provider, "metadata": [{"key": key, "value": value} for key, value in pairs]}


def put(services: ServicesOnly, path: str, *pairs: tuple[str, Any], provider: str = "user") -> list[dict[str, Any]]:
    response = services.service("storage").post(path, body(*pairs, provider=provider))
    assert response.status == 201, response.text
    return response.json if isinstance(response.json, list) else response.json["metadata"]


def clear(services: ServicesOnly, path: str) -> None:
    for item in services.service("storage").get(path).json:
        assert services.service("storage").delete(f"{path}/{item['id']}").status == 204

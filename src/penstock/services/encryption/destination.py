"""Another stack, as configurations are migrated to it: its Encryption encrypts their secrets, its Storage stores them.

Responses of it are not repeated in errors: they could hold what was sent.
"""

from __future__ import annotations

from typing import Any, cast
from urllib.parse import quote

import msgspec

from penstock.foundation.outbound import Gate, OutboundError, Policy, Response
from penstock.services.encryption.errors import DestinationExists, DestinationFailed, DestinationRefused, Incomplete
from penstock.services.encryption.ports import PlainConfiguration, PlainRow

SECONDS, MAX_BYTES = 60.0, 20_000_000
_JSON = {"Content-Type": "application/json", "Accept": "application/json"}


class Destination:
    def __init__(self, gate: Gate, url: str, token: str) -> None:
        """`url` is that of its Storage."""
        self._gate, self._storage, self._token = gate, f"{url}/v2/storage", {"X-StorageApi-Token": token}

    async def create(self, configuration: PlainConfiguration) -> None:
        project_id = str((await self._read("/tokens/verify")).get("owner", {}).get("id", ""))
        configs = f"/components/{quote(configuration.component_id, safe='')}/configs"
        await self._check_missing(f"{configs}/{quote(configuration.id, safe='')}", configuration)
        encrypt = await self._find_encryption(configuration.component_id, project_id)
        await self._post(configs, await self._encrypt(encrypt, _to_body(configuration)))
        for row in configuration.rows:
            try:
                rows = f"{configs}/{quote(configuration.id, safe='')}/rows"
                await self._post(rows, await self._encrypt(encrypt, _to_row_body(row)))
            except DestinationFailed as error:
                raise Incomplete(configuration.id, str(error)) from error

    async def _check_missing(self, path: str, configuration: PlainConfiguration) -> None:
        response = await self._send("GET", f"{self._storage}{path}", self._token)
        if response.status == 200:
            raise DestinationExists(configuration.component_id, configuration.id)
        if response.status != 404:
            _read_object(response)

    async def _find_encryption(self, component_id: str, project_id: str) -> str:
        services: list[dict[str, str]] = (await self._read("?exclude=components")).get("services", [])
        url = next((each["url"] for each in services if each.get("id") == "encryption"), None)
        if not url or not project_id:
            raise DestinationFailed("destinationStack does not respond as a stack does.")
        return f"{url}/encrypt?componentId={quote(component_id, safe='')}&projectId={quote(project_id, safe='')}"

    async def _encrypt(self, url: str, body: dict[str, Any]) -> dict[str, Any]:
        """The documents of a body with their secrets as ciphers of the destination."""
        documents = {name: body[name] for name in ("configuration", "state")}
        response = await self._send("POST", url, _JSON, msgspec.json.encode(documents))
        return {**body, **{name: msgspec.json.encode(text).decode() for name, text in _read_object(response).items()}}

    async def _read(self, path: str) -> dict[str, Any]:
        return _read_object(await self._send("GET", f"{self._storage}{path}", self._token))

    async def _post(self, path: str, body: dict[str, Any]) -> None:
        url, headers = f"{self._storage}{path}", {**_JSON, **self._token}
        _read_object(await self._send("POST", url, headers, msgspec.json.encode(body)))

    async def _send(self, method: str, url: str, headers: dict[str, str], body: bytes | None = None) -> Response:
        try:
            return await self._gate.send(
                method, url, headers=headers, body=body, timeout=SECONDS, max_bytes=MAX_BYTES, follow=False
            )
        except OutboundError as error:
            raise DestinationFailed(f"The destination cannot be called. {error}") from error


async def send_to(policy: Policy, url: str, token: str, configuration: PlainConfiguration) -> None:
    async with Gate(policy) as gate:
        await Destination(gate, url, token).create(configuration)


def _to_body(configuration: PlainConfiguration) -> dict[str, Any]:
    own = {"configurationId": configuration.id, "rowsSortOrder": [row.id for row in configuration.rows]}
    return {**own, **_common(configuration)}


def _to_row_body(row: PlainRow) -> dict[str, Any]:
    return {"rowId": row.id, **_common(row)}


def _common(part: PlainConfiguration | PlainRow) -> dict[str, Any]:
    named = {"name": part.name, "description": part.description, "isDisabled": part.is_disabled}
    return {**named, "configuration": part.document, "state": part.state}


def _read_object(response: Response) -> dict[str, Any]:
    if response.status in (401, 403):
        raise DestinationRefused(response.status)
    try:
        found: Any = msgspec.json.decode(response.body) if response.status < 300 else None
    except msgspec.DecodeError:
        found = None
    if not isinstance(found, dict):
        raise DestinationFailed(f"The destination responded with the status {response.status}.")
    return cast(dict[str, Any], found)

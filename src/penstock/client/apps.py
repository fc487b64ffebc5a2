"""Publishes components in the registry of a stack, through its developer portal."""

from __future__ import annotations

from urllib.parse import quote

import msgspec

from penstock.client.errors import AccessDenied, NotThere
from penstock.client.transport import Transport
from penstock.foundation.structs import Wire

PERSONAL = "kbc_"


class Repository(Wire, frozen=True):
    tag: str = ""
    uri: str = ""
    """The checksum, if the program is an archive."""


class App(Wire, frozen=True):
    """A component as the registry has it, in its current version."""

    id: str
    version: int
    repository: Repository
    is_approved: bool = False
    """Whether projects can use it."""
    approved_version: int | None = None
    """The version that projects run."""

    @property
    def runs_current(self) -> bool:
        """Tell whether projects run this version. Stacks without the field run all versions of an approved app."""
        return self.approved_version in (None, self.version)


class PackedComponent(Wire, frozen=True):
    """The folder of a component as an archive, with what its component.json says."""

    id: str
    name: str
    type: str
    archive: bytes


class Apps:
    """`url` is the address of the developer portal. The token is one of its logins, or a personal access token."""

    def __init__(self, url: str, transport: Transport) -> None:
        self._url, self._transport = url, transport
        token = transport.token
        self._headers = {"Authorization": f"Bearer {token}" if token.startswith(PERSONAL) else token}

    def publish(self, packed: PackedComponent) -> App:
        """Make it the current version. An app that is new is created, and an approval requested, which an administrator
        gives at once."""
        vendor, name = packed.id.split(".")
        path = f"/vendors/{quote(vendor, safe='')}/apps/{quote(packed.id, safe='')}"
        try:
            self._send("GET", path)
        except NotThere:
            self._create(vendor, {"id": name, "name": packed.name, "type": packed.type})
        app = self._send("POST", f"{path}/versions", packed.archive, "application/zip")
        return app if app.is_approved and app.runs_current else self._send("POST", f"{path}/publish")

    def _create(self, vendor: str, app: dict[str, str]) -> None:
        """Create the app, and the vendor if that is missing and the caller is an administrator."""
        path, body = f"/vendors/{quote(vendor, safe='')}/apps", msgspec.json.encode(app)
        try:
            self._send("POST", path, body)
        except NotThere as missing:
            self._create_vendor(vendor, missing)
            self._send("POST", path, body)

    def _create_vendor(self, vendor: str, missing: NotThere) -> None:
        body, headers = msgspec.json.encode({"id": vendor, "name": vendor}), {"Content-Type": "application/json"}
        try:
            self._transport.send("POST", f"{self._url}/vendors", msgspec.Raw, {**self._headers, **headers}, body)
        except AccessDenied:
            raise missing from None

    def _send(self, method: str, path: str, body: bytes | None = None, content_type: str = "application/json") -> App:
        headers = {**self._headers, "Content-Type": content_type} if body is not None else self._headers
        return self._transport.send(method, f"{self._url}{path}", App, headers, body)

"""A developer portal to try: an administrator, vendors with accounts, and archives."""

from __future__ import annotations

import io
import json
import secrets
import stat
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from textwrap import dedent
from typing import Any

from penstock.services.developer import interface as developer
from tests.support.http import Http, Response
from tests.support.stacks import ServicesOnly

ZIP = {"Content-Type": "application/zip"}
PROGRAM = """
import json, os
from pathlib import Path

data = Path(os.environ["KBC_DATADIR"])
(data / "out/tables/made.csv").write_text("text\\n{text}\\n")
print("{text}")
"""


class Portal:
    def __init__(self, services: ServicesOnly) -> None:
        self.services = services
        self.anyone = Http(services.service("developer").base)
        self.admin = self.sign_in(*self.make_account(is_admin=True))

    def make_account(self, *vendors: str, is_admin: bool = False) -> tuple[str, str]:
        username = f"test.{secrets.token_hex(4)}"
        with self.services.stack.database.writing(0) as tx:
            _, password = developer.create_account(tx, username, vendors, is_admin=is_admin, description="")
        return username, password

    def log_in(self, username: str, password: str) -> dict[str, Any]:
        response = self.anyone.post("/auth/login", {"email": username, "password": password})
        assert response.status == 200, response.text
        return response.json

    def sign_in(self, username: str, password: str) -> Http:
        return self.with_token(self.log_in(username, password)["token"])

    def with_token(self, token: str) -> Http:
        return Http(self.anyone.base, headers={"Authorization": token})

    def make_vendor(self) -> Vendor:
        vendor_id = f"v{secrets.token_hex(4)}"
        made = self.admin.post("/vendors", {"id": vendor_id, "name": "A vendor"})
        assert made.status == 201, made.text
        return Vendor(self, vendor_id, self.sign_in(*self.make_account(vendor_id)))


@dataclass(frozen=True)
class Vendor:
    portal: Portal
    id: str
    client: Http
    """A service account of it."""

    def create_app(self, name: str = "ex-squares", **fields: Any) -> App:
        wanted = {"id": name, "name": "Squares", "type": "extractor", **fields}
        made = self.client.post(f"/vendors/{self.id}/apps", wanted)
        assert made.status == 201, made.text
        return App(self, made.json["id"])


@dataclass(frozen=True)
class App:
    vendor: Vendor
    id: str

    @property
    def path(self) -> str:
        return f"/vendors/{self.vendor.id}/apps/{self.id}"

    def get(self) -> dict[str, Any]:
        return self.vendor.client.get(self.path).json

    def patch(self, **fields: Any) -> Response:
        body = json.dumps(fields).encode()
        return self.vendor.client.send("PATCH", self.path, body, {"Content-Type": "application/json"})

    def upload(self, content: bytes) -> Response:
        return self.vendor.client.send("POST", f"{self.path}/versions", content, ZIP)

    def publish(self, tag: str, text: str | None = None, **manifest: Any) -> dict[str, Any]:
        """A version whose program writes a text, by default its tag."""
        made = self.upload(make_archive(self.id, tag, text or tag, **manifest))
        assert made.status == 201, made.text
        return made.json

    def approve(self) -> None:
        approved = self.vendor.portal.admin.post(f"/admin/apps/{self.id}/publish")
        assert approved.status == 200, approved.text


def make_archive(component_id: str, tag: str = "1.0.0", text: str = "made", **manifest: Any) -> bytes:
    known = {"id": component_id, "name": "Squares", "type": "extractor", "command": ["python", "main.py"], "tag": tag}
    files = {"component.json": json.dumps(known | manifest), "main.py": dedent(PROGRAM).format(text=text)}
    return zip_of(files)


def zip_of(files: Mapping[str, str | bytes], modes: Mapping[str, int] = {}) -> bytes:
    """With any name, also one that leads elsewhere."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            entry = zipfile.ZipInfo(name)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = modes.get(name, stat.S_IFREG | 0o644) << 16
            archive.writestr(entry, content)
    return made.getvalue()

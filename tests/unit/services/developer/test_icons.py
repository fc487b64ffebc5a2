"""Icons: uploaded to a signed address, checked, and shown to everybody."""

from __future__ import annotations

import struct
from datetime import timedelta
from urllib.parse import urlsplit

import pytest

from penstock.foundation import clock
from penstock.services.developer.operations.icons import LIFETIME, MAX_BYTES
from tests.support.http import Http, Response
from tests.unit.services.developer.portal import App, Portal

PNG = {"Content-Type": "image/png"}


def make_png(width: int = 64, height: int = 64, more: bytes = b"") -> bytes:
    return b"\x89PNG\r\n\x1a\n" + struct.pack(">I", 13) + b"IHDR" + struct.pack(">II", width, height) + more


@pytest.fixture
def app(portal: Portal) -> App:
    return portal.make_vendor().create_app()


def upload(app: App, content: bytes) -> Response:
    made = app.vendor.client.post(f"{app.path}/icon")
    assert (made.status, made.json["expiresIn"]) == (200, 600)
    return _put(made.json["link"], content)


def _put(link: str, content: bytes) -> Response:
    parts = urlsplit(link)
    return Http(f"{parts.scheme}://{parts.netloc}").send("PUT", parts.path, content, PNG)


def test_an_uploaded_icon_is_that_of_the_app_and_everybody_sees_it(app: App) -> None:
    content = make_png(more=b"pixels")
    assert upload(app, content).status == 200
    shown = app.get()

    assert shown["version"] == 2
    assert shown["icon32"] == shown["icon64"]
    parts = urlsplit(shown["icon64"])
    icon = Http(f"{parts.scheme}://{parts.netloc}").get(parts.path)
    assert (icon.status, icon.body, icon.headers["content-type"]) == (200, content, "image/png")
    assert upload(app, content).status == 200


@pytest.mark.parametrize(
    "content",
    [b"", b"<svg onload=x>", make_png(64, 65), make_png(1, 1), make_png(5000, 5000), make_png()[:20]],
    ids=range(6),
)
def test_what_is_not_an_icon_is_refused(app: App, content: bytes) -> None:
    refused = upload(app, content)

    assert (refused.status, app.get()["version"]) == (422, 1)
    assert "The icon" in refused.json["errorMessage"]


def test_an_icon_that_is_too_large_is_refused(app: App) -> None:
    assert upload(app, make_png(more=bytes(MAX_BYTES))).status == 413


def test_the_address_is_for_one_app_and_for_ten_minutes(
    app: App, portal: Portal, monkeypatch: pytest.MonkeyPatch
) -> None:
    link = app.vendor.client.post(f"{app.path}/icon").json["link"]
    assert portal.make_vendor().client.post(f"{app.path}/icon").status == 403
    assert _put(f"{link}x", make_png()).status == 401
    assert _put(link, make_png()).status == 200
    then = clock.now() + LIFETIME + timedelta(seconds=1)
    monkeypatch.setattr(clock, "now", lambda: then)

    assert _put(link, make_png()).status == 401
    assert portal.anyone.get("/icons/nothing").status == 404

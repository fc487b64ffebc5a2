"""Icons of apps."""

from __future__ import annotations

import msgspec
from starlette.requests import Request as HttpRequest

from penstock.foundation.callers import Right, SignedIn
from penstock.services.developer.models.views import App
from penstock.services.developer.operations import apps, icons
from penstock.services.developer.routes.apps import ONE, view
from penstock.services.developer.routes.callers import SIGNED_IN, get_account
from penstock.web.auth.path_secret import path_secret
from penstock.web.bodies import read_body
from penstock.web.requests import Request, Text
from penstock.web.routing import Route, get, post, put
from penstock.web.streaming import on_disk

WITH_TICKET = msgspec.structs.replace(path_secret(icons.authenticate, "ticket"), name="icon ticket")
PNG = "image/png"


class IconUpload(msgspec.Struct, frozen=True, rename="camel"):
    link: str
    """Where the PNG file is sent with PUT."""
    expires_in: int = int(icons.LIFETIME.total_seconds())


def routes() -> list[Route]:
    # The address of an upload is used as it was given, so its row is not in the OpenAPI document.
    return [
        post(f"{ONE}/icon", create_upload, needs=Right.TOKEN, auth=SIGNED_IN, title="Prepare the upload of an icon"),
        put("/icons/uploads/{ticket}", upload, needs=Right.TOKEN, auth=WITH_TICKET, takes=(PNG,), is_documented=False),
        get("/icons/{checksum}", get_icon, needs=Right.PUBLIC, media_type=PNG, title="Get an icon"),
    ]


def create_upload(request: Request, vendor: str, app: str) -> IconUpload:
    """An address to which a square PNG file of up to 500 kB is sent with PUT within 10 minutes."""
    with request.reading() as tx:
        found = apps.get_app(tx, get_account(tx, request), vendor, app).app
    ticket = icons.make_ticket(request.stack.cipher, request.identity, found.id)
    return IconUpload(f"{request.addresses.url_of('developer')}/icons/uploads/{ticket}")


async def upload(request: Request, ticket: str, http: HttpRequest) -> App:
    """The icon of the app that the address was made for, as a new version."""
    content = await read_body(http, icons.MAX_BYTES)
    return await on_disk(_set_icon, request, ticket, content)


def get_icon(request: Request, checksum: str) -> Text:
    with request.reading() as tx:
        return Text(icons.get_icon(tx, checksum), PNG)


def _set_icon(request: Request, ticket: str, content: bytes) -> App:
    assert isinstance(request.identity, SignedIn)
    url = f"{request.addresses.url_of('developer')}/icons"
    with request.writing() as tx:
        return view(tx, icons.set_icon(tx, request.stack, request.identity, ticket, content, url))

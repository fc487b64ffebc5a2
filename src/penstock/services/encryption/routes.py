"""Encryption over HTTP. Encrypting needs no token; one that is sent matters only if a page of another site sends it."""

from __future__ import annotations

from starlette.requests import Request as HttpRequest
from starlette.responses import Response

from penstock import __version__
from penstock.foundation.callers import Right
from penstock.foundation.stacks import PORTAL
from penstock.services.encryption import migration, operations
from penstock.services.encryption.models import Description, EncryptQuery, Migration, NewMigration
from penstock.services.encryption.ports import Storage
from penstock.services.login import interface as login
from penstock.web.auth.manage_token import manage_token
from penstock.web.bodies import read_body
from penstock.web.health import health_check
from penstock.web.requests import Request
from penstock.web.routing import Route, get, post
from penstock.web.signatures import Handler
from penstock.web.streaming import on_disk

BODY_BYTES = 1_000_000


def routes(storage: Storage) -> list[Route]:
    return [
        post(
            "/encrypt",
            encrypt,
            needs=Right.PUBLIC,
            auth=storage.auth,
            takes=(operations.JSON, operations.TEXT),
            media_type=operations.TEXT,
            title="Encrypt values",
        ),
        post(
            "/migrate-configuration",
            make_migrate(storage),
            needs=Right.USER,
            auth=manage_token(login.authenticate_manager),
            refuses_body_with=422,
            title="Migrate a configuration to another stack",
        ),
        health_check(lambda _request: {"status": "ok"}),
        get("/", describe, needs=Right.PUBLIC, title="Describe the service"),
    ]


async def encrypt(request: Request, query: EncryptQuery, http: HttpRequest) -> Response:
    """The JSON document with every value under a `#` key encrypted, or the cipher of a text."""
    label = operations.make_label(query)
    content_type = operations.check_type(request.content_type)
    content = await read_body(http, BODY_BYTES)
    sealed = await on_disk(operations.encrypt, request.stack.cipher, label, content, content_type)
    return Response(sealed, headers={"content-type": content_type})


def make_migrate(storage: Storage) -> Handler:
    def migrate_configuration(request: Request, body: NewMigration) -> Migration:
        """Create a configuration with its secrets in another project, of this stack or of another one. The user needs
        the feature `can-migrate-secrets`."""
        return migration.migrate(request.stack, storage, request.identity, body)

    return migrate_configuration


async def describe(request: Request) -> Description:
    """What this is."""
    return Description(
        app_name="penstock.encryption", app_version=__version__, api_docs=f"{request.addresses.url_of(PORTAL)}/"
    )

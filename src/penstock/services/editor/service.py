"""What the stack has to know of Editor."""

from __future__ import annotations

from pathlib import Path

from penstock.services.editor.errors import with_message
from penstock.services.editor.reactions import REACTIONS
from penstock.services.editor.routes import routes
from penstock.services.storage.interface import authenticate
from penstock.web.auth.storage_token import storage_token
from penstock.web.service import Service


def service() -> Service:
    return Service(
        id="editor",
        name="Editor API",
        routes=routes(),
        auth=storage_token(authenticate),
        errors=with_message,
        reactions=REACTIONS,
        migrations=Path(__file__).parent / "migrations",
    )

"""Forms with a file of any size: the file goes to the disk as it arrives, and only the fields are held in memory."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

import msgspec
from starlette.requests import Request as HttpRequest

from penstock.foundation.stack import Stack
from penstock.services.importer.errors import DataMissing, NotAForm
from penstock.services.storage import interface as storage
from penstock.web.bodies import BadRequest, gather_fields, parse_body, read_body
from penstock.web.multipart import FIELD_BYTES, MultipartStream, NotMultipart
from penstock.web.streaming import on_disk, receive_body

FILE_FIELD = "data"
FILE_BYTES = 2 << 30
"""The largest file; larger ones are uploaded in blocks, as Storage prepares them."""


class Form(msgspec.Struct, frozen=True, kw_only=True):
    fields: dict[str, Any]
    file: storage.Incoming
    """A temporary file."""
    file_name: str = ""


@asynccontextmanager
async def received_form(stack: Stack, http: HttpRequest) -> AsyncGenerator[Form]:
    """The form of a request. Its file is removed when the block ends, unless it was stored."""
    content_type = http.headers.get("content-type", "")
    incoming = await on_disk(storage.receive_upload, stack)
    try:
        if "multipart/form-data" in content_type:
            yield await _receive_parts(http, content_type, incoming)
        elif "x-www-form-urlencoded" in content_type:
            yield await _receive_text(http, content_type, incoming, stack.settings.body_limit)
        else:
            raise NotAForm(content_type)
    finally:
        # Not in a thread: a cancelled task cannot wait for one.
        incoming.discard()


async def _receive_parts(http: HttpRequest, content_type: str, incoming: storage.Incoming) -> Form:
    try:
        stream = MultipartStream(content_type, FILE_FIELD, incoming)
        await receive_body(http, stream, FILE_BYTES + FIELD_BYTES)
        fields = gather_fields(stream.finish())
    except NotMultipart as error:
        raise BadRequest(str(error)) from error
    if stream.file_name is None:
        raise DataMissing
    return Form(fields=fields, file=incoming, file_name=stream.file_name)


async def _receive_text(http: HttpRequest, content_type: str, incoming: storage.Incoming, limit: int) -> Form:
    fields = parse_body(await read_body(http, limit), content_type)
    text = fields.pop(FILE_FIELD, None)
    if not isinstance(text, str):
        raise DataMissing
    await on_disk(incoming.write, [text.encode("utf-8", "surrogatepass")])
    return Form(fields=fields, file=incoming)

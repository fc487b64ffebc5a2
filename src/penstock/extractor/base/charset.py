"""The charset of a JSON response, from its byte-order mark or its Content-Type, and its text as UTF-8.

Nearly every response is UTF-8 without a mark, which shows in the header and the first bytes: its body is not scanned.
"""

from __future__ import annotations

import codecs
from functools import lru_cache

import msgspec

from penstock.extractor.base.errors import UserError
from penstock.foundation.outbound import Response

UTF_8 = "utf-8"
MAX_MARK_LENGTH = 4
_MARKS = {
    # UTF-32 first: its little-endian mark starts with that of UTF-16.
    codecs.BOM_UTF32_LE: "utf-32-le",
    codecs.BOM_UTF32_BE: "utf-32-be",
    codecs.BOM_UTF16_LE: "utf-16-le",
    codecs.BOM_UTF16_BE: "utf-16-be",
    codecs.BOM_UTF8: UTF_8,
}
_ANY_MARK = tuple(_MARKS)
_NARROWER = frozenset({"ascii", "utf-8-sig"})
"""Codecs whose texts UTF-8 decodes as well."""
_WIDE = frozenset({"utf-16", "utf-32"})
"""Their byte order follows from the mark; without one from the first character, which is ASCII in JSON."""
_NOT_CHARSETS = frozenset({"idna", "punycode", "unicode_escape", "raw_unicode_escape", "undefined"})
"""Codecs of Python that are not charsets of responses."""
_LOST = "\udcff"
"""Replaces each byte that is invalid in its charset; decoded texts contain no other surrogates."""
_REPLACE_EACH = "penstock.lost"


class UnknownCharset(UserError):
    """A response declares a charset that is not known, and is not UTF-8 either."""


class Charset(msgspec.Struct, frozen=True):
    codec: str = UTF_8
    mark: int = 0
    """How many bytes the byte-order mark has."""
    unknown: str = ""
    """The charset that the response declares, if it is not known; the body is read as UTF-8, and must be that."""

    @property
    def is_plain(self) -> bool:
        """Returns whether a body is UTF-8 without a mark."""
        return self.codec == UTF_8 and not self.mark and not self.unknown


class Utf8(msgspec.Struct, frozen=True):
    body: bytes
    dropped: int = 0
    """How many bytes were dropped because they are invalid in the charset."""


def find_charset(content_type: str, head: bytes) -> Charset:
    """`head` is the beginning of the body. A byte-order mark takes precedence over the declared charset."""
    if head.startswith(_ANY_MARK):
        return next(Charset(codec, len(mark)) for mark, codec in _MARKS.items() if head.startswith(mark))
    charset = _declared(content_type)
    return Charset(_ordered(charset.codec, head)) if charset.codec in _WIDE else charset


def to_utf8(body: bytes, content_type: str) -> Utf8:
    """Returns the same object if the body is UTF-8 already. Raises UnknownCharset."""
    charset = find_charset(content_type, body[:MAX_MARK_LENGTH])
    if charset.is_plain:
        return Utf8(body)
    if charset.codec == UTF_8 and not charset.unknown:
        return Utf8(body[charset.mark :])
    return Transcoder(charset).feed(body[charset.mark :], is_last=True)


def content_type(response: Response) -> str:
    return response.headers.get("Content-Type", "")


def readable_body(response: Response) -> bytes:
    """Returns the body in UTF-8, for messages that show it, because secrets are redacted in UTF-8; unchanged if its
    charset is not known."""
    try:
        return to_utf8(response.body, content_type(response)).body
    except UnknownCharset:
        return response.body


class Transcoder:
    """Converts a body without its mark to UTF-8, chunk by chunk."""

    def __init__(self, charset: Charset) -> None:
        self._charset, self._at = charset, charset.mark
        errors = "strict" if charset.unknown else _REPLACE_EACH
        self._decoder = codecs.getincrementaldecoder(charset.codec)(errors)

    def feed(self, chunk: bytes, *, is_last: bool = False) -> Utf8:
        try:
            text = self._decoder.decode(chunk, is_last)
        except UnicodeDecodeError as error:
            before = self._at + len(chunk) - len(error.object)  # the decoder may have buffered some bytes
            raise _unknown(self._charset.unknown, error, before) from error
        self._at += len(chunk)
        try:
            return Utf8(text.encode())
        except UnicodeEncodeError:
            body = text.encode("utf-8", "ignore")
            return Utf8(body, len(text) - len(body.decode()))


@lru_cache(128)  # all pages of a job have the same Content-Type
def _declared(content_type: str) -> Charset:
    name = _name(content_type)
    codec = _codec(name) if name else UTF_8
    return Charset(codec) if codec else Charset(unknown=name)


def _name(content_type: str) -> str:
    """Returns the charset in a Content-Type such as `application/json; charset="utf-8"`; empty if there is none."""
    for part in content_type.split(";")[1:]:
        name, _equals, value = part.partition("=")
        if name.strip().lower() == "charset":
            return value.partition(",")[0].strip(" \t\"'")  # two headers may have been joined into one
    return ""


def _codec(name: str) -> str | None:
    try:
        b" ".decode(name, "ignore")  # refuses codecs that are not for text
        codec = codecs.lookup(name).name
    except (LookupError, ValueError):
        return None
    if codec.replace("-", "_") in _NOT_CHARSETS:
        return None
    return UTF_8 if codec in _NARROWER else codec


def _ordered(codec: str, head: bytes) -> str:
    return f"{codec}-be" if head.startswith(b"\0") else f"{codec}-le"


def _replace_each(error: UnicodeError) -> tuple[str, int]:
    assert isinstance(error, UnicodeDecodeError)
    return _LOST * (error.end - error.start), error.end


def _unknown(name: str, error: UnicodeDecodeError, before: int) -> UnknownCharset:
    return UnknownCharset(
        f"The API declares the charset '{name[:40]}' in the Content-Type of its response, which is not known, and the "
        f"response is not UTF-8 either ({error.reason} at byte {before + error.start}). Ask the API for UTF-8, for "
        "example with the header `Accept-Charset: utf-8` in `parameters.api.http.headers`."
    )


codecs.register_error(_REPLACE_EACH, _replace_each)

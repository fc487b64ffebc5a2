"""What programs make of a text when they put it into JSON, an address, HTML or base64."""

from __future__ import annotations

import base64
import html
import json
import re
from collections.abc import Callable
from html.entities import codepoint2name
from typing import NamedTuple
from urllib.parse import quote, quote_plus


class Around(NamedTuple):
    """A secret in an encoded text, and what is before and after it."""

    before: str
    secret: str
    after: str

    @property
    def text(self) -> str:
        return "".join(self)


Encoder = Callable[[Around], Around]


def json_ascii(text: str) -> str:
    return json.dumps(text)[1:-1]


def json_unicode(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)[1:-1]


def json_slashes(text: str) -> str:
    """As PHP writes it."""
    return json_ascii(text).replace("/", "\\/")


def json_dotnet(text: str) -> str:
    r"""As .NET writes it: `\u002B`."""
    return "".join(rf"\u{ord(each):04X}" if each in "\"'&+<>`" else json_ascii(each) for each in text)


def json_all(text: str) -> str:
    units = text.encode("utf-16-be", "surrogatepass")
    return "".join(rf"\u{units[at : at + 2].hex()}" for at in range(0, len(units), 2))


def url_lower(text: str) -> str:
    return re.sub("%[0-9A-F]{2}", lambda match: match[0].lower(), quote_plus(text))


def url_all(text: str) -> str:
    return "".join(f"%{byte:02x}" for byte in text.encode())


def html_decimal(text: str) -> str:
    return "".join(each if each.isascii() and each.isalnum() else f"&#{ord(each):04};" for each in text)


def html_hex(text: str) -> str:
    return "".join(each if each.isascii() and each.isalnum() else f"&#x{ord(each):X};" for each in text)


def html_hex_lower(text: str) -> str:
    return "".join(f"&#x{ord(each):06x};" for each in text)


def html_named(text: str) -> str:
    return "".join(f"&{codepoint2name[ord(each)]};" if ord(each) in codepoint2name else each for each in text)


ESCAPERS: list[Callable[[str], str]] = [
    json_ascii,
    json_unicode,
    json_slashes,
    json_dotnet,
    json_all,
    quote,
    quote_plus,
    lambda text: quote(text, safe=""),
    url_lower,
    url_all,
    html.escape,
    html_decimal,
    html_hex,
    html_hex_lower,
    html_named,
]


def escaping(escape: Callable[[str], str]) -> Encoder:
    """Every character is escaped by itself, so what is before and after does not matter."""
    return lambda parts: Around(*map(escape, parts))


def in_base64(*, is_url_safe: bool, is_padded: bool) -> Encoder:
    encode = base64.urlsafe_b64encode if is_url_safe else base64.b64encode

    def encoder(parts: Around) -> Around:
        whole = encode(parts.text.encode()).decode()
        start = len(parts.before.encode()) * 8 // 6
        end = -(-(len(parts.before.encode()) + len(parts.secret.encode())) * 8 // 6)
        after = whole[end:] if is_padded else whole[end:].rstrip("=")
        return Around(whole[:start], whole[start:end], after)

    return encoder


def in_wrapped_base64(width: int, line_break: str) -> Encoder:
    """As `encodebytes`, MIME and PHP's `chunk_split` write it."""
    encode = in_base64(is_url_safe=False, is_padded=True)

    def encoder(parts: Around) -> Around:
        parts = encode(parts)
        start, end = len(parts.before), len(parts.before + parts.secret)
        wrapped = _wrap(parts.text, width, line_break)
        first, last = (at + at // width * len(line_break) for at in (start, end - 1))
        return Around(wrapped[:first], wrapped[first : last + 1], wrapped[last + 1 :])

    return encoder


def _wrap(text: str, width: int, line_break: str) -> str:
    return "".join(text[at : at + width] + line_break for at in range(0, len(text), width))


ENCODERS = [
    *map(escaping, ESCAPERS),
    *(in_base64(is_url_safe=safe, is_padded=padded) for safe in (False, True) for padded in (False, True)),
    *(in_wrapped_base64(width, line_break) for width in (64, 76) for line_break in ("\n", "\r\n", "\n\t ")),
]

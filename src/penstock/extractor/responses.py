"""From the body of an answer to JSON text: JSON as it came, or newline-delimited JSON and CSV made into a list."""

from __future__ import annotations

import csv
import io
from typing import Any, Literal, cast, get_args

import msgspec

from penstock.extractor.complaints import invalid
from penstock.extractor.errors import UserError
from penstock.extractor.settings import read_text
from penstock.extractor.values import as_map, is_empty

Name = Literal["json", "ndjson", "csv"]
LONGEST_CELL = 1 << 27


class Format(msgspec.Struct, frozen=True):
    """What a response is written in; the rest is for CSV only."""

    name: Name = "json"
    delimiter: str = ","
    quote: str = '"'
    encoding: str = "utf-8"

    def to_json(self, body: bytes) -> bytes:
        """Raises UserError if the body is not in this format."""
        if self.name == "ndjson":
            return b"[%s]" % b",".join(line for line in body.splitlines() if line.strip())
        return msgspec.json.encode(self._rows(body)) if self.name == "csv" else body

    def _rows(self, body: bytes) -> list[dict[str, str]]:
        csv.field_size_limit(LONGEST_CELL)
        lines = csv.reader(io.StringIO(self._text(body), newline=""), delimiter=self.delimiter, quotechar=self.quote)
        try:
            header = _header(next(lines, list[str]()))
            return [_row(header, cells, lines.line_num) for cells in lines if cells]
        except csv.Error as error:
            raise UserError(f"Invalid CSV response from API: line {lines.line_num}: {error}.") from error

    def _text(self, body: bytes) -> str:
        try:
            text = body.decode(self.encoding).removeprefix("\ufeff")
            text.encode()  # some encodings can spell halves of characters, which no table can hold
            return text
        except UnicodeError as error:
            raise UserError(
                f"Invalid CSV response from API: it is not {self.encoding} ({error}). "
                "Set `responseFormat.encoding` to the encoding of the response."
            ) from error


def read_format(raw: Any, path: str) -> Format:
    """`responseFormat`: a name, or a map with `format` and the details of CSV."""
    if is_empty(raw):
        return Format()
    section = as_map(raw) if isinstance(raw, (dict, list)) else {"format": raw}
    name = read_text(section, "format", path) or "json"
    if name not in get_args(Name):
        raise invalid(f"Expected one of {', '.join(get_args(Name))}, got {name!r}", path)
    texts = {key: read_text(section, key, path) for key in ("delimiter", "quote", "encoding")}
    _check(texts, path)
    form = Format(cast(Name, name), **{key: text for key, text in texts.items() if text})
    if form.delimiter == form.quote:
        raise invalid("The delimiter and the quote are the same", f"{path}.delimiter")
    return form


def _check(texts: dict[str, str], path: str) -> None:
    for key in ("delimiter", "quote"):
        if len(texts[key]) > 1 or texts[key] in ("\r", "\n"):
            raise invalid(f"Expected one character, got {texts[key]!r}", f"{path}.{key}")
    try:
        "".encode(texts["encoding"] or "utf-8")
    except (LookupError, ValueError):
        raise invalid(f"Unknown encoding {texts['encoding']!r}", f"{path}.encoding") from None


def _header(names: list[str]) -> list[str]:
    twice = [name for index, name in enumerate(names) if name in names[:index]]
    if twice:
        raise UserError(f"Invalid CSV response from API: the header names {twice[0]!r} twice.")
    return names


def _row(header: list[str], cells: list[str], line: int) -> dict[str, str]:
    if len(cells) != len(header):
        raise UserError(
            f"Invalid CSV response from API: line {line} has {len(cells)} cells, but the header has {len(header)}."
        )
    return dict(zip(header, cells, strict=True))

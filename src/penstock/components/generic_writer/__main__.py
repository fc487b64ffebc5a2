"""`python -m penstock.components.generic_writer`: sends every input table to an API, row by row or in chunks."""

from __future__ import annotations

import asyncio
import csv
import gzip
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from penstock.components.generic_writer.requests import Builder
from penstock.components.generic_writer.rows import RowShape
from penstock.components.generic_writer.sending import Sender
from penstock.components.generic_writer.settings import ContentType, Settings
from penstock.components.program import Data, run_program
from penstock.extractor.base.errors import UserError
from penstock.foundation.outbound import Gate, Policy

FIELD_CHARACTERS = 64 * 1024 * 1024
FILE_BYTES = 200 * 1024 * 1024
"""A table that is sent as a file is held in memory."""

Row = dict[str, str]


def write_tables(data: Data) -> None:
    settings = data.read_parameters(Settings)
    settings.check()
    csv.field_size_limit(FIELD_CHARACTERS)
    asyncio.run(_write_tables(data, settings))


async def _write_tables(data: Data, settings: Settings) -> None:
    async with Gate(Policy.from_environment()) as gate:
        writer = Writer(settings, Sender(gate, data.log, settings.api))
        if writer.is_without_rows:
            await writer.send_once()
        for file in [] if writer.is_without_rows else data.list_inputs():
            sent = await writer.write_table(file)
            data.log.info(f'Sent the table "{file.name}": {sent}.')


class Writer:
    def __init__(self, settings: Settings, sender: Sender) -> None:
        self._content, self._size = settings.request_content, settings.rows_per_request
        self._builder, self._sender = Builder(settings), sender

    @property
    def is_without_rows(self) -> bool:
        return self._content.content_type is ContentType.EMPTY and not self._content.iterate_by_columns

    async def send_once(self) -> None:
        await self._sender.send(self._builder.build(None, {}), "The request")

    async def write_table(self, file: Path) -> str:
        """Returns how much was sent, for the log."""
        if self._content.content_type in (ContentType.BINARY, ContentType.GZIPPED):
            await self._sender.send(self._builder.build(self._read(file), {}), f'The table "{file.name}"')
            return "as one file"
        return await self._write_rows(file)

    async def _write_rows(self, file: Path) -> str:
        sent = requests = 0
        rows, shape = _read_rows(file), None
        while chunk := list(islice(rows, self._size)):
            shape = shape or self._shape(file, list(chunk[0]))
            what = _name(file, sent + 1, sent + len(chunk))
            await self._send(shape, chunk, what)
            sent, requests = sent + len(chunk), requests + 1
        return f"{sent} rows in {requests} requests"

    def _shape(self, file: Path, columns: list[str]) -> RowShape:
        missing = [name for name in self._content.iterate_by_columns if name not in columns]
        if missing:
            raise UserError(f'The table "{file.name}" has no column "{missing[0]}" to iterate by.')
        in_body = [name for name in columns if name not in self._content.iterate_by_columns]
        return RowShape(in_body, self._content.json_mapping)

    async def _send(self, shape: RowShape, chunk: list[Row], what: str) -> None:
        try:
            body = None if self._content.content_type is ContentType.EMPTY else self._encode(shape, chunk)
            request = self._builder.build(body, {name: chunk[0][name] for name in self._content.iterate_by_columns})
        except UserError as error:
            raise UserError(f"{what}: {error}") from error
        await self._sender.send(request, what)

    def _encode(self, shape: RowShape, chunk: list[Row]) -> bytes:
        return self._builder.encode([shape.to_object(row) for row in chunk])

    def _read(self, file: Path) -> bytes:
        if file.stat().st_size > FILE_BYTES:
            raise UserError(
                f'The table "{file.name}" is larger than {FILE_BYTES:,} bytes, too large to be sent as one file. '
                "Send it as JSON, in chunks."
            )
        body = file.read_bytes()
        return gzip.compress(body) if self._content.content_type is ContentType.GZIPPED else body


def _name(file: Path, first: int, last: int) -> str:
    which = f"Row {first}" if first == last else f"Rows {first} to {last}"
    return f'{which} of the table "{file.name}"'


def _read_rows(file: Path) -> Iterator[Row]:
    with file.open(encoding="utf-8", errors="replace", newline="") as stream:
        reader = csv.reader(stream, strict=True)
        try:
            header = next(reader, list[str]())
            for number, values in enumerate(reader, 1):
                if len(values) != len(header):
                    raise UserError(
                        f'Row {number} of "{file.name}" has {len(values)} values for {len(header)} columns.'
                    )
                yield dict(zip(header, values, strict=True))
        except csv.Error as error:
            raise UserError(f'The table "{file.name}" is not a readable CSV file: {error}.') from error


if __name__ == "__main__":
    raise SystemExit(run_program(write_tables))

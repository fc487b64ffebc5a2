"""Forms as curl sends them."""

from __future__ import annotations

from tests.support.http import Http, Response

BOUNDARY = "----penstock"
KIND = {"Content-Type": f"multipart/form-data; boundary={BOUNDARY}"}


def part(name: str, value: bytes, file_name: str | None = None) -> bytes:
    named = "" if file_name is None else f'; filename="{file_name}"'
    head = f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="{name}"{named}\r\n\r\n'
    return head.encode() + value + b"\r\n"


def form(data: bytes | None, fields: list[tuple[str, str]], file_name: str | None = "rows.csv") -> bytes:
    """The file comes last, as most clients send it."""
    parts = [part(name, value.encode()) for name, value in fields]
    parts += [part("data", data, file_name)] if data is not None else []
    return b"".join(parts) + f"--{BOUNDARY}--\r\n".encode()


def write_table(client: Http, table_id: str, data: bytes, *fields: tuple[str, str]) -> Response:
    return client.send("POST", "/write-table", form(data, [("tableId", table_id), *fields]), KIND)


def upload_file(
    client: Http, data: bytes | None, *fields: tuple[str, str], file_name: str | None = "a.csv"
) -> Response:
    return client.send("POST", "/upload-file", form(data, list(fields), file_name), KIND)

"""`penstock extract` on 100,000 flat rows in pages of 1,000, beside a program that only fetches them.

Prints rows per second, start-up included, and how many times the fetch alone the extraction took.
"""

from __future__ import annotations

import asyncio
import json
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

ROWS, PAGE, ROUNDS = 100_000, 1_000, 5
WORDS = ("alpha", "beta", "gamma", "order", "invoice", "customer", "region", "žluťoučký", "kůň", "東京")
FETCH_ONLY = """
import http.client, sys
connection = http.client.HTTPConnection("127.0.0.1", int(sys.argv[1]))
for offset in range(0, {rows} + {page}, {page}):
    connection.request("GET", f"/rows?limit={page}&offset={{offset}}")
    connection.getresponse().read()
"""


def main() -> None:
    with served() as port, tempfile.TemporaryDirectory() as folder:
        config = Path(folder) / "config.json"
        config.write_text(json.dumps(configuration(port)))
        extract = [sys.executable, "-m", "penstock", "extract", str(config), "--out", str(Path(folder) / "out")]
        fetch = [sys.executable, "-c", FETCH_ONLY.format(rows=ROWS, page=PAGE), str(port)]
        subprocess.run([sys.executable, "-m", "compileall", "-q", "src"], check=False)
        ours, theirs = best_of(extract), best_of(fetch)
    print(
        f"extract: {ROWS / ours:,.0f} rows/s ({ours:.2f} s), {ours / theirs:.1f} times the fetch alone ({theirs:.2f} s)"
    )


def configuration(port: int) -> dict[str, object]:
    pagination = {"method": "offset", "limit": PAGE}
    return {
        "api": {"baseUrl": f"http://127.0.0.1:{port}/", "pagination": pagination},
        "config": {"outputBucket": "bench", "jobs": [{"endpoint": "rows", "dataField": "items"}]},
    }


def best_of(command: list[str]) -> float:
    return min(timed(command) for _ in range(ROUNDS))


def timed(command: list[str]) -> float:
    start = time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - start


@contextmanager
def served() -> Generator[int]:
    """The API, in a process of its own."""
    command = [sys.executable, "-m", "tests.benchmarks.extract", "serve"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout
        try:
            yield int(server.stdout.readline())
        finally:
            server.terminate()


def make_row(rng: random.Random, number: int) -> dict[str, object]:
    words = " ".join(rng.choices(WORDS, k=5))
    return {
        "id": number,
        "code": f"SKU-{rng.getrandbits(40):010x}",
        "name": words,
        "status": rng.choice(("new", "open", "paid")),
        "quantity": rng.randrange(500),
        "price": round(rng.random() * 1000, 2),
        "ratio": rng.random() if rng.random() < 0.8 else None,
        "active": rng.random() < 0.5,
        "note": f'{words}, "quoted"' if rng.random() < 0.3 else None,
        "country": rng.choice(("CZ", "US", "DE")),
        "created_at": f"2026-01-{rng.randrange(10, 30)}T10:00:00Z",
        "due_date": "2026-02-01",
    }


def render_pages() -> list[bytes]:
    rng = random.Random(7)
    rows = [make_row(rng, number) for number in range(ROWS)]
    starts = range(0, ROWS + PAGE, PAGE)
    return [json.dumps({"items": rows[start : start + PAGE]}, ensure_ascii=False).encode() for start in starts]


class Pages(asyncio.Protocol):
    """Enough of HTTP/1.1 for GET with keep-alive; bodies are rendered beforehand."""

    def __init__(self, pages: list[bytes]) -> None:
        self._pages, self._buffer = pages, b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        self._buffer += data
        while b"\r\n\r\n" in self._buffer:
            request, _, self._buffer = self._buffer.partition(b"\r\n\r\n")
            query = parse_qs(urlsplit(request.split(b" ", 2)[1].decode()).query)
            body = self._pages[min(int(query["offset"][0]) // PAGE, len(self._pages) - 1)]
            head = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n" % len(body)
            self._transport.writelines([head, body])


async def serve() -> None:
    pages = render_pages()
    server = await asyncio.get_running_loop().create_server(lambda: Pages(pages), "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    if sys.argv[1:] == ["serve"]:
        asyncio.run(serve())
    else:
        main()

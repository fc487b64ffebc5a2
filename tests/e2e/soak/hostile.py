"""The hostile clients of one project: each does one bad thing, again and again, until the time is over.

They hold themselves to what a machine with other users can bear: so many megabytes, processes one after another.
Prints how often each thing was done, and how it was answered.
"""

from __future__ import annotations

import gzip
import json
import socket
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Any
from urllib.parse import urlsplit

from tests.e2e.soak.calls import Client

ROOT = "/v2/storage"
PYTHON = "keboola.python-transformation-v2"
BLOB_MEGABYTES, MAX_BLOBS = 8, 20
SLOW_CONNECTIONS = 200
JOBS = 3_000
BOMB_MEMBER = gzip.compress(b"id,value\n" + b"1,x\n" * 2_500_000)
"""10 MB in some 10 kB; a gzip file may have any number of such members."""

SCRIPTS = {
    "a loop": "while True: pass",
    "memory": "held = []\nwhile True: held.append(bytearray(10_000_000))",
    "processes": "import subprocess, time\nwhile True:\n    subprocess.Popen(['sleep', '60'])\n    time.sleep(0.005)",
    "a full folder": "with open('out/files/big', 'wb') as file:\n    while True: file.write(b'x' * 1_000_000)",
    "deep folders": "import os\nfor _ in range(3000):\n    os.mkdir('d')\n    os.chdir('d')",
    "output": "while True: print('x' * 10_000)",
}


class Hostile:
    def __init__(self, wish: dict[str, Any]) -> None:
        self.wish, self.until = wish, time.monotonic() + wish["seconds"]
        self.responses: Counter[str] = Counter()

    def client(self, service: str = "storage") -> Client:
        return Client(self.wish[service], self.wish["tokens"][0])

    def is_time(self) -> bool:
        return time.monotonic() < self.until

    def note(self, name: str, status: int) -> None:
        self.responses[f"{name}: {status}"] += 1

    def flood(self) -> None:
        """Requests without a pause, half of them without a token."""
        clients = [self.client(), Client(self.wish["storage"], "no-token")]
        while self.is_time():
            for client in clients:
                self.note("flood", client.send("flood", "GET", f"{ROOT}/tokens/verify").status)
                client.calls.clear()

    def ask_for_much(self) -> None:
        """The largest answers that there are."""
        client, queue = self.client(), self.client("queue")
        while self.is_time():
            reply = client.send("much", "GET", f"{ROOT}/events?limit=10000")
            self.note("events", reply.status)
            self.note("jobs", queue.send("much", "GET", "/search/jobs?limit=500").status)

    def bomb(self) -> None:
        """Small files that are gigabytes once they are unpacked."""
        client = self.client()
        client.send("bucket", "POST", f"{ROOT}/buckets", {"name": "bombs", "stage": "in"})
        content = BOMB_MEMBER * self.wish["bombMembers"]
        for number in range(4):
            file = self._upload(client, content, f"bomb-{number}.csv.gz")
            if file:
                wish = {"name": f"bomb{number}", "dataFileId": file}
                reply = client.send("bomb", "POST", f"{ROOT}/buckets/in.c-bombs/tables-async", wish)
                self.note("bomb", reply.status)

    def fill(self) -> None:
        """Files, as many as this machine can spare."""
        client, content = self.client(), bytes(BLOB_MEGABYTES * 1_000_000)
        for number in range(MAX_BLOBS):
            if self.is_time():
                self.note("fill", 201 if self._upload(client, content, f"fill-{number}") else 400)

    def send_lists(self) -> None:
        """Lists at their limit and beyond, and documents as large and as deep as they may be."""
        client = self.client()
        client.send("bucket", "POST", f"{ROOT}/buckets", {"name": "lists", "stage": "in"})
        path, configs = f"{ROOT}/buckets/in.c-lists/metadata", f"{ROOT}/components/ex-generic-v2/configs"
        while self.is_time():
            for count in (10_000, 40_000):
                items = [{"key": f"k{number}", "value": "v" * 20} for number in range(count)]
                reply = client.send("list", "POST", path, {"provider": "me", "metadata": items})
                self.note(f"list of {count}", reply.status)
            wide = {f"k{number}": "v" * 50 for number in range(100_000)}
            reply = client.send("document", "POST", configs, {"name": "wide", "configuration": wide})
            self.note("document", reply.status)

    def define_tables(self) -> None:
        """Tables of as many columns as there may be, each a job."""
        client = self.client()
        client.send("bucket", "POST", f"{ROOT}/buckets", {"name": "wide", "stage": "in"})
        columns = [{"name": f"c{number}", "basetype": "STRING"} for number in range(1200)]
        for number in range(1000):
            if self.is_time():
                wish = {"name": f"t{number}", "columns": columns}
                reply = client.send("table", "POST", f"{ROOT}/buckets/in.c-wide/tables-definition", wish)
                self.note("table", reply.status)

    def wait(self) -> None:
        """Requests that wait for jobs, behind many others."""
        client = self.client()
        client.send("bucket", "POST", f"{ROOT}/buckets", {"name": "waits", "stage": "in"})
        while self.is_time():
            wish = {"name": f"t{time.monotonic_ns()}", "dataString": "id\n1\n"}
            self.note("wait", client.send("wait", "POST", f"{ROOT}/buckets/in.c-waits/tables", wish).status)

    def start_jobs(self) -> None:
        """Thousands, each of which will fail."""
        queue = self.client("queue")
        for _ in range(JOBS):
            if self.is_time():
                wish = {"component": "ex-generic-v2", "configData": {"parameters": {}}}
                self.note("job", queue.send("job", "POST", "/jobs", wish).status)

    def run_scripts(self) -> None:
        """Programs that use up whatever they can."""
        queue = self.client("queue")
        while self.is_time():
            for script in SCRIPTS.values():
                blocks = [{"name": "b", "codes": [{"name": "c", "script": [script]}]}]
                wish = {"component": PYTHON, "configData": {"parameters": {"blocks": blocks}}}
                self.note("script", queue.send("script", "POST", "/jobs", wish).status)
            time.sleep(5)

    def connect_slowly(self) -> None:
        """Connections that send a byte now and then, and never a whole request."""
        address, opened = urlsplit(self.wish["storage"]), list[socket.socket]()
        begin = f"POST {address.path}{ROOT}/events HTTP/1.1\r\nHost: {address.netloc}\r\nContent-Length: 100000\r\n"
        while self.is_time():
            with suppress(OSError):
                while len(opened) < SLOW_CONNECTIONS:
                    opened.append(socket.create_connection((address.hostname or "", address.port or 80), timeout=2))
                    opened[-1].sendall(begin.encode())
                    self.note("slow connection", 0)
            for connection in list(opened):
                try:
                    connection.sendall(b"X")
                except OSError:
                    opened.remove(connection)
                    self.note("slow connection cut", 0)
            time.sleep(1)

    def send_long_headers(self) -> None:
        """Header lines of ten megabytes, without a token."""
        address = urlsplit(self.wish["storage"])
        while self.is_time():
            with suppress(OSError), socket.create_connection((address.hostname or "", address.port or 80), 30) as line:
                line.sendall(f"GET {address.path}{ROOT} HTTP/1.1\r\nHost: {address.netloc}\r\nX-Long: ".encode())
                for _ in range(160):
                    line.sendall(b"x" * 65_536)
                line.sendall(b"\r\n\r\n")
                line.recv(100)
            self.note("long header", 0)
            time.sleep(0.5)

    def _upload(self, client: Client, content: bytes, name: str) -> int | None:
        made = client.send("prepare", "POST", f"{ROOT}/files/prepare", {"name": name, "federationToken": True})
        if made.status != 201:
            return None
        upload = made.document["absUploadParams"]
        endpoint, _, signature = upload["absCredentials"]["SASConnectionString"].partition(";")
        place = urlsplit(endpoint.removeprefix("BlobEndpoint=")).path.removeprefix(urlsplit(client.url).path)
        path = f"{place}/{upload['container']}/{upload['blobName']}?{signature.removeprefix('SharedAccessSignature=')}"
        reply = client.send("upload", "PUT", path, body=content, headers={"x-ms-blob-type": "BlockBlob"})
        return made.document["id"] if reply.status == 201 else None


Attack = Callable[[Hostile], None]
ATTACKS: tuple[Attack, ...] = (
    Hostile.flood,
    Hostile.flood,
    Hostile.flood,
    Hostile.ask_for_much,
    Hostile.bomb,
    Hostile.bomb,
    Hostile.fill,
    Hostile.send_lists,
    Hostile.define_tables,
    Hostile.wait,
    Hostile.wait,
    Hostile.start_jobs,
    Hostile.run_scripts,
    Hostile.connect_slowly,
)
"""One client each; with those of the honest projects they are fifty."""


def main() -> None:
    carry_out(Hostile(json.loads(sys.argv[1])), [*ATTACKS, Hostile.send_long_headers])


def carry_out(hostile: Hostile, attacks: Iterable[Attack]) -> None:
    """All at once, until the time is over."""
    threads = [threading.Thread(target=attack, args=(hostile,), daemon=True) for attack in attacks]
    for thread in threads:
        thread.start()
    while hostile.is_time():
        time.sleep(0.1)
    print(json.dumps(dict(hostile.responses)), flush=True)


if __name__ == "__main__":
    main()

"""Many synchronous deletes at once, and how long another request takes meanwhile.

Requests are due at fixed times, and measured from then: one that takes long delays those after it, which counts too.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from tests.benchmarks.lines import Line

if TYPE_CHECKING:
    from tests.benchmarks.stack.work import Office

DELETES = 200
TARGET = 50
PAUSE = 0.02

CLIENT = """
import http.client, sys, threading, time
host, port, path, token, pause = sys.argv[1:]
connection, taken, ended = http.client.HTTPConnection(host, int(port)), [], threading.Event()
threading.Thread(target=lambda: (sys.stdin.read(), ended.set()), daemon=True).start()
print("ready", flush=True)
due = time.perf_counter()
while not ended.wait(max(0.0, due - time.perf_counter())):
    connection.request("GET", path, headers={"X-StorageApi-Token": token})
    response = connection.getresponse()
    response.read()
    assert response.status == 200, response.status
    taken.append(time.perf_counter() - due)
    due += float(pause)
print(len(taken), 1000 * sorted(taken)[int(0.99 * len(taken))])
"""


def measure_deletes(office: Office) -> Iterator[Line]:
    """In one bucket, so that each waits for those before it."""
    best = min(_delete_all(office) for _ in range(office.bench.rounds))
    yield Line(f"tokens/verify beside {DELETES} synchronous deletes, p99", best, TARGET, unit="ms")


def _delete_all(office: Office) -> float:
    bucket, tables = office.bucket(), [f"d{number}" for number in range(DELETES)]
    with ThreadPoolExecutor(8) as clients:
        list(clients.map(lambda name: _create(office, bucket, name), tables))
    client = _start_client(office)
    with ThreadPoolExecutor(DELETES) as clients:
        statuses = set(clients.map(lambda name: _delete(office, f"{bucket}.{name}"), tables))
    assert statuses <= {204, 409}, statuses  # 409: on a slow machine the last ones take longer than a request waits
    said, _ = client.communicate()
    assert client.returncode == 0
    count, slowest = said.split()
    assert int(count) > 100, "too few requests to tell"
    return float(slowest)


def _create(office: Office, bucket: str, name: str) -> None:
    office.post(f"buckets/{bucket}/tables", {"name": name, "dataString": "id\n1\n"})


def _delete(office: Office, table: str) -> int:
    return office.stack.storage.delete(f"/v2/storage/tables/{table}?force=1").status


def _start_client(office: Office) -> subprocess.Popen[str]:
    """A process of its own: threads of this one would wait for each other."""
    address = urlsplit(office.stack.storage.base)
    path = f"{address.path}/v2/storage/tokens/verify"
    arguments = [address.hostname or "", str(address.port), path, office.stack.greeting["token"], str(PAUSE)]
    started = subprocess.Popen(
        [sys.executable, "-c", CLIENT, *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert started.stdout
    assert started.stdout.readline() == "ready\n"
    return started

"""The honest clients of some projects: each has a table, a configuration and a run id of its own, and records what the
stack has acknowledged. It says when it is ready, begins when it is told to and, unless it has a time, ends when it is
told to; then it prints one JSON document: all requests with their times, and all acknowledgements."""

from __future__ import annotations

import json
import math
import socket
import struct
import sys
import threading
import time
from typing import Any
from urllib.parse import urlsplit

from tests.e2e.soak.calls import BROKEN, TIMEOUT, Call, Client
from tests.e2e.soak.queries import Queries

ROOT = "/v2/storage"
ROWS_PER_LOAD, LOOK_SECONDS = 50, 0.5
LOAD_EVERY = 6
END_SECONDS = 120
"""How long an honest client waits for what it has begun, when the time is over."""


class Honest:
    def __init__(self, wish: dict[str, Any], token: str, number: int) -> None:
        self.name = f"c{number}"
        self.storage, self.queue = Client(wish["storage"], token), Client(wish["queue"], token)
        self.queries = Queries(wish, token) if number == 1 and token in wish.get("queryTokens", ()) else None
        self.sql_port: int | None = wish["sqlPort"]
        self.until = time.monotonic()
        self.runs_jobs = number == 0
        self.domain = wish["domain"]
        self.bucket, self.table = f"in.c-{self.name}", f"in.c-{self.name}.t"
        self.rows: list[str] = []
        self.events = self.versions = self.jobs = 0
        self.waits: list[float] = []
        """How long each load took until its rows were there, and each job until it had ended."""
        self.unfinished: list[str] = []

    def run(self, seconds: float | None, pause: float) -> None:
        turn, self.until = 0, math.inf if seconds is None else time.monotonic() + seconds
        while time.monotonic() < self.until:
            turn += 1
            self._look()
            self._write()
            if turn % LOAD_EVERY == 1:
                self._load(f"{self.name}-{turn}")
            if self.queries:
                self.queries.run()
            if self.sql_port:
                self._knock()
            if self.runs_jobs and turn % (2 * LOAD_EVERY) == 1:
                self._run_job()
            time.sleep(pause)

    def begin(self) -> None:
        """What it needs; not measured, since nobody else is there yet."""
        send = self.storage.send
        send("create bucket", "POST", f"{ROOT}/buckets", {"name": self.name, "stage": "in"})
        columns = [{"name": "id"}, {"name": "value"}]
        made = send(
            "create table",
            "POST",
            f"{ROOT}/buckets/{self.bucket}/tables-definition",
            {"name": "t", "columns": columns, "primaryKeysNames": ["id"]},
        )
        self._finish(made.document["id"], "create table")
        body = {"name": self.name, "configurationId": self.name, "configuration": {"n": 0}}
        made = send("create configuration", "POST", f"{ROOT}/components/ex-generic-v2/configs", body)
        self.versions += made.status == 201
        if self.queries:
            self.queries.begin(self.bucket)
        self.storage.calls.clear()
        self.waits.clear()

    def _look(self) -> None:
        self.storage.send("verify", "GET", f"{ROOT}/tokens/verify")
        self.storage.send("table", "GET", f"{ROOT}/tables/{self.table}")
        self.storage.send("preview", "GET", f"{ROOT}/tables/{self.table}/data-preview?limit=10")
        self.queue.send("jobs", "GET", "/search/jobs?limit=10")
        self.storage.send("log", "GET", f"{ROOT}/events?runId=soak-{self.name}&limit=100")

    def _knock(self) -> None:
        """Ask the SQL port whether it has TLS, as drivers do first."""
        begin, status, detail = time.monotonic(), 200, ""
        try:
            with socket.create_connection(("127.0.0.1", self.sql_port), TIMEOUT) as connection:
                connection.sendall(struct.pack(">II", 8, 80877103))
                if connection.recv(1) not in (b"N", b"S"):
                    status, detail = BROKEN, "closed"
        except OSError as error:
            status, detail = BROKEN, repr(error)
        self.storage.calls.append(Call("sql port", time.monotonic() - begin, status, detail, begin))

    def _write(self) -> None:
        event = {"message": "here", "component": "ex-generic-v2", "runId": f"soak-{self.name}"}
        self.events += self.storage.send("event", "POST", f"{ROOT}/events", event).status == 201
        path = f"{ROOT}/components/ex-generic-v2/configs/{self.name}"
        body = {"configuration": {"n": self.versions}}
        self.versions += self.storage.send("configuration", "PUT", path, body).status == 200

    def _load(self, name: str) -> None:
        """A file and its import; its rows count once the job says that they are there."""
        ids = [f"{name}-{number}" for number in range(ROWS_PER_LOAD)]
        made = self.storage.send("prepare", "POST", f"{ROOT}/files/prepare", {"name": name, "federationToken": True})
        if made.status != 201:
            return
        content = "id,value\n" + "".join(f"{each},x\n" for each in ids)
        upload = made.document["absUploadParams"]
        endpoint, _, signature = upload["absCredentials"]["SASConnectionString"].partition(";")
        place = urlsplit(endpoint.removeprefix("BlobEndpoint=")).path
        below = place.removeprefix(urlsplit(self.storage.url).path)
        path = f"{below}/{upload['container']}/{upload['blobName']}?{signature.removeprefix('SharedAccessSignature=')}"
        headers = {"x-ms-blob-type": "BlockBlob"}
        if self.storage.send("upload", "PUT", path, body=content.encode(), headers=headers).status != 201:
            return
        wish = {"dataFileId": made.document["id"], "incremental": 1}
        begun = self.storage.send("import", "POST", f"{ROOT}/tables/{self.table}/import-async", wish)
        if begun.status == 202 and self._finish(begun.document["id"], "load"):
            self.rows += ids

    def _finish(self, job_id: object, what: str) -> bool:
        begin = time.monotonic()
        while time.monotonic() < self.until + END_SECONDS:
            job = self.storage.send("storage job", "GET", f"{ROOT}/jobs/{job_id}").document
            if job and job.get("status") in ("success", "error", "cancelled"):
                self.waits.append(time.monotonic() - begin)
                if job["status"] != "success":
                    self.unfinished.append(f"{what}: {job.get('error')}")
                return job["status"] == "success"
            time.sleep(LOOK_SECONDS)
        self.unfinished.append(f"{what}: storage job {job_id}")
        return False

    def _run_job(self) -> None:
        api = {"baseUrl": f"http://sample.{self.domain}/", "pagination": {"method": "offset", "limit": 100}}
        jobs = [{"endpoint": "customers", "dataField": "customers"}]
        document = {"parameters": {"api": api, "config": {"outputBucket": "soak", "jobs": jobs}}}
        made = self.queue.send("create job", "POST", "/jobs", {"component": "ex-generic-v2", "configData": document})
        begin = time.monotonic()
        while made.status == 201 and time.monotonic() < self.until + END_SECONDS:
            job = self.queue.send("job", "GET", f"/jobs/{made.document['id']}").document
            if job and job.get("isFinished"):
                self.waits.append(time.monotonic() - begin)
                self.jobs += job["status"] == "success"
                if job["status"] != "success":
                    self.unfinished.append(f"job: {job['result']}")
                return
            time.sleep(LOOK_SECONDS)
        self.unfinished.append(f"job {made.document}")

    def report(self) -> dict[str, Any]:
        return {
            "table": self.table,
            "configuration": self.name,
            "rows": self.rows,
            "events": self.events,
            "versions": self.versions,
            "jobs": self.jobs,
            "waits": self.waits,
            "unfinished": self.unfinished,
            "calls": [*self.storage.calls, *self.queue.calls, *(self.queries.calls if self.queries else ())],
        }


def main() -> None:
    wish = json.loads(sys.argv[1])
    clients = [Honest(wish, token, number) for token in wish["tokens"] for number in range(wish["clients"])]
    for client in clients:
        client.begin()
    print("ready", flush=True)
    sys.stdin.readline()
    threads = [threading.Thread(target=client.run, args=[wish["seconds"], wish["pause"]]) for client in clients]
    for thread in threads:
        thread.start()
        # Not all in the same moment: that would measure their beginning.
        time.sleep(wish["pause"] / len(clients))
    if wish["seconds"] is None:
        sys.stdin.readline()
        for client in clients:
            client.until = time.monotonic()
    for thread in threads:
        thread.join()
    print(json.dumps([client.report() for client in clients]))


if __name__ == "__main__":
    main()

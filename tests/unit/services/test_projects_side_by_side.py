"""PostgreSQL: several projects write at once, share buckets with each other and have their jobs claimed. No request
fails because of another's, and everything that was accepted is there, once."""

from __future__ import annotations

import random
import threading
import time
from collections import Counter
from collections.abc import Callable, Generator
from concurrent.futures import ThreadPoolExecutor, wait
from pathlib import Path
from typing import Any

import pytest

from penstock.foundation.stack import Stack
from penstock.services.queue.models.results import Result
from penstock.services.queue.models.statuses import Status
from penstock.services.queue.reports.job_events import caller_of
from penstock.services.queue.running import leases
from penstock.services.storage.store import buckets
from tests.support.http import Http, Response
from tests.support.postgresql import NewStack
from tests.support.stacks import ServicesOnly
from tests.unit.services.fill import Project, add_project, first_project

PROJECTS, THREADS_OF_EACH, ROUNDS, CLAIMERS = 4, 2, 4, 3
CONFIGS = "/v2/storage/components/ex-generic-v2/configs"
BUCKETS = "/v2/storage/buckets"
WAITED_SECONDS = 0.3


@pytest.fixture
def services(new_stack_on_postgresql: NewStack, tmp_path: Path) -> Generator[ServicesOnly]:
    made = new_stack_on_postgresql.copy(tmp_path / "data")
    yield made
    made.close()


class Client:
    """What one thread does for its project, and what came of it."""

    def __init__(self, services: ServicesOnly, project: Project, source: Project, target: Project, seed: int) -> None:
        self.id = project.caller.project_id
        self._source, self._target = source.caller.project_id, target.caller.project_id
        self._storage = services.service("connection", project.token)
        self._queue = services.service("queue", project.token)
        self._random = random.Random(seed)
        self.done = Counter[tuple[int, str]]()
        """By whose it is, and what."""

    def run(self) -> Counter[tuple[int, str]]:
        steps = (self._configure, self._emit, self._use_token, self._start_job, self._link, self._unlink, self._share)
        for _ in range(ROUNDS):
            for step in self._random.sample(steps, len(steps)):
                step()
        return self.done

    def _configure(self) -> None:
        self._must(self._storage.post(CONFIGS, {"name": "any", "configuration": {}}), 201, "configuration")

    def _emit(self) -> None:
        event = {"message": "counted", "component": "ex-generic-v2", "type": "info"}
        self._must(self._storage.post("/v2/storage/events", event), 201, "event")

    def _use_token(self) -> None:
        made = self._must(self._storage.post("/v2/storage/tokens", {"description": "short-lived"}), 201, "token")
        self._must(self._storage.delete(f"/v2/storage/tokens/{made.json['id']}"), 204, "deleted token")

    def _start_job(self) -> None:
        job = {"component": "ex-generic-v2", "mode": "run", "configData": {"parameters": {}}}
        self._must(self._queue.post("/jobs", job), 201, "job")

    def _link(self) -> None:
        """Refused while the source does not share its bucket, or when it is linked already."""
        link = {"name": "linked", "stage": "in", "sourceProjectId": self._source, "sourceBucketId": "in.c-main"}
        self._may(self._storage.post(BUCKETS, link), 201, self.id, "link")

    def _unlink(self) -> None:
        """Take away what the target sees of this project's bucket."""
        removed = self._storage.delete(f"{BUCKETS}/in.c-main/links/{self._target}")
        self._may(removed, 202, self._target, "removed link")

    def _share(self) -> None:
        self._must(self._storage.post(f"{BUCKETS}/in.c-main/share-organization", {}), 202, "sharing")
        if self._random.random() < 0.5:
            self._may(self._storage.delete(f"{BUCKETS}/in.c-main/share"), 202, self.id, "unsharing")

    def _must(self, response: Response, status: int, what: str) -> Response:
        assert response.status == status, (what, response.status, response.text)
        self.done[self.id, what] += 1
        return response

    def _may(self, response: Response, status: int, whose: int, what: str) -> None:
        assert response.status in (status, 400, 404), (what, response.status, response.text)
        self.done[whose, what] += response.status == status


def test_projects_that_write_share_and_claim_at_once_lose_nothing(services: ServicesOnly) -> None:
    projects = [first_project(services), *(add_project(services, f"{number}") for number in range(1, PROJECTS))]
    for project in projects:
        made = _storage(services, project).post(BUCKETS, {"name": "main", "stage": "in"})
        assert made.status == 201, made.text
    configured = [_count(services, project, CONFIGS) for project in projects]
    clients = [
        Client(services, project, projects[number - 1], projects[(number + 1) % PROJECTS], 10 * number + thread)
        for number, project in enumerate(projects)
        for thread in range(THREADS_OF_EACH)
    ]
    expected = len(clients) * ROUNDS
    stack = services.stack.with_settings(jobs_per_project=2)

    no_more = threading.Event()
    with ThreadPoolExecutor(len(clients) + CLAIMERS) as pool:
        claimers = [pool.submit(_claim_all, stack, f"worker-{number}", no_more) for number in range(CLAIMERS)]
        working = [pool.submit(client.run) for client in clients]
        wait(working)
        no_more.set()
        done = sum((each.result() for each in working), Counter[tuple[int, str]]())
        claimed = [job for each in claimers for job in each.result()]

    assert len(claimed) == len(set(claimed)) == expected
    for project, before in zip(projects, configured, strict=True):
        own = project.caller.project_id
        storage = _storage(services, project)
        assert _count(services, project, CONFIGS) - before == THREADS_OF_EACH * ROUNDS
        assert _count(services, project, "/v2/storage/tokens") == 1
        counted = storage.get("/v2/storage/events?limit=1000&q=message:counted").json
        assert len(counted) == THREADS_OF_EACH * ROUNDS
        ids = [int(event["id"]) for event in counted]
        assert ids == sorted(ids, reverse=True)
        linked = [bucket for bucket in storage.get(BUCKETS).json if bucket.get("isLinkedBucket")]
        assert len(linked) == done[own, "link"] - done[own, "removed link"] <= 1
        assert all(_is_shared(services, bucket["sourceBucket"]) for bucket in linked)
    assert sum(done[project.caller.project_id, "removed link"] for project in projects) > 0


Act = Callable[[Http, int], Response]
"""Of the owner of a bucket that is shared and linked, with the project that links it."""
ACTS: dict[str, Act] = {
    "share": lambda owner, _: owner.post(f"{BUCKETS}/in.c-main/share-to-projects", {"targetProjectIds": []}),
    "unshare": lambda owner, _: owner.delete(f"{BUCKETS}/in.c-main/share"),
    "unlink": lambda owner, target: owner.delete(f"{BUCKETS}/in.c-main/links/{target}"),
    "delete": lambda owner, _: owner.delete(f"{BUCKETS}/in.c-main?force=1"),
}


@pytest.mark.parametrize("act", ACTS.values(), ids=ACTS.keys())
def test_an_owner_waits_for_whoever_writes_in_a_project_that_may_link_its_bucket(
    services: ServicesOnly, act: Act
) -> None:
    """Otherwise a link could be made to what is no longer shared."""
    owner, target = first_project(services), add_project(services)
    _storage(services, owner).post(BUCKETS, {"name": "main", "stage": "in"})
    _storage(services, owner).post(f"{BUCKETS}/in.c-main/share-organization", {})
    assert _link(services, owner, target).status == 201

    with ThreadPoolExecutor(1) as pool:
        with services.stack.database.writing(target.caller.project_id):
            acting = pool.submit(act, _storage(services, owner), target.caller.project_id)
            time.sleep(WAITED_SECONDS)
            assert _storage(services, target).get(f"{BUCKETS}/in.c-linked").status == 200
            assert _storage(services, owner).get(f"{BUCKETS}/in.c-main").json["sharing"] == "organization"
            assert not acting.done()
        assert acting.result().status in (202, 204, 400)


def test_a_project_that_links_a_bucket_waits_for_whoever_writes_in_the_owners(services: ServicesOnly) -> None:
    owner, target = first_project(services), add_project(services)
    _storage(services, owner).post(BUCKETS, {"name": "main", "stage": "in"})
    _storage(services, owner).post(f"{BUCKETS}/in.c-main/share-organization", {})

    with ThreadPoolExecutor(1) as pool:
        with services.stack.database.writing(owner.caller.project_id):
            linking = pool.submit(_link, services, owner, target)
            time.sleep(WAITED_SECONDS)
            assert not linking.done()
        assert linking.result().status == 201


def _link(services: ServicesOnly, owner: Project, target: Project) -> Response:
    source = {"sourceProjectId": owner.caller.project_id, "sourceBucketId": "in.c-main"}
    return _storage(services, target).post(BUCKETS, {"name": "linked", "stage": "in", **source})


def _claim_all(stack: Stack, worker: str, no_more: threading.Event) -> list[int]:
    """Until there are no more jobs to come, and none is left."""
    claimed = list[int]()
    while True:
        is_last = no_more.is_set()
        if job := leases.claim_job(stack, worker):
            claimed.append(job.id)
            ending = leases.JobOutcome(status=Status.SUCCESS, result=Result(message="done"))
            leases.finish_job(stack, caller_of(job), job, ending)
        elif is_last:
            return claimed
        else:
            time.sleep(0.02)


def _is_shared(services: ServicesOnly, source: dict[str, Any]) -> bool:
    with services.stack.database.reading() as tx:
        found = buckets.find_shared(tx, source["project"]["id"], source["id"], source["project"]["id"])
    return found is not None and found.sharing is not None


def _storage(services: ServicesOnly, project: Project) -> Http:
    return services.service("connection", project.token)


def _count(services: ServicesOnly, project: Project, path: str) -> int:
    return len(_storage(services, project).get(path).json)

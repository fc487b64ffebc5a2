"""Components for tests: a few lines of Python, added to a stack as anybody adds their own, and run in this process."""

from __future__ import annotations

import json
from pathlib import Path
from textwrap import dedent
from typing import Any

from sqlalchemy import text

from penstock.runtime.sandboxing import SandboxRule
from penstock.services.developer import interface as developer
from penstock.services.queue.execution import Execution
from penstock.services.queue.models.jobs import JobRow
from penstock.services.queue.reports.job_events import caller_of
from penstock.services.queue.running import leases
from penstock.services.queue.running.monitor import JobMonitor
from penstock.services.queue.worker import launchers
from tests.support.stacks import ServicesOnly

START = """
import json, os, sys
from pathlib import Path
os.chdir(os.environ["KBC_DATADIR"])
config = json.loads(Path("config.json").read_text())
out = Path("out")


def write_table(name, text, **manifest):
    (out / "tables" / name).write_text(text)
    (out / "tables" / f"{name}.manifest").write_text(json.dumps(manifest))

"""


def add_component(services: ServicesOnly, folder: Path, component_id: str, script: str, **manifest: Any) -> None:
    folder = folder / component_id
    folder.mkdir()
    (folder / "main.py").write_text(START + dedent(script))
    known = {"id": component_id, "name": "Test", "type": "application", "command": ["python", "main.py"]}
    (folder / "component.json").write_text(json.dumps(known | manifest))
    with services.stack.database.writing() as tx:
        developer.add_component(tx, developer.read_folder(folder))


def create_job(services: ServicesOnly, component_id: str, **wish: Any) -> str:
    response = services.service("queue").post("/jobs", {"component": component_id, **wish})
    assert response.status == 201, response.text
    return response.json["id"]


def claim(services: ServicesOnly) -> JobRow:
    job = leases.claim_job(services.stack, "test")
    assert job
    return job


def claim_again(services: ServicesOnly) -> JobRow:
    """As another worker does when the first has stopped renewing its lease."""
    with services.stack.database.writing() as tx:
        tx.change(text("UPDATE queue_jobs SET lease_until = '2000-01-01 00:00:00.000000' WHERE NOT is_finished"))
    return claim(services)


def execute(services: ServicesOnly, job: JobRow, launcher: str = "process") -> dict[str, Any]:
    with JobMonitor(services.stack, caller_of(job), job) as monitor:
        Execution(
            services.stack, job, monitor, launchers(launcher, SandboxRule(setting="auto"), services.stack.database)
        ).run()
    return services.service("queue").get(f"/jobs/{job.id}").json


def run(services: ServicesOnly, component_id: str, **wish: Any) -> dict[str, Any]:
    create_job(services, component_id, **wish)
    return execute(services, claim(services))


def configure(services: ServicesOnly, component_id: str, rows: tuple[str, ...] = ()) -> None:
    storage, path = services.service("storage"), f"/v2/storage/components/{component_id}/configs"
    assert storage.post(path, {"name": "x", "configurationId": "x"}).status == 201
    for row_id in rows:
        document = {"parameters": {"row": row_id}}
        wish = {"rowId": row_id, "name": row_id, "configuration": document}
        assert storage.post(f"{path}/x/rows", wish).status == 201


def preview(services: ServicesOnly, table_id: str) -> list[str]:
    response = services.service("storage").get(f"/v2/storage/tables/{table_id}/data-preview")
    return sorted(response.text.splitlines()[1:])


def messages(services: ServicesOnly, job: dict[str, Any]) -> list[str]:
    events = services.service("storage").get(f"/v2/storage/events?runId={job['id']}&limit=10000").json
    return [event["message"] for event in reversed(events)]

"""How far a job has come. It is stored with the job, so that a worker that takes it over continues from there."""

from __future__ import annotations

from typing import Any

import msgspec

from penstock.runtime.input_mapping import Fetched
from penstock.services.queue.models.jobs import JobRow
from penstock.services.queue.models.results import Image, TableRef, Variable


class PartDone(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The result of a part."""

    row_id: str | None = None
    images: list[Image] = []
    inputs: list[TableRef] = []
    outputs: list[TableRef] = []
    variables: list[Variable] = []
    """The variables that were used in its configuration."""
    output_variables: list[Variable] = []
    downloaded: list[int] = []
    uploaded: list[int] = []
    """Artifacts."""
    input_bytes: int = 0
    output_bytes: int = 0
    warnings: list[str] = []
    """What the component reported, and what loading its tables did."""


class Collected(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The component is done with a part, and its output is complete on disk: it only has to be stored."""

    part: int
    attempt: int
    """The attempt whose folder it is in."""
    done: PartDone
    """The result of the part so far."""
    mapping: dict[str, Any] = {}
    """What the configuration said of storage and artifacts; it may have been changed since."""
    fetched: Fetched = Fetched()
    """What came in: its state is kept, and files get their tags, when everything is stored."""


class Progress(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    collected: Collected | None = None
    done: list[PartDone] = []
    usage: list[Any] = []
    run_token: int | None = msgspec.field(name="lent_token", default=None)
    """The token that a program was given; a worker that takes the job over deletes it."""

    def with_part(self, part: PartDone) -> Progress:
        return Progress(done=[*self.done, part], usage=self.usage)


def read_progress(job: JobRow) -> Progress:
    return msgspec.json.decode(job.progress, type=Progress) if job.progress else Progress()

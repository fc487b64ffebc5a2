"""What Queue publishes, if a project wants to be notified of it."""

from __future__ import annotations

from typing import ClassVar

from penstock.foundation.events import Event


class JobEnded(Event, frozen=True, kw_only=True):
    name: ClassVar[str] = "queue.jobEnded"

    job_id: int


class PhaseEnded(Event, frozen=True, kw_only=True):
    name: ClassVar[str] = "queue.phaseEnded"

    job_id: int
    """Of the whole flow."""
    phase_id: str
    phase_name: str
    status: str
    message: str = ""

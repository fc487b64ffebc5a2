"""What can go wrong with jobs, by name."""

from __future__ import annotations

from penstock.foundation.errors import NotFound


class JobNotFound(NotFound):
    def __init__(self, job_id: str) -> None:
        super().__init__(f'Job "{job_id}" not found')

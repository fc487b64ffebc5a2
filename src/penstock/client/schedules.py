"""The schedules of a project: activate, list, delete."""

from __future__ import annotations

from urllib.parse import quote

from penstock.client.models import NewSchedule, Schedule
from penstock.client.transport import Transport


class Schedules:
    """`url` is the address of the scheduler."""

    def __init__(self, url: str, transport: Transport) -> None:
        self._url, self._transport = f"{url}/schedules", transport

    def list(self) -> list[Schedule]:
        """Oldest first."""
        return self._transport.get(self._url, list[Schedule])

    def activate(self, config_id: str) -> Schedule:
        """Make a schedule of the newest version of a configuration of keboola.scheduler, or change it to that."""
        return self._transport.post(self._url, NewSchedule(configuration_id=config_id), Schedule)

    def delete(self, schedule_id: str) -> None:
        """The configuration is kept."""
        self._transport.delete(f"{self._url}/{quote(schedule_id, safe='')}")

"""Errors of Scheduler."""

from __future__ import annotations

from penstock.foundation.errors import Invalid, NotFound


class ScheduleNotFound(NotFound):
    def __init__(self, schedule_id: str) -> None:
        super().__init__(f'Schedule "{schedule_id}" not found.')


class InvalidSchedule(Invalid):
    """The configuration is not a valid schedule; the message names the field."""

    def __init__(self, configuration_id: str, problem: str) -> None:
        super().__init__(f'Configuration "{configuration_id}" of keboola.scheduler is not a valid schedule: {problem}')


class InvalidCron(Invalid): ...


class InvalidZone(Invalid):
    def __init__(self, name: str) -> None:
        super().__init__(
            f'"{name[:50]}" is not a time zone. '
            "Use a name of the IANA database, such as Europe/Prague, or an offset, such as +0100."
        )


class NeverRuns(Invalid):
    def __init__(self, cron_tab: str) -> None:
        super().__init__(f'"{cron_tab}" matches no day of the calendar, so it would never run.')


class TooManySchedules(Invalid):
    def __init__(self, limit: int) -> None:
        super().__init__(f"The project has {limit:,} schedules. Delete some that are not needed any more.")


class ComponentAndConfiguration(Invalid):
    def __init__(self) -> None:
        super().__init__("Send both componentId and configurationId, or neither.")


class TokenRevoked(Invalid):
    def __init__(self, schedule_id: int) -> None:
        super().__init__(
            "The token of the schedule was deleted or has expired. "
            f"Create another: POST /schedules/{schedule_id}/refreshToken"
        )

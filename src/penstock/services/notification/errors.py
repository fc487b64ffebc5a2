"""Errors of Notification."""

from __future__ import annotations

from penstock.foundation.errors import Invalid, NotFound


class SubscriptionNotFound(NotFound):
    def __init__(self, subscription_id: str) -> None:
        super().__init__(f'Subscription "{subscription_id}" not found')


class InvalidNotification(Invalid):
    """The message names the field."""

    def __init__(self, field: str, problem: str) -> None:
        super().__init__(f"{field}: {problem}")
        self.faults = ({"path": field, "message": problem},)


class InvalidSubscription(InvalidNotification):
    """It cannot be created like this."""


class InvalidRecipient(InvalidNotification):
    """Nothing can be sent there."""


class TooManySubscriptions(Invalid):
    def __init__(self, limit: int) -> None:
        super().__init__(f"The project has {limit:,} subscriptions. Delete some that are not needed any more.")

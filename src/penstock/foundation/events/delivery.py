"""The worker that delivers events: creates a delivery for each reaction, and runs them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec

from penstock.foundation import clock
from penstock.foundation.database import Database, Transaction
from penstock.foundation.events import outbox
from penstock.foundation.events.event import Reaction
from penstock.foundation.events.outbox import NOBODY, Delivery
from penstock.foundation.jobs.claims import LeaseLost
from penstock.foundation.jobs.worker import Worker
from penstock.foundation.logging import Log

log = Log("events")

ATTEMPTS = 20
"""More than an hour. Then the delivery is abandoned, so that later events of the project reach the reaction."""
MAX_DELAY = 300.0


class EventWorker(Worker[Delivery]):
    """One delivery at a time; other workers deliver for other projects or reactions."""

    def __init__(
        self,
        database: Database,
        name: str,
        reactions: Sequence[Reaction],
        is_paused: Callable[[], bool] = lambda: False,
    ) -> None:
        """Nothing is claimed while `is_paused()`: on a full disk, reactions could not record what they do."""
        super().__init__(database, name, outbox.CLAIMS)
        self._is_paused = is_paused
        self._reactions = {reaction.name: reaction for reaction in reactions}

    def claim(self) -> Delivery | None:
        if self._is_paused():
            return None
        with self._database.claiming() as tx:
            return outbox.claim(tx, self.name, clock.now())

    def perform(self, job: Delivery) -> None:
        try:
            with self._database.writing(job.project_id) as tx:
                # First, so that nothing is done for a delivery that another worker has claimed since.
                outbox.finish(tx, job)
                self._deliver(tx, job)
        except LeaseLost:
            raise
        except Exception as error:
            self._retry(job, error)

    def _deliver(self, tx: Transaction, delivery: Delivery) -> None:
        if delivery.reaction == NOBODY:
            outbox.hand_out(tx, delivery, self._list_reactions(delivery.event))
        elif reaction := self._reactions.get(delivery.reaction):
            reaction.react(tx, msgspec.json.decode(delivery.content, type=reaction.event))
        else:
            log.warning("reaction no longer exists", reaction=delivery.reaction, event=delivery.event)

    def _list_reactions(self, event: str) -> list[str]:
        return [name for name, reaction in self._reactions.items() if reaction.event.name == event]

    def _retry(self, delivery: Delivery, error: Exception) -> None:
        """Try again after growing delays; after the last attempt it is abandoned."""
        facts = {"event": delivery.event, "reaction": delivery.reaction, "attempt": delivery.attempt, "id": delivery.id}
        log.error("delivery of an event failed", exception=error, **facts)
        reason = f"{type(error).__name__}: {error}"
        with self._database.writing(delivery.project_id) as tx:
            if delivery.attempt < ATTEMPTS:
                outbox.delay(tx, delivery, min(2.0**delivery.attempt, MAX_DELAY), reason)
            else:
                outbox.finish(tx, delivery, reason)

"""Events between services: lower services publish them, higher ones react.

event.py     what an event and a reaction are
outbox.py    the table of events that are not delivered yet; publish() adds to it
delivery.py  the worker that delivers them

An event is published in the transaction that makes it true, so it exists if and only if the change was committed. It is
delivered to every reaction, and a reaction runs in the transaction that records it as done: whenever a worker is
killed, both have happened or neither. The events of a project reach a reaction in the order of their publication.

These are not the events of Storage, which users read as a log.
"""

from penstock.foundation.events.delivery import EventWorker
from penstock.foundation.events.event import Event, Reaction, on
from penstock.foundation.events.outbox import maintain, publish

__all__ = ["Event", "EventWorker", "Reaction", "maintain", "on", "publish"]

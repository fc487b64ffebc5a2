"""A component's log as GELF records: JSON objects that it sends to a port of its run's own.

records.py      what a record says, and how much of it is shown
messages.py     bytes into records: compressed, in chunks, too large
listener.py     the port: tcp, udp or http
"""

from penstock.runtime.gelf.listener import Listener
from penstock.runtime.gelf.records import Record, to_line

__all__ = ["Listener", "Record", "to_line"]

"""How long the lists may be that a request, a configuration or a manifest holds.

Every list that becomes rows of the database has its limit here, and it is checked before the work begins. Each is above
what clients send and low enough that a writing transaction with a list of that length ends within a second.
"""

from __future__ import annotations

COLUMNS = 1_200
"""Of a table."""

"""Limits on clients before their tokens are checked, on both ports."""

from __future__ import annotations

HEAD_BYTES = 64 * 1024
"""The request line and all headers together; trailers too."""
HEADERS = 100
"""In number; granian's HTTP/1.1 has the same limit."""
HEAD_SECONDS = 20.0
"""For a complete head, from the connection or from its first byte; over TLS the handshake is included."""
UNREAD_BYTES = 1024 * 1024 * 1024
UNREAD_SECONDS = 60.0
"""How much of a body is read and discarded after the response: many clients read the response only after sending
everything."""
LINGER_SECONDS = 2.0
"""How long a refused client has to read the reason, while what it still sends is discarded."""
IDLE_SECONDS = 300.0
"""How long an HTTP/2 connection may stay without a request."""
CHECK_TICKS = 10
"""How often connections are checked; a tick of the server is a tenth of a second."""

"""Examples of the portal: one request of every operation, sent to a real stack, and what it responded."""

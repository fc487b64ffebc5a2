"""From a response to its records: formats, large bodies, and what surrounds the records."""

"""How long a test waits for what should take moments: others may use the machine, and who waits for nothing fails."""

PATIENCE = 180.0

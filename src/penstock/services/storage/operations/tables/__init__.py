"""Tables: their definitions, their changes, and their rows."""

"""On the module path of scripts; only what Python itself imports at startup belongs here."""

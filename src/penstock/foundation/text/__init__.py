"""Texts and documents: quoted for SQL, read as YAML, brought into shape, and messages that are shown once."""

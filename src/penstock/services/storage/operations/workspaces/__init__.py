"""Workspaces: databases for SQL, their credentials, and rows that go in and out."""

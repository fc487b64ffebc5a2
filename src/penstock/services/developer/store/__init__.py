"""The SQL of Developer: a file per table."""

"""The SQL of signing in, by table."""

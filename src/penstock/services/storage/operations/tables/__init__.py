"""Buckets' tables: what they are, what happens to them, and the rows in them."""

"""Penstock: a whole data platform in one `pip install`."""

__version__ = "0.1.0"

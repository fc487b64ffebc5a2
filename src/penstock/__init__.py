"""Penstock: a whole data platform in one `pip install`."""

__version__ = "0.5.0"

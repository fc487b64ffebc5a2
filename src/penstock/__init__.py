"""Penstock: a whole data platform in one `pip install`."""

from importlib.metadata import version

__version__ = version("penstock")

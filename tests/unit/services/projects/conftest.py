"""Everything about projects is tried on both databases."""

from tests.unit.services.each_database import services, shared

__all__ = ["services", "shared"]

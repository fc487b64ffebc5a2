"""The SQL of Management, by resource. Every table is known as soon as one of them is used."""

from penstock.services.management.store import features, invitations, maintainers, metadata, organizations, purchases

__all__ = ["features", "invitations", "maintainers", "metadata", "organizations", "purchases"]

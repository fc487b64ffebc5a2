"""Maintainers, organizations and projects alike: what one can be a member of."""

from __future__ import annotations

from penstock.foundation.database import Transaction
from penstock.services.management.models.people import Level
from penstock.services.management.store import maintainers, organizations, projects


def get_name(tx: Transaction, level: Level, owner_id: int) -> str:
    finders = {
        "maintainer": maintainers.find_maintainer,
        "organization": organizations.find_organization,
        "project": projects.find_project,
    }
    found = finders[level](tx, owner_id)
    return found.name if found else ""

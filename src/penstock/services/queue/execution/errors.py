"""How a job can fail."""

from __future__ import annotations

from penstock.foundation.errors import Invalid


class ComponentFailed(Invalid):
    """The component ended with an error that its user can fix."""


class ComponentBroken(Exception):
    """The component ended in a way that is not its user's fault."""

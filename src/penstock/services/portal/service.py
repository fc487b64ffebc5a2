"""What the stack has to know of Portal."""

from __future__ import annotations

from penstock.foundation.stacks import PORTAL
from penstock.services.portal.routes import routes
from penstock.web.service import Service


def service() -> Service:
    return Service(id=PORTAL, name="API portal", routes=routes(), is_listed=False, is_documented=False)

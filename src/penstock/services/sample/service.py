"""What the stack has to know of Sample."""

from __future__ import annotations

from penstock.services.sample.routes import routes
from penstock.web.service import Service


def service() -> Service:
    return Service(id="sample", name="Sample API", routes=routes(), is_listed=False, is_documented=False)

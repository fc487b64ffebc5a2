"""Where this stack's services are, said in the form in which the request came: by host name or by path."""

from __future__ import annotations

import msgspec

from penstock.foundation.stacks import service_host

PATH_PREFIX = "/_svc/"


class Addresses(msgspec.Struct, frozen=True):
    """`bare` is the address that the client used for all services, such as `http://127.0.0.1:8300`; None by host."""

    scheme: str
    port: str
    domain: str
    bare: str | None = None

    def url_of(self, service_id: str) -> str:
        """The base URL of a service, without a trailing slash."""
        if self.bare is not None:
            return f"{self.bare}{PATH_PREFIX}{service_id}"
        return f"{self.scheme}://{service_host(service_id, self.domain)}{self.port}"

    def host_of(self, service_id: str) -> str:
        return service_host(service_id, self.domain)

"""Where this stack's services are, in the form in which the request came: by host name or by path."""

from __future__ import annotations

from urllib.parse import urlsplit

import msgspec

from penstock.foundation.stacks import service_host

PATH_PREFIX, WELL_KNOWN = "/_svc/", "/.well-known/"


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

    def well_known_of(self, name: str, service_id: str, path: str = "") -> str:
        """The address of a metadata document about a path of a service: RFC 8414 and RFC 9728 put its name between the
        host and the path. Below a public address with a path it is at the service: a proxy may forward only that."""
        url = self.url_of(service_id)
        parts = urlsplit(url)
        if self.bare is not None and urlsplit(self.bare).path.strip("/"):
            return f"{url}{WELL_KNOWN}{name}{path}"
        return f"{parts.scheme}://{parts.netloc}{WELL_KNOWN}{name}{parts.path}{path}"

    def host_of(self, service_id: str) -> str:
        return service_host(service_id, self.domain)

"""Finds the services of a stack: their addresses come from its indexes, never from assumptions."""

from __future__ import annotations

from urllib.parse import urlsplit, urlunsplit

from penstock.client.errors import NotAStack, NotThere, ServiceMissing, UnsafeAddress
from penstock.client.models import Api, Apis, Index
from penstock.client.transport import Transport
from penstock.foundation.stacks import PORTAL, STORAGE, service_host, service_of_label

ROOT = "/v2/storage"


class Discovery:
    """The indexes of one stack, each read once."""

    def __init__(self, storage_url: str, transport: Transport) -> None:
        self.storage_url = storage_url
        self._transport = transport
        self._index: Index | None = None
        self._apis: Apis | None = None

    @property
    def index(self) -> Index:
        if self._index is None:
            self._index = self._read_index()
        return self._index

    @property
    def apis(self) -> Apis:
        if self._apis is None:
            url = f"{find_portal(self.storage_url)}/apis.json"
            self._apis = self._transport.get(url, Apis, is_public=True)
        return self._apis

    def url_of(self, service_id: str) -> str:
        """The base URL of a service, without a trailing slash."""
        if service_id == STORAGE:
            return self.storage_url
        services = {service.id: service.url for service in self.index.services}
        if service_id not in services:
            raise ServiceMissing(service_id, [STORAGE, *services])
        return self._checked(service_id, services[service_id].rstrip("/"))

    def api_of(self, service_id: str) -> Api:
        apis = {api.id: api for api in self.apis.services}
        if service_id not in apis:
            raise ServiceMissing(service_id, list(apis))
        return apis[service_id]

    def _read_index(self) -> Index:
        # Without the list of components, which is long and not needed here.
        query = {"exclude": "components"}
        try:
            return self._transport.get(f"{self.storage_url}{ROOT}", Index, query, is_public=True)
        except NotThere as error:
            raise NotAStack(self.storage_url, error.message) from error

    def _checked(self, service_id: str, url: str) -> str:
        if self.storage_url.startswith("https://") and not url.startswith("https://"):
            raise UnsafeAddress(service_id, url)
        return url


def read_storage_url(url: str) -> str:
    """The storage's base address, with or without the path of its index."""
    return url.strip().rstrip("/").removesuffix(ROOT).rstrip("/")


def find_portal(storage_url: str) -> str:
    """The portal is next to the storage: at another host name, or at another path of the same host."""
    parts = urlsplit(storage_url)
    above, _, last = parts.path.rpartition("/")
    if service_of_label(last) == STORAGE:
        return urlunsplit(parts._replace(path=f"{above}/{PORTAL}"))
    label, _, suffix = parts.netloc.partition(".")
    if service_of_label(label) == STORAGE and suffix:
        return urlunsplit(parts._replace(netloc=service_host(PORTAL, suffix)))
    raise NotAStack(storage_url, "the address of the portal cannot be derived from it")

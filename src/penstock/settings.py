"""Every setting, typed. A flag wins over `PENSTOCK_…`, which wins over `penstock.toml` in the current folder."""

from __future__ import annotations

import os
import tomllib
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec

from penstock.foundation.errors import Invalid
from penstock.foundation.stacks import KNOWN_STACKS, KnownStack

FILE = "penstock.toml"
DEFAULT_PORT, HTTPS_PORT = 8300, 443
_LISTS = ("allow_hosts", "trusted_proxies")
_TLS_FLAGS = {"https_port", "tls_cert", "tls_key"}
"""Who types one of these wants TLS; in a file they may stand ready for the day when it is switched on."""


class Settings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    data_dir: str = ".penstock"
    database: Annotated[str, msgspec.Meta(pattern=r"^postgres(ql)?://\S+$")] | None = None
    """A PostgreSQL for the metadata; without one it is in a file of the data folder."""
    domain: Annotated[str, msgspec.Meta(pattern=r"^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$")] = "penstock.localhost"
    host: str = "loopback"
    """Where to listen: `loopback` is 127.0.0.1 and ::1."""
    port: Annotated[int, msgspec.Meta(ge=0, le=65535)] = DEFAULT_PORT
    https: bool = False
    """Whether to serve TLS too, on a port of its own beside the plain one."""
    https_port: Annotated[int, msgspec.Meta(ge=0, le=65535)] = HTTPS_PORT
    tls_cert: str | None = None
    """A certificate of one's own in PEM, with its chain; without one the stack has its own in the data folder."""
    tls_key: str | None = None
    public_url: Annotated[str, msgspec.Meta(pattern=r"^https?://[^/\s?#]+(/[^\s?#]*)?$")] | None = None
    """The bare address as a reverse proxy shows it."""
    trusted_proxies: list[str] = []
    """Addresses whose X-Forwarded-Proto and X-Forwarded-Host are believed."""
    connections_per_address: Annotated[int, msgspec.Meta(ge=0)] = 500
    """How many connections one address may have open on each port; loopback and trusted proxies any number. 0 is no
    limit."""
    workers: Annotated[int, msgspec.Meta(ge=1, le=64)] = 2
    component_niceness: Annotated[int, msgspec.Meta(ge=0, le=19)] = 10
    """How much components give way to requests and workers when the processors are busy; 0 is not at all. Workers do
    not: others wait for the database while they write."""
    jobs_per_project: Annotated[int, msgspec.Meta(ge=1)] | None = None
    """How many jobs of one project run at a time. Not set, one worker is left to the other projects, if there are any:
    one less than `workers`, and at least one."""
    storage_jobs_per_project: Annotated[int, msgspec.Meta(ge=1)] | None = None
    """The same for jobs of Storage: loads, exports and other changes of tables."""
    storage_job_timeout: Annotated[int, msgspec.Meta(ge=1)] = 21_600
    """After how many seconds a job of Storage is stopped."""
    unpacked_megabytes: Annotated[int, msgspec.Meta(ge=0)] = 100_000
    """How much the compressed file of a table may unpack to; 0 is no limit."""
    unpacked_ratio: Annotated[int, msgspec.Meta(ge=0)] = 250
    """How many times its size it may unpack to; 0 is no limit. The first 100 MB are free."""
    job_disk_megabytes: Annotated[int, msgspec.Meta(ge=0)] = 100_000
    """How much a component may have in its data folder; 0 is no limit."""
    disk_reserve_megabytes: Annotated[int, msgspec.Meta(ge=0)] = 512
    """How much of the disk jobs leave free; of a small disk, a twentieth."""
    launcher: Literal["process", "container"] = "process"
    """How components run; in a container, those that have an image, with Docker or Podman."""
    sandbox: Literal["auto", "required", "off"] | None = None
    """Whether those that run as processes do so behind bubblewrap: where it is usable, always, or never. Not set, it is
    required of a stack that others can reach or that has a second project, and used elsewhere where it is usable."""
    component_network: Literal["gate", "open"] = "gate"
    """What code of users reaches from a sandbox: what jobs may reach, through a proxy, or what the machine reaches."""
    body_limit: Annotated[int, msgspec.Meta(ge=1024)] = 10_000_000
    key_file: str | None = None
    allow_hosts: list[str] = []
    """Private hosts, addresses or networks that jobs may reach."""
    proxy: str | None = None
    ca_bundle: str | None = None
    url: str | None = None
    token: str | None = None
    stack: str | None = None
    stacks: tuple[KnownStack, ...] = KNOWN_STACKS

    @property
    def folder(self) -> Path:
        return Path(self.data_dir).expanduser().absolute()

    @property
    def key(self) -> Path:
        """The file of the stack's key."""
        return Path(self.key_file).expanduser().absolute() if self.key_file else self.folder / "key"

    def known_stack(self, name: str) -> KnownStack:
        found = next((stack for stack in self.stacks if stack.name == name), None)
        if not found:
            names = ", ".join(stack.name for stack in self.stacks)
            raise Invalid(f"There is no stack called {name!r}; `penstock stacks` lists them: {names}.")
        return found


def read_settings(flags: dict[str, Any] | None = None, folder: Path | None = None) -> Settings:
    """What is set, wherever it is set; flags that were not given are None."""
    given = {name: value for name, value in (flags or {}).items() if value is not None and value != []}
    if given.keys() & _TLS_FLAGS:
        given.setdefault("https", True)
    merged = {**_from_file((folder or Path.cwd()) / FILE), **_from_environment(), **given}
    try:
        return msgspec.convert(merged, Settings, strict=False)
    except msgspec.ValidationError as error:
        raise Invalid(f"A setting is wrong: {error}. See penstock up --help and {FILE}.") from error


def _from_file(path: Path) -> dict[str, Any]:
    if not path.exists():
        return {}
    try:
        return tomllib.loads(path.read_text())
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, OSError) as error:
        raise Invalid(f"{path} cannot be read: {error}") from error


def _from_environment() -> dict[str, Any]:
    names = [name for name in Settings.__struct_fields__ if name != "stacks"]
    found = {name: os.environ.get(f"PENSTOCK_{name.upper()}") for name in names}
    return {name: _split(name, text) for name, text in found.items() if text}


def _split(name: str, text: str) -> str | list[str]:
    return [item.strip() for item in text.split(",") if item.strip()] if name in _LISTS else text

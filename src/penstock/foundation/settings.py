"""Every setting, typed. `penstock.settings` reads them; the stack carries them to every service and worker."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal, cast

import msgspec

from penstock.foundation.errors import Invalid
from penstock.foundation.prices import Prices
from penstock.foundation.stacks import KNOWN_STACKS, KnownStack

DEFAULT_PORT, HTTPS_PORT = 8300, 443
_NOT_FOR_WORKERS = ("url", "token", "stack", "stacks", "oidc_client_secret")
"""Which stack a command talks to, and how people sign in: a worker has no use for them, and a secret is not handed to
more processes."""


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
    """A custom certificate in PEM, with its chain; without one the stack creates its own in the data folder."""
    tls_key: str | None = None
    sql_port: Annotated[int, msgspec.Meta(ge=0, le=65535)] | None = None
    """The port on which programs connect to workspaces as to a PostgreSQL; not set, there is none."""
    public_url: Annotated[str, msgspec.Meta(pattern=r"^https?://[^/\s?#]+(/[^\s?#]*)?$")] | None = None
    """The bare address as a reverse proxy shows it."""
    trusted_proxies: list[str] = []
    """Addresses whose X-Forwarded-Proto, X-Forwarded-Host and X-Forwarded-For are believed."""
    hsts_days: Annotated[int, msgspec.Meta(ge=0, le=3650)] = 0
    """For how many days browsers are told to use only HTTPS for the names of this stack, at any port; 0 is not at
    all."""
    allowed_origins: list[Annotated[str, msgspec.Meta(pattern=r"^https?://[^/\s?#]+/?$")]] = []
    """Origins of web pages of other sites that may send requests without a token to a stack on loopback."""
    connections_per_address: Annotated[int, msgspec.Meta(ge=0)] = 500
    """How many connections one address may have open on each port; loopback and trusted proxies any number. 0 is no
    limit."""
    requests_per_address: Annotated[int, msgspec.Meta(ge=0)] = 500
    """How many requests a second one address may send, on average; loopback any number. Those of trusted proxies count
    for the address that X-Forwarded-For names. 0 is no limit."""
    requests_per_token: Annotated[int, msgspec.Meta(ge=0)] = 500
    """The same for one token, of trusted proxies too."""
    sample: bool = True
    """Whether the first start of a new data folder loads the sample."""
    workers: Annotated[int, msgspec.Meta(ge=1, le=64)] = 2
    component_niceness: Annotated[int, msgspec.Meta(ge=0, le=19)] = 10
    """How much components give way to requests and workers when the processors are busy; 0 is not at all. Workers do
    not: others wait for the database while they write."""
    jobs_per_project: Annotated[int, msgspec.Meta(ge=1)] | None = None
    """How many jobs of one project run at a time. Not set, there is no limit: projects that have work share the
    workers, and the others reserve none."""
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
    lake_threads: Annotated[int, msgspec.Meta(ge=1, le=4)] | None = None
    """How many threads each process uses to load and read tables. Not set, one per processor, up to 4. A single one
    takes the least CPU time where tables are small."""
    sql_memory_megabytes: Annotated[int, msgspec.Meta(ge=256)] = 1024
    """How much memory the SQL engine of one workspace may use; more goes to temporary files."""
    sql_threads: Annotated[int, msgspec.Meta(ge=1, le=64)] = 2
    """How many threads a statement may use."""
    sql_temp_megabytes: Annotated[int, msgspec.Meta(ge=1)] = 10_000
    """How much the temporary files of the statements of one workspace may take."""
    sql_disk_megabytes: Annotated[int, msgspec.Meta(ge=1)] = 50_000
    """How much a workspace may hold: its own tables and results. Its engine is stopped at twice of this."""
    sql_export_megabytes: Annotated[int, msgspec.Meta(ge=1)] = 5_000
    """How large a file of all rows of a statement may be; a larger one is refused."""
    sql_statement_timeout: Annotated[int, msgspec.Meta(ge=1)] = 3600
    """After how many seconds a statement is stopped."""
    sql_idle_timeout: Annotated[int, msgspec.Meta(ge=1)] = 120
    """After how many seconds without a statement the SQL engine of a workspace ends. It starts again by itself."""
    sql_workspace_days: Annotated[int, msgspec.Meta(ge=0)] = 0
    """After how many days without use a workspace is deleted with everything in it; 0 is never."""
    sync_actions: Annotated[int, msgspec.Meta(ge=1, le=200)] = 8
    """How many synchronous actions of components run at a time; of one project, half of them."""
    launcher: Literal["auto", "process", "container"] = "auto"
    """How components that have an image run: in a container where Docker, Podman or nerdctl can be used, always as
    processes, or always in containers. Others run as processes."""
    sandbox: Literal["auto", "required", "off"] | None = None
    """Whether those that run as processes do so behind bubblewrap: where it is usable, always, or never. Not set, it is
    required of a stack that others can reach or that has a second project, and used elsewhere where it is usable."""
    component_network: Literal["gate", "open"] = "gate"
    """What code of users reaches from a sandbox: what jobs may reach, through a proxy, or what the machine reaches."""
    component_archive_megabytes: Annotated[int, msgspec.Meta(ge=1, le=10_000)] = 200
    """How large the uploaded archive of a component may be."""
    component_cache: str | None = None
    """Where this machine unpacks the archives of components; not set, it is in the data folder."""
    image_layer_megabytes: Annotated[int, msgspec.Meta(ge=1, le=1_000_000)] = 5_000
    """How large one layer of an image may be that is pushed to the registry of the stack."""
    image_app_megabytes: Annotated[int, msgspec.Meta(ge=1, le=100_000_000)] = 50_000
    """How much all images of one app may take."""
    body_limit: Annotated[int, msgspec.Meta(ge=1024)] = 10_000_000
    audit_days: Annotated[int, msgspec.Meta(ge=0)] = 0
    """For how many days entries of the audit log are kept, at least 90; 0 is for ever."""
    prices: Prices = Prices()
    """What is charged for what projects use, in credits."""
    key_file: str | None = None
    allow_hosts: list[str] = []
    """Private hosts, addresses or networks that jobs may reach."""
    proxy: str | None = None
    ca_bundle: str | None = None
    smtp_host: str | None = None
    """The SMTP server through which notifications are sent as e-mails; without one they are not."""
    smtp_port: Annotated[int, msgspec.Meta(ge=1, le=65535)] | None = None
    """Not set, it is 587 with `starttls`, 465 with `tls` and 25 with `none`."""
    smtp_tls: Literal["starttls", "tls", "none"] = "starttls"
    """`starttls` encrypts after connecting, `tls` from the beginning."""
    smtp_user: str | None = None
    smtp_password: str | None = None
    smtp_sender: Annotated[str, msgspec.Meta(pattern=r"^[^@\s<>,;:]+@[^@\s<>,;:]+$(?!\n)")] | None = None
    """The address that e-mails come from; not set, it is `penstock@` the domain."""
    ai_url: Annotated[str, msgspec.Meta(pattern=r"^https?://[^/\s?#]+(/[^\s?#]*)?$")] | None = None
    """The address of an OpenAI-compatible API, such as `https://api.example.com/v1`; without one no model is asked."""
    ai_model: str = ""
    ai_key: str | None = None
    ai_key_file: str | None = None
    """A file with the key, instead of `ai_key`."""
    admin_email: Annotated[str, msgspec.Meta(pattern=r"^[^@\s<>,;:]+@[^@\s<>,;:]+$(?!\n)")] | None = None
    """The e-mail address of the first administrator of a new stack; not set, it is `admin@` the domain."""
    developer_sign_up: Literal["closed", "open"] = "closed"
    """Who becomes a user by signing up at the developer portal: nobody, or everybody who confirms an e-mail address."""
    developer_sign_up_domains: list[str] = []
    """The domains of e-mail addresses that may sign up there; empty, all."""
    login_redirects: list[str] = []
    """Addresses besides those of this machine that the sign-in of a program may send the browser back to."""
    oidc_issuer: Annotated[str, msgspec.Meta(pattern=r"^https?://[^/\s?#]+(/[^\s?#]*)?$")] | None = None
    """The OpenID Connect provider for single sign-on; without one there is none."""
    oidc_client_id: str | None = None
    oidc_client_secret: str | None = None
    oidc_client_secret_file: str | None = None
    """A file with the secret, instead of `oidc_client_secret`."""
    oidc_auto_join: Literal["admin", "guest", "readOnly", "share"] | None = None
    """The role in the first project of those whom the provider knows and nobody has invited; not set, they are
    refused."""
    oidc_second_factor: list[str] = []
    """Values of `amr` or `acr` in the ID token that prove a second factor at the provider. If empty, users who have set
    one up here are asked for it after single sign-on too."""
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

    def to_environment(self) -> dict[str, str]:
        """The variables with which another process of the stack reads these settings; an empty one is not set."""
        fields = {**msgspec.structs.asdict(self), "data_dir": str(self.folder)}
        return {f"PENSTOCK_{name.upper()}": _to_text(fields[name]) for name in fields if name not in _NOT_FOR_WORKERS}


def _to_text(value: Any) -> str:
    if isinstance(value, list):
        return ",".join(cast(list[str], value))
    if isinstance(value, msgspec.Struct):
        return msgspec.json.encode(value).decode()
    return "" if value is None else str(value)

"""A service: everything that the stack has to know of it, declared in one place."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import msgspec

from penstock import __version__
from penstock.foundation.callers import ServiceRight
from penstock.foundation.database import Transaction
from penstock.foundation.events import Reaction
from penstock.foundation.jobs.background import MakeWorker
from penstock.foundation.jobs.maintenance import Task
from penstock.foundation.secrets import Cipher
from penstock.web.auth.none import NONE
from penstock.web.auth.scheme import Scheme
from penstock.web.errors import Reply, Shape, with_text_code
from penstock.web.listing import Listing
from penstock.web.openapi import make_document
from penstock.web.routing import Route

OpensSecrets = Callable[[Transaction, Cipher], bool | None]


class Service(msgspec.Struct, frozen=True, kw_only=True):
    id: str
    """Its host name, its path below `/_svc/`, and the beginning of the names of its tables."""
    name: str
    routes: Sequence[Route] = ()
    """None: it is used by other services only, and has no host."""
    rights: Sequence[ServiceRight] = ()
    """Its own, which its rows may need besides those that all services share."""
    auth: Scheme = NONE
    """How its requests prove who sends them. A row may name another scheme."""
    errors: Shape = with_text_code
    also_below: Mapping[str, Sequence[str]] = {}
    """Where it responds in addition to its own host: the paths of other services, by their ids, that begin so."""
    at_root: str = ""
    """A pattern of paths at the root of the bare address at which it responds, for clients that ask nowhere else."""
    errors_below: Mapping[str, Reply] = {}
    """Where another protocol is spoken, how errors are written: by the beginning of the path."""
    is_listed: bool = True
    """Whether the index of Storage shows it."""
    kept_after_purge: bool = False
    """Whether its rows of a purged project stay, as those of a ledger do. Otherwise they are removed."""
    is_documented: bool = True
    """Whether the portal shows it."""

    workers: Sequence[MakeWorker] = ()
    """Loops in every worker process."""
    reactions: Sequence[Reaction] = ()
    """What it does when other services publish events."""
    maintenance: Sequence[Task] = ()
    """What it does every ten minutes, with its own tables and files only."""
    migrations: Path | None = None
    """The folder with the steps of its tables: 0001_….py, 0002_….py."""
    opens_secrets: OpensSecrets | None = None
    """Whether a key opens some secret that it stores; None if it stores none. Asked when a stack is opened."""

    @property
    def has_host_name(self) -> bool:
        """Whether programs know it by a host name of its own, and not below that of another service."""
        return bool(self.routes) and not self.also_below

    def __post_init__(self) -> None:
        for route in self.routes:
            auth = route.auth or self.auth
            own = [right for right in self.rights if right.scope and auth.takes_scopes]
            if route.needs not in (*auth.rights, *own):
                raise ValueError(
                    f"{self.name}: {route.method} {route.path} needs {route.needs.name}, "
                    f'which callers by "{auth.name}" never have. '
                    "Name another scheme in `auth`, or another right in `needs`."
                )

    @property
    def listing(self) -> Listing:
        return Listing(
            id=self.id,
            name=self.name,
            is_listed=self.is_listed and bool(self.routes),
            is_documented=self.is_documented and bool(self.routes),
            specify=lambda server: make_document(
                self.name, __version__, server, self.routes, self.auth, self.errors, self.errors_below
            ),
        )

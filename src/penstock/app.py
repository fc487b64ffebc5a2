"""Builds a stack from settings: the services behind their hosts."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import lru_cache, partial, update_wrapper
from pathlib import Path

import msgspec
from starlette.types import ASGIApp

from penstock.foundation import audit, events
from penstock.foundation.database import Transaction
from penstock.foundation.errors import Invalid, Unavailable
from penstock.foundation.events import Reaction
from penstock.foundation.jobs.maintenance import Task
from penstock.foundation.logging import Log
from penstock.foundation.machine import EVERYWHERE
from penstock.foundation.migrations import Chain, Schema
from penstock.foundation.outbound import OutboundError, Policy
from penstock.foundation.outbound.urls import read_target
from penstock.foundation.secrets import Cipher
from penstock.foundation.stack import Stack, open_stack
from penstock.foundation.stack.fingerprints import REWRAPPED, UNFINISHED, WrongKey, find_fingerprint, keep_fingerprint
from penstock.foundation.stacks import ALIASES, service_host, service_label
from penstock.foundation.structs import prepare_structs
from penstock.services.ai import service as ai
from penstock.services.billing import service as billing
from penstock.services.console import service as console
from penstock.services.developer import service as developer
from penstock.services.editor import service as editor
from penstock.services.encryption import service as encryption
from penstock.services.importer import service as importer
from penstock.services.login import service as login
from penstock.services.management import service as management
from penstock.services.management.interface import ProjectPurged, remove_rows_of
from penstock.services.mcp import service as mcp
from penstock.services.metastore import service as metastore
from penstock.services.notification import service as notification
from penstock.services.oauth import service as oauth
from penstock.services.portal import service as portal
from penstock.services.query import service as query
from penstock.services.queue import interface as queue_interface
from penstock.services.queue import service as queue
from penstock.services.sample import service as sample
from penstock.services.sandboxes import service as sandboxes
from penstock.services.scheduler import service as scheduler
from penstock.services.storage import interface as storage_interface
from penstock.services.storage import service as storage
from penstock.services.sync_actions import service as sync_actions
from penstock.services.vault import service as vault
from penstock.settings import Settings
from penstock.web import idempotency
from penstock.web.application import build_service
from penstock.web.auth.manage_token import SUPER_SCOPE
from penstock.web.entrance import Entrance
from penstock.web.hosts import HostDispatcher
from penstock.web.rate_limits import RateLimits
from penstock.web.request_threads import RequestThreads
from penstock.web.service import Service
from penstock.web.sites import Sites

log = Log("stack")

SERVICES: tuple[Callable[[], Service], ...] = (
    update_wrapper(
        partial(management.service, storage_interface.FOR_MANAGEMENT, login.FOR_MANAGEMENT),
        management.service,
    ),
    login.service,
    update_wrapper(partial(encryption.service, storage_interface.FOR_ENCRYPTION), encryption.service),
    developer.service,
    update_wrapper(partial(storage.service, queue_interface.FOR_STORAGE), storage.service),
    billing.service,
    importer.service,
    vault.service,
    oauth.service,
    notification.service,
    queue.service,
    scheduler.service,
    sync_actions.service,
    query.service,
    editor.service,
    sandboxes.service,
    mcp.service,
    metastore.service,
    ai.service,
    portal.service,
    console.service,
    sample.service,
)
"""Every service, and the only list of them. Each may use the interfaces of those before it."""

DEFAULT_PORTS = (80, 443)


def list_services() -> tuple[Service, ...]:
    """New ones, for one application: handlers may keep something between requests."""
    return tuple(make() for make in SERVICES)


@lru_cache(maxsize=1)
def _declared(services: tuple[Callable[[], Service], ...]) -> tuple[Service, ...]:
    """Made once and shared: only for reading declarations."""
    return tuple(make() for make in services)


def list_reactions() -> list[Reaction]:
    """Return the reactions that services declare. Rows of a purged project are removed where a service declares nothing
    for them."""
    services = list_services()
    declared = [reaction for service in services for reaction in service.reactions]
    purging = {reaction.name.partition(".")[0] for reaction in declared if reaction.event is ProjectPurged}
    removing = (each.id for each in services if not each.kept_after_purge and each.id not in purging)
    return [*declared, *map(remove_rows_of, removing)]


def list_scopes() -> list[str]:
    """What a manage token may be made for: rights of services, or all of them."""
    return [*(right.scope for service in _declared(SERVICES) for right in service.rights if right.scope), SUPER_SCOPE]


def list_labels() -> list[str]:
    """The labels before the domain by which programs know the services of this stack."""
    return [service_label(service.id) for service in _declared(SERVICES) if service.has_host_name]


def list_maintenance() -> list[Task]:
    """Return the tasks that run every ten minutes, of each service and of what they share."""
    return [
        *(task for service in list_services() for task in service.maintenance),
        idempotency.maintain,
        events.maintain,
        audit.maintain,
    ]


def find_schema() -> Schema:
    """Return the schema that this program needs. Its format number is the newest that this program reads."""
    chains = [Chain(service.id, service.migrations) for service in _declared(SERVICES) if service.migrations]
    return Schema(tuple(chains))


def open_from(settings: Settings, outbound: Policy) -> Stack:
    prepare_structs()
    stack = open_stack(settings, outbound, find_schema())
    try:
        _check_key(stack, settings.key)
    except BaseException:
        stack.close()
        raise
    return msgspec.structs.replace(stack, outbound=msgspec.structs.replace(outbound, mark=stack.cipher.make_mark()))


def _check_key(stack: Stack, key: Path) -> None:
    """The newest key that the database knows must be in the ring; one that is newer, or the first, is recorded now."""
    with stack.database.reading() as tx:
        fingerprint = find_fingerprint(tx)
        is_right = stack.cipher.ring.has(fingerprint) if fingerprint is not None else _opens_secrets(tx, stack.cipher)
    if fingerprint is not None and not is_right:
        raise WrongKey(key, stack.database.place)
    if not is_right:
        log.warning("key not recorded: it decrypts no secret of the stack", key=str(key))
    elif fingerprint != stack.cipher.fingerprint:
        with suppress(Unavailable), stack.database.writing() as tx:
            keep_fingerprint(tx, stack.cipher.fingerprint)
            if fingerprint is not None:  # a rotation was stopped right after it made the key
                keep_fingerprint(tx, UNFINISHED, REWRAPPED)


def _opens_secrets(tx: Transaction, cipher: Cipher) -> bool:
    """Whether it opens one of the secrets that are there, if there are any."""
    answers = [service.opens_secrets(tx, cipher) for service in _declared(SERVICES) if service.opens_secrets]
    return any(answers) or all(each is None for each in answers)


def outbound_policy(settings: Settings, address: str, *ports: int) -> Policy:
    """Return the policy of jobs: they reach the public internet, hosts that the operator allows, and this stack's own
    sample at `address`.

    `ports` are other ports on which the stack listens.
    """
    listens = (int(address.rpartition(":")[2]), *ports)
    try:
        return Policy(
            allow=tuple(settings.allow_hosts),
            # By its first name too: the configurations of a stack that got another domain still hold that one.
            own_hosts={service_host("sample", domain): address for domain in {settings.domain, Settings().domain}},
            own_names=_own_names(settings),
            own_endpoints=_own_endpoints(settings, listens),
            own_ports=listens,
            proxy=settings.proxy,
            ca_bundle=settings.ca_bundle,
        )
    except (ValueError, OutboundError) as error:
        raise Invalid(f"A setting for what jobs may reach is wrong: {error}") from error


def _own_names(settings: Settings) -> tuple[str, ...]:
    """Return the names of services that jobs do not call, at any port: these names are only the stack's."""
    services = {service.id for service in _declared(SERVICES) if service.routes} - {"sample"}
    names = {service_host(each, settings.domain) for each in services}
    names |= {f"{each}.{settings.domain}" for each in (*services, *ALIASES)}
    return tuple(sorted(names))


def _own_endpoints(settings: Settings, listens: tuple[int, ...]) -> tuple[tuple[str, int], ...]:
    """Return the addresses at which the stack responds, as other programs of the same machine may do: its domain and
    its public address.

    A public address with a path is not only the stack's. A domain that is not the public address may be served by a
    reverse proxy at the usual ports.
    """
    public = read_target(settings.public_url) if settings.public_url else None
    ports = {settings.domain: [*listens, *DEFAULT_PORTS]}
    if public and not public.url.path.strip("/"):
        ports[public.host] = [*listens, public.origin.port]
    return tuple((host, port) for host in ports for port in dict.fromkeys(ports[host]))


def build_app(settings: Settings, stack: Stack) -> ASGIApp:
    services, threads = list_services(), RequestThreads.of(stack.database)
    rates, sites = RateLimits.of(settings), Sites.of(settings)
    built = {
        service.id: build_service(service, stack, services, threads, settings.body_limit, rates, sites)
        for service in services
        if service.routes
    }
    dispatcher = HostDispatcher(
        settings.domain,
        built,
        settings.public_url,
        tuple(settings.trusted_proxies),
        listens_everywhere=settings.host in EVERYWHERE,
        is_own_mark=stack.cipher.is_own_mark,
        hsts_days=settings.hsts_days,
        below=_find_below(services),
        at_root={service.id: service.at_root for service in services if service.at_root},
    )
    return Entrance(dispatcher, settings.trusted_proxies)


def _find_below(services: tuple[Service, ...]) -> dict[str, dict[str, str]]:
    """The services that answer at the host of another one, by its id and the beginning of their paths."""
    mounted: dict[str, dict[str, str]] = {}
    for service in services:
        for host, starts in service.also_below.items():
            mounted.setdefault(host, {}).update(dict.fromkeys(starts, service.id))
    return mounted

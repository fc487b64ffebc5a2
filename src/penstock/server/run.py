"""Runs one stack, from taking its lock to stopping its last worker."""

from __future__ import annotations

import errno
import os
import sys
from contextlib import suppress
from functools import partial
from pathlib import Path

import msgspec

from penstock.app import build_app, open_from, outbound_policy
from penstock.foundation import logging
from penstock.foundation.admission import MAX_CONNECTIONS, Admission
from penstock.foundation.database import Database
from penstock.foundation.errors import Invalid
from penstock.foundation.files import locks
from penstock.foundation.files.ballast import Ballast
from penstock.foundation.logging import Log
from penstock.foundation.stack import Stack, read_format
from penstock.foundation.stack.public_links import LOCAL_LINKS_FIX, explain_local_links
from penstock.pgwire.listener import MAX_SQL_CONNECTIONS, SqlListener
from penstock.server.certificates import Made, Secure, choose_pair, covers, ensure_certificate, expires, read_pair
from penstock.server.disk_watch import DiskWatch
from penstock.server.first_project import ensure_project, make_first_link
from penstock.server.first_sample import FirstSample
from penstock.server.forked_workers import ForkedWorker, fork_workers
from penstock.server.greeting import describe, greet
from penstock.server.listening import Listening, listen
from penstock.server.names import storage_name
from penstock.server.resources import connections_for, raise_limit, return_freed_memory
from penstock.server.running import LOCK, forget
from penstock.server.sandbox import SandboxRule, Shortage, find_shortage
from penstock.server.serving import Server
from penstock.server.worker_process import run_held_worker
from penstock.server.workers import Workers
from penstock.services.management import interface as management
from penstock.settings import Settings

log = Log("stack")

SWITCH_SECONDS = 0.0005
"""How long one thread may run Python while others wait. A request gives up the interpreter at every statement that it
sends to SQLite, and gets it back after one such interval per busy thread: with Python's 5 ms, a few requests with large
bodies make every write of other projects ten times as slow."""


def run_stack(settings: Settings, as_json: bool) -> int:
    """Run until a signal ends it. One stack per data folder."""
    if sys.platform == "win32":
        raise Invalid("Penstock runs on Linux and macOS; on Windows start it inside WSL.")
    # Files of a stack are private to its owner, whoever created the folder.
    os.umask(0o077)
    raise_limit()
    forks = fork_workers(settings.workers, run_held_worker)  # before the lock, which they would hold too
    settings.folder.mkdir(parents=True, exist_ok=True)
    Ballast(settings.folder).ensure_room()
    lock = locks.try_to_hold(settings.folder / LOCK)
    if not lock:
        holder = locks.holder_of(settings.folder / LOCK)
        raise Invalid(
            f"A stack is already running on {settings.folder} (process {holder}). Stop it, or use another --data-dir."
        )
    sys.setswitchinterval(SWITCH_SECONDS)
    return_freed_memory()
    with lock:
        listening, secure = _prepare(settings)
        try:
            _serve(settings, listening, secure, forks, as_json)
        except OSError as error:
            if error.errno not in (errno.ENOSPC, errno.EDQUOT):
                raise
            raise NoSpace(settings.folder) from error
    return 0


class NoSpace(Invalid):
    def __init__(self, folder: Path) -> None:
        super().__init__(
            f"The disk of {folder} is full, with too little space even to start read-only. "
            "Free a few megabytes, then start again."
        )


def _prepare(settings: Settings) -> tuple[Listening, Secure | None]:
    """Check what is outside the data folder before anything starts: the ports and a given certificate."""
    try:
        pair = choose_pair(settings) if settings.https else None
        return listen(settings), Secure(pair) if pair else None
    except Invalid:
        _leave_no_trace(settings.folder)
        raise


def _leave_no_trace(folder: Path) -> None:
    """A failed start leaves no new folder behind."""
    if not read_format(folder):
        (folder / LOCK).unlink()
        with suppress(OSError):
            folder.rmdir()


def _serve(
    settings: Settings, listening: Listening, secure: Secure | None, forks: list[ForkedWorker], as_json: bool
) -> None:
    logging.set_up(settings.folder / "logs" / "stack.log")
    served = settings.folder / ".served.pem"  # the dot keeps it out of backups
    if secure:
        _check_names(settings, secure)
        secure = Secure(secure.pair, served)
    own = ensure_certificate(settings.folder, settings.domain.lower()) if settings.https and not secure else None
    if own:
        _log(own)
        secure = Secure(own.files.stack, served)
    if local := explain_local_links(settings):
        log.warning("links in e-mails work only on this machine", meaning=local, fix=f"{LOCAL_LINKS_FIX}.")
    ports = [port for port in (listening.secure_port, listening.sql_port) if port]
    stack = open_from(settings, outbound_policy(settings, listening.endpoint, *ports))
    authority = own.files.authority.certificate if own else None
    project = ensure_project(stack)
    shortage = _find_shortage(stack)
    running = describe(settings, listening, project, authority, make_first_link(stack, project))
    workers = Workers(settings, stack.outbound, forks)
    stack = msgspec.structs.replace(stack, notify_workers=partial(_notify_workers, workers, stack.database))
    sample = FirstSample(stack, project, log.info if as_json else lambda line: print(line, flush=True))
    watch = DiskWatch(stack.ballast)
    watch.start()
    workers.start()
    app = build_app(settings, stack)

    def on_ready() -> None:
        greet(running, settings, shortage, as_json)
        if project.is_new and settings.sample:
            sample.start()

    server = Server(
        app,
        workers,
        on_ready,
        listening,
        secure,
        _admission(settings, listening),
        _sql_listener(settings, stack, listening, secure),
    )
    try:
        server.run([*listening.plain, *listening.secure, *listening.sql])
    finally:
        sample.stop()
        watch.stop()
        workers.stop()
        workers.wait()
        forget(settings.folder)
        stack.close()


def _find_shortage(stack: Stack) -> Shortage | None:
    """Log what keeps components from being isolated, before the first job meets it."""
    settings = stack.settings
    with stack.database.reading() as tx:
        projects = management.count_projects(tx)
    rule = SandboxRule(setting=settings.sandbox, host=settings.host, folder=stack.folder)
    shortage = find_shortage(rule, projects)
    if shortage:
        log.warning("components run without a sandbox", meaning=shortage.text, fix=shortage.fix)
    return shortage


def _notify_workers(workers: Workers, database: Database, service_id: str) -> None:
    """The workers of this stack, and those on other machines."""
    workers.wake(service_id)
    database.notify_workers(service_id)


def _admission(settings: Settings, listening: Listening) -> Admission:
    ports = len(listening.plain) + len(listening.secure)
    most = connections_for(min(ports, 2), MAX_CONNECTIONS)
    return Admission(settings.connections_per_address, settings.trusted_proxies, most)


def _sql_listener(settings: Settings, stack: Stack, listening: Listening, secure: Secure | None) -> SqlListener | None:
    if not listening.sql:
        return None
    admission = Admission(settings.connections_per_address, settings.trusted_proxies, MAX_SQL_CONNECTIONS)
    return SqlListener(stack, listening.sql, lambda: secure.context if secure else None, admission)


def _log(certificates: Made) -> None:
    authority = str(certificates.files.authority.certificate)
    if certificates.is_new_authority:
        log.info("certificate authority created; programs have to trust it: penstock tls show", file=authority)
    if certificates.is_new_certificate:
        log.info(
            "certificate created",
            file=str(certificates.files.stack.certificate),
            expires=f"{expires(certificates.certificate)}",
        )


def _check_names(settings: Settings, secure: Secure) -> None:
    name = storage_name(settings.domain)
    if not covers(read_pair(secure.pair), name):
        log.warning("the certificate does not cover this name, which programs use", name=name)

"""What a started stack prints: text on a terminal, JSON for programs, and a note for other commands in the data
folder."""

from __future__ import annotations

import os
import shlex
import sys
from pathlib import Path

import msgspec

from penstock.foundation.files.ballast import Ballast
from penstock.foundation.stack.public_links import LOCAL_LINKS_FIX, explain_local_links
from penstock.foundation.stacks import PORTAL, STORAGE
from penstock.server.first_project import SAMPLE_COMPONENT, FirstProject
from penstock.server.listening import Listening, bracketed
from penstock.server.names import look_up, storage_name
from penstock.server.program import as_called, as_root
from penstock.server.running import NOTE, Running, remember
from penstock.server.sandbox import Shortage
from penstock.settings import HTTPS_PORT, Settings
from penstock.web.addresses import Addresses

LOOPBACK = ("127.0.0.1", "::1")


def describe(
    settings: Settings,
    listening: Listening,
    project: FirstProject,
    authority: Path | None = None,
    link: str | None = None,
) -> Running:
    """`authority` is the one to trust if the certificate is the stack's own, `link` the path of the first sign-in."""
    resolved = look_up(storage_name(settings.domain))
    is_by_host = bool(resolved) and resolved <= {listening.address, *LOOPBACK}
    addresses = _addresses(settings, listening, is_by_host)
    sign_in_url = _public_addresses(settings, addresses).url_of(STORAGE)
    return Running(
        storage_url=addresses.url_of(STORAGE),
        queue_url=addresses.url_of("queue"),
        portal_url=addresses.url_of(PORTAL),
        console_url=f"{addresses.url_of(STORAGE)}/admin",
        project_id=project.id,
        token=project.token,
        pid=os.getpid(),
        sign_in_url=sign_in_url,
        login_url=f"{sign_in_url}{link}" if link else None,
        # A given certificate is for names, the stack's own one for loopback addresses too.
        https_storage_url=_secure_url(settings, listening, is_by_host or not authority),
        sql_port=listening.sql_port,
        authority_file=str(authority) if authority else None,
    )


def greet(running: Running, settings: Settings, shortage: Shortage | None, as_json: bool) -> None:
    remember(settings.folder, running)
    text = msgspec.json.encode(running).decode() if as_json else _for_people(running, settings, shortage)
    print(text, flush=True)


def _addresses(settings: Settings, listening: Listening, is_by_host: bool) -> Addresses:
    """Return addresses by host if the names resolve on this machine, by path otherwise: they work from any program."""
    bare = None if is_by_host else f"http://{listening.endpoint}"
    return Addresses("http", f":{listening.port}", settings.domain, bare)


def _public_addresses(settings: Settings, addresses: Addresses) -> Addresses:
    """Return the addresses for other machines, if the stack has them."""
    return (
        msgspec.structs.replace(addresses, bare=settings.public_url.rstrip("/")) if settings.public_url else addresses
    )


def _secure_url(settings: Settings, listening: Listening, is_by_host: bool) -> str | None:
    if listening.secure_port is None:
        return None
    port = "" if listening.secure_port == HTTPS_PORT else f":{listening.secure_port}"
    is_by_path = not is_by_host and listening.address in LOOPBACK
    bare = f"https://{bracketed(listening.address)}{port}" if is_by_path else None
    return Addresses("https", port, settings.domain, bare).url_of(STORAGE)


def _for_people(running: Running, settings: Settings, shortage: Shortage | None) -> str:
    public = f"\n  Public    {settings.public_url}\n" if settings.public_url else ""
    secure = f"  Over TLS  {running.https_storage_url}/v2/storage\n" if running.https_storage_url else ""
    sql = f"  SQL       port {running.sql_port}, for PostgreSQL clients of workspaces\n" if running.sql_port else ""
    advice = f"{_warning(settings)}{_advice(running, settings, shortage)}"
    return f"""
Penstock is running. Ctrl-C stops it.
{public}
  Console   {running.console_url}
  Portal    {running.portal_url}/
  Storage   {running.storage_url}/v2/storage
{secure}{sql}{_access(running, settings)}

{advice}A first job, in another terminal; it reads the sample API into a table:

  {as_called()} run {SAMPLE_COMPONENT} sample-customers{_where(settings)}
"""


def _access(running: Running, settings: Settings) -> str:
    """Off a terminal, what is printed is kept: in a journal or a file that others may read. It names where the secrets
    are instead."""
    if not sys.stdout.isatty():
        command = f"{as_called()} login link{_where(settings)}" if running.login_url else ""
        return f"  Token     in {settings.folder / NOTE}" + (f"\n  Sign in   {command}" if command else "")
    link = f"  Sign in   {running.login_url}\n            once, within 24 hours\n" if running.login_url else ""
    return f"{link}  Token     {running.token}"


def _warning(settings: Settings) -> str:
    if not Ballast(settings.folder).is_read_only():
        return ""
    return f"The disk of {settings.folder} is full: the stack is read-only until there is space.\n\n"


def _advice(running: Running, settings: Settings, shortage: Shortage | None) -> str:
    """Return the steps that are still needed for components to be isolated, for links in e-mails to be of use, and for
    other programs to use the TLS address."""
    advice = f"WARNING: {shortage.text} {shortage.fix}\n\n" if shortage else ""
    if local := explain_local_links(settings):
        advice += f"WARNING: {local} {LOCAL_LINKS_FIX}.\n\n"
    if running.authority_file:
        advice += f"How to make programs trust its certificate:\n\n  {as_called()} tls show{_where(settings)}\n\n"
    if running.https_storage_url and not look_up(storage_name(settings.domain)):
        command = f"{as_root()} hosts install --domain {settings.domain}"
        advice += f"The names below {settings.domain} do not resolve here yet:\n\n  {command}\n\n"
    return advice


def _where(settings: Settings) -> str:
    elsewhere = settings.data_dir != Settings().data_dir
    return f" --data-dir {shlex.quote(settings.data_dir)}" if elsewhere else ""

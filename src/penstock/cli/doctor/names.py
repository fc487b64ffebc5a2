"""The host names of the stack: they resolve to this machine."""

from __future__ import annotations

from collections.abc import Iterator

from penstock.cli.doctor.check import Check, note, ok, wrong
from penstock.foundation.machine import is_this_machine
from penstock.server.names import host_names, look_up_all, storage_name
from penstock.server.program import as_root
from penstock.server.running import read_running
from penstock.settings import Settings


def examine(settings: Settings) -> Iterator[Check]:
    running = read_running(settings.folder)
    is_secure = settings.https or bool(running and running.https_storage_url)
    yield check_names(settings.domain, is_secure=is_secure)


def check_names(domain: str, *, is_secure: bool) -> Check:
    """Check that the names resolve. Without names a stack is reached by path; some programs need names and TLS."""
    lookups = look_up_all([storage_name(domain), *host_names(domain)])
    unknown = [name for name, addresses in lookups.items() if not addresses]
    abroad = [name for name, addresses in lookups.items() if not all(map(is_this_machine, addresses))]
    fix = f"{as_root()} hosts install --domain {domain}"
    if unknown:
        text = _say_unknown(domain, unknown)
        if is_secure:
            return wrong("names", f"{text}, and programs that require TLS use names", fix)
        return note("names", f"{text}; without names addresses are http://127.0.0.1:PORT/_svc/storage", fix)
    if abroad:
        name = abroad[0]
        text = f"{name} is {', '.join(sorted(lookups[name]))}, which is not this machine{_and_more(abroad)}"
        return note("names", text, f"Behind a reverse proxy that is right. Otherwise: {fix}")
    here = sorted(set[str]().union(*lookups.values()))
    return ok("names", f"all {len(lookups)} of {domain} lead here: {', '.join(here)}")


def _say_unknown(domain: str, unknown: list[str]) -> str:
    storage = storage_name(domain)
    name = storage if storage in unknown else unknown[0]
    return f"{name} does not resolve here{_and_more(unknown)}"


def _and_more(names: list[str]) -> str:
    return f", nor {len(names) - 1} more" if len(names) > 1 else ""

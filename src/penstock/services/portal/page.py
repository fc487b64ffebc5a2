"""The portal's HTML page: a plain list and a form, with every name escaped."""

from __future__ import annotations

from html import escape
from importlib.resources import files
from string import Template
from urllib.parse import urlsplit

from penstock.foundation.stacks import STORAGE
from penstock.services.portal.models import ApiEntry, Apis


def make_page(apis: Apis, portal_url: str) -> str:
    template = Template(files("penstock.services.portal").joinpath("page.html").read_text(encoding="utf-8"))
    storage = next(entry.api_url for entry in apis.services if entry.id == STORAGE)
    address = urlsplit(portal_url)
    return template.substitute(
        stack=escape(apis.stack),
        portal=escape(portal_url),
        origin=escape(f"{address.scheme}://{address.netloc}"),
        storage=escape(storage),
        rows="\n".join(map(_row, apis.services)),
    )


def _row(entry: ApiEntry) -> str:
    specification = f'<a href="{escape(entry.open_api_spec_url)}"><code>{escape(entry.id)}.json</code></a>'
    address = f'<a href="{escape(entry.api_url)}/"><code>{escape(entry.api_url)}</code></a>'
    return f"<tr><td>{escape(entry.name)}</td><td>{address}</td><td>{specification}</td></tr>"

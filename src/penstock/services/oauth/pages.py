"""The page that a browser shows if an authorization was not completed."""

from __future__ import annotations

from html import escape
from urllib.parse import urlsplit

from starlette.responses import Response

from penstock.foundation.errors import AppError
from penstock.web.small_pages import page

MAX_CHARACTERS = 500
"""Of what the provider says."""


def failure_page(error: AppError, component_id: str, message: str, back: str) -> Response:
    """`message` are the words of the provider, `back` is the address that the page leads to."""
    quoted = f"<p>The provider says: <q>{escape(message[:MAX_CHARACTERS])}</q></p>" if message else ""
    content = (
        f'<p class="error">{escape(error.message)}</p>{quoted}'
        f"<p>Nothing was stored for the component <strong>{escape(component_id)}</strong>.</p>"
        f'<p><a href="{escape(back)}" rel="noreferrer">Back to {escape(urlsplit(back).netloc)}</a></p>'
    )
    return page("The authorization was not completed", content, error.status)

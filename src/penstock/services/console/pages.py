"""The page of the console, and the one that is shown until it is built."""

from __future__ import annotations

from html import escape
from string import Template

from penstock.web import bundle

WAITING = Template("""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
$refresh
<title>Penstock</title>
<style>
  body { font: 16px/1.5 system-ui, sans-serif; max-width: 40rem; margin: 20vh auto; padding: 0 1.25rem; }
  pre { white-space: pre-wrap; overflow-wrap: anywhere; }
</style>
</head>
<body>
<h1>$title</h1>
<p>$text</p>
$details
</body>
</html>
""")
REFRESH = '<meta http-equiv="refresh" content="1">'


def make_page(base: str) -> str:
    """`base` is where the page is, since its links are relative."""
    return bundle.read_page("index", base) or _waiting_page(bundle.read_failure())


def _waiting_page(failure: str | None) -> str:
    if failure is None:
        text = (
            "This takes less than a minute after the first start. The APIs work already. This page reloads by itself."
        )
        return WAITING.substitute(title="The console is being built", text=text, refresh=REFRESH, details="")
    text = "The APIs work. The build can be repeated with <code>make console</code>."
    details = f"<pre>{escape(failure)}</pre>"
    return WAITING.substitute(title="The console could not be built", text=text, refresh="", details=details)

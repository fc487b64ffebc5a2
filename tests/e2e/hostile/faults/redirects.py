"""H8: redirects, in circles, to other hosts, to private ones, to other protocols, and of requests with a body."""

from __future__ import annotations

from penstock.foundation.outbound import Policy
from tests.e2e.hostile.exchange import Exchange
from tests.e2e.hostile.scenario import ALWAYS, Fault, Variant, fails, warned

MAX_REDIRECTS = 5
STRICT = Policy(allow=("127.0.0.1",)).to_environment()
POST = {"method": "POST"}
TOO_MANY = fails(f"Will not follow more than {MAX_REDIRECTS} redirects")
REFUSED = fails("private address, which this stack does not let jobs reach")


def _to(place: str, *statuses: int) -> Fault:
    """To the same page at another place; `{port}` in it is the port of the API."""

    async def redirect(exchange: Exchange) -> None:
        status = exchange.random.choice(statuses or (301, 302, 303, 307, 308))
        port = exchange.url.rpartition(":")[2]
        location = f"{place.format(port=port)}{exchange.request.target}"
        await exchange.response(b"moved", [("Location", location)], f"{status} Moved")

    return redirect


def _exactly(location: str) -> Fault:
    async def redirect(exchange: Exchange) -> None:
        await exchange.response(b"moved", [("Location", location)], "302 Found")

    return redirect


HERE, OTHER = _to(""), _to("http://localhost:{port}")

VARIANTS = (
    Variant("once", HERE),
    Variant("as often as allowed", HERE, MAX_REDIRECTS),
    Variant("once too often", HERE, MAX_REDIRECTS + 1, TOO_MANY),
    Variant("for ever", HERE, ALWAYS, TOO_MANY),
    Variant("to another host", OTHER, 1, warned("localhost:[0-9]+ is not named by the configuration")),
    Variant("to another host for ever", OTHER, ALWAYS, TOO_MANY),
    Variant("to a private address", _to("http://10.1.2.3"), ALWAYS, REFUSED, environment=STRICT),
    Variant("to the cloud's own data", _to("http://169.254.169.254"), ALWAYS, REFUSED, environment=STRICT),
    Variant("to this machine by name", OTHER, ALWAYS, REFUSED, environment=STRICT),
    Variant("to this machine by another address", _to("http://[::1]:{port}"), ALWAYS, REFUSED, environment=STRICT),
    Variant("to another protocol", _to("ftp://127.0.0.1"), ALWAYS, fails("allowed redirect protocols: http, https")),
    Variant("to TLS where there is none", _to("https://127.0.0.1:{port}"), ALWAYS, fails("CURL error 35")),
    Variant("to no address", _exactly("http://[oops"), ALWAYS, fails("The redirect leads to no address")),
    Variant("to nobody", _to("http://nobody.invalid"), ALWAYS, fails("CURL error 6: Could not resolve host")),
    Variant("of a request with a body", _to("", 307, 308), job=POST),
    Variant(
        "of a request with a body to another host",
        *(_to("http://localhost:{port}", 307, 308), ALWAYS, fails("sends a request with a body on to localhost")),
        job=POST,
    ),
)

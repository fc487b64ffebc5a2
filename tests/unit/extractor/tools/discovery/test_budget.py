"""Discovery never sends more requests than it may, whatever the API does."""

from __future__ import annotations

from contextlib import suppress

from hypothesis import given
from hypothesis import strategies as st

from penstock.extractor.base.errors import UserError
from tests.support.api import Api, Response, Script, Seen
from tests.support.examples import examples
from tests.unit.extractor.tools.discovery.apis import APIS, SmallApi
from tests.unit.extractor.tools.discovery.finding import discover_command

RECORDS = [{"id": n, "name": f"n{n}"} for n in range(20)]


def _endless(seen: Seen) -> Response:
    """Always more, and never the same."""
    start = 20 * int(seen.params.get("cursor", "0"))
    page = [{"id": start + n} for n in range(20)]
    return Response.json({"items": page, "has_more": True, "next_cursor": str(start // 20 + 1)})


def _redirecting(seen: Seen) -> Response:
    if seen.path.endswith("/there"):
        return Response.json({"items": RECORDS, "total": 500})
    return Response(302, headers={"Location": f"{seen.path}/there?{seen.query}"})


def _circling(seen: Seen) -> Response:
    return Response(302, headers={"Location": seen.path})


def _deaf(seen: Seen) -> Response:
    """Ignores every parameter, although it says that there is more."""
    return Response.json({"items": RECORDS, "total": 500, "page": 1, "offset": 0, "next_cursor": "abc"})


def _failing(seen: Seen) -> Response:
    return Response.json({"items": RECORDS, "total": 500}) if not seen.query else Response(400)


HOSTILE = (_endless, _redirecting, _circling, _deaf, _failing)


@examples(60)
@given(st.sampled_from(HOSTILE), st.integers(1, 25))
def test_hostile_apis_get_no_more_requests(script: Script, most: int) -> None:
    with Api() as api:
        api.on_everything(script)
        with suppress(UserError):
            discover_command(f"curl {api.url}/list", most)
        assert 1 <= len(api.seen) <= most


@examples(40)
@given(st.sampled_from(APIS), st.integers(1, 12))
def test_small_budgets_are_kept(small: SmallApi, most: int) -> None:
    with Api() as api:
        small.serve(api)
        found = discover_command(small.command(api.url), most)
        assert found.requests == len(api.seen) <= most

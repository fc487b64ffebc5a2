"""Configurations, what an API answered to them, and the tables that must come out: one folder per case.

    config.json      the parameters, or a whole configuration with `parameters` in it; `{api}` stands for the address
                     of the API, `{host}` for its host and port
    exchanges.json   the requests in their order, each with its response: `request` is `GET /users?page=1`; `sent` is
                     the body it must carry (JSON, or text as it is) and `with` the headers (null: none of this name);
                     in the response `body` is JSON, `text` is taken as it is, `status` and `headers` are optional
    in/state.json    what an earlier run left, if any
    expected/        tables/ and, if it matters, state.json (without times), warnings.txt, log.txt (lines that must be
                     in the log, in their order) and error.txt (how the one error begins; then there are no tables)

`{api}` and `{host}` stand in all of them but the tables and the state.
Adding a case needs no code.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.support.api import Api, Response, Script, Seen
from tests.support.extraction import try_extraction

NO_MORE: dict[str, Any] = {"request": "nothing more"}
CASES = sorted(path for path in (Path(__file__).parent / "cases").iterdir() if path.is_dir())


@pytest.fixture(autouse=True)
def no_certificates(monkeypatch: pytest.MonkeyPatch):
    """No case uses TLS, and reading the operator's bundle for each would take most of the time."""
    for name in ("SSL_CERT_FILE", "REQUESTS_CA_BUNDLE"):
        monkeypatch.delenv(name, raising=False)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_the_extractor_asks_and_writes_what_it_must(case: Path, tmp_path: Path):
    expected, out = case / "expected", tmp_path / "out"
    with Api() as api:
        exchanges = read_json(case / "exchanges.json", api)
        api.on_everything(replay(exchanges))
        result = try_extraction(read_json(case / "config.json", api), out, read_state(case / "in" / "state.json"))

    assert [asked(seen) for seen in api.seen] == [exchange["request"] for exchange in exchanges]
    assert (result.error or "").startswith(read_text(expected / "error.txt", api).removesuffix("\n"))
    assert bool(result.error) == (expected / "error.txt").exists(), result.error
    assert result.warnings == read_text(expected / "warnings.txt", api).splitlines()
    assert_in_order(read_text(expected / "log.txt", api).splitlines(), result.log)
    assert read_tables(out / "tables") == read_tables(expected / "tables")
    if (expected / "state.json").exists():
        assert_same_state(read_state(out / "state.json"), read_state(expected / "state.json"))


def replay(exchanges: list[dict[str, Any]]) -> Script:
    """Returns the recorded responses in order; a request that is not the next one of the recording gets an error."""
    left = iter(exchanges)

    def script(seen: Seen) -> Response:
        exchange = next(left, NO_MORE)
        if asked(seen) != exchange["request"]:
            return Response.json({"message": f"Expected {exchange['request']}, got {asked(seen)}"}, 404)
        assert_sent(seen, exchange)
        text = exchange.get("text", json.dumps(exchange.get("body")))
        return Response(exchange.get("status", 200), text.encode(), exchange.get("headers", {}))

    return script


def assert_sent(seen: Seen, exchange: dict[str, Any]) -> None:
    for name, value in exchange.get("with", {}).items():
        assert seen.headers.get(name.lower()) == value
    if "sent" in exchange:
        sent = seen.body.decode()
        assert (json.loads(sent) if not isinstance(exchange["sent"], str) else sent) == exchange["sent"]


def asked(seen: Seen) -> str:
    return f"{seen.method} {seen.path}?{seen.query}".rstrip("?")


def assert_in_order(lines: list[str], log: str) -> None:
    for line in lines:
        assert line in log, f"{line!r} is not in the log, or not in this place"
        log = log.partition(line)[2]


def assert_same_state(state: dict[str, Any], expected: dict[str, Any]) -> None:
    assert state.pop("time")["previousStart"] > 0
    assert list(state) == list(expected)
    assert state == expected


def read_json(path: Path, api: Api) -> Any:
    return json.loads(read_text(path, api))


def read_text(path: Path, api: Api) -> str:
    """Empty if there is no such file."""
    text = path.read_text() if path.exists() else ""
    return text.replace("{api}", api.url).replace("{host}", api.url.removeprefix("http://"))


def read_tables(folder: Path) -> dict[str, str]:
    return {path.name: path.read_bytes().decode() for path in folder.glob("*")} if folder.exists() else {}


def read_state(path: Path) -> dict[str, Any]:
    return json.loads(path.read_text()) if path.exists() else {}

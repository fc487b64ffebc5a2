"""The way out of a sandbox with a network of its own: what the policy lets pass, the job's log, Storage; no more."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest

from penstock.foundation.outbound import Policy
from penstock.runtime.gelf import Listener, Record
from penstock.runtime.launch import Endpoint
from tests.support.api import Api
from tests.support.sandbox import NEEDS_SANDBOX
from tests.unit.runtime.test_isolation import run

pytestmark = NEEDS_SANDBOX

DIRECT = """
import socket, sys
for port in sys.argv[1:]:
    try:
        socket.create_connection(("127.0.0.1", int(port)), 5); print("connected")
    except OSError as error:
        print(error.strerror)
print([name for _, name in socket.if_nameindex()])
"""

FETCH = """
import os, sys, urllib.request, urllib.error
opener = urllib.request.build_opener(urllib.request.ProxyHandler({"http": os.environ["HTTP_PROXY"]}))
for url in sys.argv[1:]:
    urllib.request.proxy_bypass = lambda *_: False
    try:
        print(opener.open(url, timeout=20).read().decode())
    except urllib.error.HTTPError as error:
        print(error.code, error.read().decode().strip())
"""

LOG = """
import json, os, socket, sys
kind, port = sys.argv[1:]
record = json.dumps({"host": "h", "level": 6, "timestamp": 1, "short_message": kind}).encode()
if kind == "udp":
    socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(record, ("127.0.0.1", int(port)))
else:
    with socket.create_connection(("127.0.0.1", int(port))) as connection:
        connection.sendall(record + bytes(1))
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "data").mkdir(mode=0o700)
    return tmp_path / "data"


def test_nothing_of_this_machine_is_reached_directly(folder: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        seen = run(folder, DIRECT, server.getsockname()[1], gate=Policy())

    assert seen == ["Connection refused", "['lo']"]


def test_the_policy_decides_and_a_refusal_says_why(folder: Path) -> None:
    api = Api()
    api.on("/items", {"is": "here"})
    refused = run(folder, FETCH, f"{api.url}/items", "http://169.254.169.254/", gate=Policy())
    passed = run(folder, FETCH, f"{api.url}/items", gate=Policy(allow=("127.0.0.1",)))

    assert [line[:4] for line in refused] == ["403 ", "403 "]
    assert "private address" in refused[0]
    assert len(api.seen) == 1
    assert '"here"' in passed[0]


def test_programs_are_told_of_the_proxy_in_both_spellings(folder: Path) -> None:
    script = "import os; print(sorted({os.environ[n] for n in os.environ if n.lower().endswith('_proxy')}))"

    assert run(folder, script, gate=Policy()) == ["['http://127.0.0.1:3128', 'localhost,.localhost,127.0.0.1,::1']"]


@pytest.mark.parametrize("kind", ["tcp", "udp"])
def test_a_component_sends_its_log_from_inside(folder: Path, kind: str) -> None:
    heard: list[Record] = []
    with Listener(kind, heard.append) as listener:
        host, port = listener.address
        run(folder, LOG, kind, port, gate=Policy(), reaches=(Endpoint(kind, host, port),))

    assert [record.short_message for record in heard] == [kind]


def test_what_it_may_reach_is_at_the_same_port_inside(folder: Path) -> None:
    api = Api()
    api.on("/v2/storage", {"is": "here"})
    port = int(api.url.rpartition(":")[2])
    script = "import sys, urllib.request; print(urllib.request.urlopen(sys.argv[1]).read().decode())"

    assert (
        '"here"'
        in run(folder, script, f"{api.url}/v2/storage", gate=Policy(), reaches=(Endpoint("tcp", "127.0.0.1", port),))[0]
    )


def test_without_a_network_there_is_no_way_out_either(folder: Path) -> None:
    script = (
        "import os, socket; print('HTTP_PROXY' in os.environ, socket.socket().connect_ex(('127.0.0.1', 3128)) != 0)"
    )

    assert run(folder, script, gate=Policy(), network="none") == ["False True"]

from __future__ import annotations

import asyncio
import io
import re
import subprocess
import sys
from collections.abc import AsyncGenerator, Callable, Coroutine
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import asyncssh
import pytest

from penstock.extractor.base.errors import UserError
from penstock.extractor.base.log import Log
from penstock.extractor.requests.sending.ssh_server import SshServer, read_server
from penstock.extractor.requests.sending.tls import tls_context
from penstock.extractor.requests.sending.tunnel import Tunnel, read_tunnel
from penstock.foundation.outbound import Gate, OutboundError, Policy
from penstock.foundation.redaction import Redactor
from tests.support.authority import Authority
from tests.support.bastion import HOST_KEY, PRIVATE_KEY, Bastion, bastion_to
from tests.support.patience import PATIENCE
from tests.support.refusing import refusing_port
from tests.unit.foundation.outbound.servers import ok, redirect, serving

OPEN = Policy(is_open=True)
STRICT = Policy()
HOST_KEY_TEXT = HOST_KEY.export_public_key().decode().strip()
OTHER_KEY_TEXT = asyncssh.generate_private_key("ssh-ed25519").export_public_key().decode().strip()
FAILED = "Unable to create ssh tunnel. Output:  ErrorOutput: "


def run(story: Coroutine[Any, Any, Any]) -> Any:
    return asyncio.run(asyncio.wait_for(story, PATIENCE))


async def until(is_so: Callable[[], Any]) -> None:
    while not is_so():  # noqa: ASYNC110
        await asyncio.sleep(0.01)


def quiet() -> Log:
    return Log(io.StringIO(), Redactor(), is_debug=True)


def lines_of(log: Log) -> list[str]:
    assert isinstance(log.out, io.StringIO)
    return re.findall(r"logger\.(\w+: .*?) \[\] \[\]", log.out.getvalue())


@asynccontextmanager
async def tunnel_of(settings: dict[str, Any], policy: Policy = OPEN, log: Log | None = None) -> AsyncGenerator[Tunnel]:
    tunnel = read_tunnel(settings, log or quiet(), policy)
    assert tunnel is not None
    try:
        yield tunnel
    finally:
        await tunnel.close()


@asynccontextmanager
async def network(ports: dict[str, int], policy: Policy = OPEN, **options: Any) -> AsyncGenerator[tuple[Bastion, Gate]]:
    """A gate whose calls go through a bastion that knows these hosts."""
    async with (
        bastion_to(ports) as bastion,
        tunnel_of(bastion.settings()) as tunnel,
        Gate(policy, socks=tunnel.address, **options) as gate,
    ):
        yield bastion, gate


async def fail_to_open(settings: dict[str, Any], policy: Policy = OPEN) -> str:
    async with tunnel_of(settings, policy) as tunnel:
        with pytest.raises(UserError) as caught:
            await tunnel.address()
    return str(caught.value)


def test_a_configuration_without_the_section_has_no_tunnel():
    assert read_tunnel(None, quiet()) is None


@pytest.mark.parametrize(
    ("section", "message"),
    [
        ({}, "Missing parameters 'user,host,port,#privateKey' in SSH config."),
        ([], "Missing parameters 'user,host,port,#privateKey' in SSH config."),
        ("text", "Missing parameters 'user,host,port,#privateKey' in SSH config."),
        ({"host": "h", "#privateKey": "k"}, "Missing parameters 'user,port' in SSH config."),
        ({"user": "u", "host": "h", "port": 22, "#privateKey": ""}, "Key must not be empty"),
        ({"user": "u", "host": "h", "port": 22, "#privateKey": None}, "Key must not be empty"),
        ({"user": "u", "host": "h", "port": "x", "#privateKey": "k"}, "a number from 1 to 65535 .*sshProxy.port"),
        ({"user": "u", "host": "h", "port": 70000, "#privateKey": "k"}, "a number from 1 to 65535"),
        ({"user": "u", "host": "h", "port": True, "#privateKey": "k"}, "a number from 1 to 65535"),
        ({"user": "u", "host": ["h"], "port": 22, "#privateKey": "k"}, r"at `parameters\.sshProxy\.host`"),
        ({"user": None, "host": "h", "port": 22, "#privateKey": "k"}, r"at `parameters\.sshProxy\.user`"),
        ({"user": "u", "host": "h", "port": 22, "#privateKey": ["s3cret"]}, r"at `parameters\.sshProxy\.#privateKey`"),
    ],
)
def test_a_section_that_cannot_be_used_is_refused_at_once(section: Any, message: str):
    with pytest.raises(UserError, match=message) as caught:
        read_tunnel(section, quiet())
    assert "s3cret" not in str(caught.value)


def test_a_port_may_be_written_as_text():
    server = read_server({"user": "u", "host": " h ", "port": "22", "#privateKey": "k"})

    assert server == SshServer("u", "h", 22, "k")


def test_calls_go_through_the_tunnel_and_names_are_looked_up_at_its_other_end():
    async def story() -> None:
        with serving(ok(b"inside")) as api:
            ports = {"api.internal": api.port, "10.1.2.3": api.port, "fd00::1": api.port}
            async with network(ports, STRICT) as (bastion, gate):
                assert bastion.connections == []
                for url in ("http://api.internal/a?b=1", "http://10.1.2.3:81/", "http://[fd00::1]/"):
                    assert (await gate.send("GET", url)).body == b"inside"
        assert len(bastion.connections) == 1
        assert bastion.asked == [("api.internal", 80), ("10.1.2.3", 81), ("fd00::1", 80)]
        assert (api.requests[0].path, api.requests[0].headers["host"]) == ("/a?b=1", "api.internal")

    run(story())


def test_neither_a_proxy_nor_a_host_of_the_stack_is_used_in_a_tunnel():
    async def story() -> None:
        with serving(ok(b"inside")) as api, serving(ok(b"own")) as own:
            policy = Policy(own_hosts={"api.internal": f"127.0.0.1:{own.port}"}, proxy=own.url())
            async with network({"api.internal": api.port, "localhost": api.port}, policy) as (_, gate):
                for url in ("http://api.internal/", "http://localhost/"):
                    assert (await gate.send("GET", url)).body == b"inside"
        assert own.connections == 0

    run(story())


def test_tls_goes_through_the_tunnel_with_the_name_of_the_host(tmp_path: Path):
    authority = Authority(tmp_path)
    asked: list[str] = []
    served = authority.context_for("api.internal")
    served.sni_callback = lambda _, name, __: asked.append(name)
    trusted = tls_context(authority.bundle.read_text(), None)

    async def story() -> None:
        with serving(ok(b"safe"), tls=served) as api:
            ports = {"api.internal": api.port, "api.internal.": api.port, "x.internal": api.port}
            async with network(ports, tls=trusted) as (_, gate):
                for host in ("api.internal", "api.internal."):
                    assert (await gate.send("GET", f"https://{host}/")).body == b"safe"
                with pytest.raises(OutboundError, match=r"certificate of x\.internal is not trusted") as caught:
                    await gate.send("GET", "https://x.internal/")
                assert caught.value.kind == "certificate"
        assert asked == ["api.internal", "api.internal", "x.internal"]

    run(story())


@pytest.mark.parametrize(("scheme", "kinds"), [("http", {"empty", "receive"}), ("https", {"handshake"})])
def test_a_host_that_the_ssh_server_does_not_reach_is_a_failure_that_retries_know(scheme: str, kinds: set[str]):
    async def story() -> None:
        async with network({}) as (_, gate):
            with pytest.raises(OutboundError) as caught:
                await gate.send("GET", f"{scheme}://nope/")
            assert caught.value.kind in kinds

    run(story())


def test_redirects_stay_in_the_tunnel():
    async def story() -> None:
        with serving(lambda sent: ok(b"end") if sent.path == "/end" else redirect("http://b.internal/end")) as api:
            async with network({"a.internal": api.port, "b.internal": api.port}, STRICT) as (_, gate):
                assert (await gate.send("GET", "http://a.internal/")).body == b"end"

    run(story())


def test_a_call_that_fails_in_a_tunnel_is_sent_once():
    async def story() -> None:
        with serving(lambda _: b"") as api:
            async with network({"api.internal": api.port}) as (_, gate):
                with pytest.raises(OutboundError):
                    await gate.send("GET", "http://api.internal/", timeout=1.5)
        assert len(api.requests) == 1

    run(story())


def test_a_tunnel_that_died_is_opened_again():
    log = quiet()

    async def story() -> None:
        with serving(ok()) as api:
            async with bastion_to({"api.internal": api.port}) as bastion:
                async with tunnel_of(bastion.settings(), log=log) as tunnel, Gate(OPEN, socks=tunnel.address) as gate:
                    assert (await gate.send("GET", "http://api.internal/")).body == b"ok"
                    first = await tunnel.address()
                    bastion.kill()
                    await until(lambda: not tunnel._link or not tunnel._link.is_alive)
                    assert (await gate.send("GET", "http://api.internal/")).body == b"ok"
                    assert await tunnel.address() != first
                assert len(bastion.connections) == 2

    run(story())
    created = ["INFO: Creating SSH tunnel to '127.0.0.1' ...", "DEBUG: SSH tunnel created."]
    assert lines_of(log) == [*created, "DEBUG: SSH tunnel is not alive. Reconnecting ...", *created]


def test_a_call_that_the_death_of_the_tunnel_breaks_fails_like_a_lost_connection():
    async def wait(_: Any, __: asyncio.StreamWriter) -> None:
        await asyncio.sleep(PATIENCE)

    async def story() -> None:
        with serving(lambda _: wait) as api:
            async with network({"api.internal": api.port}) as (bastion, gate):
                call = asyncio.create_task(gate.send("GET", "http://api.internal/"))
                await until(lambda: api.requests)
                bastion.kill()
                with pytest.raises(OutboundError) as caught:
                    await call
                assert caught.value.kind in ("empty", "receive")

    run(story())


def test_many_calls_at_once_open_one_tunnel():
    async def story() -> None:
        with serving(ok()) as api:
            async with network({"api.internal": api.port}) as (bastion, gate):
                await asyncio.gather(*(gate.send("GET", f"http://api.internal/{n}") for n in range(20)))
        assert (len(bastion.connections), len(api.requests)) == (1, 20)

    run(story())


def test_a_closed_tunnel_is_closed():
    async def story() -> None:
        async with bastion_to({}) as bastion, tunnel_of(bastion.settings()) as tunnel:
            port = int((await tunnel.address()).rpartition(":")[2])
            await tunnel.close()
            with pytest.raises(OSError, match=r"refused|Connect call failed"):
                await asyncio.open_connection("127.0.0.1", port)

    run(story())


@pytest.mark.parametrize("host", ["127.0.0.1", "127.1", "localhost", "ssh.localhost"])
def test_a_job_may_not_tunnel_through_a_private_host(host: str):
    async def story() -> None:
        async with bastion_to({}) as bastion:
            message = await fail_to_open(bastion.settings(host=host), STRICT)
            assert message.startswith(FAILED + host)
            assert "private address" in message
            assert f"--allow-host {host}" in message
            assert bastion.connections == []

    run(story())


@pytest.mark.parametrize(("host", "entry"), [("localhost", "localhost"), ("127.0.0.1", "127.0.0.0/8")])
def test_an_ssh_server_may_be_allowed(host: str, entry: str):
    async def story() -> None:
        policy = Policy(allow=(entry,))
        async with bastion_to({}) as bastion, tunnel_of(bastion.settings(host=host), policy) as tunnel:
            assert re.fullmatch(r"socks5h://127\.0\.0\.1:\d+", await tunnel.address())

    run(story())


@pytest.mark.parametrize(
    "text",
    [HOST_KEY_TEXT, f"{HOST_KEY_TEXT} a comment", f"ssh.test,127.0.0.1 {HOST_KEY_TEXT}", f"# a\n{HOST_KEY_TEXT}\n"],
    ids=["key", "key and comment", "known_hosts line", "after a comment"],
)
def test_a_server_with_the_configured_host_key_is_trusted(text: str):
    async def story() -> None:
        async with bastion_to({}) as bastion, tunnel_of(bastion.settings(hostKey=text)) as tunnel:
            assert await tunnel.address()

    run(story())


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (OTHER_KEY_TEXT, "another key than the one in `hostKey`"),
        ("# nothing", "another key than the one in `hostKey`"),
        ("nonsense", "The `hostKey` cannot be read"),
        ("ssh-ed25519 nonsense", "The `hostKey` cannot be read"),
    ],
    ids=["another", "none", "no key", "no key data"],
)
def test_a_server_with_another_host_key_is_not(text: str, reason: str):
    async def story() -> None:
        async with bastion_to({}) as bastion:
            message = await fail_to_open(bastion.settings(hostKey=text))
            assert message.startswith(FAILED)
            assert reason in message

    run(story())


def test_a_key_that_the_server_does_not_know_is_not_tried_again():
    other = asyncssh.generate_private_key("ssh-ed25519").export_private_key().decode()

    async def story() -> None:
        async with bastion_to({}) as bastion:
            message = await fail_to_open(bastion.settings(**{"#privateKey": other}))
            assert re.fullmatch(
                FAILED + r"127\.0\.0\.1 port \d+ does not let the user 'jump' in with this private key\. "
                r"Add its public key to the user's authorized_keys\.",
                message,
            )
            assert len(bastion.connections) == 1

    run(story())


def test_a_key_that_cannot_be_read_is_refused_without_repeating_it():
    locked = asyncssh.generate_private_key("ssh-ed25519").export_private_key("pkcs8-pem", "s3cret").decode()
    lines = PRIVATE_KEY.splitlines()
    broken = "\n".join([lines[0], "c2VjcmV0", *lines[2:]])

    for key, reason in (("s3cret", "cannot be read"), (broken, "cannot be read"), (locked, "is encrypted")):
        message = run(fail_to_open({"user": "u", "host": "127.0.0.1", "port": 1, "#privateKey": key}))
        assert message.startswith(f"{FAILED}The private key {reason}")
        assert not any(line in message for line in key.splitlines())


def test_a_server_that_is_down_is_tried_five_times():
    pauses: list[float] = []

    async def sleep(seconds: float) -> None:
        pauses.append(seconds)

    async def story() -> None:
        with refusing_port() as port:
            server = SshServer("jump", "127.0.0.1", port, PRIVATE_KEY)
            with pytest.raises(UserError) as caught:
                await Tunnel(server, quiet(), OPEN, sleep).address()
        assert str(caught.value) == f"{FAILED}Could not connect to 127.0.0.1 port {port}: connection refused"

    run(story())
    assert pauses == [0.1, 0.2, 0.4, 0.8]


def test_a_server_that_comes_up_in_between_is_reached():
    async def story() -> None:
        with serving(ok()) as api:
            has_failed, is_up = asyncio.Event(), asyncio.Event()

            async def sleep(_: float) -> None:
                has_failed.set()
                await is_up.wait()

            with refusing_port() as port:
                tunnel = Tunnel(read_server(Bastion({}, port).settings()), quiet(), OPEN, sleep)
                opening = asyncio.create_task(tunnel.address())
                await has_failed.wait()
            async with bastion_to({"api.internal": api.port}, port):
                is_up.set()
                assert await opening
                await tunnel.close()

    run(story())


def test_a_server_that_is_no_ssh_server_is_named():
    async def sleep(_: float) -> None:
        await asyncio.sleep(0)

    async def story() -> None:
        with serving(ok(), greeting=b"220 mail.test ESMTP\r\n" * 2000) as mail:
            server = SshServer("jump", "127.0.0.1", mail.port, PRIVATE_KEY)
            with pytest.raises(UserError, match=r"127\.0\.0\.1 port \d+ did not open a tunnel: "):
                await Tunnel(server, quiet(), OPEN, sleep).address()

    run(story())


def test_ssh_is_only_imported_by_those_who_need_it():
    code = (
        "import sys, penstock.extractor.requests.sending.tunnel as t; t.read_tunnel(None, None); "
        "print([name for name in ('asyncssh', 'aiohttp_socks', 'python_socks') if name in sys.modules])"
    )

    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"

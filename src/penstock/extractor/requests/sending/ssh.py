"""One SSH connection with a local SOCKS proxy; the only module that imports asyncssh.

Nothing of the machine's SSH setup is used: no configuration file, no agent, no keys other than the given one.
"""

from __future__ import annotations

import asyncio
import os
from contextlib import suppress

import asyncssh

from penstock.extractor.requests.sending.ssh_server import NoLink, SshServer

SECONDS_TO_CONNECT, SECONDS_TO_LOG_IN = 30.0, 30.0
KEEPALIVE_SECONDS = 10
SECONDS_TO_CLOSE = 5.0

_KnownHosts = tuple[list[asyncssh.SSHKey], list[asyncssh.SSHKey], list[asyncssh.SSHKey]]


class Link:
    def __init__(self, connection: asyncssh.SSHClientConnection, listener: asyncssh.SSHListener) -> None:
        self._connection = connection
        self.address = f"socks5h://127.0.0.1:{listener.get_port()}"

    @property
    def is_alive(self) -> bool:
        return not self._connection.is_closed()

    async def close(self) -> None:
        self._connection.close()  # closes the listener and all connections through it, too
        with suppress(OSError, asyncssh.Error, TimeoutError):
            await asyncio.wait_for(self._connection.wait_closed(), SECONDS_TO_CLOSE)


async def open_link(server: SshServer, addresses: list[str]) -> Link:
    """Connects to one of these addresses, which have been checked; raises NoLink."""
    key, host_keys = _read_private_key(server.private_key), _read_host_keys(server.host_key)
    try:
        connection = await _connect(server, key, host_keys, addresses)
        return await _listen(connection)
    except (OSError, asyncssh.Error) as error:
        raise _explain(error, server) from None


async def _listen(connection: asyncssh.SSHClientConnection) -> Link:
    try:
        return Link(connection, await connection.forward_socks("127.0.0.1", 0))
    except BaseException:
        connection.abort()
        raise


async def _connect(
    server: SshServer, key: asyncssh.SSHKey, host_keys: _KnownHosts | None, addresses: list[str]
) -> asyncssh.SSHClientConnection:
    *others, last = sorted(addresses, key=_is_ipv6)
    for address in others:
        with suppress(OSError):
            return await _connect_to(address, server, key, host_keys)
    return await _connect_to(last, server, key, host_keys)


async def _connect_to(
    address: str, server: SshServer, key: asyncssh.SSHKey, host_keys: _KnownHosts | None
) -> asyncssh.SSHClientConnection:
    return await asyncssh.connect(
        address,
        server.port,
        username=server.user,
        client_keys=[key],
        known_hosts=host_keys,
        preferred_auth="publickey",
        config=None,
        agent_path=None,
        x509_trusted_certs=None,
        keepalive_interval=KEEPALIVE_SECONDS,
        keepalive_count_max=1,
        connect_timeout=SECONDS_TO_CONNECT,
        login_timeout=SECONDS_TO_LOG_IN,
    )


def _is_ipv6(address: str) -> bool:
    return ":" in address


def _read_private_key(text: str) -> asyncssh.SSHKey:
    try:
        return asyncssh.import_private_key(text.strip() + "\n")
    except (asyncssh.KeyImportError, asyncssh.KeyEncryptionError) as error:
        # The messages of asyncssh are not repeated: they might contain a part of the key.
        if "passphrase" in str(error).lower():
            raise NoLink("The private key is encrypted. Use one without a passphrase.", is_final=True) from None
        message = "The private key cannot be read. Set `#privateKey` to the whole key file, with its line breaks."
        raise NoLink(message, is_final=True) from None


def _read_host_keys(text: str | None) -> _KnownHosts | None:
    """Returns the keys that the server may have: lines of a known_hosts file, or public keys; None if any will do."""
    if text is None:
        return None
    try:
        keys = [_read_host_key(line) for line in text.splitlines() if line.strip() and not line.startswith("#")]
    except (asyncssh.KeyImportError, ValueError):
        message = "The `hostKey` cannot be read. Set it to a line of a known_hosts file, or to the server's public key."
        raise NoLink(message, is_final=True) from None
    return keys, [], []


def _read_host_key(line: str) -> asyncssh.SSHKey:
    """Reads `host ssh-ed25519 AAAA…` or `ssh-ed25519 AAAA… comment`; the host is ignored."""
    words = line.split()
    start = next(index for index, word in enumerate([*words, "ssh-"]) if word.startswith(("ssh-", "ecdsa-", "sk-")))
    return asyncssh.import_public_key(" ".join(words[start : start + 2]))


def _explain(error: OSError | asyncssh.Error, server: SshServer) -> NoLink:
    address = f"{server.host} port {server.port}"
    if isinstance(error, asyncssh.PermissionDenied):
        message = f"{address} does not let the user {server.user!r} in with this private key."
        return NoLink(f"{message} Add its public key to the user's authorized_keys.", is_final=True)
    if isinstance(error, asyncssh.HostKeyNotVerifiable):
        return NoLink(f"{address} has another key than the one in `hostKey`.", is_final=True)
    if isinstance(error, TimeoutError):
        return NoLink(f"{address} did not respond within {SECONDS_TO_CONNECT:g} seconds.")
    if isinstance(error, OSError):
        words = os.strerror(error.errno) if error.errno else "no address answered"
        return NoLink(f"Could not connect to {address}: {words.lower()}")
    return NoLink(f"{address} did not open a tunnel: {error.reason}")

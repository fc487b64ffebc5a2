"""A real SMTP server on loopback, which keeps what it receives.

with MailServer() as server:
    server.refuse("RCPT", "550 No such user")   # until it is called again with an empty text
    ...
    assert server.received[0].to == ["ops@example.com"]
"""

from __future__ import annotations

import base64
import email
import ssl
import threading
from dataclasses import dataclass
from email.message import EmailMessage
from email.policy import default
from socketserver import StreamRequestHandler, ThreadingTCPServer
from types import TracebackType
from typing import Self, cast

from tests.support.patience import PATIENCE


@dataclass(frozen=True)
class Received:
    sender: str
    to: list[str]
    raw: bytes
    user: str
    is_encrypted: bool

    @property
    def message(self) -> EmailMessage:
        return email.message_from_bytes(self.raw, policy=default)

    @property
    def text(self) -> str:
        return self.message.get_content()


class MailServer:
    """Listens on a free port. With `tls` it offers STARTTLS, or expects TLS at once if `is_wrapped`; with a `login`
    nobody sends without it."""

    def __init__(
        self, tls: ssl.SSLContext | None = None, *, is_wrapped: bool = False, login: tuple[str, str] | None = None
    ) -> None:
        self.tls, self.is_wrapped, self.login = tls, is_wrapped, login
        self.received: list[Received] = []
        self.refusals: dict[str, str] = {}
        self._server = _Server(("127.0.0.1", 0), _Session)
        self._server.owner = self
        self.port: int = self._server.server_address[1]
        threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True).start()

    def variables(self, sender: str) -> dict[str, str]:
        """The environment of a stack that sends its e-mails here."""
        smtp = {"HOST": "localhost", "PORT": str(self.port), "TLS": "none", "SENDER": sender}
        return {f"PENSTOCK_SMTP_{name}": value for name, value in smtp.items()}

    def refuse(self, command: str, reply: str) -> None:
        self.refusals[command] = reply

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.shutdown()
        self._server.server_close()


class _Server(ThreadingTCPServer):
    daemon_threads = True
    owner: MailServer


class _Session(StreamRequestHandler):
    timeout = PATIENCE

    def setup(self) -> None:
        self.owner = cast(_Server, self.server).owner
        self.is_encrypted = False
        if self.owner.is_wrapped:
            self._wrap()
        super().setup()
        self.user, self.sender, self.to = "", "", list[str]()

    def handle(self) -> None:
        self._reply("220 ready")
        while line := self.rfile.readline().decode().rstrip("\r\n"):
            command = line.split(" ")[0].split(":")[0].upper()
            if refusal := self.owner.refusals.get(command):
                self._reply(refusal)
            elif command == "QUIT":
                return self._reply("221 bye")
            else:
                getattr(self, f"_{command.lower()}", self._unknown)(line)
        return None

    def _ehlo(self, _line: str) -> None:
        offers = ["STARTTLS"] if self.owner.tls and not self.is_encrypted else []
        offers += ["AUTH PLAIN"] if self.owner.login else []
        lines = ["test", *offers, "8BITMIME"]
        self._reply("\r\n".join(f"250{' ' if n == len(lines) - 1 else '-'}{each}" for n, each in enumerate(lines)))

    def _starttls(self, _line: str) -> None:
        self._reply("220 go ahead")
        self._wrap()
        super().setup()

    def _auth(self, line: str) -> None:
        _, user, password = base64.b64decode(line.split(" ")[2]).decode().split("\0")
        if (user, password) != self.owner.login:
            return self._reply("535 wrong password")
        self.user = user
        return self._reply("235 welcome")

    def _mail(self, line: str) -> None:
        if self.owner.login and not self.user:
            return self._reply("530 log in first")
        self.sender, self.to = _address(line), []
        return self._reply("250 ok")

    def _rcpt(self, line: str) -> None:
        self.to.append(_address(line))
        self._reply("250 ok")

    def _data(self, _line: str) -> None:
        self._reply("354 go on")
        lines: list[bytes] = []
        while (line := self.rfile.readline()) not in (b".\r\n", b""):
            lines.append(line[1:] if line.startswith(b"..") else line)
        received = Received(self.sender, self.to, b"".join(lines), self.user, self.is_encrypted)
        self.owner.received.append(received)
        self._reply("250 kept")

    def _rset(self, _line: str) -> None:
        self._reply("250 ok")

    def _unknown(self, _line: str) -> None:
        self._reply("502 unknown command")

    def _wrap(self) -> None:
        assert self.owner.tls
        self.request = self.owner.tls.wrap_socket(self.request, server_side=True)
        self.is_encrypted = True

    def _reply(self, text: str) -> None:
        self.wfile.write(f"{text}\r\n".encode())


def _address(line: str) -> str:
    return line.partition("<")[2].partition(">")[0]

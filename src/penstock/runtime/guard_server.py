"""Becomes guards: a small process for each one that starts components, which forks for every component.

To fork takes a millisecond, to start an interpreter ten. Run as a script, like the guard, and for the same reason: it
imports nothing of ours but the guard. Its standard input is a socket. A request is the number of bytes that follow, in
eight bytes, and then words with a NUL between them: the guard's folder, the numbers under which it has the descriptors
that come with the request, how many arguments it has, these, and its environment; the first three descriptors become
its standard streams. One byte is the response. It ends with the socket.
"""

import _socket  # the module around it takes as long to import as everything else here together
import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from penstock.runtime import guard
elif __name__ == "__main__":
    sys.path.append(os.path.dirname(__file__))  # noqa: PTH120 - pathlib would double our start
    import guard

HEAD_BYTES, MAX_DESCRIPTORS = 8, 64
_INT_BYTES = 4


def main() -> None:
    guard.prepare()
    guard.signal.signal(guard.signal.SIGCHLD, guard.signal.SIG_IGN)  # guards are not waited for
    channel = _socket.socket(fileno=os.dup(0))
    while True:
        head, descriptors = _receive(channel)
        if len(head) < HEAD_BYTES:
            os._exit(0)
        words = os.fsdecode(_read(channel, int.from_bytes(head, "little"))).split("\0")
        channel.send(b"!")  # before the fork: a request without a response is sent again, and must not start a second
        if not os.fork():
            channel.close()
            _become(words, descriptors)
        for descriptor in descriptors:
            os.close(descriptor)


def _receive(channel: "_socket.socket") -> "tuple[bytes, list[int]]":
    """Receive the head of a request, and its descriptors, which come with the first byte."""
    head, ancillary, _, _ = channel.recvmsg(HEAD_BYTES, _socket.CMSG_SPACE(MAX_DESCRIPTORS * _INT_BYTES))
    packed = b"".join(content for _, _, content in ancillary)
    numbers = [packed[at : at + _INT_BYTES] for at in range(0, len(packed), _INT_BYTES)]
    rest = _read(channel, HEAD_BYTES - len(head)) if head else b""
    return head + rest, [int.from_bytes(number, sys.byteorder) for number in numbers]


def _read(channel: "_socket.socket", size: int) -> bytes:
    content = b""
    while len(content) < size:
        part = channel.recv(size - len(content))
        if not part:
            os._exit(0)  # the worker was killed while it sent the request
        content += part
    return content


def _become(words: "list[str]", descriptors: "list[int]") -> None:
    folder, numbers, count, *rest = words
    arguments, variables = rest[: int(count)], rest[int(count) :]
    try:
        os.setsid()
        _place(descriptors, [0, 1, 2, *map(int, numbers.split())])
        os.environ.clear()
        for word in variables:
            name, _, value = word.partition("=")
            os.environ[name] = value
        os.chdir(folder)
        guard.main(arguments)
    finally:
        os._exit(126)


def _place(descriptors: "list[int]", numbers: "list[int]") -> None:
    """Give the descriptors these numbers; first they are moved above all of them, as one may have another's number."""
    free = max(*descriptors, *numbers) + 1
    for offset, descriptor in enumerate(descriptors):
        os.dup2(descriptor, free + offset, inheritable=False)
        os.close(descriptor)
    for offset, number in enumerate(numbers):
        os.dup2(free + offset, number)
        os.close(free + offset)


if __name__ == "__main__":
    main()

"""The first program inside a sandbox: opens the way out, becomes an ordinary user, then the component.

Run as a script, like the guard, and for the same reason: it imports nothing of ours. Its arguments are `name=value …`,
`--`, the component's command. Bubblewrap makes the mounts while it is still root; only then can the user be changed.
"""

# ruff: noqa: S606 - a command is what we start

import _socket  # the module around it takes as long to import as everything else here together
import os
import sys


def main() -> None:
    middle = sys.argv.index("--")
    settings = dict(word.split("=", 1) for word in sys.argv[1:middle])
    command = sys.argv[middle + 1 :]
    if "listen" in settings:
        hand_out(settings["listen"], int(settings["channel"]))
    if user := int(settings["user"]):
        become(user)
    try:
        os.chdir(settings["folder"])
        os.execvp(command[0], command)
    except OSError as error:
        os.write(2, f"{command[0]} cannot be started: {error.strerror}\n".encode())
    os._exit(127)


def hand_out(listen: str, channel: int) -> None:
    """Create the sockets of the gateway, and hand them to the process outside that serves them."""
    sockets = [_listen(*word.split(":")) for word in listen.split(",")]
    numbers = b"".join(open_socket.fileno().to_bytes(4, sys.byteorder) for open_socket in sockets)
    line = _socket.socket(fileno=channel)
    line.sendmsg([b"!"], [(_socket.SOL_SOCKET, _socket.SCM_RIGHTS, numbers)])
    for open_socket in (line, *sockets):
        open_socket.close()


def _listen(kind: str, port: str) -> "_socket.socket":
    listener = _socket.socket(_socket.AF_INET, _socket.SOCK_STREAM if kind == "tcp" else _socket.SOCK_DGRAM)
    listener.bind(("127.0.0.1", int(port)))
    if kind == "tcp":
        listener.listen(128)
    return listener


def become(user: int) -> None:
    """Become the user permanently: nothing of root is left, not even a group."""
    os.setgroups([])
    os.setresgid(user, user, user)
    os.setresuid(user, user, user)


if __name__ == "__main__":
    main()

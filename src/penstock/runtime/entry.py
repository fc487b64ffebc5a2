"""The first program inside a sandbox: becomes an ordinary user, then the component.

Run as a script, like the guard, and for the same reason: it imports nothing of ours. Its arguments are `name=value …`,
`--`, the component's command. Bubblewrap makes the mounts while it is still root; only then can the user be changed.
"""

# ruff: noqa: S606 - a command is what we start

import os
import sys


def main() -> None:
    middle = sys.argv.index("--")
    settings = dict(word.split("=", 1) for word in sys.argv[1:middle])
    command = sys.argv[middle + 1 :]
    become(int(settings["user"]))
    try:
        os.chdir(settings["folder"])
        os.execvp(command[0], command)
    except OSError as error:
        os.write(2, f"{command[0]} cannot be started: {error.strerror}\n".encode())
    os._exit(127)


def become(user: int) -> None:
    """For good: nothing of root is left, not even a group."""
    os.setgroups([])
    os.setresgid(user, user, user)
    os.setresuid(user, user, user)


if __name__ == "__main__":
    main()

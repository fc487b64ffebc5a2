"""Stands between a worker and a component: when the worker dies, however it dies, the component ends too.

Run as a script, so that it starts in a few milliseconds: it imports nothing of ours. The worker holds the other end of
our standard input. Its end of file is the worker's last word.
"""

import contextlib
import ctypes
import os
import signal
import subprocess
import sys
import threading
from typing import NoReturn

PR_SET_PDEATHSIG = 1


def main() -> NoReturn:
    # No thread has been started yet, so the child may run this before it becomes the component.
    component = subprocess.Popen(
        sys.argv[1:], stdin=subprocess.DEVNULL, start_new_session=True, preexec_fn=die_with_guard
    )
    threading.Thread(target=end_with_worker, args=(component,), daemon=True).start()
    code = component.wait()
    # What the component started and left behind goes with it.
    end_group(component)
    # Not sys.exit: the thread above is still reading, and the interpreter would wait for it.
    os._exit(code if code >= 0 else 128 - code)


def die_with_guard() -> None:
    """Where the system can, it ends the component when we are killed ourselves."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def end_with_worker(component: "subprocess.Popen[bytes]") -> None:
    os.read(0, 1)
    end_group(component)
    os._exit(137)


def end_group(component: "subprocess.Popen[bytes]") -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(component.pid, signal.SIGKILL)


if __name__ == "__main__":
    main()

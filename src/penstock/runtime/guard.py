"""The process between a worker and a component: enforces its limits, and ends it with every process that it started.

A fork of guard_server.py: it imports nothing of ours, and of Python only what is built in. Its arguments are
`name=value …`, `--`, a command that cleans up, `--`, the component's command.

The worker holds the other end of our standard input. One byte from it means: terminate the component, which may clean
up. The end of file means that the worker has ended: the component is killed immediately. At the end the exit code is
written there, and the name of the limit that ended it, if one did.
"""

# ruff: noqa: SIM105, PTH123, PTH208, S606 - contextlib and pathlib would double our start; a command is what we start

import os
import resource
import select
import sys
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    import signal as signal
    from collections.abc import Callable
else:
    # Without the names for its numbers, which take as long to import as everything else here together.
    import _signal as signal

PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER, PR_SET_NO_NEW_PRIVS = 1, 36, 38
TICK_SECONDS = 0.1
KILL_SECONDS = 2.0
SWEEP_SECONDS, REST_SECONDS, LAST_SECONDS = 0.005, 1.0, 2.0
"""How long the component's folder is measured at a time, how long it is not after that, and how long at the end."""
IS_LINUX = sys.platform == "linux"
ENAMETOOLONG = 36 if IS_LINUX else 63


class Guard:
    def __init__(self, settings: "dict[str, int]") -> None:
        self._settings = settings
        self._deadline = time.monotonic() + settings["timeout"]
        self._code: int | None = None
        self._look_at = 0.0
        self._pid = 0
        self._disk = Disk(settings)
        self.reason = ""

    def run(self, command: "list[str]") -> int:
        """Return the exit code of the component, which by then is gone with everything that it started."""
        wake = _wake_for_children()
        self._pid = _start(command, self._settings)
        self._watch(wake)
        if self.reason in ("stopped", "timeout"):
            self._let_go(wake)
        self._kill_all()
        self.reason = self.reason or self._disk.look_again(has_failed=self._code != 0)
        return 137 if self._code is None else self._code

    def _watch(self, wake: int) -> None:
        """Watch until the component ends, or has to end."""
        while self._code is None and not self.reason:
            ready = select.select([0, wake], [], [], TICK_SECONDS)[0]
            if wake in ready:
                _read(wake)
            self._reap()
            if 0 in ready:
                self.reason = "stopped" if _read(0) else "gone"
            elif self._code is None:
                self.reason = self._find_excess()

    def _find_excess(self) -> str:
        """Return the limit that it exceeds; checked now and then, however often children end in the meantime."""
        now = time.monotonic()
        if now < self._look_at:
            return ""
        self._look_at = now + TICK_SECONDS
        if now > self._deadline:
            return "timeout"
        pids = _find_descendants(os.getpid())
        if len(pids) > self._settings["processes"]:
            return "processes"
        if self._is_over(self._settings["memory"] * 1024, pids):
            return "memory"
        return self._disk.find_excess()

    def _is_over(self, kilobytes: int, pids: "list[int]") -> bool:
        # Pages that processes share count once for each of them, unless one looks closer, which is slow.
        return _sum(_private_kilobytes, pids) > kilobytes and _sum(_shared_out_kilobytes, pids) > kilobytes

    def _let_go(self, wake: int) -> None:
        """Ask the component to end, and wait a moment; not for a worker that is gone in the meantime."""
        until = time.monotonic() + self._settings["grace"] / 1000
        # Where the system does not tell who they are, its group is asked.
        for pid in _find_descendants(os.getpid())[self._settings["wrappers"] :] or [-self._pid]:
            _send(pid, signal.SIGTERM)
        while self._code is None and (left := until - time.monotonic()) > 0:
            ready = select.select([0, wake], [], [], left)[0]
            if 0 in ready and not _read(0):
                return
            if wake in ready:
                _read(wake)
            self._reap()

    def _kill_all(self) -> None:
        """Kill again and again: what is being killed may be starting more."""
        until = time.monotonic() + KILL_SECONDS
        _send_group(self._pid)
        while self._reap() and time.monotonic() < until:
            for pid in _find_descendants(os.getpid()):
                _send(pid, signal.SIGKILL)
            time.sleep(0.005)

    def _reap(self) -> bool:
        """Reap processes that have ended; returns whether any is left."""
        try:
            while True:
                pid, status = os.waitpid(-1, os.WNOHANG)
                if not pid:
                    return True
                if pid == self._pid:
                    code = os.waitstatus_to_exitcode(status)
                    self._code = code if code >= 0 else 128 - code
        except ChildProcessError:
            return False


class Disk:
    """What the component has in its folder, which is ours too. It is measured bit by bit, so that a tree of any size
    takes as little of the machine as a small one."""

    def __init__(self, settings: "dict[str, int]") -> None:
        self._bytes, self._entries = settings["disk"] * 1_000_000, settings["entries"]
        self._reserve = settings["reserve"] * 1_000_000
        self._rest_until = 0.0
        self._used = 0
        """By the last whole sweep."""
        self._begin()

    def find_excess(self) -> str:
        now = time.monotonic()
        if now >= self._rest_until:
            self._sweep(now + SWEEP_SECONDS)
        return self._problem or self._find_shortage()

    def look_again(self, *, has_failed: bool) -> str:
        """Check at the end: a program may have filled its folder since the last check, and have failed because of
        that."""
        if not self._bytes:
            return ""
        self._begin()
        self._sweep(time.monotonic() + LAST_SECONDS)
        return self._problem or (self._find_shortage() if has_failed else "")

    def _begin(self) -> None:
        self._problem, self._size, self._count = "", 0, 0
        self._folders, self._open = ["."], iter(())

    def _sweep(self, until: float) -> None:
        while not self._problem and time.monotonic() < until:
            entry = next(self._open, None)
            if entry:
                self._add(entry)
            elif self._folders:
                self._open_next()
            else:
                self._used, self._rest_until = self._size, time.monotonic() + REST_SECONDS
                self._begin()
                return

    def _open_next(self) -> None:
        try:
            self._open = os.scandir(self._folders.pop())
        except OSError as error:
            self._note(error)

    def _note(self, error: OSError) -> None:
        """A path that no program can use: what lies there cannot be measured. Anything else is gone in the meantime."""
        if error.errno == ENAMETOOLONG and self._bytes:
            self._problem = "nesting"

    def _add(self, entry: "os.DirEntry[str]") -> None:
        try:
            status = entry.stat(follow_symlinks=False)
            if entry.is_dir(follow_symlinks=False):
                self._folders.append(entry.path)
        except OSError as error:
            self._note(error)
            return
        # The larger of the two: a file with holes is as large as it says when it is stored.
        self._size += max(status.st_size, status.st_blocks * 512)
        self._count += 1
        if self._bytes and self._size > self._bytes:
            self._problem = "disk"
        elif self._count > self._entries:
            self._problem = "entries"

    def _find_shortage(self) -> str:
        """The disk is nearly full: those end that have much on it, and in the end all."""
        status = os.statvfs(".")
        free = status.f_bavail * status.f_frsize
        # Of a small disk, a twentieth.
        reserve = min(self._reserve, status.f_blocks * status.f_frsize // 20)
        if free >= reserve:
            return ""
        self._rest_until = 0.0
        return "reserve" if free < reserve // 4 or max(self._used, self._size) > reserve // 4 else ""


def prepare() -> None:
    """Import what is slow to import, before there are forks."""
    if IS_LINUX:
        import ctypes

        ctypes.CDLL(None)


def main(arguments: "list[str]") -> None:
    first = arguments.index("--")
    second = arguments.index("--", first + 1)
    settings = {name: int(value) for name, _, value in (word.partition("=") for word in arguments[:first])}
    if not settings["wrappers"]:
        _set(PR_SET_CHILD_SUBREAPER, 1)
    guard = Guard(settings)
    code = guard.run(arguments[second + 1 :])
    if cleanup := arguments[first + 1 : second]:
        _clean_up(cleanup)
    try:
        os.write(0, f"{code} {guard.reason}".encode())
    except OSError:
        pass  # the worker is gone
    os._exit(0)


def _start(command: "list[str]", settings: "dict[str, int]") -> int:
    pid = os.fork()
    if pid:
        return pid
    try:
        _become_component(settings)
        os.execvp(command[0], command)
    except OSError as error:
        os.write(2, f"{command[0]} cannot be started: {error.strerror}\n".encode())
    os._exit(127)


def _become_component(settings: "dict[str, int]") -> None:
    os.setsid()
    _lower_priority(settings["niceness"])
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.umask(0o077)
    for number in (signal.SIGPIPE, signal.SIGXFSZ):
        signal.signal(number, signal.SIG_DFL)
    _limit(resource.RLIMIT_CORE, 0)
    _limit(resource.RLIMIT_NOFILE, settings["files"])
    if settings["file_megabytes"]:
        _limit(resource.RLIMIT_FSIZE, settings["file_megabytes"] * 1_000_000)
    _offer_to_the_oom_killer()
    if settings["user"]:
        # So that /dev/stdout can be opened by its name too.
        os.fchown(1, settings["user"], -1)
        os.fchown(2, settings["user"], -1)
    if settings["wrappers"]:
        return  # a wrapper has to be root, and does the rest itself
    if settings["user"]:
        _become(settings["user"])
    # Where the system can, it ends the component when we are killed ourselves. Set last: changing the user undoes it.
    _set(PR_SET_PDEATHSIG, signal.SIGKILL)


def _lower_priority(niceness: int) -> None:
    """Lower the priority of the process and of its session: Linux shares processors between sessions first."""
    niceness = os.nice(niceness)
    try:
        os.write(os.open("/proc/self/autogroup", os.O_WRONLY), b"%d" % niceness)
    except OSError:
        pass


def _become(user: int) -> None:
    """Become the user permanently: nothing of root is left, not even a group, and no program can bring it back."""
    os.setgroups([])
    os.setregid(user, user)
    os.setreuid(user, user)
    _set(PR_SET_NO_NEW_PRIVS, 1)


def _limit(kind: int, value: int) -> None:
    hard = resource.getrlimit(kind)[1]
    least = value if hard == resource.RLIM_INFINITY else min(value, hard)
    resource.setrlimit(kind, (least, least))


def _offer_to_the_oom_killer() -> None:
    """When the machine has no memory left, the component goes before its worker does."""
    try:
        with open("/proc/self/oom_score_adj", "w") as file:
            file.write("1000")
    except OSError:
        pass  # not on this system, or not for us


def _set(option: int, value: int) -> None:
    if IS_LINUX:
        import ctypes  # on other systems it may not be there

        ctypes.CDLL(None).prctl(option, value, 0, 0, 0)


def _wake_for_children() -> int:
    """Return a descriptor that can be read when a child has ended."""
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    signal.signal(signal.SIGCHLD, lambda _number, _frame: None)
    signal.set_wakeup_fd(writing, warn_on_full_buffer=False)
    return reading


def _find_descendants(pid: int) -> "list[int]":
    """Parents before their children."""
    pids = _children(pid)
    for child in pids:
        pids += _children(child)
    return pids


def _children(pid: int) -> "list[int]":
    pids: list[int] = []
    try:
        for task in os.listdir(f"/proc/{pid}/task"):
            pids += map(int, _read_file(f"/proc/{pid}/task/{task}/children").split())
    except OSError:
        pass  # it has ended, or this system does not tell
    return pids


def _private_kilobytes(pid: int) -> int:
    _, resident, shared, *_ = map(int, _read_file(f"/proc/{pid}/statm").split())
    return (resident - shared) * resource.getpagesize() // 1024


def _shared_out_kilobytes(pid: int) -> int:
    for line in _read_file(f"/proc/{pid}/smaps_rollup").splitlines():
        if line.startswith("Pss_Anon:"):
            return int(line.split()[1])
    return _private_kilobytes(pid)


def _sum(size: "Callable[[int], int]", pids: "list[int]") -> int:
    total = 0
    for pid in pids:
        try:
            total += size(pid)
        except (OSError, ValueError):
            continue  # it has ended in the meantime
    return total


def _read_file(path: str) -> str:
    with open(path) as file:
        return file.read()


def _read(handle: int) -> bytes:
    try:
        return os.read(handle, 4096)
    except OSError:
        return b""


def _send(pid: int, number: int) -> None:
    try:
        os.kill(pid, number)
    except OSError:
        pass  # it has ended already


def _send_group(pid: int) -> None:
    try:
        os.killpg(pid, signal.SIGKILL)
    except OSError:
        pass  # the same


def _clean_up(command: "list[str]") -> None:
    pid = os.fork()
    if not pid:
        for standard in (0, 1, 2):
            os.dup2(os.open(os.devnull, os.O_RDWR), standard)
        os.execvp(command[0], command)
    os.waitpid(pid, 0)

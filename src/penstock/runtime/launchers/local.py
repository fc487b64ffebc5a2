"""Runs a component as a process of this machine: behind bubblewrap where it is usable, behind its guard always."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from pathlib import Path

import msgspec

from penstock.foundation.errors import Invalid
from penstock.foundation.files import private
from penstock.foundation.files.removal import remove_tree
from penstock.foundation.outbound import VARIABLE
from penstock.runtime.gateway import Gateway, without_proxy
from penstock.runtime.isolation import WRAPPERS, Wrapping, find_bubblewrap, wrap
from penstock.runtime.launch import Clean, Launch, decode_start
from penstock.runtime.launchers.engines import ENGINES, list_names
from penstock.runtime.process import Process
from penstock.runtime.sandboxing import explain_absence, explain_missing, find_fix
from penstock.runtime.seccomp import open_filter
from penstock.runtime.users import (
    NoOtherUser,
    check_program,
    check_readable,
    check_traversable,
    choose_user,
    find_obstacle,
    give,
    grant_traverse,
)

SCRATCH = ".scratch-"
_INHERITED = ("PATH", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "VIRTUAL_ENV")


class SandboxMissing(Invalid):
    code = "runtime.sandboxMissing"

    def __init__(self, reason: str = "") -> None:
        because = f": {reason}" if reason else ""
        super().__init__(
            f"This stack runs components only in a sandbox{because}; {explain_absence()}. {find_fix()}; or, if "
            'everybody who may run jobs may also read the stack\'s key and all its data, set sandbox = "auto".'
        )


class ImageOnly(Invalid):
    code = "runtime.imageOnly"

    def __init__(self, image: str) -> None:
        super().__init__(
            f"The program of this component is the image {image}, and this stack runs components as processes. Set "
            f'launcher = "auto" or "container", which needs {list_names(ENGINES.values())}; or publish the program as '
            "an archive."
        )


class LocalLauncher:
    def __init__(self, sandbox: str = "auto", reason: str = "", *, is_open: bool = False) -> None:
        """`auto`: bubblewrap where it is usable; `required`, for this reason: nothing runs without it; `off`: never.
        With `is_open`, the network of a sandbox is that of the machine."""
        self._bubblewrap = None if sandbox == "off" else find_bubblewrap()
        if sandbox == "required" and not self._bubblewrap:
            raise SandboxMissing(reason)
        self._is_required, self._is_open = sandbox == "required", is_open
        self.warning = "" if self._is_required else explain_missing(sandbox)

    def start(self, launch: Launch, on_line: Callable[[str], object], clean: Clean = decode_start) -> Process:
        if not launch.command:
            raise ImageOnly(launch.image)
        launch = _resolve(launch)
        user = self._choose_user(launch, on_line)
        gateway = self._make_gateway(launch)
        try:
            launch = _route_through(gateway, launch) if gateway else launch
            scratch = _make_scratch(launch.folder)
            _write_private(launch, scratch)
            if user:
                _chown(launch, user, is_wrapped=self._is_wrapped)
            return self._start(launch, scratch, user, gateway, on_line, clean)
        except BaseException:
            if gateway:
                gateway.close()
            raise

    @property
    def _is_wrapped(self) -> bool:
        return self._bubblewrap is not None

    def _choose_user(self, launch: Launch, on_line: Callable[[str], object]) -> int:
        """Return another user than root, or 0 for the stack's own where no other can be used and none is required."""
        try:
            user = choose_user(launch.project_id)
            if user:
                _check_access(launch, user, is_wrapped=self._is_wrapped)
        except NoOtherUser as error:
            if self._is_required:
                raise
            if not find_obstacle(is_wrapped=self._is_wrapped):  # else the launcher's warning says it
                on_line(f"This component runs as root, like the stack: {error.reason}.")
            return 0
        return user

    def _start(
        self,
        launch: Launch,
        scratch: Path,
        user: int,
        gateway: Gateway | None,
        on_line: Callable[[str], object],
        clean: Clean,
    ) -> Process:
        filter_from = open_filter() if self._bubblewrap and self._bubblewrap.has_filter else None
        wrapping = Wrapping(user=user, filter_from=filter_from, gateway=gateway)
        inherited = [] if filter_from is None else [filter_from]

        def tidy() -> None:
            if gateway:
                gateway.close()
            remove_tree(scratch)

        process = Process(
            wrap(self._bubblewrap, launch, scratch, wrapping) if self._bubblewrap else list(launch.command),
            launch.folder,
            _environment(launch, scratch),
            on_line,
            limits=launch.limits,
            clean=clean,
            wrappers=WRAPPERS if self._bubblewrap else 0,
            user=user,
            descriptors=[*launch.descriptors, *inherited, *([gateway.child_end.detach()] if gateway else [])],
            tidy=tidy,
            output_bytes=launch.output_bytes,
        )
        if gateway:
            gateway.start()
        return process

    def _make_gateway(self, launch: Launch) -> Gateway | None:
        is_wanted = self._bubblewrap and not self._is_open and launch.gate and launch.network != "none"
        return Gateway(launch.gate, launch.reaches) if is_wanted and launch.gate else None


def _route_through(gateway: Gateway, launch: Launch) -> Launch:
    """Route the program through the gateway: it gets its address, and the program's own part of the policy no longer
    names the proxy."""
    assert launch.gate
    private = dict(launch.private)
    if VARIABLE in private:
        private |= without_proxy(launch.gate).to_environment()
    environment = {**launch.environment, **gateway.environment}
    return msgspec.structs.replace(launch, environment=environment, private=private)


def _check_access(launch: Launch, user: int, *, is_wrapped: bool) -> None:
    """Raise OutOfReach unless the other user can read what the component needs."""
    check_program(is_wrapped=is_wrapped)
    for path in launch.readable:
        check_readable(path, is_wrapped=is_wrapped, opened=launch.hidden, user=user)
    for folder in () if is_wrapped else (launch.folder, *launch.writable):
        check_traversable(folder, launch.hidden)


def _chown(launch: Launch, user: int, *, is_wrapped: bool) -> None:
    """Give the component's folders to the other user."""
    for path in () if is_wrapped else (*launch.readable, launch.folder, *launch.writable):
        grant_traverse(path, launch.hidden)
    give(launch.folder, user)
    for folder in launch.writable:
        if folder.stat().st_uid != user:
            give(folder, user)


def _resolve(launch: Launch) -> Launch:
    """Return the launch without links on the way: one that leads to a hidden folder would be a second door to it."""
    hidden = tuple(path.resolve() for path in launch.hidden)
    return msgspec.structs.replace(launch, folder=launch.folder.resolve(), hidden=hidden)


def _make_scratch(folder: Path) -> Path:
    """Create a home and temporary files in the data folder, so that they are removed with it. It is always a new one:
    whatever an earlier image made of its own may resist removal."""
    scratch = Path(tempfile.mkdtemp(prefix=SCRATCH, dir=folder))
    for name in ("home", "tmp", "shm"):
        (scratch / name).mkdir(mode=0o700)
    # Python itself may be installed below /tmp, and the program that becomes the component's user starts from there.
    (scratch / "tmp").chmod(0o711)
    return scratch


def _write_private(launch: Launch, scratch: Path) -> None:
    if launch.private:
        handle = os.open(scratch / private.FILE, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(handle, "wb") as file:
            file.write(msgspec.json.encode(launch.private))


def _extend_path(path: str) -> str:
    """Add the folders that every sandbox has: those of the stack's own PATH may not be visible inside."""
    folders = [folder for folder in path.split(os.pathsep) if folder]
    return os.pathsep.join(dict.fromkeys([*folders, "/usr/local/bin", "/usr/bin", "/bin"]))


def _environment(launch: Launch, scratch: Path) -> dict[str, str]:
    return {
        **{name: os.environ[name] for name in _INHERITED if name in os.environ},
        "PATH": _extend_path(os.environ.get("PATH", "")),
        "HOME": str(scratch / "home"),
        "TMPDIR": str(scratch / "tmp"),
        **launch.environment,
        **({private.VARIABLE: str(scratch / private.FILE)} if launch.private else {}),
        # With the slash: there are programs that put a file's name right behind it.
        "KBC_DATADIR": f"{launch.folder}/",
    }

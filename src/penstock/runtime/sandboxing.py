"""Whether components of a stack have to run in a sandbox, and what is said where there is none."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from ipaddress import ip_address
from pathlib import Path

import msgspec

from penstock.runtime.isolation import find_bubblewrap, list_programs
from penstock.runtime.users import find_obstacle

_OPT_OUT = 'or set sandbox = "auto", if everybody who may run jobs may also read the stack\'s key'
_SWITCHES = {
    "user/max_user_namespaces": ("0", "sudo sysctl -w user.max_user_namespaces=15000"),
    "kernel/unprivileged_userns_clone": ("0", "sudo sysctl -w kernel.unprivileged_userns_clone=1"),
    "kernel/apparmor_restrict_unprivileged_userns": (
        "1",
        "sudo sysctl -w kernel.apparmor_restrict_unprivileged_userns=0",
    ),
}
"""Settings of the kernel below /proc/sys that keep ordinary users from making namespaces, and what changes them."""
_CONTAINER_FILES = ("/.dockerenv", "/run/.containerenv")
_CONTAINER_OPTIONS = "--cap-add SYS_ADMIN --security-opt seccomp=unconfined --security-opt apparmor=unconfined"


class SandboxRule(msgspec.Struct, frozen=True, kw_only=True):
    """The setting; where there is none, who may use the stack decides."""

    setting: str | None = None
    host: str = "loopback"
    """Where the stack listens."""
    folder: Path | None = None
    """The data folder."""

    def find_mode(self, projects: int = 1) -> str:
        """Return `auto`, `required` or `off`, for a stack with so many projects."""
        return self.setting or ("required" if self.find_reason(projects) else "auto")

    def find_reason(self, projects: int = 1) -> str:
        """Return why a sandbox is required; empty if it is not."""
        if self.setting:
            return 'the setting sandbox is "required"' if self.setting == "required" else ""
        if not is_loopback(self.host):
            return f"it listens on {self.host}, where other machines reach it"
        return f"it has {projects} projects, which are to be kept apart" if projects > 1 else ""


def is_loopback(host: str) -> bool:
    if host in ("loopback", "localhost"):
        return True
    try:
        return ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


class Shortage(msgspec.Struct, frozen=True, kw_only=True):
    """What keeps components of a stack from being isolated, and what to do about it."""

    text: str
    fix: str
    is_refused: bool
    """Whether jobs are refused because of it."""


def find_shortage(rule: SandboxRule, projects: int) -> Shortage | None:
    """Return what is missing for a stack with so many projects; None where components run in a sandbox."""
    missing, reason = explain_missing(rule.find_mode(projects), rule.folder), rule.find_reason(projects)
    if not missing:
        return None
    if not reason:
        fix = 'Set sandbox = "auto"' if rule.setting == "off" else find_fix()
        return Shortage(text=missing, fix=f"{fix}.", is_refused=False)
    cause = find_obstacle(is_wrapped=True) if find_bubblewrap() else explain_absence()
    text = f"Jobs and queries are refused: this stack runs components only in a sandbox ({reason}), and {cause}."
    return Shortage(text=text, fix=f"{find_fix()}; {_OPT_OUT}.", is_refused=True)


def explain_missing(mode: str, folder: Path | None = None) -> str:
    """Say what is missing in this mode, and what that means; empty where components run in a sandbox."""
    is_wrapped = mode != "off" and find_bubblewrap() is not None
    obstacle = find_obstacle(folder, is_wrapped=is_wrapped)
    if is_wrapped:
        return f"Components run as root inside their sandbox: {obstacle}." if obstacle else ""
    why = 'the setting sandbox is "off"' if mode == "off" else explain_absence()
    return (
        f"Components run without a sandbox: {why}. {_explain_user(obstacle)}; "
        "nothing holds back what they reach over the network."
    )


def explain_absence() -> str:
    """Say why bubblewrap is not used."""
    if list_programs():
        return "bubblewrap may not make namespaces here"
    return "bubblewrap is not installed"


def _explain_user(obstacle: str) -> str:
    if not os.geteuid() and not obstacle:
        return "They run as another user than the stack, which is all that keeps them from its files"
    cause = f", which is root ({obstacle})" if obstacle else ""
    return f"They run as the stack's own user{cause}, and can read its key, its tokens and its database"


def find_fix() -> str:
    """Return the one step that lets components run in a sandbox here."""
    if find_bubblewrap():
        return "Run the stack as an ordinary user"
    if sys.platform != "linux":
        return "Bubblewrap exists for Linux only: run the stack there, or keep it to one project on loopback"
    if not list_programs():
        return "Install the package bubblewrap"
    if any(Path(name).exists() for name in _CONTAINER_FILES):
        return f"Start the container with: {_CONTAINER_OPTIONS}"
    if not os.geteuid():
        return "Run the stack as an ordinary user, or give root the capability SYS_ADMIN"
    return _find_switch() or "Let ordinary users make namespaces, which a policy of this machine forbids"


def _find_switch() -> str:
    for name, (value, command) in _SWITCHES.items():
        with suppress(OSError):
            if Path("/proc/sys", name).read_text().strip() == value:
                return f"Allow namespaces: {command}"
    return ""

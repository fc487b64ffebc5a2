"""Whether components of a stack have to run in a sandbox, and what is said where there is none."""

from __future__ import annotations

import os
from ipaddress import ip_address

import msgspec

from penstock.runtime.isolation import find_bubblewrap

SANDBOX_ADVICE = "Install the package bubblewrap (it may not work inside a container)"


class SandboxRule(msgspec.Struct, frozen=True, kw_only=True):
    """The setting; where there is none, who may use the stack decides."""

    setting: str | None = None
    host: str = "loopback"
    """Where the stack listens."""

    def find_mode(self, projects: int = 1) -> str:
        """`auto`, `required` or `off`, for a stack with so many projects."""
        return self.setting or ("required" if self.find_reason(projects) else "auto")

    def find_reason(self, projects: int = 1) -> str:
        """Why a sandbox is required; empty if it is not."""
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


def explain_missing(mode: str) -> str:
    """What is missing in this mode, and what that means; empty where components run in a sandbox."""
    if mode != "off" and find_bubblewrap():
        return ""
    why = 'the setting sandbox is "off"' if mode == "off" else "bubblewrap is not installed, or may not be used here"
    reach = (
        "They run as the stack's own user, and can read its key, its tokens and its database"
        if os.geteuid()
        else "They run as another user than the stack, which is all that keeps them from its files"
    )
    return f"Components run without a sandbox: {why}. {reach}; nothing holds back what they reach over the network."

"""Messages about the sandbox of components, at start and for `penstock doctor`."""

from __future__ import annotations

from penstock.runtime.sandboxing import SandboxRule, Shortage, find_shortage

__all__ = ["SandboxRule", "Shortage", "find_shortage"]

"""Messages about the sandbox of components, at start and for `penstock doctor`."""

from __future__ import annotations

from penstock.runtime.sandboxing import SANDBOX_ADVICE, SandboxRule, explain_missing

__all__ = ["SANDBOX_ADVICE", "SandboxRule", "explain_missing"]

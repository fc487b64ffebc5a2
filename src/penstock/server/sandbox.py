"""What a stack says of the sandbox of its components, at start and to `penstock doctor`."""

from __future__ import annotations

from penstock.runtime.sandboxing import SANDBOX_ADVICE, SandboxRule, explain_missing

__all__ = ["SANDBOX_ADVICE", "SandboxRule", "explain_missing"]

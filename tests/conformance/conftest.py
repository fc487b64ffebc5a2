"""The cases are folders without tests in them: pytest need not look into a thousand of them, once per process."""

from __future__ import annotations

collect_ignore = ["cases"]

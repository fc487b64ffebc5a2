"""The history of the prompt: a file in the home folder, which only its owner reads."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

NAME, MAX_LINES = ".penstock_sql_history", 2_000


class History:
    """Lines are appended as they are typed, so that two prompts at once, or one that is killed, lose none."""

    def __init__(self) -> None:
        self._path = Path.home() / NAME
        self._saved = 0

    def load(self) -> None:
        import readline

        readline.set_history_length(MAX_LINES)
        with suppress(OSError):
            self._path.touch(mode=0o600)
            readline.read_history_file(self._path)
        self._saved = readline.get_current_history_length()

    def save(self) -> None:
        """Where Python has no readline, or the home folder is read-only, there is no history."""
        with suppress(ImportError, OSError):
            import readline

            length = readline.get_current_history_length()
            if hasattr(readline, "append_history_file"):
                readline.append_history_file(max(length - self._saved, 0), self._path)
            else:  # some builds on libedit
                readline.write_history_file(self._path)
            self._saved = length

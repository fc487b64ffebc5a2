"""The interactive prompt: statements end with a semicolon, Ctrl-C cancels, Ctrl-D or `exit` ends."""

from __future__ import annotations

import time
from argparse import Namespace
from contextlib import suppress
from pathlib import Path

from penstock.cli.output import print_error, print_table
from penstock.cli.sql.completion import Completion
from penstock.cli.sql.output import show
from penstock.cli.sql.statements import is_complete, split_statements
from penstock.client import Client
from penstock.foundation.errors import AppError

FIRST, NEXT = "sql> ", "  -> "
HELP = """Statements end with a semicolon and may have several lines. Tab completes names of tables and columns.
tables   list the tables of the project
help     this text
exit     leave, as Ctrl-D does; Ctrl-C cancels a statement"""


class Prompt:
    def __init__(self, client: Client, options: Namespace) -> None:
        self._client, self._options = client, options
        self._history = History()

    def run(self) -> int:
        self._set_up_readline()
        print("Statements end with a semicolon; `help` says more.")
        while (text := self._read()) is not None:
            self._history.save()
            self._try(text)
        return 0

    def _read(self) -> str | None:
        """One or more statements, or a command; None at the end."""
        text = ""
        while True:
            try:
                line = input(NEXT if text else FIRST)
            except EOFError:
                print()
                return None
            except KeyboardInterrupt:
                print()
                text = ""
                continue
            if not text and line.strip().rstrip(";").lower() in ("exit", "quit", "\\q"):
                return None
            text = f"{text}\n{line}".lstrip("\n")
            if is_complete(text) or text.strip().lower() in ("help", "tables"):
                return text

    def _try(self, text: str) -> None:
        """Whatever fails, the prompt comes back."""
        try:
            self._obey(text)
        except (AppError, OSError) as error:
            print_error(str(error))
        except KeyboardInterrupt:
            print_error("Canceled.")

    def _obey(self, text: str) -> None:
        word = text.strip().lower()
        if word == "help":
            print(HELP)
        elif word == "tables":
            print_table(("TABLE", "ROWS"), [(table.id, table.rows_count) for table in self._client.tables.list()])
        else:
            self._execute(split_statements(text))

    def _execute(self, statements: list[str]) -> None:
        for statement in statements:
            started, options = time.monotonic(), self._options
            show(self._client.sql(statement, dialect=options.dialect, timeout=options.timeout), options)
            print_error(f"{time.monotonic() - started:.3f} s")

    def _set_up_readline(self) -> None:
        """Set up completion and history, which need Python's readline."""
        with suppress(ImportError):
            import readline

            self._history.load()
            readline.set_completer(Completion(self._client))
            readline.set_completer_delims(" \t\n,()=<>;")
            is_editline = "libedit" in (readline.__doc__ or "")
            readline.parse_and_bind("bind ^I rl_complete" if is_editline else "tab: complete")


HISTORY_NAME, MAX_HISTORY = ".penstock_sql_history", 2_000


class History:
    """The history of the prompt: a file in the home folder, which only its owner reads.

    Lines are appended as they are typed, so that two prompts at the same time, or one that is killed, lose none.
    """

    def __init__(self) -> None:
        self._path = Path.home() / HISTORY_NAME
        self._saved = 0

    def load(self) -> None:
        import readline

        readline.set_history_length(MAX_HISTORY)
        with suppress(OSError):
            self._path.touch(mode=0o600)
            readline.read_history_file(self._path)
        self._saved = readline.get_current_history_length()

    def save(self) -> None:
        """Write the history; there is none where Python has no readline, or the home folder is read-only."""
        with suppress(ImportError, OSError):
            import readline

            length = readline.get_current_history_length()
            if hasattr(readline, "append_history_file"):
                readline.append_history_file(max(length - self._saved, 0), self._path)
            else:  # some builds on libedit
                readline.write_history_file(self._path)
            self._saved = length

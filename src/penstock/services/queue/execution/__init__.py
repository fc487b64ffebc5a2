"""One attempt at a job that runs a component, from its configuration to its tables.

execution.py     the whole job: its parts in turn, and how it ended
job_context.py   what every step works with
documents.py     what is run: the stored configuration or the job's own, row by row
part.py          one row, or the configuration that has none
opening.py       its document, as for synchronous actions: placeholders filled, secrets opened
run_context.py   what it says about itself
programs.py      the component and its processors, started and judged
launching.py     how one of them is started
gates.py         what code of users may reach from its sandbox
run_tokens.py    a token for a program that asks for one
storage_port.py  Storage as a run sees it
port_tables.py   tables of the runtime as those of Storage, and back; port_files.py: files
branches/        where a run in a branch reads and writes
errors.py        how it can fail
"""

from penstock.services.queue.execution.execution import Execution
from penstock.services.queue.execution.job_context import ChooseLauncher, FindUrl

__all__ = ["ChooseLauncher", "Execution", "FindUrl"]

"""Jobs that are made of other jobs.

No worker waits for them: the one that claims such a job makes its first children and lets it go, and the transaction
that ends a child decides what follows.

lifecycle.py     begins such a job, continues when a child has ended, and ends it
stopping.py      a job is asked to stop, and all that it is made of with it
work.py          what all of them do: make children, let them begin, cancel them, save their progress
rows.py          a child for each row of a configuration
retries.py       one attempt after another
orchestration/   `keboola.orchestrator`
conditional/     `keboola.flow`
task_jobs.py     a task of a flow as a job
variables.py     the variables of a flow, as values for the jobs of its tasks
views.py         the phases and tasks of a flow, as its result shows them
earlier.py       what a re-run need not do again
recursion.py     a flow must not wait for itself

Without a database:
fields.py        documents made regular before they are read
tasks.py         a task that runs a job, and when it is retried
outcomes.py      how tasks and phases ended, and the status of the whole
errors.py        what is wrong with a flow, and how a job that is made of jobs can fail
"""

from penstock.services.queue.flows.lifecycle import begin, notify_parent
from penstock.services.queue.flows.stopping import stop_job

__all__ = ["begin", "notify_parent", "stop_job"]

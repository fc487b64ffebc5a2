"""Jobs that are made of other jobs.

No worker waits for them: the one that claims such a job makes its first children and lets it go, and the transaction
that ends a child decides what follows.

lifecycle.py        begins a container, goes on when a child has ended, and ends it
stopping.py         a job is asked to stop, and all that it is made of with it
work.py             what all containers do: make children, let them begin, cancel them, remember
rows.py             a child for each row of a configuration
retries.py          one attempt after another
orchestrations.py   `keboola.orchestrator`: a child for each phase
phases.py           one of its phases: a child for each task
conditional.py      `keboola.flow`: phase after phase, as its conditions say
tasks.py            a task as a job, and how it is shown in the flow's result
views.py            the phases and tasks of a flow, as its result shows them
concluding.py       how a conditional flow ended, in the words of its result
facts.py            what the conditions of a flow may ask about its tasks
variables.py        the variables of a flow, as values for the jobs of its tasks
earlier.py          what a re-run need not do again
recursion.py        a flow must not wait for itself
errors.py           how a container can fail
"""

from penstock.services.queue.containers.lifecycle import begin, tell_parent
from penstock.services.queue.containers.stopping import stop_job

__all__ = ["begin", "stop_job", "tell_parent"]

"""Flows as their configurations say: read, checked and decided, without a database.

errors.py          what is wrong with a flow, and where
fields.py          documents made regular before they are read
tasks.py           a task that runs a job, and when it is tried again
endings.py         how tasks and phases ended, and what follows for what they are part of
orchestration.py   `keboola.orchestrator`: phases that depend on phases
conditional.py     `keboola.flow`: phases that say where to go next
nodes.py           the values and conditions of a transition
paths.py           paths into what is known of a task
comparing.py       when one value equals, exceeds or contains another
conditions.py      what a condition comes to
course.py          how far a flow has come, and where it goes next
"""

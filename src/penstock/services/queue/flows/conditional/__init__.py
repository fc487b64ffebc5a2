"""`keboola.flow`: phases that say where to go next.

document.py     its configuration
nodes.py        the values and conditions of a transition
paths.py        paths into what is known of a task
comparing.py    when one value equals, exceeds or contains another
conditions.py   what a condition evaluates to
course.py       how far a flow has come, and where it goes next
flow.py         the job of the flow: phase after phase, a child for each task
facts.py        what conditions can be about: the phases and tasks so far
results.py      how the flow ended, as its result shows it
"""

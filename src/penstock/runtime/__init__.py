"""Runs one component: a data folder, a process, its log, and its output mapped to tables.

Knows no service. What it needs of storage its caller hands it.

launch.py        what is started, its limits, how it ended
launchers/       the ways to start it: a process, a container
isolation.py     what a process sees of the machine
process.py       a program behind its guard (guards.py starts it, guard.py), listened to (streams.py)
images.py        processors, the component, processors, one after the other
environment.py   the variables that it finds
log.py           gelf/       what it says, as lines and as records
exit_status.py   whose fault it was, and what to say
data_folder.py   output_mapping.py
"""

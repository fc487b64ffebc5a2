"""The extractor beside programs that do as little as can be done, on the same server, in the same run.

__main__.py     the command: options, the run, the tables, the exit code
workloads.py    what is measured: W1 to W6, the memory runs
programs.py     who runs: ours, the limits, the peers
limits/         the limit programs
rounds.py       everyone takes turns
measure.py      one command: CPU, wall clock, memory
cores.py        who runs on which core
figures.py      what was measured
verify.py       is what it wrote right?
targets.py      which ratios must hold
report.py       the tables as Markdown
api.py          the server, started and stopped
server.py       what it is: the API, on a core of its own
rows.py         what it sends
start.py        the help, and a second start of a stack
"""

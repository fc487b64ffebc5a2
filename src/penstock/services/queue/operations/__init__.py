"""What Queue does: its operations, without HTTP and SQL.

creation.py      a job is accepted
resolution.py    what the request, its configuration data and the stored configuration say together
processors.py    who may use which processor
reading.py       a job is shown
searching.py     jobs are looked for
plans.py         which tasks of a flow have run
lineage.py       what a job read and wrote
"""

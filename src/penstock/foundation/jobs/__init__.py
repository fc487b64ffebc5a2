"""Background jobs of any service: a table of jobs is a queue, and workers take turns at it.

claims.py           which job a worker gets next, and that only the worker that has it changes it
claim_statements.py its SQL
lease.py            a heartbeat beside a running job: keeps the lease, and interrupts the work when it must end
worker.py           the loop: claim a job, perform it, wait for the next, stop
change_poller.py    whether a query may find something new
change_watch.py     wakes the workers of a process when something was written
waiting.py          requests that wait for the end of a job, without a thread each
fair_queue.py       whose turn it is, of many projects
maintenance.py      what services do every ten minutes
background.py       the loops of services in a worker process

A service adds its table, what a job does and how it ends.
"""

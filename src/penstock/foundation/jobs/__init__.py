"""Background jobs of any service: a table of jobs is a queue, and workers take turns at it.

claims.py    which job a worker gets next, and that only the worker that has it changes it

A service adds its table, what a job does and how it ends.
"""

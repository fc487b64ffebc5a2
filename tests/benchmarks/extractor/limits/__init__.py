"""Limit programs: the least that one process can do for a workload, written by hand for exactly its rows."""

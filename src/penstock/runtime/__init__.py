"""Runs one component: a data folder, a process, its log, and its output mapped to tables.

Knows no service. What it needs of storage its caller hands it.
"""

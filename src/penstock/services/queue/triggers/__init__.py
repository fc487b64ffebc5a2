"""Triggers of Storage: when their tables have new rows, their configuration is run.

reactions.py  a table was loaded: the triggers that watch it are to be checked
worker.py     checks a trigger, and starts its job
"""

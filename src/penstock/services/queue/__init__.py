"""Queue: accepts jobs, orders them, runs them, remembers how they ended.

Owns:       queue_jobs
Uses:       storage (tokens, components, configurations, tables, events), oauth (credentials), runtime
"""

"""Queue: accepts jobs, orders them, runs them, remembers how they ended.

Owns:       queue_jobs, queue_job_hours, queue_trigger_runs
Uses:       storage (tokens, components, configurations, tables, events), oauth (credentials), encryption
            (trusted hosts), billing, notification, runtime
Publishes:  JobEnded, PhaseEnded (to itself: Notification is told of them when they are committed)
"""

"""Scheduler: runs configurations at the times that cron expressions name.

Owns:       scheduler_schedules, scheduler_runs
Uses:       storage (configurations of keboola.scheduler, tokens, events), queue (jobs)
Reacts to:  storage.configurationDeleted
"""

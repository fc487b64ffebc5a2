"""What others learn of a job: its events, the error of a failure, notifications, and what it costs."""

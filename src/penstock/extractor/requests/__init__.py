"""From a job to its requests: pagination, authentication, sending, and the journal of responses."""

"""A worker's hold on a job, and the monitor that runs next to it."""

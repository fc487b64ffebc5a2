"""A stack as processes: one that answers HTTP, and the workers it looks after."""

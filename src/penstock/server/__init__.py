"""The processes of a stack: an HTTP server, and the workers it supervises."""

"""HTTP, for every service."""

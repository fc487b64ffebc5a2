"""Notification's SQL, one file per table."""

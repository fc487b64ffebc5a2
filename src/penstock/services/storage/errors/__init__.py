"""Errors of Storage; one file per resource."""

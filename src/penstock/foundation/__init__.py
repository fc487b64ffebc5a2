"""Shared by all services; imports no other package of ours."""

"""Notification's operations."""

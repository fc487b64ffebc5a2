"""Notification: sends e-mails and webhooks about jobs, and those that flows ask for.

Owns:       notification_subscriptions, notification_deliveries, notification_secrets
Uses:       storage (tokens), management (projects, manage tokens)
"""

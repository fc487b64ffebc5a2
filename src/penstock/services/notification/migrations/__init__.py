"""The steps of Notification's tables."""

"""How a notification is sent, one file per channel."""

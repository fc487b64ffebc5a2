"""What everything stands on; imports nothing of ours."""

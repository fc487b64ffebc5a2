"""What Developer does."""

"""What the broker receives, stores and returns."""

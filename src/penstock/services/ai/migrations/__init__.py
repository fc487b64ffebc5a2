"""The steps of AI's tables."""

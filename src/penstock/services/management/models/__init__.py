"""What Management stores, receives and returns, by resource."""

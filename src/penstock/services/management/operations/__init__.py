"""What Management does, by resource."""

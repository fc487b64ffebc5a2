"""The steps of Storage's tables since services have their own."""

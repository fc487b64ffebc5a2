"""The steps of Queue's tables since services have their own."""

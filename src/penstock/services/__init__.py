"""One folder per service. Between services: down through interface.py, up through events."""

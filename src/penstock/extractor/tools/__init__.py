"""What helps to write a configuration: discovery of an API, actions, and curl commands."""

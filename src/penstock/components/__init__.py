"""The components that ship with the platform: their ids, descriptions and programs."""

"""The components that ship with the platform: what each is called, how it is shown and how it is started."""

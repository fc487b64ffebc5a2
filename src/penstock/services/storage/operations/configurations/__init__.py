"""Components and what is configured for them: configurations, their rows and their versions."""

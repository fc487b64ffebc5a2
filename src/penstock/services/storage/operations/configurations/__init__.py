"""Components and their configurations, rows and versions."""

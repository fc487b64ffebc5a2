"""What Storage does; knows neither HTTP nor SQL."""

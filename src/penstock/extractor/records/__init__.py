"""Records: where they are in a response, and how nested JSON becomes rows of several tables."""

"""Records: finding them in a response, and turning nested JSON into rows of several tables."""

"""What all parts of the extractor use: requests, values, JSON, settings, functions, errors and the log."""

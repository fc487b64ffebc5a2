"""The generic extractor: a configuration in, tables out; knows no service."""

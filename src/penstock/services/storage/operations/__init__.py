"""Storage's operations, independent of HTTP and SQL."""

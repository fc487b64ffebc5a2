"""SQL of users: the dialect of Snowflake, on DuckDB."""

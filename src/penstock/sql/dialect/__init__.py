"""SQL written for Snowflake, translated to SQL of DuckDB."""

"""Storage's SQL, one function per query; every query filters by project."""

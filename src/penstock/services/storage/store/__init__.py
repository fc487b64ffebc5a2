"""Storage's SQL, one function per question; every query names the project it belongs to."""

"""Child jobs: which records they run for, and the values that they take from the records."""

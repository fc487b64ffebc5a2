"""What can go wrong in Storage, by name; a file for each kind of thing."""

"old"

"""What Developer receives, keeps and returns: a file per resource."""

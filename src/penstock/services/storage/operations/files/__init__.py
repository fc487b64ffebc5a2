"""Files: what is known of them, and the blobs they consist of."""

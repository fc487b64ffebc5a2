"""Files, and the blobs they consist of."""

"""Files and folders: written durably, locked, walked and removed without trusting what is in them."""

"""The bytes of files on disk: received beside, synced, and only then put where they are found.

incoming/          what is being received or put together; goes when that fails
staged/<file>/     blocks that wait for their list, and slices of an export that is being written
stored/<file>/     contents: whole, synced, and never changed once they are there
remove.lock        held while contents are removed, and by a backup while it collects them

No name that a client sent becomes a part of a path.
"""

from penstock.foundation.blobs.blocks import Blocks, Stretch, key_of
from penstock.foundation.blobs.folder import LOCK, BlobFolder
from penstock.foundation.blobs.incoming import DiskFull, Incoming, Part

__all__ = ["LOCK", "BlobFolder", "Blocks", "DiskFull", "Incoming", "Part", "Stretch", "key_of"]

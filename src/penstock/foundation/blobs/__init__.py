"""The bytes of files on disk: received under a temporary name, synced, and only then published.

incoming/          what is being received or assembled; removed when that fails
staged/<file>/     uploaded blocks before their block list arrives, and slices of an unfinished export
stored/<file>/     contents: complete, synced, and immutable
remove.lock        held while contents are removed, and by a backup while it collects them

No name that a client sent becomes a part of a path.
"""

from penstock.foundation.blobs.blocks import Blocks, Stretch, key_of
from penstock.foundation.blobs.folder import LOCK, BlobFolder
from penstock.foundation.blobs.incoming import DiskFull, Incoming, Part, noticing_a_full_disk

__all__ = ["LOCK", "BlobFolder", "Blocks", "DiskFull", "Incoming", "Part", "Stretch", "key_of", "noticing_a_full_disk"]

"""The registry of images: OCI Distribution at `/v2/`, on the stack's own disk. Each app has one repository.

names.py         names of repositories, digests and tags, and the address of a repository
models.py        rows, and what is read of a manifest
errors.py        errors, as the protocol writes them
credentials.py   what a client signs in with: signed, for one app, for hours
access.py        which repository a request may read or write
store.py         the SQL
uploads.py       uploads in pieces, which can be continued
blobs.py         layers and configurations, by their digest
manifests.py     manifests and tags
maintenance.py   removes abandoned uploads, and what no manifest names
routes/          the rows

<data folder>/images/
    staged/<upload>/bytes    what has been uploaded so far
    stored/<upload>/<name>   complete, checked and immutable; repositories with the same layer share it
"""

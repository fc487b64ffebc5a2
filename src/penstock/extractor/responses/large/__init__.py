"""Responses too large for memory: stored in a file, scanned once, and decoded a megabyte at a time.

    spill = Spill(folder / "body")                      # of sending/: a body that goes to a file when it grows
    response = await gate.send("GET", url, into=spill)
    spill.close()
    if spill.path:                                      # otherwise spill.body is all of it
        as_json(spill.path, form, endpoint)
        large = find_large(spill.path, field, endpoint)
        for part in large.records.parts(): ...          # if it is Slices, and no list

| File | holds |
|---|---|
| `transcode.py` | a file replaced by another form of itself: another charset into UTF-8 |
| `convert.py` | a file of CSV or lines of JSON into one of JSON |
| `patterns.py` | regular expressions that skip JSON |
| `texts.py` | a string that is cut by the end of a chunk |
| `scan.py` | where the long arrays of a file are, and where they can be cut |
| `open_array.py` | an array whose end has not been reached |
| `skeleton.py` | the document without its long arrays, small enough to decode |
| `spans.py` | long arrays, put back where they were: an item is read from the file when it is accessed |
| `slices.py` | the items of a long array, decoded part by part |
| `find.py` | the records among all that |
| `pages.py` | pages made of them, for the jobs |
| `limits.py` | how much may be in memory at a time |

Why it is exact: a file is JSON if and only if its skeleton and every part of its long arrays are, because parts are cut
only at the commas between items. The scan may be wrong about a file that is not JSON: it is right up to the first
syntax error, which is found when the text around it is decoded. So every part is decoded, also of arrays that hold no
records.
"""

from __future__ import annotations

from penstock.extractor.responses.large.find import Large, find_large
from penstock.extractor.responses.large.limits import LIMITS, Limits
from penstock.extractor.responses.large.slices import Part, Slices, read_part

__all__ = ["LIMITS", "Large", "Limits", "Part", "Slices", "find_large", "read_part"]

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = """
import resource, sys
from pathlib import Path
from penstock.extractor.responses.large import find_large
from penstock.extractor.records.find import DataField

def peak():
    status = Path("/proc/self/status")
    if status.exists():  # a process starts with the peak of the one that started it, but not here
        return int(status.read_text().partition("VmHWM:")[2].split()[0]) << 10
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

before = peak()
large = find_large(Path(sys.argv[1]), DataField(""), "rows")
print(sum(len(part.records) for part in large.records.parts()), peak() - before)
"""


@pytest.mark.parametrize("item", [b"{}", b'"abc"', b'{"a":[[[1]]],"b":"\\u00e9"}'])
def test_a_response_of_many_megabytes_takes_the_memory_of_some(tmp_path: Path, item: bytes):
    count = (6 << 20) // len(item)
    (tmp_path / "body").write_bytes(b'{"rows":[%s]}' % b",".join([item] * count))

    run = [sys.executable, "-c", PROGRAM, str(tmp_path / "body")]
    found, grown = map(int, subprocess.run(run, capture_output=True, text=True, check=True).stdout.split())

    assert found == count
    assert grown < 70 << 20  # the first takes 200 MB if it is decoded at once

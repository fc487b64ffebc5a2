from __future__ import annotations

import platform
import subprocess
import sys

import pytest

PROGRAM = """
import ctypes, threading
from pathlib import Path
from penstock.server.resources import return_freed_memory

assert return_freed_memory()
libc = ctypes.CDLL(None)
libc.malloc.restype, libc.malloc.argtypes, libc.free.argtypes = ctypes.c_void_p, [ctypes.c_size_t], [ctypes.c_void_p]
SIZE, THREADS = 19 * 1024 * 1024, 8


def read_memory():
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096


def work():
    for _ in range(3):
        block = libc.malloc(SIZE)
        ctypes.memset(block, 1, SIZE)
        together.wait()
        libc.free(block)


before, together = read_memory(), threading.Barrier(THREADS)
threads = [threading.Thread(target=work) for _ in range(THREADS)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print(read_memory() - before)
"""


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="Only glibc keeps freed memory in this way.")
def test_large_blocks_that_threads_have_freed_are_not_kept() -> None:
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True)

    assert int(done.stdout) < 19 * 1024 * 1024

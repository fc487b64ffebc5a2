"""Structs are prepared before threads use them."""

from __future__ import annotations

import subprocess
import sys

import pytest

SEGMENTATION_FAULT = -11
PROGRAM = """
import sys, threading, types
import msgspec
from penstock.foundation import structs

DEPTH, TURNS, THREADS = 30, 40, 4
DOCUMENT = b'{"child":{"text":"x","child":{"child":{"child":{"text":"y"}}}}}'
FIRST = "class S0(msgspec.Struct):\\n    text: 'str | None' = None\\n"
NEXT = "class S{0}(msgspec.Struct):\\n    text: 'str | None' = None\\n    child: 'S{1} | None' = None\\n"

sys.setswitchinterval(1e-6)
for turn in range(TURNS):
    module = types.ModuleType(f"penstock.turn_{turn}")
    sys.modules[module.__name__] = module
    module.msgspec = msgspec
    exec(FIRST + "".join(NEXT.format(number, number - 1) for number in range(1, DEPTH)), module.__dict__)
    if sys.argv[1] == "prepared":
        structs.prepare_structs()
    barrier = threading.Barrier(THREADS)

    def decode(thread):
        barrier.wait()
        for number in range(DEPTH - 1 - thread, 0, -THREADS):
            msgspec.json.decode(DOCUMENT, type=getattr(module, f"S{number}"))

    threads = [threading.Thread(target=decode, args=(number,)) for number in range(THREADS)]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
"""


@pytest.mark.parametrize(("how", "code"), [("prepared", 0), ("as they are", SEGMENTATION_FAULT)])
def test_threads_decode_a_struct_for_the_first_time_at_once(how: str, code: int) -> None:
    """If the second one no longer crashes, msgspec was corrected, and structs.py is not needed any more."""
    assert subprocess.run([sys.executable, "-c", PROGRAM, how], check=False).returncode == code

"""A component's process: heard line by line, ended with everything that it started."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest

from penstock.runtime.launch import DEFAULT_LIMITS, Limits, ProcessExit, Reason
from penstock.runtime.process import Process
from penstock.runtime.streams import LINE_BYTES, TAIL_LINES
from tests.support.processes import is_alive
from tests.support.stacks import wait_for

SOON = 60
"""Seconds: more than a busy machine needs, and less than the scripts here would run."""


def start(
    folder: Path, script: str, lines: list[str] | None = None, limits: Limits = DEFAULT_LIMITS, **environment: str
) -> Process:
    collect = lines.append if lines is not None else lambda _line: None
    return Process([sys.executable, "-c", script], folder, environment, collect, limits=limits)


def run(
    folder: Path, script: str, lines: list[str] | None = None, limits: Limits = DEFAULT_LIMITS, **environment: str
) -> ProcessExit:
    ended = start(folder, script, lines, limits, **environment).wait(SOON)
    assert ended
    return ended


def test_every_line_is_heard_in_order(tmp_path: Path) -> None:
    lines: list[str] = []
    run(tmp_path, "for n in range(5000): print('line', n)", lines)

    assert lines == [f"line {number}" for number in range(5000)]


def test_a_line_is_heard_as_soon_as_it_is_written(tmp_path: Path) -> None:
    lines: list[str] = []
    process = start(tmp_path, "import time; print('first', flush=True); time.sleep(60)", lines)
    wait_for(lambda: lines)

    assert lines == ["first"]
    assert process.wait(0.01) is None
    process.stop()
    assert process.wait(SOON)


def test_output_that_is_a_result_is_kept_as_it_is(tmp_path: Path) -> None:
    lines: list[str] = []
    script = "import sys; sys.stdout.buffer.write(b'\\0\\n' * 300_000); sys.stderr.write('said')"
    command = [sys.executable, "-c", script]
    whole, cut = (Process(command, tmp_path, {}, lines.append, output_bytes=size).wait(SOON) for size in (10**6, 1000))

    assert whole
    assert cut
    assert (whole.content, whole.is_cut, whole.errors) == (b"\0\n" * 300_000, False, "said")
    assert (cut.content, cut.is_cut, cut.exit_code) == (b"\0\n" * 500, True, 0)
    assert lines == []


@pytest.mark.skipif(not Path("/proc/self/autogroup").exists(), reason="This system does not group sessions.")
def test_a_component_gives_way_to_others(tmp_path: Path) -> None:
    """In its session too, by which Linux shares processors."""
    script = "import os; print(os.nice(0), open('/proc/self/autogroup').read())"
    lines: list[str] = []
    run(tmp_path, script, lines, Limits(niceness=3))

    assert re.fullmatch(r"3 /autogroup-\d+ nice 3", " ".join(lines)), lines


def test_blank_lines_and_line_ends_are_left_out(tmp_path: Path) -> None:
    lines: list[str] = []
    run(tmp_path, r"import sys; sys.stdout.buffer.write(b'a\r\n\n\nb \n\xff\xfe\nlast')", lines)

    assert lines == ["a", "b ", "\ufffd\ufffd", "last"]


def test_a_line_that_is_too_long_is_cut_and_the_next_one_is_heard(tmp_path: Path) -> None:
    lines: list[str] = []
    run(tmp_path, f"print('x' * {LINE_BYTES * 3}); print('next')", lines)

    assert lines == ["x" * LINE_BYTES + " … (400,000 bytes of this line were left out)", "next"]


@pytest.mark.parametrize("code", [0, 1, 2, 137])
def test_the_exit_code_is_told(tmp_path: Path, code: int) -> None:
    assert run(tmp_path, f"raise SystemExit({code})").exit_code == code


def test_a_component_that_is_killed_has_the_code_of_its_signal(tmp_path: Path) -> None:
    assert run(tmp_path, "import os; os.kill(os.getpid(), 9)").exit_code == 137
    assert run(tmp_path, "import os; os.kill(os.getpid(), 11)").exit_code == 139


def test_the_last_lines_on_standard_error_are_kept(tmp_path: Path) -> None:
    ended = run(tmp_path, "import sys\nfor n in range(1000): print('e', n, file=sys.stderr)\nraise SystemExit(1)")

    assert ended.errors.splitlines() == [f"e {number}" for number in range(1000 - TAIL_LINES, 1000)]


def test_much_on_both_outputs_does_not_block(tmp_path: Path) -> None:
    script = "import sys\nfor n in range(20000): print('o' * 50); print('e' * 50, file=sys.stderr)"
    lines: list[str] = []

    assert run(tmp_path, script, lines).exit_code == 0
    assert len(lines) == 20_000


def test_the_environment_is_clean(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PENSTOCK_TOKEN", "secret")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "secret")
    lines: list[str] = []
    run(tmp_path, "import os; print(os.getcwd()); [print(name) for name in os.environ]", lines, KBC_RUNID="7")

    assert Path(lines[0]).resolve() == tmp_path.resolve()
    assert "KBC_RUNID" in lines
    assert not {"PENSTOCK_TOKEN", "AWS_SECRET_ACCESS_KEY"} & set(lines)


def test_nothing_open_is_inherited_and_standard_input_is_empty(tmp_path: Path) -> None:
    script = "import os, sys; print(sorted(map(int, os.listdir('/proc/self/fd')))[:4]); print(repr(sys.stdin.read()))"
    lines: list[str] = []
    with (tmp_path / "open").open("w") as file:
        os.set_inheritable(file.fileno(), True)
        run(tmp_path, script, lines)

    assert lines[0] == "[0, 1, 2, 3]"
    assert lines[1] == "''"


GRANDCHILD = """
import subprocess, sys, time
child = subprocess.Popen([sys.executable, "-c", "import signal, time; signal.signal(15, 1); time.sleep(120)"])
print(child.pid, flush=True)
"""


def test_stopping_ends_what_the_component_started(tmp_path: Path) -> None:
    lines: list[str] = []
    process = start(tmp_path, f"{GRANDCHILD}time.sleep(120)", lines)
    pid = int(wait_for(lambda: lines)[0])
    began = time.monotonic()
    process.stop()
    process.stop()

    ended = process.wait(SOON)
    assert ended
    assert (ended.exit_code, ended.reason) == (143, Reason.STOPPED)
    assert not is_alive(pid)
    assert time.monotonic() - began < SOON


def test_what_a_component_leaves_running_ends_with_it(tmp_path: Path) -> None:
    lines: list[str] = []
    ended = run(tmp_path, GRANDCHILD, lines)

    assert ended.exit_code == 0
    wait_for(lambda: not is_alive(int(lines[0])))


def test_what_a_component_set_free_ends_with_it_too(tmp_path: Path) -> None:
    """A process in a session of its own, whose parent is gone, is still found."""
    lines: list[str] = []
    ended = run(tmp_path, GRANDCHILD.replace("])\nprint", "], start_new_session=True)\nprint"), lines)

    assert (ended.exit_code, ended.reason) == (0, Reason.NONE)
    assert not is_alive(int(lines[0]))


def test_a_component_that_is_stopped_may_say_goodbye(tmp_path: Path) -> None:
    script = "import signal, sys, time\nsignal.signal(15, lambda *_: (print('bye', flush=True), sys.exit(0)))\n"
    lines: list[str] = []
    process = start(tmp_path, f"{script}print('up', flush=True)\ntime.sleep(120)", lines)
    wait_for(lambda: lines)
    process.stop()

    ended = process.wait(SOON)
    assert ended
    assert (ended.exit_code, ended.reason, lines) == (0, Reason.STOPPED, ["up", "bye"])


STUBBORN = "import signal, time\nfor n in (1, 2, 15): signal.signal(n, signal.SIG_IGN)\nprint('up', flush=True)\n"


def test_a_component_that_ignores_signals_is_stopped_a_second_after_it_was_asked(tmp_path: Path) -> None:
    lines: list[str] = []
    process = start(tmp_path, f"{STUBBORN}time.sleep(120)", lines)
    wait_for(lambda: lines)
    began = time.monotonic()
    process.stop()

    ended = process.wait(SOON)
    assert ended
    assert (ended.exit_code, ended.reason) == (137, Reason.STOPPED)
    assert DEFAULT_LIMITS.grace_seconds == 1
    assert 0.9 < time.monotonic() - began < SOON


def test_a_component_that_takes_too_long_is_ended(tmp_path: Path) -> None:
    ended = run(tmp_path, "import time; time.sleep(120)", limits=Limits(timeout_seconds=1))

    assert ended.reason is Reason.TIMEOUT


def test_children_that_end_all_the_time_do_not_hide_a_limit(tmp_path: Path) -> None:
    script = "import os\nwhile True:\n    if not (pid := os.fork()): os.fork(); os._exit(0)\n    os.waitpid(pid, 0)"
    began = time.monotonic()
    ended = run(tmp_path, script, limits=Limits(timeout_seconds=1))

    assert ended.reason is Reason.TIMEOUT
    assert time.monotonic() - began < SOON


def test_a_component_that_takes_too_much_memory_is_ended(tmp_path: Path) -> None:
    script = "import time; block = bytearray(150_000_000); print('taken', flush=True); time.sleep(120)"
    ended = run(tmp_path, script, limits=Limits(memory_megabytes=100))

    assert (ended.exit_code, ended.reason) == (137, Reason.MEMORY)


def test_the_memory_of_all_its_processes_counts_and_what_they_share_counts_once(tmp_path: Path) -> None:
    fork = "import os, time\n{before}\nfor n in range(4):\n    if not os.fork(): break\n{after}\ntime.sleep(0.6)"
    limits = Limits(memory_megabytes=150)
    shared = run(tmp_path, fork.format(before="block = bytearray(60_000_000)", after=""), limits=limits)
    own = run(tmp_path, fork.format(before="", after="block = bytearray(60_000_000)"), limits=limits)

    assert (shared.reason, own.reason) == (Reason.NONE, Reason.MEMORY)


def test_a_component_that_starts_too_many_processes_is_ended_with_all_of_them(tmp_path: Path) -> None:
    script = "import os, time\nfor n in range(500):\n    if not os.fork(): time.sleep(120)\ntime.sleep(120)"
    ended = run(tmp_path, script, limits=Limits(processes=100), MARK=str(tmp_path))

    assert ended.reason is Reason.PROCESSES
    assert not find_processes(str(tmp_path))


@pytest.mark.parametrize(
    ("script", "limits", "reason"),
    [
        ("open('x', 'wb').write(b'x' * 3_000_000); time.sleep(60)", Limits(disk_megabytes=2), Reason.DISK),
        ("open('x', 'wb').write(b'x' * 3_000_000)", Limits(disk_megabytes=2), Reason.DISK),
        ("open('x', 'wb').truncate(3_000_000)", Limits(disk_megabytes=2), Reason.DISK),
        ("[open(f'x{n}', 'wb').write(b'x' * 60_000) for n in range(50)]", Limits(disk_megabytes=2), Reason.DISK),
        ("os.makedirs('a/b/c'); open('a/b/c/x', 'wb').write(b'x' * 3_000_000)", Limits(disk_megabytes=2), Reason.DISK),
        ("[os.mkdir(f'x{n}') for n in range(50)]; time.sleep(60)", Limits(entries=40), Reason.ENTRIES),
        ("[(os.mkdir('x' * 200), os.chdir('x' * 200)) for _ in range(30)]", DEFAULT_LIMITS, Reason.NESTING),
        ("open('x', 'wb').write(b'x' * 1_000_000)", Limits(disk_megabytes=2), Reason.NONE),
        ("open('x', 'wb').write(b'x' * 3_000_000)", Limits(disk_megabytes=0), Reason.NONE),
        ("os.symlink('/', 'root'); os.symlink('.', 'self'); os.mkdir('d', 0)", Limits(disk_megabytes=2), Reason.NONE),
    ],
)
def test_what_a_component_has_on_disk_is_limited(tmp_path: Path, script: str, limits: Limits, reason: Reason) -> None:
    assert run(tmp_path, f"import os, time; {script}", limits=limits).reason is reason


def find_processes(mark: str) -> list[str]:
    """Those that run with it in their environment."""
    found: list[str] = []
    for file in Path("/proc").glob("[0-9]*/environ"):
        with suppress(OSError):
            found += [file.parent.name] if mark.encode() in file.read_bytes() else []
    return found


def test_limits_of_the_system_hold(tmp_path: Path) -> None:
    script = """
import os, resource
print([resource.getrlimit(kind)[1] for kind in (resource.RLIMIT_CORE, resource.RLIMIT_NOFILE, resource.RLIMIT_FSIZE)])
print(oct(os.umask(0)))
open("large", "wb").write(bytes(3_000_000))
"""
    lines: list[str] = []
    ended = run(tmp_path, script, lines, limits=Limits(open_files=100, file_megabytes=2))

    assert lines == ["[0, 100, 2000000]", "0o77"]
    assert ended.exit_code != 0
    assert "File too large" in ended.errors


def test_the_last_of_both_outputs_is_kept(tmp_path: Path) -> None:
    ended = run(tmp_path, "import sys; print('out'); print('err', file=sys.stderr)")

    assert (ended.output, ended.errors) == ("out", "err")


def test_a_command_that_cleans_up_runs_whatever_happened(tmp_path: Path) -> None:
    for script in ("pass", "raise SystemExit(3)", "import os; os.kill(os.getpid(), 9)"):
        done = tmp_path / "done"
        Process([sys.executable, "-c", script], tmp_path, {}, print, cleanup=["/bin/mkdir", str(done)]).wait(SOON)
        done.rmdir()


WORKER = """
import sys, time
from pathlib import Path
from penstock.runtime.process import Process
component = "import os, time; print(os.getpid(), flush=True); time.sleep(120)"
Process([sys.executable, "-c", component], Path(sys.argv[1]), {}, lambda line: print(line, flush=True))
time.sleep(120)
"""


def test_a_component_ends_when_its_worker_is_killed(tmp_path: Path) -> None:
    worker = subprocess.Popen([sys.executable, "-c", WORKER, str(tmp_path)], stdout=subprocess.PIPE, text=True)
    assert worker.stdout
    pid = int(worker.stdout.readline())
    assert is_alive(pid)
    worker.send_signal(signal.SIGKILL)
    worker.wait()

    wait_for(lambda: not is_alive(pid), 10)
    worker.stdout.close()


def test_a_module_is_run_apart_from_the_folder_it_is_started_in() -> None:
    command = [sys.executable, "-I", "-m", "penstock", "extract"]

    assert command == [sys.executable, "-I", "-m", "penstock", "extract"]


def test_a_component_without_a_program_ends_with_an_error(tmp_path: Path) -> None:
    ended = Process(["/no/such/program"], tmp_path, {}, lambda _line: None).wait(SOON)

    assert ended
    assert ended.exit_code != 0
    assert "/no/such/program" in ended.errors

"""Read an HTTP API into tables, as defined by a configuration. Needs no stack.

It may request every address that this machine reaches, private ones too; jobs of a stack may not.
"""

from __future__ import annotations

import ctypes
import gc
import os
import signal
import sys
import traceback
from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from penstock.cli.output import is_one_stream, print_error

if TYPE_CHECKING:
    from penstock.extractor.base.log import Log
    from penstock.extractor.config.document import Document

RECURSION_LIMIT = 5000
"""Enough for documents of 511 levels, the maximum of the original."""
DEFAULT_FOLDER = Path("/data")
M_TRIM_THRESHOLD, M_MMAP_THRESHOLD = -1, -3


class Places(NamedTuple):
    config: Path
    state: Path | None
    out: Path


def arguments(parser: ArgumentParser) -> None:
    source = parser.add_mutually_exclusive_group()
    source.add_argument("config", nargs="?", type=Path, metavar="CONFIG", help="JSON file with the configuration")
    source.add_argument("--data-dir", type=Path, metavar="DIR", help="folder with config.json, in/ and out/")
    parser.add_argument("--out", type=Path, metavar="DIR", help="where tables/ and state.json go (default: out)")
    parser.add_argument(
        "--retries", type=int, metavar="N", help="how often a failed request is sent again (default: 10)"
    )
    again = parser.add_mutually_exclusive_group()
    again.add_argument("--resume", action="store_true", help="continue an interrupted run, however old it is")
    again.add_argument("--fresh", action="store_true", help="start over, even if an interrupted run could be continued")
    parser.add_argument("--explain", action="store_true", help="print the requests, and send nothing")


def run(options: Namespace) -> int:
    gc.disable()  # until all is imported: modules are never collected
    from penstock.extractor.base.errors import UserError
    from penstock.extractor.config.document import NO_DOCUMENT, read_document

    places = _places(options)
    if places is None:
        print_error("Give a configuration file or a data folder: penstock extract CONFIG")
        return 1
    try:
        document = read_document(places.config)
    except UserError as error:
        # A data folder without a configuration is not an error of the user.
        return _failed(_open_log(NO_DOCUMENT), str(error), 1 if options.config else 2)
    work = _explain if options.explain else _act if document.action else _extract
    return _attempt(lambda log: work(document, places, options, log), _open_log(document))


def _attempt(work: Callable[[Log], None], log: Log) -> int:
    from penstock.extractor.base.errors import UserError

    sys.setrecursionlimit(RECURSION_LIMIT)
    try:
        work(log)
    except UserError as error:
        return _failed(log, str(error), 1)
    except RecursionError:
        return _failed(log, "The configuration or the state is nested too deeply. Remove what is not needed.", 1)
    except BrokenPipeError:
        raise
    except OSError as error:
        return _failed(log, f"A file could not be read or written: {error}", 2)
    except Exception as error:
        if log.is_debug:
            log.error("".join(traceback.format_exception(error)))
        return _failed(log, f"The extractor itself failed: {type(error).__name__}: {error}", 2)
    return 0


def _places(options: Namespace) -> Places | None:
    folder = options.data_dir or os.environ.get("KBC_DATADIR") or _usual_folder()
    if options.config:
        return Places(options.config, None, options.out or Path("out"))
    if folder:
        data = Path(folder)
        return Places(data / "config.json", data / "in" / "state.json", options.out or data / "out")
    return None


def _usual_folder() -> Path | None:
    """The default data folder of a component."""
    return DEFAULT_FOLDER if (DEFAULT_FOLDER / "config.json").exists() else None


def _explain(document: Document, places: Places, _options: Namespace, log: Log) -> None:
    from penstock.extractor.base.log import printable
    from penstock.extractor.base.values import as_map
    from penstock.extractor.config.effective import read_configs
    from penstock.extractor.config.full_loads import lint
    from penstock.extractor.explain import explain
    from penstock.extractor.results.state import State, read_state
    from penstock.foundation import clock

    _look_for_garbage_rarely()
    state = read_state(places.state, log) if places.state else {}
    lint(as_map(document.values.get("parameters")), log.warning)
    configs = read_configs(document.values, places.out.parent / "cache", log.warning)
    for line in explain(configs, State(state, int(clock.now().timestamp()))):
        print(printable(log.redactor.clean(line)))


def _act(document: Document, places: Places, _options: Namespace, log: Log) -> None:
    """A synchronous action: prints one JSON document to stdout, and nothing else."""
    import asyncio

    from penstock.extractor.base.json_text import json_text
    from penstock.extractor.tools.actions import run_action

    _look_for_garbage_rarely()
    log.out = sys.stderr
    print(json_text(asyncio.run(run_action(document.values, log, places.out.parent / "cache"))))


def _extract(document: Document, places: Places, options: Namespace, log: Log) -> None:
    import asyncio

    from penstock.extractor.results.state import read_state
    from penstock.extractor.run import Options, extract

    _look_for_garbage_rarely()
    _keep_memory()
    signal.signal(signal.SIGTERM, _stop)
    # asyncio's own handler would wait for the next await, which may be minutes away.
    signal.signal(signal.SIGINT, _interrupt)
    state = read_state(places.state, log) if places.state else {}
    choice = "resume" if options.resume else "fresh" if options.fresh else ""
    run_options = Options(options.retries, choice, is_component="KBC_RUNID" in os.environ)
    asyncio.run(extract(document.values, state, places.out, log, run_options))


def _look_for_garbage_rarely() -> None:
    """Pages contain no reference cycles: a collection every 700 allocations took a tenth of a long, flat run."""
    gc.freeze()
    gc.set_threshold(50_000, 20, 50)
    gc.enable()


def _keep_memory() -> None:
    """Keep freed memory for the next page: returning it to the system after each one took a twentieth of a long run."""
    with suppress(OSError, AttributeError):  # only available in glibc
        tell = ctypes.CDLL(None).mallopt
        tell(M_TRIM_THRESHOLD, 64 << 20)
        tell(M_MMAP_THRESHOLD, 16 << 20)


def _interrupt(_number: int, _frame: object) -> None:
    _hurry_next_time()
    raise KeyboardInterrupt


def _stop(_number: int, _frame: object) -> None:
    """Exit through every `finally`, so that no partial file remains."""
    _hurry_next_time()
    sys.exit(143)


def _hurry_next_time() -> None:
    """Exit immediately at a second signal; data that was read is stored in any case."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda number, _frame: os._exit(128 + number))


def _open_log(document: Document) -> Log:
    from penstock.extractor.base.log import Log, ProgressLog

    stdout: Any = sys.stdout
    if hasattr(stdout, "reconfigure"):  # names and values may contain characters that the terminal's encoding lacks
        stdout.reconfigure(errors="backslashreplace")
    kind = ProgressLog if sys.stdout.isatty() else Log
    return kind(sys.stdout, document.redactor, is_debug=document.is_debug)


def _failed(log: Log, message: str, code: int) -> int:
    """The message goes to the log and, without decoration, to stderr; once if both are read together."""
    from penstock.extractor.base.log import printable

    if log.out is not sys.stderr:
        log.error(message)
    # On a terminal, the log leaves errors to stderr.
    if log.out is sys.stderr or log.out.isatty() or not is_one_stream():
        print_error(printable(log.redactor.clean(message)))
    return code

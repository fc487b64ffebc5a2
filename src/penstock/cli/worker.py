"""Run jobs of a stack until stopped. `penstock up` starts some itself; more of them add capacity.

A worker needs the stack's database, data folder and key.
"""

from __future__ import annotations

from argparse import SUPPRESS, ArgumentParser, Namespace

from penstock.cli.imports import without_collections


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--name", default="worker", help="the name of the worker in the log (worker)")
    parser.add_argument("--data-dir", metavar="DIR", help="the stack's data folder (.penstock)")
    parser.add_argument("--database", metavar="URL", help="the stack's PostgreSQL, if it has one")
    parser.add_argument("--key-file", metavar="FILE", help="the stack's key, if not in the data folder")
    parser.add_argument(
        "--allow-host",
        dest="allow_hosts",
        metavar="HOST",
        action="append",
        help="a private host, address or network that jobs may reach; may be repeated",
    )
    # The stack holds the other end of our standard input; on a terminal it does not.
    parser.add_argument("--held", action="store_true", help=SUPPRESS)


def run(options: Namespace) -> int:
    from penstock.settings import read_settings

    flags = ("data_dir", "database", "key_file", "allow_hosts")
    settings = read_settings({name: getattr(options, name) for name in flags})
    with without_collections():
        from penstock.server.worker_process import run_worker
    return run_worker(settings, options.name, is_held=options.held)

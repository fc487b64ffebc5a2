"""Start a stack on this machine: its services, its workers, and a first project with something to run."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from penstock.cli.imports import without_collections


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--data-dir", metavar="DIR", help="the data folder (.penstock)")
    parser.add_argument("--database", metavar="URL", help="a PostgreSQL for the metadata (a file in the data folder)")
    parser.add_argument("--domain", metavar="D", help="the stack's domain (penstock.localhost)")
    parser.add_argument("--host", metavar="H", help="the address to listen on (127.0.0.1 and ::1)")
    parser.add_argument("--port", metavar="N", type=int, help="the port; 0 takes a free one (8300)")
    add_tls_arguments(parser)
    parser.add_argument(
        "--sql-port", metavar="N", type=int, help="a port for PostgreSQL clients of workspaces; 0 takes a free one"
    )
    parser.add_argument("--public-url", metavar="URL", help="the address at a reverse proxy")
    parser.add_argument("--workers", metavar="N", type=int, help="how many jobs run in parallel (2)")
    parser.add_argument(
        "--allow-host",
        dest="allow_hosts",
        metavar="HOST",
        action="append",
        help="a private host, address or network that jobs may reach; may be repeated",
    )
    parser.add_argument("--key-file", metavar="FILE", help="the stack's key, if not in the data folder")
    parser.add_argument(
        "--no-sample",
        dest="sample",
        action="store_const",
        const=False,
        help="do not load the sample at the first start of a new data folder",
    )
    parser.add_argument("--json", action="store_true", help="print the addresses and the token as one line of JSON")


def add_tls_arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--https", action="store_const", const=True, help="serve TLS too, as some programs require; see penstock tls"
    )
    parser.add_argument(
        "--https-port", metavar="N", type=int, help="the port for TLS; 0 takes a free one (443); implies --https"
    )
    parser.add_argument(
        "--tls-cert", metavar="FILE", help="a certificate of your own, PEM, with its chain; implies --https"
    )
    parser.add_argument("--tls-key", metavar="FILE", help="its key, PEM, if not in the same file")


def run(options: Namespace) -> int:
    from penstock.settings import read_settings

    flags = {name: value for name, value in vars(options).items() if name not in ("run", "json", "command", "version")}
    settings = read_settings(flags)
    with without_collections():
        from penstock.server.run import run_stack
    return run_stack(settings, as_json=options.json)

"""Run jobs of a stack until told to end. `penstock up` starts these; nobody else needs to."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

SUMMARY = "run jobs of a stack"


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--name", required=True, help="what the worker is called in the log")


def run(options: Namespace) -> int:
    from penstock.server.workers import run_worker
    from penstock.settings import read_settings

    return run_worker(read_settings(), options.name)

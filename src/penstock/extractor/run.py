"""The whole run on one screen: read the configuration, run the jobs, write the tables, remember the state."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec

from penstock.extractor.client import Client
from penstock.extractor.config.effective import Config, read_configs
from penstock.extractor.functions import flat
from penstock.extractor.job import Counts, Run, run_job
from penstock.extractor.log import Log
from penstock.extractor.results.buckets import Buckets
from penstock.extractor.results.output import staged
from penstock.extractor.sending.gate import open_gate
from penstock.extractor.sending.rate import Pace
from penstock.extractor.sending.tunnel import Tunnel, read_tunnel
from penstock.extractor.state import Memory
from penstock.extractor.values import as_map
from penstock.foundation import clock
from penstock.foundation.outbound import Gate


async def extract(
    document: dict[str, Any], state: dict[str, Any], out: Path, log: Log, most_retries: int | None = None
) -> None:
    """Leave `tables/` and `state.json` in the output folder, or nothing at all. Raises UserError."""
    configs = read_configs(document, out.parent / "cache", log.warning)
    tunnel = read_tunnel(as_map(document.get("parameters")).get("sshProxy"), log)
    memory, counts = Memory(state, int(clock.now().timestamp())), Counts()
    with staged(out) as stage, Buckets(stage, memory, log) as buckets:
        for config in configs:
            await _run_config(_with_retries(config, most_retries), buckets, tunnel, counts, log)
        buckets.finish(configs)
        stage.publish(memory.text())
    log.info(f"Records written: {counts.records} (pages: {counts.pages}, tables: {buckets.tables}).")
    log.info("Extractor finished successfully.")


async def _run_config(config: Config, buckets: Buckets, tunnel: Tunnel | None, counts: Counts, log: Log) -> None:
    log.is_debug = config.is_debug
    name = config.sending.auth.name
    log.debug(f"Using '{name}' authentication." if name else "Using no authentication.")
    contexts = {**config.contexts, "time": flat(buckets.memory.times)}
    async with open_gate(Gate, config.tls, tunnel) as gate:
        client = Client(gate, log, config.sending, Pace(config.rate_limit))
        run = Run(config, client, buckets.open(config), contexts, log, counts)
        for job in config.jobs:
            await run_job(run, job)
    buckets.learn(config)


def _with_retries(config: Config, most: int | None) -> Config:
    """What the command line says about retries goes before what the configuration says."""
    if most is None:
        return config
    retry = msgspec.structs.replace(config.sending.retry, most=most)
    return msgspec.structs.replace(config, sending=msgspec.structs.replace(config.sending, retry=retry))

"""The faults: one file per class of the catalogue, each with a table of its variants."""

from __future__ import annotations

from tests.e2e.hostile.faults import (
    circles,
    clocks,
    compression,
    connections,
    drips,
    encodings,
    lengths,
    malformed,
    numbers,
    open_ends,
    redirects,
    resets,
    retry_after,
    server_errors,
    shapes,
    short_bodies,
    sizes,
    token_endpoint,
    tokens,
    types,
)
from tests.e2e.hostile.scenario import Variant

CLASSES: dict[str, tuple[Variant, ...]] = {
    "H1": resets.VARIANTS,
    "H2": short_bodies.VARIANTS,
    "H3": open_ends.VARIANTS,
    "H4": lengths.VARIANTS,
    "H5": drips.VARIANTS,
    "H6": retry_after.VARIANTS,
    "H7": server_errors.VARIANTS,
    "H8": redirects.VARIANTS,
    "H9": compression.VARIANTS,
    "H10": malformed.VARIANTS,
    "H11": numbers.VARIANTS,
    "H12": shapes.VARIANTS,
    "H13": sizes.VARIANTS,
    "H14": encodings.VARIANTS,
    "H15": types.VARIANTS,
    "H16": circles.VARIANTS,
    "H17": connections.VARIANTS,
    "H18": tokens.VARIANTS,
    "H19": token_endpoint.VARIANTS,
    "H20": clocks.VARIANTS,
}

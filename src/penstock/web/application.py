"""A service as an ASGI application: its routes, with what every request needs."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

from starlette.applications import Starlette
from starlette.convertors import Convertor
from starlette.middleware import Middleware
from starlette.middleware.cors import CORSMiddleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.routing import Route as HttpRoute
from starlette.routing import compile_path

from penstock.foundation.callers import Right
from penstock.foundation.database.versioned_cache import VersionedCache
from penstock.foundation.jobs.waiting import Waiting
from penstock.foundation.stack import Stack
from penstock.web.auth.identification import Identification
from penstock.web.compression import GZIP_FROM, LEVEL, CachingGZip
from penstock.web.documents import Documents
from penstock.web.errors import handlers
from penstock.web.pipeline import Pipeline
from penstock.web.rate_limits import UNLIMITED, RateLimits
from penstock.web.request_threads import RequestThreads, WorkQueues
from penstock.web.routing import Route
from penstock.web.service import Service
from penstock.web.sites import EVERY_SITE, Sites

PATTERNS = 2000
"""More than a stack has paths: a process that opens several stacks compiles each once."""


def build_service(
    service: Service,
    stack: Stack,
    services: tuple[Service, ...],
    threads: RequestThreads,
    body_limit: int,
    rates: RateLimits = UNLIMITED,
    sites: Sites = EVERY_SITE,
) -> Starlette:
    """The service as an application. Nothing redirects: some clients do not follow redirects."""
    pipeline = Pipeline(
        stack=stack,
        services=tuple(each.listing for each in services),
        identification=Identification(stack, service.auth),
        body_limit=body_limit,
        sites=sites,
        errors=service.errors,
        queues=WorkQueues(threads, rates),
        waiting=Waiting(stack.database),
        responses=VersionedCache(),
        documents=Documents(),
    )
    app = Starlette(
        routes=[_to_http(route, pipeline) for route in service.routes],
        exception_handlers=handlers(service.errors, service.errors_below, stack.paths.hide),
        middleware=[Middleware(CORSMiddleware, allow_origins=["*"], allow_methods=["*"], allow_headers=["*"])],
    )
    app.router.redirect_slashes = False
    return app


def _to_http(route: Route, pipeline: Pipeline) -> HttpRoute:
    """Serve the path with and without a trailing slash. Streams are not compressed: clients may request parts of
    them."""
    path, packing = route.path.rstrip("/") or "/", [] if route.streams else [_compression(route)]
    http = HttpRoute("/", pipeline.endpoint(route), methods=[route.method], middleware=packing)
    http.path, (http.path_regex, http.path_format, http.param_convertors) = path, _compile(path)
    return http


@lru_cache(maxsize=PATTERNS)
def _compile(path: str) -> tuple[re.Pattern[str], str, dict[str, Convertor[Any]]]:
    pattern, template, convertors = compile_path(path)
    if path != "/":
        # One pattern and not two routes: every request is compared with all routes before its own.
        pattern = re.compile(pattern.pattern.removesuffix("$") + "/?$")
    return pattern, template, convertors


def _compression(route: Route) -> Middleware:
    if route.needs is Right.PUBLIC and route.method == "GET":
        return Middleware(CachingGZip, minimum_size=GZIP_FROM)
    return Middleware(GZipMiddleware, minimum_size=GZIP_FROM, compresslevel=LEVEL)

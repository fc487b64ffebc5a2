"""A service as an ASGI application: its routes, with what every request needs."""

from __future__ import annotations

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.cors import CORSMiddleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.routing import Route as HttpRoute

from penstock.foundation.callers import Right
from penstock.foundation.jobs.waiting import Waiting
from penstock.foundation.stack import Stack
from penstock.foundation.versioned_cache import VersionedCache
from penstock.web.auth.identification import Identification
from penstock.web.compression import LEVEL, CachingGZip
from penstock.web.cut_responses import CutResponses
from penstock.web.errors import handlers
from penstock.web.fair_threads import RequestThreads
from penstock.web.pipeline import Pipeline
from penstock.web.rate_limits import UNLIMITED, RateLimits
from penstock.web.routing import Route
from penstock.web.service import Service

GZIP_FROM = 1000


def build_service(
    service: Service,
    stack: Stack,
    services: tuple[Service, ...],
    threads: RequestThreads,
    body_limit: int,
    rates: RateLimits = UNLIMITED,
) -> Starlette:
    """The service as an application. Nothing redirects: some clients do not follow redirects."""
    pipeline = Pipeline(
        stack=stack,
        services=tuple(each.listing for each in services),
        identification=Identification(stack, service.auth),
        body_limit=body_limit,
        rates=rates,
        errors=service.errors,
        threads=threads,
        waiting=Waiting(stack.database),
        responses=VersionedCache(),
        cut_responses=CutResponses(stack),
    )
    app = Starlette(
        routes=[http for route in service.routes for http in _formats(route, pipeline)],
        exception_handlers=handlers(service.errors, service.errors_below, stack.paths.hide),
        middleware=[Middleware(CORSMiddleware, allow_origins=["*"], allow_methods=["*"], allow_headers=["*"])],
    )
    app.router.redirect_slashes = False
    return app


def _formats(route: Route, pipeline: Pipeline) -> list[HttpRoute]:
    """With and without a trailing slash. Streams are not compressed: clients may request parts of them."""
    paths = {route.path.rstrip("/") or "/", route.path.rstrip("/") + "/"}
    endpoint, packing = pipeline.endpoint(route), [] if route.streams else [_compression(route)]
    return [HttpRoute(path, endpoint, methods=[route.method], middleware=packing) for path in sorted(paths)]


def _compression(route: Route) -> Middleware:
    if route.needs is Right.PUBLIC and route.method == "GET":
        return Middleware(CachingGZip, minimum_size=GZIP_FROM)
    return Middleware(GZipMiddleware, minimum_size=GZIP_FROM, compresslevel=LEVEL)

"""The `api` section: where the API is, and how it is asked."""

from __future__ import annotations

from penstock.extractor.config.schema.authentication import AUTHENTICATION, METHOD, NEEDS_QUERY
from penstock.extractor.config.schema.kinds import MAP, SECONDS, TEXT, TEXTS, VALUE, VALUES, Schema, section, setting
from penstock.extractor.requests.parallel.concurrency import AUTO, MAX_CONCURRENCY
from penstock.extractor.requests.sending.rate import INTERVALS
from penstock.extractor.requests.sending.retry import MAX_RETRIES, RETRIED_CODES, RETRIED_STATUSES

_ADDRESS: Schema = {
    "anyOf": [
        {"type": "string", "pattern": r"^[hH][tT][tT][pP][sS]?://\S+$"},
        {"type": "object", "minProperties": 1, "additionalProperties": VALUE},
        {"type": "string", "pattern": r"^\s*\{", "description": "A function as JSON text, as it was once written."},
    ]
}
_CODES: Schema = {"type": ["array", "object", "null"]}
_PEM: Schema = {"type": ["string", "null"], "minLength": 2}
_RETRY = section(
    {
        "maxRetries": setting(SECONDS, "How often a failed request is sent again.", MAX_RETRIES),
        "maxWait": setting(SECONDS, "The longest wait in seconds that the API may ask for."),
        "http": section(
            {
                "retryHeader": setting(TEXT, "The header that says how long to wait.", "Retry-After"),
                "codes": setting(_CODES, "Statuses after which a request is sent again.", sorted(RETRIED_STATUSES)),
            },
            about="Of responses.",
        ),
        "curl": section(
            {"codes": setting(_CODES, "Failures on the way, by the numbers of curl.", sorted(RETRIED_CODES))},
            about="Of requests without a response.",
        ),
        "headerName": setting(TEXT, "Old name of http.retryHeader."),
        "httpCodes": setting(_CODES, "Old name of http.codes."),
        "curlCodes": setting(_CODES, "Old name of curl.codes."),
    },
    about="What is tried again, how often, and when.",
)
_HTTP = section(
    {
        "headers": setting(VALUES, "Headers of every request."),
        "requiredHeaders": setting(TEXTS, "Names of headers that `config.http.headers` must have."),
        "defaultOptions": section(
            {
                "params": setting(MAP, "Parameters of every job."),
                "method": setting(METHOD, "The method of jobs without one."),
                "headers": setting(MAP, "Headers of every job."),
            },
            about="What jobs may leave out; their own settings win.",
        ),
        "ignoreErrors": setting(
            {"type": ["array", "object", "null"]}, "Statuses that do not fail a run; 0 is a body that is not JSON."
        ),
        "connectTimeout": setting(SECONDS, "Seconds for the connection.", 30),
        "requestTimeout": setting(SECONDS, "Seconds for everything, until the last byte of the response.", 300),
    },
    about="What every request carries, and how long it may take.",
)
_RATE: Schema = section(
    {
        "requests": setting({"type": ["integer", "string"], "minimum": 1}, "So many requests to one host…"),
        "interval": setting(
            {
                "anyOf": [
                    {"type": "number", "exclusiveMinimum": 0},
                    {"enum": [*INTERVALS]},
                    {"type": ["string", "null"]},
                ]
            },
            "…in so many seconds.",
            1,
        ),
    },
    ("requests",),
    "How fast requests may follow each other.",
)
_PARALLEL: Schema = {
    "anyOf": [
        {"type": "integer", "minimum": 1, "maximum": MAX_CONCURRENCY},
        {"type": "string", "pattern": "^0*([1-9][0-9]?|100)$"},
        {"enum": [AUTO, None]},
    ]
}
API: Schema = {
    "type": "object",
    "description": "Where the API is, and how it is asked.",
    "required": ["baseUrl"],
    "properties": {
        "baseUrl": setting(_ADDRESS, "The address that endpoints are below: `<baseUrl>/<endpoint>`."),
        "authentication": AUTHENTICATION,
        "pagination": setting({"$ref": "#/definitions/pagination"}, "How pages follow each other, and when to stop."),
        "http": _HTTP,
        "retryConfig": _RETRY,
        "rateLimit": _RATE,
        "parallelism": setting(_PARALLEL, f'How many concurrent requests: 1 to {MAX_CONCURRENCY}, or "{AUTO}".', 1),
        "trustedHosts": setting(TEXTS, "Other hosts that get the credentials."),
        "caCertificate": setting(_PEM, "The certificates to trust instead of the system's, in PEM format."),
        "#clientCertificate": setting(_PEM, "A certificate and its private key, in PEM format."),
        "clientCertificate": setting({"type": ["string", "null"]}, "Has no effect: use #clientCertificate."),
        "name": setting(TEXT, "With `config.id` it names the bucket, where there is no `outputBucket`."),
        "query": setting(MAP, "Old place of `authentication.query`."),
    },
    "allOf": [NEEDS_QUERY],
}

"""Settings of the extractor that are missing or wrong, and responses that it cannot turn into tables."""

from __future__ import annotations

import re

from penstock.services.ai.failures.diagnosis import Known
from penstock.services.ai.failures.places import of_job, of_job_without, of_key, of_value

_AUTHENTICATION = "extractor/index.md#authentication"

SETTINGS = (
    Known(
        pattern=re.compile(r"The 'baseUrl' attribute in API configuration is not a valid URL"),
        cause="The address of the API is not a valid URL.",
        path="parameters.api.baseUrl",
        fix="Write it with https:// or http:// in front, for example https://api.example.com/v1/.",
        page="extractor/requests.md#where-it-goes",
    ),
    Known(
        pattern=re.compile(r"The 'jobs' section is required in"),
        cause="The configuration has no jobs: nothing says what to read from the API.",
        path="parameters.config.jobs",
        fix='Add at least one, for example [{{"endpoint": "orders"}}].',
        page="extractor/command.md#the-configuration",
    ),
    Known(
        pattern=re.compile(r"The '(?P<section>api|config)' section is required in"),
        cause="The configuration has no section `{section}`, or an empty one: `parameters.api` has the address of the "
        "API, and `parameters.config.jobs` what to read from it.",
        path="parameters.{section}",
        fix='Add it, for example {{"api": {{"baseUrl": "https://api.example.com/"}}, "config": {{"jobs": '
        '[{{"endpoint": "orders"}}]}}}}.',
        page="extractor/command.md#the-configuration",
    ),
    Known(
        pattern=re.compile(r"The 'endpoint' property must be set in job"),
        cause="A job has no endpoint, so there is nothing to ask the API for.",
        path="parameters.config.jobs[].endpoint",
        place=of_job_without("endpoint"),
        fix="Set it to the part of the address after `baseUrl`, such as `orders`.",
        page="extractor/requests.md",
    ),
    Known(
        pattern=re.compile(r"The \"method\" property must be on of .* It is '(?P<value>[^']*)'"),
        cause="`{value}` is not a method that a job can use.",
        path="parameters.config.jobs[].method",
        place=of_value("method"),
        fix="Set it to GET, POST (JSON in the body) or FORM.",
        page="extractor/requests.md",
    ),
    Known(
        pattern=re.compile(r"The 'params' property must be an array"),
        cause="The parameters of a job are not an object of names and values.",
        path="parameters.config.jobs[].params",
        place=of_job("params"),
        fix='Write them as an object, such as {{"status": "open"}}.',
        page="extractor/requests.md#parameters",
    ),
    Known(
        pattern=re.compile(r"Invalid JSON response from API: .*?of '(?P<endpoint>[^']+)'\)\. It is a web page"),
        cause="The API answered with a web page instead of data: the address is not that of the API, or it wants a "
        "login.",
        path="parameters.config.jobs[].endpoint",
        place=of_job("endpoint"),
        fix="Correct the endpoint and `parameters.api.baseUrl`, or set `parameters.api.authentication`.",
        page="extractor/bad-input.md#responses",
    ),
    Known(
        pattern=re.compile(r"Invalid (?P<format>JSON|CSV|XML) response from API:(?:.*?of '(?P<endpoint>[^']+)')?"),
        cause="The response of the API is not valid {format}.",
        path="parameters.config.jobs[].endpoint",
        place=of_job("endpoint"),
        fix="Check that the endpoint returns {format}; for other formats set `responseFormat` of the job.",
        page="extractor/formats.md",
    ),
    Known(
        pattern=re.compile(
            r"More than one array found in response!.*?\(endpoint: (?P<endpoint>[^,]+), .*?root: (?P<arrays>[^)]*)\)"
        ),
        cause="The response has several lists ({arrays}), and the job does not say which one has the records.",
        path="parameters.config.jobs[].dataField",
        place=of_job("dataField"),
        fix="Set it to one of: {arrays}.",
        page="extractor/data-field.md",
    ),
    Known(
        pattern=re.compile(r"Unknown authorization type '(?P<type>[^']*)'"),
        cause="`{type}` is not an authentication method.",
        path="parameters.api.authentication.type",
        fix="Use one of the methods in the documentation, such as `basic`, `query`, `login` or `oauth20`.",
        page=_AUTHENTICATION,
    ),
    Known(
        pattern=re.compile(r"Missing the required '(?P<key>#?\w+)'.* attribute in config"),
        cause="The authentication needs `{key}`, which is not set.",
        path="parameters.config.{key}",
        fix="Enter it there; values of keys that begin with `#` are encrypted.",
        page="extractor/auth/basic.md",
    ),
    Known(
        pattern=re.compile(r"'loginRequest' is not configured|Request endpoint must be set for the Login"),
        cause="The authentication method `login` has no request to log in with.",
        path="parameters.api.authentication.loginRequest",
        fix='Set it to the request, such as {{"endpoint": "login", "method": "POST"}}.',
        page="extractor/auth/login.md",
    ),
    Known(
        pattern=re.compile(r"OAuth API credentials not supplied in configuration|for OAuth [\d.]+ authorization"),
        cause="The configuration has no authorization of the user at the API, or an incomplete one.",
        path="authorization.oauth_api.credentials",
        fix="Authorize the configuration (again) with the service oauth.",
        page="services/oauth.md#in-a-configuration",
    ),
    Known(
        pattern=re.compile(r"The query authentication method requires 'query' configuration"),
        cause="The authentication method `query` does not say which parameters to send.",
        path="parameters.api.authentication.query",
        fix='Set it, such as {{"api_key": {{"attr": "#token"}}}}.',
        page="extractor/auth/query.md",
    ),
    Known(
        pattern=re.compile(
            r"Login authentication returned expiry time before|login.*(?:failed|not found)", re.IGNORECASE
        ),
        cause="The login at the API did not give a session that can be used.",
        path="parameters.api.authentication.loginRequest",
        fix="Check the credentials, and the paths in `apiRequest` and `expires` beside it.",
        page="extractor/auth/login.md",
    ),
    Known(
        pattern=re.compile(r"Illegal function '(?P<value>[^']*)'"),
        cause="`{value}` is not a function.",
        path="parameters",
        place=of_value("function"),
        fix="Use one of the functions in the documentation, such as `concat`, `md5` or `date`.",
        page="extractor/functions.md",
    ),
    Known(
        pattern=re.compile(r"Bad argument count for function '(?P<value>[^']*)'! It takes (?P<count>[^,]+)"),
        cause="The function `{value}` has a wrong number of arguments.",
        path="parameters",
        place=of_value("function"),
        fix="Give it {count} in `args`.",
        page="extractor/functions.md",
    ),
    Known(
        pattern=re.compile(r"attr '(?P<value>[^']*)' not found"),
        cause="A function refers to the setting `{value}`, which does not exist.",
        path="parameters.config.{value}",
        fix="Add it there, or correct the name in `attr`.",
        page="extractor/functions.md",
    ),
    Known(
        pattern=re.compile(r"User script error: "),
        cause="A function of the configuration cannot be evaluated.",
        path="parameters",
        fix="Correct the function that the message names, and its arguments.",
        page="extractor/functions.md",
    ),
    Known(
        pattern=re.compile(r"Key '(?P<setting>[\w.]+)' is not set for (?:column|table) '(?P<value>[^']*)'"),
        cause="The mapping of `{value}` has no `{setting}`.",
        path="parameters.config.mappings",
        place=of_key,
        fix='Set it, such as {{"mapping": {{"destination": "id"}}}}, or write the name of the column alone.',
        page="extractor/mappings.md",
    ),
    Known(
        pattern=re.compile(r"'mappings' property must be|Bad Json to CSV Mapping|in 'mappings' config"),
        cause="The mappings are not valid.",
        path="parameters.config.mappings",
        fix="Write an object with a member for each data type, whose members say which value goes into which column.",
        page="extractor/mappings.md",
    ),
    Known(
        pattern=re.compile(r"Missing required header (?P<header>\S+) in 'config\.http\.headers'"),
        cause="The API needs the header `{header}`, which is not set.",
        path="parameters.config.http.headers.{header}",
        fix="Set it there.",
        page="extractor/requests.md#headers",
    ),
    Known(
        pattern=re.compile(r"Missing parameters '(?P<keys>[^']*)' in SSH config|Key must not be empty"),
        cause="The SSH tunnel has no {keys}.",
        path="parameters.sshProxy",
        fix="Set it there.",
        page="extractor/ssh-tunnel.md",
    ),
    Known(
        pattern=re.compile(r"Unable to create ssh tunnel"),
        cause="The SSH server cannot be reached, or does not accept the user and the key.",
        path="parameters.sshProxy",
        fix="Check `host`, `port`, `user` and `#privateKey` there.",
        page="extractor/ssh-tunnel.md",
    ),
    Known(
        pattern=re.compile(r"goes round in circles|brought no new value of"),
        cause="The API returns the same page again and again: it ignores the parameter of the pagination.",
        path="parameters.api.pagination",
        fix="Compare the method and the names of its parameters with the documentation of the API.",
        page="extractor/pagination/loop-guard.md",
    ),
)

"""Placeholders in a configuration become values, before it is run.

resolve.py       the whole of it: the steps in their order, and what is recorded of them
shared_code.py   step 1: lines of a script that are kept once and used in many places
vault.py         step 2: `{{ vault.name }}`
values.py        step 3: which values a configuration's own variables have
mustache.py      … and how they are put in
text.py          a document as the JSON text that steps 2 and 3 work on
hosts.py         which hosts the secrets of a document are meant for, once its hosts are values
sources.py       where shared code, variables and vault values are read
errors.py        what can go wrong, by name
"""

from penstock.services.queue.variables.hosts import find_meant_hosts
from penstock.services.queue.variables.resolve import Resolved, resolve
from penstock.services.queue.variables.sources import StoredSources
from penstock.services.queue.variables.values import JobValues, values_scope

__all__ = ["JobValues", "Resolved", "StoredSources", "find_meant_hosts", "resolve", "values_scope"]

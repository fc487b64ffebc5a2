"""Functions in configurations: `{"function": "md5", "args": [{"attr": "#token"}]}` becomes its value before a request.

evaluate.py   evaluates function calls and references in a value
contexts.py   the values that references may name, and which of them are derived from a secret
library.py    all functions with their arguments, and their current time; date and strtotime are in foundation/strtotime
arguments.py  conversion of arguments to texts, numbers and lists
hashes.py     hash and hash_hmac
sprintf.py    sprintf
"""

from __future__ import annotations

from penstock.extractor.base.functions.contexts import Contexts, comes_from_secret, flat, private_texts, texts_in
from penstock.extractor.base.functions.evaluate import evaluate
from penstock.extractor.base.functions.library import fixed

__all__ = ["Contexts", "comes_from_secret", "evaluate", "fixed", "flat", "private_texts", "texts_in"]

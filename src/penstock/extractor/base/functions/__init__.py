"""Functions in configurations: `{"function": "md5", "args": [{"attr": "#token"}]}` becomes its value before a request.

evaluate.py   evaluates function calls and references in a value
contexts.py   the values that references may name
origin.py     which values are derived from a secret
library.py    all functions with their arguments
arguments.py  conversion of arguments to texts, numbers and lists
hashes.py     hash and hash_hmac
sprintf.py    sprintf
now.py        the current time for functions; date and strtotime are in foundation/strtotime
"""

from __future__ import annotations

from penstock.extractor.base.functions.contexts import Contexts, flat
from penstock.extractor.base.functions.evaluate import evaluate
from penstock.extractor.base.functions.now import fixed
from penstock.extractor.base.functions.origin import comes_from_secret, private_texts, texts_in

__all__ = ["Contexts", "comes_from_secret", "evaluate", "fixed", "flat", "private_texts", "texts_in"]

"""Functions in configurations: `{"function": "md5", "args": [{"attr": "#token"}]}` becomes its value before a request.

evaluate.py   walks a value: calls, references, and what stays
contexts.py   what references may ask for
origin.py     which values come from a secret
library.py    every function with its arguments
arguments.py  what counts as a text, a number, a list
hashes.py     hash and hash_hmac
sprintf.py    sprintf
now.py        what time it is for all of them; date and strtotime are foundation/strtotime
"""

from __future__ import annotations

from penstock.extractor.functions.contexts import Contexts, flat
from penstock.extractor.functions.evaluate import evaluate
from penstock.extractor.functions.now import fixed
from penstock.extractor.functions.origin import comes_from_secret, private_texts, texts_in

__all__ = ["Contexts", "comes_from_secret", "evaluate", "fixed", "flat", "private_texts", "texts_in"]

"""What importing the gate costs."""

from __future__ import annotations

import os
import subprocess
import sys

COUNT = """
import ssl
contexts = []
load = ssl.SSLContext.load_default_certs
def counted(context, *given):
    load(context, *given)
    contexts.append(context)
ssl.SSLContext.load_default_certs = counted
import penstock.foundation.outbound
print(sum(len(context.get_ca_certs()) for context in contexts))
import os
print(os.environ.get("SSL_CERT_FILE"), os.environ.get("SSL_CERT_DIR"))
"""


def test_no_certificate_is_read_before_tls_is_spoken_and_the_environment_stays():
    environment = {**os.environ, "SSL_CERT_DIR": "/somewhere"}
    environment.pop("SSL_CERT_FILE", None)

    done = subprocess.run([sys.executable, "-c", COUNT], env=environment, capture_output=True, text=True, check=True)

    assert done.stdout.split("\n") == ["0", "None /somewhere", ""]

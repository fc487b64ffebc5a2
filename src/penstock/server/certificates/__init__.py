"""TLS: the certificate that a stack serves, its own or a given one.

authority.py   a local certificate authority, and what it signs
folder.py      the stack's own, in `tls/` of the data folder: creation, renewal
pair.py        a certificate and its key from files, checked before anything starts
secure.py      what the server presents, reloaded when the files change
"""

from penstock.server.certificates.authority import covers, expires, fingerprint, names_of
from penstock.server.certificates.folder import Made, StackFiles, ensure_certificate, init_certificates, read_made
from penstock.server.certificates.pair import Pair, UnusableCertificate, days_left, read_pair
from penstock.server.certificates.secure import Secure, choose_pair

__all__ = [
    "Made",
    "Pair",
    "Secure",
    "StackFiles",
    "UnusableCertificate",
    "choose_pair",
    "covers",
    "days_left",
    "ensure_certificate",
    "expires",
    "fingerprint",
    "init_certificates",
    "names_of",
    "read_made",
    "read_pair",
]

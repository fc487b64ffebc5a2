"""Create the certificate that `penstock up --https` serves, and show how to make programs trust it.

`init` creates a certificate authority in the data folder, and a certificate for every host of the stack's domain, which
is valid for 397 days. Called again it renews the certificate and keeps the authority, which stays trusted.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from penstock.server.certificates import Made

TAKEN_OVER = "A stack that runs with --https reloads it automatically."


def arguments(parser: ArgumentParser) -> None:
    actions = parser.add_subparsers(title="actions", metavar="init|show", dest="action", required=True)
    init = actions.add_parser("init", help="create the authority and the certificate, or renew the certificate")
    init.add_argument("--force", action="store_true", help="create a new authority too; it has to be trusted again")
    show = actions.add_parser("show", help="show the certificate, and how to trust it")
    for action in (init, show):
        action.add_argument("--data-dir", metavar="DIR", help="the data folder (.penstock)")
        action.add_argument("--domain", metavar="D", help="the stack's domain (penstock.localhost)")
        action.add_argument("--json", action="store_true", help="print JSON")


def run(options: Namespace) -> int:
    from penstock.cli.output import print_json
    from penstock.settings import read_settings

    settings = read_settings({"data_dir": options.data_dir, "domain": options.domain})
    domain = settings.domain.lower()
    certificates = _make(options, settings.folder, domain)
    if options.json:
        print_json(_facts(certificates, domain))
    else:
        _print(certificates, domain)
    return 0


def _make(options: Namespace, folder: Path, domain: str) -> Made:
    from penstock.server.certificates import init_certificates, read_made

    if options.action == "init":
        return init_certificates(folder, domain, force=options.force)
    return read_made(folder)


def _print(certificates: Made, domain: str) -> None:
    from penstock.cli.output import print_columns
    from penstock.server.certificates import days_left, names_of
    from penstock.server.certificates.trust import ways_to_trust

    print(_what_happened(certificates))
    print_columns(
        [
            (
                "Authority",
                str(certificates.files.authority.certificate),
                f"{days_left(certificates.authority)} days left",
            ),
            (
                "Certificate",
                str(certificates.files.stack.certificate),
                f"{days_left(certificates.certificate)} days left",
            ),
        ]
    )
    print(f"For {', '.join(names_of(certificates.certificate))}.")
    print("\nPrograms have to trust the authority, once:\n")
    for way in ways_to_trust(certificates.files.authority.certificate, domain):
        print(f"{way.who}\n  {way.how}")


def _what_happened(certificates: Made) -> str:
    if certificates.is_new_authority:
        return f"Created an authority and a certificate. {TAKEN_OVER}\n"
    if certificates.is_new_certificate:
        return f"Created a new certificate; the authority is unchanged. {TAKEN_OVER}\n"
    return "This is what the stack has.\n"


def _facts(certificates: Made, domain: str) -> dict[str, object]:
    from penstock.server.certificates import expires, fingerprint, names_of
    from penstock.server.certificates.trust import ways_to_trust

    authority, stack = certificates.files.authority, certificates.files.stack
    return {
        "authority": str(authority.certificate),
        "authorityExpires": expires(certificates.authority),
        "authorityFingerprint": fingerprint(certificates.authority),
        "certificate": str(stack.certificate),
        "key": str(stack.key),
        "expires": expires(certificates.certificate),
        "names": names_of(certificates.certificate),
        "isNewAuthority": certificates.is_new_authority,
        "isNewCertificate": certificates.is_new_certificate,
        "trust": ways_to_trust(authority.certificate, domain),
    }

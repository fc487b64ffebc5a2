"""The certificate that a stack serves: its own, created and renewed, or a given one."""

from __future__ import annotations

import ssl
import stat
from datetime import timedelta
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from penstock.cli.doctor.trust import in_memory
from penstock.foundation import clock
from penstock.server.certificates import (
    Pair,
    Secure,
    StackFiles,
    UnusableCertificate,
    choose_pair,
    covers,
    days_left,
    ensure_certificate,
    fingerprint,
    init_certificates,
    names_of,
    read_made,
    read_pair,
)
from penstock.server.certificates.authority import Signed, issue_certificate
from penstock.server.certificates.folder import write_pair
from penstock.server.certificates.pair import read_key
from penstock.server.certificates.trust import ways_to_trust
from penstock.settings import Settings
from tests.support.authority import Authority

DOMAIN = "data.example"


def pass_time(monkeypatch: pytest.MonkeyPatch, days: int) -> None:
    later = clock.now() + timedelta(days=days)
    monkeypatch.setattr(clock, "source", lambda: later)


def trusting(authority: Path) -> ssl.SSLContext:
    """As strict as Python can be: later versions are by default."""
    context = ssl.create_default_context(cafile=authority)
    context.verify_flags |= ssl.VERIFY_X509_STRICT
    return context


def greet(folder: Path, name: str, authority: Path | None = None) -> None:
    files = StackFiles(folder)
    in_memory(Secure(files.stack).context, name)(trusting(authority or files.authority.certificate))


@pytest.mark.parametrize(
    "name", ["connection.data.example", "ai.data.example", "data.example", "localhost", "127.0.0.1", "::1"]
)
def test_who_trusts_the_authority_trusts_every_host_of_the_stack(tmp_path: Path, name: str) -> None:
    init_certificates(tmp_path, DOMAIN)

    greet(tmp_path, name)


@pytest.mark.parametrize("name", ["data.example.evil.test", "a.b.data.example", "evil.test", "10.0.0.1"])
def test_the_certificate_is_for_no_other_host(tmp_path: Path, name: str) -> None:
    init_certificates(tmp_path, DOMAIN)

    with pytest.raises(ssl.SSLCertVerificationError):
        greet(tmp_path, name)


def test_the_authority_of_another_stack_is_not_enough(tmp_path: Path) -> None:
    init_certificates(tmp_path / "mine", DOMAIN)
    other = init_certificates(tmp_path / "other", DOMAIN)

    with pytest.raises(ssl.SSLCertVerificationError):
        greet(tmp_path / "mine", "connection.data.example", other.files.authority.certificate)


def test_the_authority_cannot_sign_for_other_names_even_if_its_key_is_stolen(tmp_path: Path) -> None:
    made = init_certificates(tmp_path, DOMAIN)
    key = read_key(made.files.authority.key)
    assert isinstance(key, ec.EllipticCurvePrivateKey)
    write_pair(made.files.stack, issue_certificate(Signed(made.authority, key), "bank.test"))

    with pytest.raises(ssl.SSLCertVerificationError, match="permitted subtree violation"):
        greet(tmp_path, "www.bank.test")


def test_a_domain_of_one_label_has_its_hosts_named(tmp_path: Path) -> None:
    names = names_of(init_certificates(tmp_path, "localhost").certificate)

    assert {"localhost", "connection.localhost", "ai.localhost"} <= set(names)
    greet(tmp_path, "connection.localhost")


def test_they_last_ten_years_and_397_days(tmp_path: Path) -> None:
    made = init_certificates(tmp_path, DOMAIN)

    assert days_left(made.authority) in (3649, 3650)
    assert days_left(made.certificate) in (396, 397)


def test_keys_are_their_owners_alone_and_the_authority_can_be_given_away(tmp_path: Path) -> None:
    files = init_certificates(tmp_path / "data", DOMAIN).files

    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in (tmp_path / "data" / "tls").iterdir()}
    assert (modes["authority.key"], modes["stack.key"]) == (0o600, 0o600)
    assert modes["authority.pem"] == 0o644
    assert stat.S_IMODE(files.folder.stat().st_mode) == 0o700


def test_called_again_the_certificate_is_new_and_the_authority_stays(tmp_path: Path) -> None:
    first, second = init_certificates(tmp_path, DOMAIN), init_certificates(tmp_path, DOMAIN)

    assert (first.is_new_authority, second.is_new_authority) == (True, False)
    assert fingerprint(second.authority) == fingerprint(first.authority)
    assert second.certificate.serial_number != first.certificate.serial_number
    assert fingerprint(read_made(tmp_path).certificate) == fingerprint(second.certificate)
    greet(tmp_path, "connection.data.example")


def test_a_new_authority_has_to_be_asked_for(tmp_path: Path) -> None:
    first = init_certificates(tmp_path, DOMAIN)

    second = init_certificates(tmp_path, DOMAIN, force=True)

    assert second.is_new_authority
    assert second.authority.subject != first.authority.subject
    greet(tmp_path, "connection.data.example")


def test_another_domain_needs_another_authority_and_the_error_explains_it(tmp_path: Path) -> None:
    first = init_certificates(tmp_path, DOMAIN)

    with pytest.raises(UnusableCertificate, match=r"may not sign for other\.example.*tls init .*--force"):
        init_certificates(tmp_path, "other.example")
    assert fingerprint(read_made(tmp_path).authority) == fingerprint(first.authority)
    assert init_certificates(tmp_path, f"eu.{DOMAIN}").is_new_authority is False


def test_an_authority_whose_key_is_gone_is_not_replaced_unasked(tmp_path: Path) -> None:
    files = init_certificates(tmp_path, DOMAIN).files
    files.authority.key.unlink()

    with pytest.raises(UnusableCertificate, match="Put back what was there, or make a new authority"):
        init_certificates(tmp_path, DOMAIN)
    assert ensure_certificate(tmp_path, DOMAIN).is_new_certificate is False


def test_an_expired_authority_is_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = init_certificates(tmp_path, DOMAIN)
    pass_time(monkeypatch, 3651)

    assert init_certificates(tmp_path, DOMAIN).is_new_authority
    assert fingerprint(read_made(tmp_path).authority) != fingerprint(first.authority)


def test_a_certificate_never_outlives_its_authority(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    init_certificates(tmp_path, DOMAIN)
    pass_time(monkeypatch, 3600)
    made = init_certificates(tmp_path, DOMAIN)

    assert made.certificate.not_valid_after_utc == made.authority.not_valid_after_utc


@pytest.mark.parametrize(("days", "is_renewed"), [(0, False), (360, False), (370, True), (500, True)])
def test_a_start_renews_what_ends_soon(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, days: int, is_renewed: bool
) -> None:
    first = init_certificates(tmp_path, DOMAIN)
    pass_time(monkeypatch, days)

    made = ensure_certificate(tmp_path, DOMAIN)

    assert (made.is_new_authority, made.is_new_certificate) == (False, is_renewed)
    assert fingerprint(made.authority) == fingerprint(first.authority)


def test_a_start_repairs_what_a_crash_left_behind(tmp_path: Path) -> None:
    files = init_certificates(tmp_path, DOMAIN).files
    files.stack.certificate.write_bytes(files.authority.certificate.read_bytes())

    assert ensure_certificate(tmp_path, DOMAIN).is_new_certificate
    greet(tmp_path, "connection.data.example")


def test_an_unwritable_folder_has_an_error_message(tmp_path: Path) -> None:
    (tmp_path / "file").touch()

    with pytest.raises(UnusableCertificate, match="cannot be kept in"):
        init_certificates(tmp_path / "file", DOMAIN)


@pytest.fixture
def authority(tmp_path: Path) -> Authority:
    return Authority(tmp_path)


def pair_of(authority: Authority, host: str = "connection.data.example", **lasts: timedelta) -> Pair:
    file = authority.file_for(host, **lasts)
    return Pair(file, file)


def test_a_certificate_and_its_key_may_be_one_file(authority: Authority) -> None:
    assert covers(read_pair(pair_of(authority)), "connection.data.example")


def test_the_settings_name_one_or_two_files(authority: Authority) -> None:
    file = str(authority.file_for("a.example"))

    assert choose_pair(Settings()) is None
    assert choose_pair(Settings(tls_cert=file)) == Pair(Path(file), Path(file))
    assert choose_pair(Settings(tls_cert=file, tls_key="/key")) == Pair(Path(file), Path("/key"))
    with pytest.raises(UnusableCertificate, match="--tls-cert"):
        choose_pair(Settings(tls_key=file))


def test_a_certificate_and_a_key_that_do_not_match_are_reported(authority: Authority) -> None:
    wrong = Pair(authority.file_for("a.example"), authority.file_for("b.example"))

    with pytest.raises(UnusableCertificate, match=r"is not the key of the certificate in .*has to be the first"):
        Secure(wrong)


def test_an_expired_certificate_is_reported_with_its_date(authority: Authority) -> None:
    old = pair_of(authority, lasts=timedelta(days=-2))

    with pytest.raises(UnusableCertificate, match=r"expired on \d{4}-\d\d-\d\d"):
        Secure(old)


def test_a_certificate_that_is_not_yet_valid_is_reported(authority: Authority, monkeypatch: pytest.MonkeyPatch) -> None:
    pair = pair_of(authority)
    pass_time(monkeypatch, -20)

    with pytest.raises(UnusableCertificate, match="not yet today"):
        Secure(pair)


@pytest.mark.parametrize("content", [b"", b"nonsense", b"\xff\xfe", b"-----BEGIN CERTIFICATE-----\nx\n"])
def test_a_file_without_a_certificate_is_reported(authority: Authority, tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "broken.pem"
    file.write_bytes(content)

    with pytest.raises(UnusableCertificate, match="does not contain a certificate"):
        Secure(Pair(file, authority.file_for("a.example")))
    with pytest.raises(UnusableCertificate, match="does not contain a private key"):
        Secure(Pair(authority.file_for("a.example"), file))


def test_files_that_cannot_be_read_are_named(authority: Authority, tmp_path: Path) -> None:
    with pytest.raises(UnusableCertificate, match=r"gone\.pem cannot be read: No such file"):
        Secure(Pair(tmp_path / "gone.pem", tmp_path / "gone.key"))
    with pytest.raises(UnusableCertificate, match="Is a directory"):
        Secure(Pair(authority.file_for("a.example"), tmp_path))


def test_a_locked_key_is_reported_without_a_prompt_for_its_passphrase(authority: Authority, tmp_path: Path) -> None:
    key = ec.generate_private_key(ec.SECP256R1())
    locked = tmp_path / "locked.key"
    lock = serialization.BestAvailableEncryption(b"secret")
    locked.write_bytes(key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, lock))

    with pytest.raises(UnusableCertificate, match=r"locked with a passphrase.*openssl pkey"):
        Secure(Pair(authority.file_for("a.example"), locked))


def _pem(key: ec.EllipticCurvePrivateKey) -> bytes:
    return key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )


@pytest.mark.parametrize("curve", [ec.SECP521R1(), ec.SECP256K1()], ids=lambda curve: curve.name)
def test_a_key_that_the_server_cannot_use_is_refused(tmp_path: Path, curve: ec.EllipticCurve) -> None:
    made = init_certificates(tmp_path / "made", DOMAIN)
    key = ec.generate_private_key(curve)
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "a.example")])
    now = clock.now()
    certificate = (
        x509.CertificateBuilder(name, name, key.public_key(), 1, now - timedelta(days=1), now + timedelta(days=1))
    ).sign(key, hashes.SHA256())
    pair = Pair(tmp_path / "odd.pem", tmp_path / "odd.key")
    pair.certificate.write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
    pair.key.write_bytes(_pem(key))

    with pytest.raises(UnusableCertificate, match="P-256"):
        Secure(pair)

    secure = Secure(made.files.stack)
    made.files.stack.certificate.write_bytes(pair.certificate.read_bytes())
    made.files.stack.key.write_bytes(pair.key.read_bytes())
    assert not secure.refresh()


def test_a_renewed_certificate_is_served_without_a_restart(tmp_path: Path) -> None:
    made = init_certificates(tmp_path, DOMAIN)
    secure = Secure(made.files.stack)
    trusted = trusting(made.files.authority.certificate)
    first = in_memory(secure.context, "connection.data.example")(trusted)
    assert not secure.refresh()

    init_certificates(tmp_path, DOMAIN)

    assert secure.refresh()
    assert in_memory(secure.context, "connection.data.example")(trusted) != first


def test_what_a_server_reads_is_never_a_certificate_with_the_key_of_another(tmp_path: Path) -> None:
    """While one of the two files is replaced and the other is not yet."""
    made, copy = init_certificates(tmp_path, DOMAIN), tmp_path / "served.pem"
    secure, old = Secure(made.files.stack, copy), copy.read_bytes()
    assert secure.pair == Pair(copy, copy)
    assert copy.stat().st_mode & 0o777 == 0o600

    key = made.files.stack.key.read_bytes()
    init_certificates(tmp_path, DOMAIN)
    new_key = made.files.stack.key.read_bytes()
    made.files.stack.key.write_bytes(key)
    assert not secure.refresh()
    assert copy.read_bytes() == old

    made.files.stack.key.write_bytes(new_key)
    assert secure.refresh()
    assert copy.read_bytes() != old
    assert read_pair(secure.pair)


def test_a_copy_is_written_only_if_the_certificate_is_another(tmp_path: Path) -> None:
    made, copy = init_certificates(tmp_path, DOMAIN), tmp_path / "served.pem"
    Secure(made.files.stack, copy)
    written = copy.stat().st_ino

    Secure(made.files.stack, copy)

    assert copy.stat().st_ino == written


def test_a_copy_that_cannot_be_written_is_a_sentence(tmp_path: Path) -> None:
    made = init_certificates(tmp_path, DOMAIN)
    with pytest.raises(UnusableCertificate, match="cannot be written"):
        Secure(made.files.stack, tmp_path / "gone" / "served.pem")


def test_a_broken_certificate_does_not_replace_one_that_works(tmp_path: Path) -> None:
    made = init_certificates(tmp_path, DOMAIN)
    secure = Secure(made.files.stack)

    for break_it in (lambda path: path.write_text("broken"), lambda path: path.unlink()):
        break_it(made.files.stack.key)
        secure.refresh()
        in_memory(secure.context, "connection.data.example")(trusting(made.files.authority.certificate))


@pytest.mark.parametrize(
    ("names", "host", "is_covered"),
    [
        ("connection.a.example", "connection.a.example", True),
        ("*.a.example", "connection.a.example", True),
        ("*.a.example", "a.example", False),
        ("*.example", "connection.a.example", False),
    ],
)
def test_a_wildcard_stands_for_one_label(authority: Authority, names: str, host: str, is_covered: bool) -> None:
    assert covers(read_pair(pair_of(authority, names)), host) is is_covered


@pytest.mark.parametrize(("platform", "command"), [("linux", "sudo cp"), ("darwin", "sudo security add-trusted-cert")])
def test_the_way_to_trust_is_that_of_the_system(platform: str, command: str) -> None:
    ways = ways_to_trust(Path("/a folder/authority.pem"), DOMAIN, platform)

    assert ways[0].how.startswith(command)
    assert all("'/a folder/authority.pem'" in way.how for way in ways)
    for word in ("certifi", "SSL_CERT_FILE", "NODE_EXTRA_CA_CERTS", "curl --cacert", "Firefox"):
        assert any(word in f"{way.who} {way.how}" for way in ways)

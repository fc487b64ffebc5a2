"""Uploaded archives: what is taken, and that a refused one leaves nothing and takes no memory."""

from __future__ import annotations

import json
import resource
import stat
import struct
import zipfile
import zlib
from functools import cache
from pathlib import Path

import pytest

from penstock.components.archives import MAX_FILES
from tests.support.stacks import ServicesOnly
from tests.unit.services.developer.portal import App, Portal, make_archive, zip_of

PIECE = 256 << 20
MANIFEST = {"id": "", "name": "Squares", "type": "extractor", "command": ["python", "main.py"]}


@pytest.fixture
def app(portal: Portal) -> App:
    return portal.make_vendor().create_app()


@pytest.fixture(scope="module")
def untouched(portal: Portal) -> App:
    """For all archives that are refused: it stays as it is."""
    return portal.make_vendor().create_app()


def files_of(app: App, **more: str | bytes) -> dict[str, str | bytes]:
    manifest = json.dumps(MANIFEST | {"id": app.id})
    return {"component.json": manifest, "main.py": "", **more}


def list_left(app: App) -> list[str]:
    """What is in the object store beside archives of versions, and how many of these there are."""
    root = app.vendor.portal.services.stack.folder / "archives"
    return sorted(str(path.relative_to(root)) for path in root.rglob("*") if path.is_file() and path.suffix != ".lock")


def check_refused(app: App, content: bytes, word: str) -> None:
    before = list_left(app)
    response = app.upload(content)

    assert response.status == 422, response.text
    assert response.json["errorType"] == "UnprocessableEntity"
    assert word in response.json["errorMessage"]
    assert "/checking/" not in response.text
    assert list_left(app) == before
    assert app.get()["version"] == 1


def test_an_archive_becomes_the_current_version(app: App) -> None:
    made = app.publish("1.2.0", description="From the manifest.", default_bucket=True)

    assert made["version"] == 2
    assert made["shortDescription"] == "From the manifest."
    assert made["defaultBucket"] is True
    assert made["repository"]["type"] == "archive"
    assert made["repository"]["tag"] == "1.2.0"
    assert made["repository"]["uri"].startswith("sha256:")


def test_the_same_archive_again_changes_nothing(app: App) -> None:
    first, again = app.publish("1.0.0"), app.publish("1.0.0")

    assert again == first


def test_a_tag_is_published_once(app: App) -> None:
    app.publish("1.0.0", "one")
    before = list_left(app)
    refused = app.upload(make_archive(app.id, "1.0.0", "two"))

    assert refused.status == 422
    assert "Raise `tag` in component.json" in refused.json["errorMessage"]
    assert list_left(app) == before


def test_what_was_set_by_hand_and_is_not_in_the_manifest_stays(app: App) -> None:
    app.patch(licenseUrl="https://example.com/license", imageParameters={"host": "example.com"})
    app.publish("1.0.0", description="Old.")
    made = app.publish("1.1.0")

    assert made["licenseUrl"] == "https://example.com/license"
    assert made["imageParameters"] == {"host": "example.com"}
    assert made["shortDescription"] == ""


def test_a_manifest_sets_no_more_than_its_account_may(untouched: App) -> None:
    check_refused(untouched, make_archive(untouched.id, forward_token=True), "forwardToken")


@pytest.mark.parametrize(
    "name",
    ["/etc/passwd", "../outside", "a/../../outside", "a//b", "./a", "a\\b", "C:\\a", "a\nb", "a\x7fb", "a" * 300],
    ids=repr,
)
def test_a_name_that_leads_elsewhere_is_refused(untouched: App, name: str) -> None:
    check_refused(untouched, zip_of(files_of(untouched, **{name: "x"})), "The archive holds")
    assert not Path("/outside").exists()


@pytest.mark.parametrize("name", ["../", "/", "a/../b/"])
def test_a_folder_that_leads_elsewhere_is_refused(untouched: App, name: str) -> None:
    check_refused(untouched, zip_of(files_of(untouched, **{name: ""})), "The archive holds")


@pytest.mark.parametrize(
    "kind", [stat.S_IFLNK, stat.S_IFCHR, stat.S_IFBLK, stat.S_IFIFO, stat.S_IFSOCK, stat.S_IFDIR], ids=oct
)
def test_only_plain_files_are_taken(untouched: App, kind: int) -> None:
    content = zip_of(files_of(untouched, link="/etc/passwd"), {"link": kind | 0o777})
    check_refused(untouched, content, "Only plain files are taken")


def test_a_name_that_is_there_twice_is_refused(untouched: App) -> None:
    with pytest.warns(UserWarning, match="Duplicate name"):
        content = zip_of(_Twice(files_of(untouched)))
    check_refused(untouched, content, "twice")
    check_refused(untouched, zip_of(files_of(untouched, **{"MAIN.py": ""})), "twice")
    check_refused(untouched, zip_of(files_of(untouched, **{"main.py/inside": ""})), "as a file and as a folder")


class _Twice(dict[str, str | bytes]):
    def items(self):  # type: ignore[override]
        return [*super().items(), ("main.py", "print(2)")]


def test_too_many_files_are_refused_before_they_are_listed(untouched: App) -> None:
    many = {f"f{number}": b"" for number in range(MAX_FILES)}
    check_refused(untouched, zip_of(files_of(untouched, **many)), "more than")


@pytest.mark.parametrize(("stated", "word"), [(PIECE, "unpacks to more than"), (10, "cannot be read as a ZIP file")])
def test_ten_gigabytes_of_zeros_are_refused_without_the_memory_or_the_disk(
    untouched: App, stated: int, word: str
) -> None:
    content = pack_zeros(40, stated)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    check_refused(untouched, content, word)

    assert len(content) < 20_000_000
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 100_000  # kilobytes


@cache
def pack_zeros(count: int, stated: int) -> bytes:
    """Files of zeros, which are packed once; the archive states any size for them."""
    packer, crc = zlib.compressobj(6, zlib.DEFLATED, -15), 0
    packed = b""
    for _ in range(PIECE >> 20):
        packed += packer.compress(bytes(1 << 20))
        crc = zlib.crc32(bytes(1 << 20), crc)
    packed += packer.flush()
    body, directory = b"", b""
    for number in range(count):
        name = f"zeros-{number:02}".encode()
        about = struct.pack("<HHHHHLLLHH", 20, 0, 8, 0, 33, crc, len(packed), stated, len(name), 0)
        directory += b"PK\1\2" + struct.pack("<H", 20) + about + struct.pack("<HHHLL", 0, 0, 0, 0, len(body)) + name
        body += b"PK\3\4" + about + name + packed
    return body + directory + struct.pack("<4sHHHHLLH", b"PK\5\6", 0, 0, count, count, len(directory), len(body), 0)


def test_a_list_of_files_that_is_larger_than_it_says_is_not_read(untouched: App) -> None:
    content = zip_of(files_of(untouched))
    locator = b"PK\6\7" + bytes(16)
    check_refused(untouched, content[:-22] + locator + content[-22:], "more than")
    check_refused(untouched, content[:-10] + struct.pack("<L", 1 << 31) + content[-6:], "more than")


@pytest.mark.parametrize(
    "content",
    [b"", b"PK", b"not a zip file" * 100, bytes(1000), b"PK\5\6" + bytes(18)],
    ids=["empty", "two bytes", "text", "zeros", "no files"],
)
def test_what_is_not_a_zip_file_is_refused(untouched: App, content: bytes) -> None:
    check_refused(untouched, content, "archive")


def test_a_cut_or_changed_archive_is_refused(untouched: App) -> None:
    whole = make_archive(untouched.id)
    at = whole.index(b"main.py") + 12
    changed = whole[:at] + bytes([whole[at] ^ 0xFF]) + whole[at + 1 :]
    check_refused(untouched, whole[:-1], "not a ZIP file")
    check_refused(untouched, changed, "cannot be read")


def test_other_ways_to_pack_are_refused(untouched: App, tmp_path: Path) -> None:
    """They may reserve any memory to unpack."""
    for method in (zipfile.ZIP_LZMA, zipfile.ZIP_BZIP2):
        with zipfile.ZipFile(tmp_path / "a.zip", "w", method) as archive:
            archive.writestr("main.py", "x" * 1000)
        check_refused(untouched, (tmp_path / "a.zip").read_bytes(), "deflate")


@pytest.mark.parametrize(
    ("manifest", "word"),
    [
        ({"command": []}, "`command`"),
        ({"command": ["./missing"]}, "./missing"),
        ({"command": ["python", "other.py"]}, "other.py"),
        ({"type": "nonsense"}, "`type`"),
        ({"unknown": 1}, "unknown"),
        ({"id": "other.app"}, "other.app"),
    ],
    ids=str,
)
def test_a_manifest_that_is_wrong_is_refused_by_its_field(
    untouched: App, manifest: dict[str, object], word: str
) -> None:
    files = files_of(untouched) | {"component.json": json.dumps(MANIFEST | {"id": untouched.id} | manifest)}
    check_refused(untouched, zip_of(files), word)


def test_an_archive_without_a_manifest_is_refused(untouched: App) -> None:
    check_refused(untouched, zip_of({"main.py": ""}), "component.json")


def test_an_archive_that_is_too_large_is_refused_while_it_arrives(services: ServicesOnly) -> None:
    limited = Portal(services).make_vendor().create_app()
    before = list_left(limited)
    size = services.settings.component_archive_megabytes * 1_000_000 + 1
    headers = {"Content-Type": "application/zip", "Content-Length": str(size)}
    response = limited.vendor.client.send("POST", f"{limited.path}/versions", b"", headers)

    assert (response.status, response.json["errorType"]) == (413, "PayloadTooLarge")
    assert list_left(limited) == before


def test_the_archive_of_a_removed_version_goes_unless_another_version_has_it(app: App) -> None:
    for tag in ("1.0.0", "2.0.0"):
        app.publish(tag)
    app.vendor.client.post(f"{app.path}/versions/2/rollback")
    before = list_left(app)

    assert app.vendor.client.delete(f"{app.path}/versions/2").status == 204
    assert list_left(app) == before
    assert app.vendor.client.delete(f"{app.path}/versions/3").status == 204
    assert len(list_left(app)) == len(before) - 1
    app.vendor.client.delete(app.path)
    assert len(list_left(app)) == len(before) - 2

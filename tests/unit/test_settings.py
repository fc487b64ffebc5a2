"""Settings: a flag wins over the environment, which wins over the file; a wrong one is named."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from penstock.foundation.errors import Invalid
from penstock.settings import Settings, read_settings


@pytest.fixture(autouse=True)
def _clean(monkeypatch: pytest.MonkeyPatch) -> None:  # pyright: ignore[reportUnusedFunction]
    for name in Settings.__struct_fields__:
        monkeypatch.delenv(f"PENSTOCK_{name.upper()}", raising=False)


def write(folder: Path, text: str) -> None:
    (folder / "penstock.toml").write_text(text)


def test_without_anything_the_defaults_hold(tmp_path: Path) -> None:
    assert read_settings({}, tmp_path) == Settings()
    assert (Settings().port, Settings().data_dir, Settings().workers) == (8300, ".penstock", 2)


def test_a_flag_wins_over_the_environment_over_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, 'port = 1\ndomain = "file.example"\ndata_dir = "file"\n')
    monkeypatch.setenv("PENSTOCK_PORT", "2")
    monkeypatch.setenv("PENSTOCK_DOMAIN", "environment.example")
    settings = read_settings({"port": 3, "domain": None}, tmp_path)

    assert (settings.port, settings.domain, settings.data_dir) == (3, "environment.example", "file")


def test_lists_come_from_every_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, 'allow_hosts = ["10.0.0.1"]\ntrusted_proxies = ["10.0.0.2"]\n')
    assert read_settings({}, tmp_path).allow_hosts == ["10.0.0.1"]
    monkeypatch.setenv("PENSTOCK_ALLOW_HOSTS", " 10.0.0.3, db.internal ,")
    assert read_settings({"allow_hosts": []}, tmp_path).allow_hosts == ["10.0.0.3", "db.internal"]
    assert read_settings({"allow_hosts": ["a"]}, tmp_path).allow_hosts == ["a"]
    assert read_settings({}, tmp_path).trusted_proxies == ["10.0.0.2"]


def test_every_list_can_be_a_variable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    names = [name for name, default in msgspec.structs.asdict(Settings()).items() if isinstance(default, list)]
    for name in names:
        monkeypatch.setenv(f"PENSTOCK_{name.upper()}", "https://a.example, https://b.example")
    settings = msgspec.structs.asdict(read_settings({}, tmp_path))

    assert len(names) > 3
    assert all(settings[name] == ["https://a.example", "https://b.example"] for name in names)


@pytest.mark.parametrize("flags", [{"https": True}, {"https_port": 0}, {"tls_cert": "a.pem"}, {"tls_key": "a.key"}])
def test_who_types_a_flag_of_tls_wants_tls(tmp_path: Path, flags: dict[str, Any]) -> None:
    assert read_settings(flags, tmp_path).https is True


def test_in_a_file_a_certificate_alone_switches_nothing_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, 'tls_cert = "a.pem"\nhttps_port = 8443\n')
    assert read_settings({}, tmp_path).https is False

    monkeypatch.setenv("PENSTOCK_HTTPS", "1")
    assert read_settings({}, tmp_path).https is True


def test_an_empty_variable_is_not_set(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PENSTOCK_PORT", "")

    assert read_settings({}, tmp_path).port == 8300


@pytest.mark.parametrize(
    ("flags", "named"),
    [
        ({"port": 65536}, "port"),
        ({"port": -1}, "port"),
        ({"port": "http"}, "port"),
        ({"https_port": 70000}, "https_port"),
        ({"https": "perhaps"}, "https"),
        ({"workers": 0}, "workers"),
        ({"workers": 65}, "workers"),
        ({"lake_threads": 5}, "lake_threads"),
        ({"body_limit": 1}, "body_limit"),
        ({"allow_hosts": "one"}, "allow_hosts"),
        ({"launcher": "rocket"}, "launcher"),
        ({"sandbox": "perhaps"}, "sandbox"),
        ({"prot": 1}, "prot"),
        ({"domain": 5}, "domain"),
    ],
)
def test_a_wrong_setting_is_named(tmp_path: Path, flags: dict[str, Any], named: str) -> None:
    with pytest.raises(Invalid, match=f"A setting is wrong: .*{named}"):
        read_settings(flags, tmp_path)


def test_a_wrong_variable_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PENSTOCK_WORKERS", "many")

    with pytest.raises(Invalid, match="workers"):
        read_settings({}, tmp_path)


@pytest.mark.parametrize("content", [b"port = ", b"\xff\xfe", b"a = 1\na = 2\n"])
def test_a_file_that_cannot_be_read_is_named(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "penstock.toml").write_bytes(content)

    with pytest.raises(Invalid, match=r"penstock\.toml cannot be read"):
        read_settings({}, tmp_path)


def test_the_file_may_give_other_stacks(tmp_path: Path) -> None:
    write(tmp_path, '[[stacks]]\nname = "acme"\ndomain = "data.example"\ncustomer = "acme"\n')
    settings = read_settings({}, tmp_path)

    assert settings.known_stack("acme").storage_url == "https://connection.acme.data.example"
    with pytest.raises(Invalid, match=r"'absent'.*acme"):
        settings.known_stack("absent")


def test_a_stack_without_a_domain_is_refused_by_name(tmp_path: Path) -> None:
    write(tmp_path, '[[stacks]]\nname = "acme"\n')

    with pytest.raises(Invalid, match="domain"):
        read_settings({}, tmp_path)


def test_a_data_folder_may_be_in_the_home_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))

    assert Settings(data_dir="~/data").folder == tmp_path / "data"
    assert Settings().folder.is_absolute()


def test_another_process_reads_the_same_settings_from_the_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = Settings(
        data_dir=str(tmp_path / "data"),
        workers=5,
        jobs_per_project=3,
        https=True,
        allow_hosts=["10.0.0.1", "db.internal"],
        launcher="container",
        sandbox="required",
        unpacked_ratio=0,
        key_file="elsewhere/key",
    )
    # What was set for the first process is not set for the second one, if a flag has taken it back.
    monkeypatch.setenv("PENSTOCK_STORAGE_JOBS_PER_PROJECT", "7")
    for name, text in settings.to_environment().items():
        monkeypatch.setenv(name, text)

    assert read_settings({}, tmp_path) == settings


def test_the_environment_of_another_process_has_no_token(tmp_path: Path) -> None:
    assert "PENSTOCK_TOKEN" not in Settings(data_dir=str(tmp_path), token="1-2-secret").to_environment()


def test_prices_come_from_the_file_and_reach_other_processes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, "[prices]\nextractor_hour = 3\nwriter_gigabyte = 0.25\n")
    settings = read_settings({}, tmp_path)
    assert (settings.prices.extractor_hour, settings.prices.writer_gigabyte) == (3, 0.25)
    assert settings.prices.free_minutes == 60

    for name, value in settings.to_environment().items():
        monkeypatch.setenv(name, value)
    assert read_settings({}, tmp_path / "elsewhere").prices == settings.prices


@pytest.mark.parametrize(
    "text", ["extractor = 1", "extractor_hour = -1", "extractor_hour = nan", 'sql_small_hour = "x"']
)
def test_a_wrong_price_is_named(tmp_path: Path, text: str) -> None:
    write(tmp_path, f"[prices]\n{text}\n")
    with pytest.raises(Invalid, match=r"prices|extractor"):
        read_settings({}, tmp_path)


def test_prices_in_a_variable_are_json(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PENSTOCK_PRICES", "2")
    with pytest.raises(Invalid, match="prices"):
        read_settings({}, tmp_path)
    monkeypatch.setenv("PENSTOCK_PRICES", "extractor_hour=2")
    with pytest.raises(Invalid, match="PENSTOCK_PRICES is not JSON"):
        read_settings({}, tmp_path)

"""The list of trusted folders: nobody else writes it, no name in it means another folder, half a write is none."""

import importlib
import os
from pathlib import Path

import pytest

from cupola.schema import trust
from cupola.schema.trust import REMEMBERED, remember, trusted_folders

ENDS_OF_LINES = ("\r", "\v", "\f", "\x1c", "\x85", "\u2028", "\u2029")


@pytest.fixture(autouse=True)
def config(tmp_path, monkeypatch):
    trust._warn_once.cache_clear()
    monkeypatch.setenv("CUPOLA_CONFIG", str(tmp_path / "config"))
    return tmp_path / "config"


@pytest.mark.parametrize("end", ENDS_OF_LINES, ids=ascii)
def test_a_name_with_an_end_of_a_line_in_it_trusts_no_other_folder(tmp_path, end):
    """`projects<U+2028>` was read as `projects`."""
    inside = tmp_path / f"projects{end}" / "evil"
    inside.mkdir(parents=True)
    lost = remember([inside])
    assert (lost, trusted_folders()) in (([], [inside]), ([inside], []))


def test_a_name_that_is_no_text_is_not_remembered(tmp_path):
    odd = Path(os.fsdecode(os.fsencode(tmp_path) + b"/\xff\xfe"))
    odd.mkdir()
    assert remember([odd, tmp_path / "b"]) == [odd]
    assert trusted_folders() == [tmp_path / "b"]


@pytest.mark.skipif(os.name == "nt", reason="no such limits there")
def test_a_full_disk_writes_no_half_of_a_path(tmp_path, config):
    """Half of a path is the path of a folder that holds more."""
    assert remember([tmp_path / "a"]) == []

    resource = importlib.import_module("resource")
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    for fits in (1, len(str(tmp_path)), len(str(tmp_path)) + 5):
        resource.setrlimit(resource.RLIMIT_FSIZE, (fits, before[1]))
        try:
            assert remember([tmp_path / "b"]) == [tmp_path / "b"]
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert (config / REMEMBERED).read_text() == f"{tmp_path / 'a'}\n"


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="Windows keeps other people out by itself")
def test_a_list_that_others_can_write_is_not_believed(tmp_path, config, caplog):
    remember([tmp_path / "a"])
    assert trusted_folders() == [tmp_path / "a"]
    (config / REMEMBERED).chmod(0o666)
    assert trusted_folders() == [] and "everybody may write it" in caplog.text
    (config / REMEMBERED).chmod(0o600)
    if os.getuid() == 0:
        os.chown(config / REMEMBERED, 54321, 54321)
        assert trusted_folders() == [] and "belongs to the user 54321" in caplog.text


@pytest.mark.parametrize("umask", [0o000, 0o022, 0o777])
def test_it_is_the_user_s_alone_whatever_the_umask(tmp_path, config, umask):
    config.mkdir()
    before = os.umask(umask)
    try:
        assert remember([tmp_path / "a"]) == []
    finally:
        os.umask(before)
    assert (config / REMEMBERED).stat().st_mode & 0o777 == 0o600 and trusted_folders() == [tmp_path / "a"]


def test_a_pipe_a_folder_and_bytes_in_its_place_trust_nothing(config, caplog):
    config.mkdir()
    place = config / REMEMBERED
    os.mkfifo(place)
    assert trusted_folders() == []
    place.unlink()
    place.mkdir()
    assert trusted_folders() == []
    place.rmdir()
    place.write_bytes(b"/\xff\xfe\n")
    assert trusted_folders() == [] and caplog.text.count("no folder is trusted") == 3

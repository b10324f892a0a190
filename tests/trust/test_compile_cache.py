"""Compiled code on disk heals, lies in a private folder, and is never needed: no home, no user's name, no disk."""

import itertools
import os
import pickle
import shlex
import shutil
import stat
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

import pytest
from numba.core import types

from cupola.kernel import jit, private_folder
from cupola.kernel.disk_cache import HealingCache, SealedFiles, healing_cache

STRANGER = 54321
"""A user id without an entry among the users of any machine."""
IS_ROOT = hasattr(os, "geteuid") and os.geteuid() == 0
# Reading is allowed everywhere, as the interpreter may lie in the home of root; writing is not.
CAPS = ["--inh-caps=+dac_read_search", "--ambient-caps=+dac_read_search"]
AS_STRANGER = ["setpriv", f"--reuid={STRANGER}", f"--regid={STRANGER}", "--clear-groups", *CAPS]
SIGNATURE = types.float64(types.float64)


def twice(x):
    return 2.0 * x


def made(folder):
    """`twice`, compiled or loaded; says which."""
    function = jit._c_function(SIGNATURE, twice, folder)
    assert isinstance(function._cache, HealingCache) and function.ctypes(3.0) == 6.0
    return "loaded" if function.cache_hits else "compiled"


def files(folder, suffix):
    return list(folder.rglob(f"*{suffix}"))


DAMAGES = {
    "empty": lambda path, data: path.write_bytes(b""),
    "cut": lambda path, data: path.write_bytes(data[: len(data) // 2]),
    "one bit at the start": lambda path, data: path.write_bytes(bytes([data[0] ^ 1]) + data[1:]),
    "one bit near the end": lambda path, data: path.write_bytes(data[:-9] + bytes([data[-9] ^ 64]) + data[-8:]),
    "text": lambda path, data: path.write_bytes(b"hello"),
    "a pickle of somebody else": lambda path, data: path.write_bytes(pickle.dumps("0.1")),
    "gone": lambda path, data: path.unlink(),
}


@pytest.mark.parametrize("suffix", [".nbi", ".nbc"])
def test_a_damaged_file_is_compiled_anew_and_then_whole(tmp_path, suffix):
    assert made(tmp_path) == "compiled" and made(tmp_path) == "loaded"
    for name, damage in DAMAGES.items():
        for path in files(tmp_path, suffix):
            damage(path, path.read_bytes())
        assert made(tmp_path) == "compiled", name
        assert made(tmp_path) == "loaded", name


def test_a_sealed_file_that_cannot_be_rebuilt_is_compiled_anew(tmp_path):
    """As after an upgrade of something below that kept its version."""
    made(tmp_path)
    cache = healing_cache(twice, tmp_path, jit.reach)
    (data,) = files(tmp_path, ".nbc")
    data.write_bytes(cache._cache_file._dump(("nothing", "that", "can be rebuilt")))
    assert made(tmp_path) == "compiled" and made(tmp_path) == "loaded"


@pytest.mark.parametrize("content", [7, None, (), ("0.1", None, {}), "other", ["a", "b", "c"]])
def test_a_sealed_index_of_something_else_is_compiled_anew(tmp_path, content):
    """As another version of Numba, or of this program, may have written it."""
    made(tmp_path)
    cache = healing_cache(twice, tmp_path, jit.reach)
    (index,) = files(tmp_path, ".nbi")
    whole = [cache._cache_file._version, cache._cache_file._source_stamp]
    index.write_bytes(cache._cache_file._dump((*whole, "no table") if content == "other" else content))
    assert made(tmp_path) == "compiled" and made(tmp_path) == "loaded"


def test_code_of_another_processor_is_left_alone(tmp_path, monkeypatch):
    """A home folder on a network drive: each machine keeps its own, and neither runs that of the other."""
    assert made(tmp_path) == "compiled"
    with monkeypatch.context() as other:
        other.setattr("numba.core.codegen.JITCPUCodegen.magic_tuple", lambda self: ("elsewhere", "old", "-avx2"))
        assert made(tmp_path) == "compiled" and made(tmp_path) == "loaded"
    assert made(tmp_path) == "loaded" and len(files(tmp_path, ".nbc")) == 2


STEPS = ("_load_index", "_save_data", "_save_index")


@pytest.mark.parametrize("order", sorted(set(itertools.permutations("aaabbb"))), ids="".join)
def test_two_processes_that_compile_at_the_same_moment_keep_their_own(tmp_path, order):
    """Whichever takes the next step: what is found then is right, or is not found."""
    may, done = {name: threading.Semaphore(0) for name in "ab"}, threading.Semaphore(0)

    def in_turn(name, step):
        def wait(*words):
            may[name].acquire()
            try:
                return step(*words)
            finally:
                done.release()

        return wait

    both = {name: SealedFiles(str(tmp_path), "f", 0.0) for name in "ab"}
    for name, saver in both.items():
        for step in STEPS:
            setattr(saver, step, in_turn(name, getattr(saver, step)))
    threads = [threading.Thread(target=saver.save, args=(name, f"code of {name}")) for name, saver in both.items()]
    for thread in threads:
        thread.start()
    for name in order:
        may[name].release()
        done.acquire()
    for thread in threads:
        thread.join()
    found = {name: SealedFiles(str(tmp_path), "f", 0.0).load(name) for name in "ab"}
    assert any(found.values())
    assert all(code in (None, f"code of {name}") for name, code in found.items())


@pytest.mark.parametrize("suffix", [".nbi", ".nbc"])
def test_links_in_the_place_of_files_are_taken_away(tmp_path, suffix):
    """The file that a link leads to stays what it was."""
    precious = tmp_path / "precious"
    precious.write_text("precious")
    folder = tmp_path / "cache"
    folder.mkdir()
    made(folder)
    for plant in (lambda path: path.symlink_to(precious), lambda path: path.symlink_to(tmp_path / "nothing")):
        (path,) = files(folder, suffix)
        path.unlink()
        plant(path)
        assert made(folder) == "compiled" and made(folder) == "loaded"
        assert precious.read_text() == "precious" and not (tmp_path / "nothing").exists()


@pytest.mark.parametrize("suffix", [".nbi", ".nbc"])
def test_a_folder_in_the_place_of_a_file_ends_no_run(tmp_path, suffix, caplog):
    made(tmp_path)
    (path,) = files(tmp_path, suffix)
    path.unlink()
    path.mkdir()
    assert made(tmp_path) == "compiled"
    assert str(path) in caplog.text


def test_a_disk_that_takes_nothing_does_not_stop_a_run(tmp_path, monkeypatch, caplog):
    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("cupola.kernel.disk_cache.SealedFiles._open_for_write", full)
    assert made(tmp_path) == "compiled"
    assert "No space left on device" in caplog.text


def test_a_damaged_generated_text_is_written_again(tmp_path, monkeypatch):
    monkeypatch.setattr(jit, "cache_folder", lambda files: tmp_path)
    text = "def run(x):\n    return 2.0 * x\n"
    for content in (None, "def nothing(): pass", ""):
        if content is not None:
            (place,) = tmp_path.rglob("double.py")
            place.write_text(content)
        assert jit.compile_text(SIGNATURE, "double", text, {}, frozenset()).ctypes(3.0) == 6.0
    assert "def double" in place.read_text()


def test_the_folder_is_closed_to_others_and_what_they_could_have_written_is_gone(tmp_path):
    folder = tmp_path / "cache"
    (folder / "compiled").mkdir(parents=True)
    (folder / "compiled" / "planted").write_text("")
    folder.chmod(0o777)
    assert private_folder.make_private(folder) == folder
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700 and not (folder / "compiled").exists()
    (folder / "compiled").mkdir()
    private_folder.make_private(folder)
    assert (folder / "compiled").exists()


def test_a_folder_that_anybody_could_swap_is_refused(tmp_path):
    (tmp_path / "open").mkdir()
    (tmp_path / "open").chmod(0o777)
    with pytest.raises(OSError, match="everybody may write into"):
        private_folder.make_private(tmp_path / "open" / "cache")
    (tmp_path / "open").chmod(0o1777)  # sticky, as /tmp
    private_folder.make_private(tmp_path / "open" / "cache")


@pytest.mark.skipif(not IS_ROOT, reason="only root can give a folder to somebody else")
@pytest.mark.parametrize("owned", ["cache", "above"])
def test_a_folder_of_somebody_else_is_refused(tmp_path, owned):
    folder = tmp_path / "above" / "cache"
    folder.mkdir(parents=True)
    os.chown(folder if owned == "cache" else folder.parent, STRANGER, STRANGER)
    with pytest.raises(OSError, match=f"belongs to the user {STRANGER}"):
        private_folder.make_private(folder)


def test_a_link_at_the_place_of_the_temporary_folder_leads_nowhere(tmp_path, monkeypatch):
    """Whoever plants a link there decides only where to, and that place is checked as any."""
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    elsewhere.chmod(0o777)
    (elsewhere / "compiled").mkdir()
    (elsewhere / "compiled" / "planted").write_text("")
    (tmp_path / f"cupola-{os.getuid()}").symlink_to(elsewhere)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    folder = private_folder._temporary()
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700 and not any(folder.iterdir())


PROBE = """
from cupola.kernel.jit import jit

@jit
def probe(x):
    return 2.0 * x

print(probe(3.0), sum(probe.stats.cache_hits.values()))
"""


@pytest.fixture
def anywhere():
    """A folder that everybody can enter, with the probe in it."""
    with tempfile.TemporaryDirectory(prefix="cupola-test-", ignore_cleanup_errors=True) as name:
        folder = Path(name)
        folder.chmod(0o755)
        (folder / "probe.py").write_text(PROBE)
        yield folder


def run(folder, *command, before=(), **environment):
    bare = {"PATH": os.environ["PATH"], "PYTHONPATH": os.pathsep.join(p for p in sys.path if p)}
    return subprocess.run(
        [*before, sys.executable, *command], cwd=folder, env={**bare, **environment}, capture_output=True, text=True
    )


def needs(*command):
    """Skip where the machine does not allow this."""
    if not shutil.which(command[0]) or subprocess.run([*command, sys.executable, "-c", ""]).returncode:
        pytest.skip(f"{command[0]} cannot do this here")


def test_a_user_without_home_and_name_runs_and_keeps_compiled_code(anywhere):
    needs(*AS_STRANGER)
    temporary = anywhere / "tmp"
    temporary.mkdir()
    temporary.chmod(0o1777)
    first, second = (run(anywhere, "probe.py", before=AS_STRANGER, TMPDIR=str(temporary)) for _ in range(2))
    assert first.stdout.split() == ["6.0", "0"] and second.stdout.split() == ["6.0", "1"], first.stderr
    kept = temporary / f"cupola-{STRANGER}"
    assert (kept.stat().st_uid, stat.S_IMODE(kept.stat().st_mode)) == (STRANGER, 0o700)
    assert f"compiled code is kept in {kept}" in first.stderr and "home" in first.stderr
    shown = run(anywhere, "-m", "cupola", "list", before=AS_STRANGER, TMPDIR=str(temporary))
    assert shown.returncode == 0 and "quadcopter" in shown.stdout


def test_a_temporary_folder_that_somebody_else_made_first_is_not_read(anywhere):
    needs(*AS_STRANGER)
    temporary = anywhere / "tmp"
    (temporary / f"cupola-{STRANGER}").mkdir(parents=True)  # by us, who are not the stranger
    (temporary / f"cupola-{STRANGER}").chmod(0o777)
    temporary.chmod(0o1777)
    done = run(anywhere, "probe.py", before=AS_STRANGER, TMPDIR=str(temporary))
    assert done.stdout.split() == ["6.0", "0"] and "kept for this run only" in done.stderr
    assert [path.name for path in temporary.iterdir()] == [f"cupola-{STRANGER}"]  # the other is gone with the run
    assert not any((temporary / f"cupola-{STRANGER}").iterdir())


def test_a_machine_on_which_nothing_can_be_written_runs():
    needs("unshare", "-m", *AS_STRANGER)
    code = (
        "from cupola.kernel.jit import jit; from cupola.physics.servo import limit_rate as f; print(jit(f)(0, 9, 1, 1))"
    )
    hide = "".join(f"mount -t tmpfs -o ro none {place} && " for place in ("/tmp", "/var/tmp"))
    script = f"{hide}exec {shlex.join([*AS_STRANGER, sys.executable, '-c', code])}"
    bare = {"PATH": os.environ["PATH"], "PYTHONPATH": os.pathsep.join(p for p in sys.path if p)}
    done = subprocess.run(["unshare", "-m", "sh", "-c", script], cwd="/", env=bare, capture_output=True, text=True)
    assert done.returncode == 0 and float(done.stdout) == 1.0, done.stderr
    assert "compiled code is not kept" in done.stderr

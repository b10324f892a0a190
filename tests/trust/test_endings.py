"""However a run ends early: it says why, its exit code is not 0, its recording can be read and says that it is cut."""

import contextlib
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from cupola.cli import stopping
from cupola.record import Recording

CONTROLLER = """
import os, sys, time
from cupola import Controller

class Mine(Controller):
    def step(self, obs, ref):
        if obs.time >= 0.1:
            {line}
        return [0.5] * 4
"""
PART = """
import os, sys, time
from cupola import External

class Part(External):
    def step(self, x, now, dt):
        if now >= 0.1:
            {line}
        return {{"force": 0.0}}
"""
FOR_EVER = "while True: pass"
STUBBORN = """
            while True:
                try:
                    time.sleep(60)
                except BaseException:
                    pass
"""


def fly(cupola, line, *words):
    Path("mine.py").write_text(CONTROLLER.format(line=line))
    return cupola("run", "quadcopter", "--duration", "1", "--controller", "mine.py:Mine", "--hang-limit", "0.5", *words)


@pytest.mark.parametrize(
    ("line", "code", "said"),
    [
        ("sys.exit()", 1, "the controller Mine of 'quadcopter' asked to exit (None) at 0.1 s"),
        ("sys.exit(0)", 1, "asked to exit (0)"),
        ("raise SystemExit('enough')", 1, "asked to exit (enough)"),
        ("raise KeyboardInterrupt", 130, "stopped at 0.1 s of 1 s: KeyboardInterrupt"),
        ("time.sleep(1e6)", 1, "no tick for 0.5 s: it hangs at mine.py:8: in step"),
        (FOR_EVER, 1, "no tick for 0.5 s: it hangs at mine.py:8: in step"),
        ("raise RecursionError", 1, "RecursionError"),
    ],
)
def test_a_controller_that_ends_or_hangs(cupola, line, code, said):
    answer = fly(cupola, line)
    assert answer.code == code and said in answer.err and "Traceback" not in answer.err
    recording = Recording("out/quadcopter.mcap")
    assert recording.is_complete and recording.table("/quadcopter/odometry")["time"][-1] == pytest.approx(0.1)
    assert recording.interrupted and recording.interrupted.split("\n")[0] in answer.err


def test_what_is_incomplete_says_so_in_every_command_that_reads_it(cupola):
    fly(cupola, "sys.exit()")
    for words in (("plot", "out/quadcopter.mcap", "--out", "plots"), ("compare", "out/quadcopter.mcap")):
        assert "out/quadcopter.mcap is incomplete: the controller Mine" in cupola(*words).err, words
    answer = fly(cupola, "pass")
    assert answer.code == 0 and "incomplete" not in cupola("plot", "out/quadcopter-2.mcap", "--out", "plots").err


def test_a_fork_that_comes_back_ends_and_the_run_goes_on(cupola):
    answer = fly(cupola, "hasattr(self, 'forked') or setattr(self, 'forked', os.fork())", "--json")
    assert answer.code == 0 and answer.json["ticks"] == 2000
    recording = Recording("out/quadcopter.mcap")
    assert recording.is_complete and len(recording.table("/quadcopter/odometry")["time"]) == 101
    assert len(list(Path("out").iterdir())) == 1


def test_a_file_that_exits_when_it_is_read(cupola):
    Path("mine.py").write_text("import sys\nsys.exit(0)\n")
    answer = cupola("run", "quadcopter", "--controller", "mine.py:Mine")
    assert answer.code in (1, 2) and "mine.py:2" in answer.err and "SystemExit" in answer.err


def write_vehicle(line):
    Path("v").mkdir()
    Path("v/part.py").write_text(PART.format(line=line))
    body = '<body name="base"><freejoint/><geom size="0.1"/><site name="s"/></body>'
    Path("v/model.xml").write_text(f"<mujoco><worldbody>{body}</worldbody></mujoco>")
    part = "{kind: 'part.py:Part', outputs: {site.s.force_s.z: force}}"
    Path("v/vehicle.yaml").write_text(
        f"about: a toy\nmjcf: model.xml\nparts: {{mine: {part}}}\ncontroller: {{use: idle}}\n"
    )


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("sys.exit(0)", "part 'mine' (part.py:Part) of 'v' failed: SystemExit: 0 (part.py:8)"),
        (FOR_EVER, "no tick for 0.5 s: it hangs at v/part.py:8: in step"),
        ("time.sleep(1e6)", "no tick for 0.5 s: it hangs at v/part.py:8: in step"),
    ],
)
def test_a_part_that_ends_or_hangs(cupola, line, said):
    write_vehicle(line)
    answer = cupola("run", "v/vehicle.yaml", "--duration", "1", "--hang-limit", "0.5")
    assert answer.code == 1 and said in answer.err
    assert said.partition("\n")[0] in Recording("out/v.mcap").interrupted


def test_one_that_cannot_be_interrupted_ends_the_program_and_keeps_the_recording(start, tmp_path):
    (tmp_path / "mine.py").write_text(CONTROLLER.format(line=STUBBORN))
    run = start("run", "quadcopter", "--controller", "mine.py:Mine", "--hang-limit", "0.5")
    _, err = run.communicate(timeout=300)
    assert run.returncode == 1 and "it could not be interrupted, so the program ends" in err and "mine.py:11" in err
    recording = Recording(tmp_path / "out/quadcopter.mcap")
    assert recording.is_complete and "no tick for 0.5 s" in recording.interrupted


def test_a_controller_that_hangs_on_the_page_is_interrupted_and_named(cupola):
    """The cockpit stays: it says where it hung, and a reset flies again."""
    Path("mine.py").write_text(CONTROLLER.format(line=FOR_EVER))
    words = ("--controller", "mine.py:Mine", "--hang-limit", "0.5", "--port", "0", "--no-browser", "--speed", "max")
    answer = cupola("fly", "quadcopter", "--start-at-once", *words)
    assert "no tick for 0.5 s: it hangs at mine.py:8: in step" in answer.err
    assert answer.code == 0 and "Traceback" not in answer.err


def test_one_that_cannot_be_interrupted_on_the_page_ends_the_program(start, tmp_path):
    (tmp_path / "mine.py").write_text(CONTROLLER.format(line=STUBBORN))
    words = ("--controller", "mine.py:Mine", "--hang-limit", "0.5", "--port", "0", "--no-browser")
    run = start("fly", "quadcopter", *words, "--duration", "100")
    _, err = run.communicate(timeout=300)
    assert run.returncode == 1 and "it could not be interrupted, so the program ends" in err


@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP"])
def test_a_signal_ends_a_run_as_control_c_does(start, tmp_path, name):
    run = start("run", "hover", "--speed", "1", "--duration", "1000")
    late = time.monotonic() + 300
    while not (tmp_path / "out/hover.mcap").exists() and time.monotonic() < late:
        time.sleep(0.05)
    time.sleep(0.5)
    run.send_signal(getattr(signal, name))
    _, err = run.communicate(timeout=60)
    assert run.returncode == 130 and f"of 1000 s: {name}" in err
    recording = Recording(tmp_path / "out/hover.mcap")
    assert recording.is_complete and name in recording.interrupted


def test_a_signal_ends_every_command(start):
    serve = start("serve", "quadcopter_pd", "--port", "0")
    assert "listens on port" in serve.stderr.readline()
    serve.send_signal(signal.SIGTERM)
    assert serve.wait(60) in (0, 130) and "Traceback" not in serve.stderr.read()


def test_a_signal_that_was_swallowed_is_not_told_as_a_fault(cupola, monkeypatch):
    """As in the middle of compiling, which then ends in some error or other."""

    def swallow(*_):
        with contextlib.suppress(KeyboardInterrupt):
            stopping._interrupt(signal.SIGTERM, None)
        raise RuntimeError("no compiled object yet")

    monkeypatch.setattr(stopping, "_asked", [])
    monkeypatch.setattr("cupola.cli.results.bench", swallow)
    answer = cupola("bench")
    assert answer.code == 130 and "fault" not in answer.err and "no compiled" not in answer.err


@pytest.mark.parametrize("place", ["be_open", "be_understood", "be_brief"])
def test_a_signal_before_a_command_begins_is_no_traceback(cupola, monkeypatch, place):
    monkeypatch.setattr(stopping, "_asked", [])
    monkeypatch.setattr(f"cupola.cli.terminal.{place}", lambda: stopping._interrupt(signal.SIGTERM, None))
    assert cupola("list").code == 130


@pytest.mark.skipif(os.name == "nt", reason="Windows ends processes otherwise")
@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM", "SIGHUP"])
def test_a_signal_after_a_command_has_ended_changes_nothing(name):
    """Python on its way out gives signals back to the system, which ends programs by them."""
    late = f"""
import atexit, os, signal, sys
atexit.register(lambda: os.kill(os.getpid(), signal.{name}))  # the last of them to run
from cupola.cli import stopping
stopping.obey_signals()
print("done")
sys.exit(3)
"""
    done = subprocess.run([sys.executable, "-c", late], capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (3, "done\n", "")


EVERYWHERE = """
import os, signal, sys, threading
from pathlib import Path
import cupola
here = str(Path(cupola.__file__).parent / "cli")
files = [os.path.join(here, *name) for name in (("__init__.py",), ("stopping.py",), ("commands", "__init__.py"))]

def count(wanted, told):
    seen = 0
    def trace(frame, event, _):
        nonlocal seen
        if frame.f_code.co_filename not in files or frame.f_back is None:  # nobody calls what Python calls at its end
            return None
        usual = signal.SIG_DFL, signal.default_int_handler
        if event in ("line", "return") and signal.getsignal(signal.{name}) not in usual:
            seen += 1
            if told:
                os.write(told, b".")
            if seen == wanted:
                sys.settrace(None)
                os.kill(os.getpid(), signal.{name})
        return trace
    return trace

def be(wanted, out, told=0):
    os.dup2(out, 2)
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    sys.argv[1:] = {words!r}
    sys.settrace(count(wanted, told))
    from cupola.cli import main
    main()

def tried(wanted, told=0):
    read, write = os.pipe()
    if not (child := os.fork()):
        be(wanted, write, told)  # and out through Python's own end
    os.close(write)
    said = b""
    while part := os.read(read, 1 << 16):
        said += part
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), said.decode()

read, write = os.pipe()
code, _ = tried(0, write)
places = len(os.read(read, 1 << 16))
wrong = []
for k in (*range(1, 10), *range(places - 20, places + 1)):
    found, said = tried(k)
    if found not in (code, 130) or "Traceback" in said:
        wrong.append((k, found, said))
print(places, code, *wrong[:3])
"""


@pytest.mark.skipif(os.name == "nt", reason="no fork")
@pytest.mark.parametrize(("name", "words", "code"), [("SIGINT", ["-h"], 0), ("SIGTERM", ["no_such"], 2)])
def test_a_signal_at_any_line_before_and_after_a_command_is_no_traceback(name, words, code):
    """Between the command's end and the end of Python nobody would catch what a signal raises."""
    text = EVERYWHERE.format(name=name, words=words)
    done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, timeout=600, check=False)
    places, first, *wrong = done.stdout.split(" ", 2)
    assert int(places) > 30 and int(first) == code, done.stdout + done.stderr
    assert not "".join(wrong).strip(), wrong


def test_a_signal_while_the_command_line_is_imported_is_no_traceback():
    """Which takes most of the time of `cupola check`."""
    text = """
import os, signal, sys
class Finder:
    def find_spec(self, name, *_):
        if name == "typer":
            os.kill(os.getpid(), signal.SIGINT)
sys.meta_path.insert(0, Finder())
from cupola.cli import main
main()
"""
    done = subprocess.run(
        [sys.executable, "-c", text, "list"], capture_output=True, text=True, timeout=100, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")


def test_a_terminal_of_few_letters_and_a_reader_that_leaves(start):
    ascii_only = start("list", env={"PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"})
    left = start("list")
    left.stdout.readline()
    left.stdout.close()
    out, err = ascii_only.communicate(timeout=100)
    assert ascii_only.returncode == 0 and "quadcopter" in out and out.isascii() and not err
    assert left.wait(100) == 0 and left.stderr.read() == ""


def test_json_for_few_letters_is_still_json(start):
    import json

    listed = start("list", "--json", env={"PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"})
    plain = start("list", "--json", env={"PYTHONIOENCODING": "utf-8"}, encoding="utf-8")
    texts = [process.communicate(timeout=100)[0] for process in (listed, plain)]
    assert texts[0].isascii() and json.loads(texts[0]) == json.loads(texts[1])


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
def test_streams_that_are_closed(closed, tmp_path):
    """A file that is opened gets the number of a closed one: what a library prints would land in the recording."""
    words = [sys.executable, "-m", "cupola", "run", "hover", "--duration", "0.1"]
    done = subprocess.run(
        ["sh", "-c", f'exec "$@" {closed}', "sh", *words], cwd=tmp_path, capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0 and "bug in Cupola" not in done.stderr, done.stderr
    assert not Recording(tmp_path / "out" / "hover.mcap").interrupted
    words[3:] = ["run", "no_such"]
    failed = subprocess.run(["sh", "-c", f'exec "$@" {closed}', "sh", *words], cwd=tmp_path, capture_output=True)
    assert failed.returncode == 2


@pytest.mark.parametrize("columns", ["0", "00", "", "-1", "x"])
def test_a_terminal_that_says_to_have_no_columns(columns, start):
    process = start("run", "no_such", env={"COLUMNS": columns})
    _, err = process.communicate(timeout=100)
    assert process.returncode == 2 and "no_such" in err

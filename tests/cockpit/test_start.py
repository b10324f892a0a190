"""How a cockpit starts and ends, as a user sees it in the terminal."""

import os
import pty
import signal
import socket
import subprocess
import sys
import time
import urllib.request

import pytest

from cupola.cli import main
from cupola.cockpit import built_page


def test_a_missing_page_is_one_sentence(monkeypatch, tmp_path, capsys):
    monkeypatch.setattr(built_page, "PAGE", tmp_path)
    with pytest.raises(SystemExit) as ended:
        main(["fly"])
    assert ended.value.code == 2
    said = capsys.readouterr().err
    assert "the page of the cockpit is not built" in said
    assert len(said.strip().splitlines()) == 1


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["fly", "nowhere"], "there is no scenario or vehicle 'nowhere'"),
        (["fly", "--speed", "fast"], "expected max or a factor"),
        (["fly", "--duration", "-1"], "--duration: expected more than 0 s, got -1"),
        (["fly", "--port", "70000"], "expected a number from 0 to 65535"),
        (["fly", "--param", "nonsense=1"], "--param nonsense=1: "),
        (["fly", "--controller", "boat=hover"], "there is no vehicle 'boat'"),
        (["replay", "nothing.mcap"], "there is no recording nothing.mcap"),
    ],
)
def test_wrong_arguments_are_one_sentence(monkeypatch, page_folder, capsys, arguments, sentence):
    monkeypatch.setattr(built_page, "PAGE", page_folder)
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    assert ended.value.code == 2
    assert sentence in capsys.readouterr().err


def test_a_port_that_is_taken(monkeypatch, page_folder, capsys):
    monkeypatch.setattr(built_page, "PAGE", page_folder)
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(SystemExit) as ended:
            main(["fly", "--port", str(port)])
    assert ended.value.code == 2
    assert f"cannot listen on 127.0.0.1 port {port}: Address already in use" in capsys.readouterr().err


def test_without_a_wish_the_next_free_port_is_taken(page_folder):
    from cupola.cockpit.link import Link

    first, second = Link(page_folder), Link(page_folder)
    try:
        assert first.port != second.port
        for link in (first, second):
            with urllib.request.urlopen(link.url) as answer:
                assert answer.status == 200
    finally:
        first.close()
        second.close()


def test_without_a_terminal_it_ends_by_itself(start_cockpit):
    cockpit = start_cockpit("fly", "hover", "--duration", "0.5")
    assert cockpit.process.wait(20) == 0


def test_a_short_recording_without_a_terminal_ends_by_itself_too(monkeypatch, page_folder, tmp_path, capsys):
    monkeypatch.setattr(built_page, "PAGE", page_folder)
    monkeypatch.chdir(tmp_path)
    for words in (["run", "hover", "--duration", "0.2"], ["replay", "out/hover.mcap", "--duration", "0.5"]):
        with pytest.raises(SystemExit) as ended:
            main(words)
        assert ended.value.code == 0
    assert "showing out/hover.mcap: open http://127.0.0.1:" in capsys.readouterr().err


def test_ctrl_c_ends_it_and_completes_the_recording(start_cockpit, open_page):
    from cupola.record.read import Recording

    cockpit = start_cockpit("fly", "hover")
    with open_page(cockpit.url) as page:
        page.say("record", on=True)
        page.until(lambda: page.clock("recording") == 1.0)
        server = page.socket.socket.getpeername()
        assert cockpit.end() == 0
    (path,) = (cockpit.folder / "out").glob("*.mcap")
    assert Recording(path).is_complete
    with pytest.raises(OSError, match="refused"):
        socket.create_connection(server, timeout=1)


def test_what_run_takes_fly_takes(start_cockpit, open_page):
    """A controller, its parameters, a seed; and the world waits until somebody says Go."""
    chosen = ("--param", "velocity_kp=2.0", "--seed", "7", "--controller", "quadcopter_waypoints")
    cockpit = start_cockpit("fly", "hover", "--paused", *chosen)
    with open_page(cockpit.url) as page:
        page.next_frame()
        assert (page.clock("paused"), page.clock("tick")) == (1.0, 0.0)
        values = {one["name"]: one["value"] for one in page.last("hello")["parameters"]}
        assert values["quadcopter.velocity_kp"] == 2.0
        page.say("reset")  # starts over as it was asked for
        page.say("pause", paused=False)
        page.until(lambda: page.clock("tick") > 10)


def test_a_killed_simulation_takes_its_server_along(start_cockpit):
    cockpit = start_cockpit("fly", "hover")
    cockpit.process.send_signal(signal.SIGKILL)
    cockpit.process.wait(5)
    end = time.monotonic() + 5.0
    while _answers(cockpit.port):
        assert time.monotonic() < end
        time.sleep(0.05)


def _answers(port):
    try:
        socket.create_connection(("127.0.0.1", port), timeout=1).close()
    except OSError:
        return False
    return True


def test_at_a_terminal_it_flies_until_ctrl_c(page_folder):
    ours, theirs = pty.openpty()
    place = f"from cupola.cockpit import built_page; built_page.PAGE = pathlib.Path({str(page_folder)!r})"
    code = f"import pathlib; {place}; import cupola.cli; cupola.cli.main(['fly', '--no-browser', '--port', '0'])"
    flying = subprocess.Popen(
        [sys.executable, "-c", code], stdin=theirs, stdout=theirs, stderr=subprocess.PIPE, text=True
    )
    os.close(theirs)
    assert "open http://127.0.0.1:" in flying.stderr.readline()
    with pytest.raises(subprocess.TimeoutExpired):
        flying.wait(4.0)  # longer than it flies where nobody is
    flying.send_signal(signal.SIGINT)
    assert flying.wait(10) == 0
    assert "ended" in flying.stderr.read()
    os.close(ours)

"""A model that fails, gives no number, is late or gone stops the run; the message names part, tick and value."""

import socket
import subprocess
import sys
import textwrap
import threading

import pytest

from cupola import InputError, SimulationError
from cupola.bridge.fmi.pack import compile_library, pack
from cupola.bridge.lockstep.protocol import Link, listen

BAD = """
import math
from cupola import External

class Bad(External):
    how: str

    def step(self, x, time, dt):
        if time < 0.0195:
            return {"torque": 0.0}
        if self.how == "crash":
            return {"torque": 1.0 / (x.now - x.now)}
        if self.how == "stop":
            raise KeyboardInterrupt
        return {"nan": {"torque": math.nan}, "huge": {"torque": -1e301}, "other": {"lift": 1.0}}[self.how]
"""
C = """
const char *cupola_names(int which) { return which == 0 ? "now" : which == 1 ? "torque" : which == 3 ? "how" : ""; }
int cupola_step(const double *in, double *out, double *state, const double *p, double time, double dt)
{
    out[0] = in[0] > 0.0195 && p[0] == 1 ? 0.0 / 0.0 : 0.0;
    return in[0] > 0.0195 && p[0] == 2 ? 7 : 0;
}
"""
ENDS = {"inputs": {"time": "now"}, "outputs": {"joint.flap.torque": "torque"}}


def stop(world, tmp_path):
    world.dump_folder = tmp_path / "left"
    with pytest.raises(SimulationError) as caught:
        world.step(1000)
    assert world.tick == 20 and "stopped at tick 20 (t = 0.02 s): part 'wing' (" in str(caught.value)
    return str(caught.value), caught.value.__cause__


@pytest.mark.parametrize(
    ("how", "said"),
    [
        ("nan", "gave nan for 'torque'"),
        ("huge", "gave -1e+301 for 'torque'"),
        ("crash", "failed: ZeroDivisionError: float division by zero (bad.py:12)"),
        ("other", "failed: ValueError: 'torque' is not among what it returned: 'lift'"),
    ],
)
def test_a_model_in_python_that_fails(flapper, tmp_path, how, said):
    world = flapper({"kind": "bad.py:Bad", **ENDS, "how": how}, files={"bad.py": BAD})
    text, cause = stop(world, tmp_path)
    assert f"part 'wing' (bad.py:Bad) of 'toy' {said}" in text
    assert (cause is None) == (how in ("nan", "huge"))


def test_ctrl_c_inside_a_model_is_ctrl_c(flapper, tmp_path):
    world = flapper({"kind": "bad.py:Bad", **ENDS, "how": "stop"}, files={"bad.py": BAD})
    world.dump_folder = tmp_path
    with pytest.raises(KeyboardInterrupt):
        world.step(1000)


@pytest.mark.parametrize("door", ["c", "fmi2", "fmi3"])
def test_a_model_in_c_that_fails(flapper, tmp_path, door):
    source = tmp_path / "bad.c"
    source.write_text(C)
    file = compile_library([source], tmp_path / "bad.so") if door == "c" else tmp_path / "bad.fmu"
    if door != "c":
        pack(source, file, int(door[-1]))
    kind = "c" if door == "c" else "fmu"
    step = {"fmi2": "fmi2DoStep", "fmi3": "fmi3DoStep"}.get(door, "")
    said = {
        1: "gave nan for 'torque'",
        2: {
            "c": "failed: its step returned 7",
            "fmi2": f"failed: {step} of bad.fmu returned 3 (error): the step returned 7",
            "fmi3": f"failed: {step} of bad.fmu returned 3 (error): the step returned 7",
        }[door],
    }
    for how in (1, 2):
        part = {"kind": kind, "file": str(file), **ENDS, "parameters": {"how": float(how)}}
        text, _ = stop(flapper(part, name=f"toy{how}"), tmp_path)
        assert f"part 'wing' ({kind}) of 'toy{how}' {said[how]}" in text.replace("-nan", "nan")


PEER = """
from cupola import External

class Peer(External):
    _total: float = 0.0

    def reset(self):
        self._total = 0.0

    def step(self, x, time, dt):
        self._total += x.rate * dt
        return {"torque": -0.4 * self._total - 0.01 * x.rate, "force": 0.0}
"""
WIRES = {"inputs": {"joint.flap.velocity": "rate"}, "outputs": {"joint.flap.torque": "torque", "show.force": "force"}}


@pytest.fixture
def peer(tmp_path):
    """The same model in a process of its own; returns its port and the process."""
    (tmp_path / "peer.py").write_text(PEER)
    command = [sys.executable, "-m", "cupola.bridge.lockstep.peer", "peer.py:Peer", "--port", "0"]
    process = subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, text=True)
    said = process.stdout.readline()
    yield int(said.split()[-1]), process
    process.kill()
    process.wait()


def test_a_peer_moves_the_wing_as_the_same_model_here_does_and_remembers(flapper, peer, digest):
    port, _ = peer
    here = flapper({"kind": "peer.py:Peer", **WIRES}, files={"peer.py": PEER}, name="here")
    there = flapper({"kind": "peer", "port": port, **WIRES}, name="there")
    ends = []
    for world in (here, there):
        world.data.qvel[0] = 5.0
        world.step(200)
        kept = world.snapshot()
        world.step(200)
        end = digest(world)
        world.restore(kept)
        world.step(200)
        assert digest(world) == end
        world.reset()
        world.data.qvel[0] = 5.0
        world.step(100)
        ends.append(tuple(world.data.qpos))
    assert ends[0] == ends[1] and ends[0][0] > 0.1


def test_a_peer_that_dies(flapper, peer, tmp_path):
    port, process = peer
    world = flapper({"kind": "peer", "port": port, **WIRES})
    world.step(20)
    process.kill()
    process.wait()
    text, _ = stop(world, tmp_path)
    assert f"part 'wing' (peer) of 'toy' failed: PeerError: the model on port {port} is gone" in text


def play(listener, answers):
    """A peer in the hands of a test: it answers with these rows, then is silent."""

    def run():
        connection, _ = listener.accept()
        with Link(connection, "the world") as link:
            link.meet("world", 5.0)
            link.greet("model")
            for answer in answers:
                link.expect(b"M", 5.0)
                link.send(b"C", answer)
            done.wait(5.0)

    done = threading.Event()
    threading.Thread(target=run, daemon=True).start()
    return done


@pytest.mark.parametrize(
    ("last", "said"),
    [
        ([], "did not answer within 0.2 s"),
        ([[float("nan"), 0.0]], "gave nan for 'torque'"),
        ([[0.0]], "ValueError: it gave 1 numbers, expected 2"),
    ],
)
def test_a_peer_that_is_late_or_answers_nonsense(flapper, tmp_path, last, said):
    with listen(0) as listener:
        port = listener.getsockname()[1]
        done = play(listener, [[0.0, 0.0]] * 20 + last)
        world = flapper({"kind": "peer", "port": port, "timeout": 0.2, **WIRES})
        text, _ = stop(world, tmp_path)
        done.set()
    assert said in text


def test_nobody_listens(flapper, tmp_path):
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        port = unused.getsockname()[1]
    world = flapper({"kind": "peer", "port": port, "timeout": 0.1, **WIRES})
    world.dump_folder = tmp_path
    with pytest.raises(SimulationError, match=f"tick 0 .*the model does not listen on port {port}"):
        world.step(1)


def test_the_file_of_a_stopped_run_goes_back_only_with_models_the_world_keeps(flapper, doors, tmp_path):
    for door in ("c", "fmi2"):
        world = doors(door, name=door)
        world.dump_folder = tmp_path / f"left_{door}"
        world.step(50)
        world.arrays.external_wrench[1:] = float("nan")
        with pytest.raises(SimulationError):
            world.step(5)
        (file,) = world.dump_folder.iterdir()
        if door == "c":
            world.restore(file, 0)
            assert world.tick < 51
        else:
            with pytest.raises(InputError, match="holds no state of fmi2/wing"):
                world.restore(file, 0)


def test_who_pushed_a_body_away_is_named(flapper, tmp_path):
    push = textwrap.dedent("""
        from cupola import External
        class Push(External):
            def step(self, x, time, dt):
                return {"torque": 1e4 * x.rate}
    """)
    part = {"kind": "push.py:Push", "inputs": WIRES["inputs"], "outputs": {"joint.flap.torque": "torque"}}
    world = flapper(part, files={"push.py": push})
    world.data.qvel[0] = 1.0
    world.dump_folder = tmp_path
    with pytest.raises(SimulationError, match=r"runs away .* came from 'wing' \(push\.py:Push\)"):
        world.step(100)

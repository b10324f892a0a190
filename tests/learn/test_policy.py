"""Policies: learnt, kept in a file, flown as ordinary controllers."""

from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

import cupola
from cupola import InputError

pytest.importorskip("gymnasium", reason="gymnasium is not installed: pip install 'cupola[learn]'")
onnx = pytest.importorskip("onnx", reason="onnx is not installed: pip install 'cupola[learn]'")
from cupola.learn.network import Adam, Network  # noqa: E402
from cupola.learn.policy_file import Trained, load_policy, save_policy  # noqa: E402
from cupola.learn.ppo import RATES, Learner, Settings, held, next_rate  # noqa: E402
from cupola.learn.task import Task  # noqa: E402
from cupola.record import Recording  # noqa: E402
from cupola.record.held_files import HeldRecording  # noqa: E402
from cupola.record.shown_world import world_of  # noqa: E402
from cupola.record.verify import Verification  # noqa: E402
from cupola.schema.trust import Trust  # noqa: E402

CLIMB: dict = {
    "scenario": {"physics_hz": 400, "vehicles": [{"model": "quadcopter", "position": [0, 0, 1]}]},
    "rate_hz": 20,
    "limit": 2,
    "action": {"thrust": {"channel": 4, "low": 0, "high": 20}},  # of the mixer [m/s²]
    "observation": ["quadcopter.position.z - goal.z", "quadcopter.velocity.z"],
    "goals": [[0, 0, 1]],
    "reward": "-abs(quadcopter.position.z - goal.z) / 1 m",
    "lost": "abs(quadcopter.position.z - goal.z) > 0.8 m",
    "loss": 2,
    "success": "abs(quadcopter.position.z - goal.z) < 0.3 m",
    "randomise": {"quadcopter.start.position[2]": {"low": 0.8, "high": 1.2}},
}


@pytest.fixture
def random_policy() -> Trained:
    network = Network((2, 8, 1), 1.0, np.random.default_rng(4))
    return Trained(Task(**CLIMB), network.weights, network.biases)


def test_gradients_are_the_slopes_of_the_answer():
    rng = np.random.default_rng(0)
    network = Network((3, 5, 4, 2), 1.0, rng)
    network.weights = [np.asarray(w, float) for w in network.weights]
    network.biases = [np.asarray(rng.normal(size=b.shape)) for b in network.biases]
    x, aim = rng.normal(size=(6, 3)), rng.normal(size=(6, 2))
    found = network.backward(network.forward(x), aim)
    for numbers, gradient in zip(network.numbers, found, strict=True):
        place = tuple(rng.integers(size) for size in numbers.shape)
        before, values = numbers[place], []
        for step in (1e-6, -1e-6):
            numbers[place] = before + step
            values.append(float((network(x) * aim).sum()))
        numbers[place] = before
        assert gradient[place] == pytest.approx((values[0] - values[1]) / 2e-6, rel=1e-6, abs=1e-9)


def test_adam_finds_the_lowest_point():
    numbers = [np.array([3.0, -2.0])]
    adam = Adam(numbers)
    for _ in range(2000):
        adam.step([2.0 * (numbers[0] - [1.0, 0.5])], 0.01)
    assert numbers[0] == pytest.approx([1.0, 0.5], abs=1e-3)


def test_the_learning_rate_follows_the_change_of_the_policy():
    assert next_rate(1e-3, 0.021, 0.02) == 1e-3
    assert next_rate(1e-3, 0.05, 0.02) < 1e-3 < next_rate(1e-3, 0.005, 0.02)
    assert next_rate(RATES[0], 1.0, 0.02) == RATES[0] and next_rate(RATES[1], 0.0, 0.02) == RATES[1]
    few = Settings(steps=1024, horizon=16, portions=2, hidden=(16,), seed=1)
    rates = []
    for begin, change in zip(RATES, (0.02, 1e-4), strict=True):
        worlds = cupola.envs(Task(**CLIMB), 16, autoreset_mode="SameStep")
        learner = Learner(worlds, few._replace(rate=begin, change=change))
        learner.learn()
        rates.append(learner.rate)
        worlds.close()
    assert RATES[0] < rates[0] and rates[1] < RATES[1]


def test_it_learns_to_hold_a_height_from_nothing():
    worlds = cupola.envs(Task(**CLIMB), 16, autoreset_mode="SameStep")
    learner = Learner(worlds, Settings(steps=10_240, horizon=32, portions=2, rate=3e-3, hidden=(16,), seed=1))
    before = held(worlds, learner.trained().act)
    curve = learner.learn()
    assert len(curve) == 20 and curve[-1].steps == 10_240
    assert curve[-1].reward > curve[0].reward
    assert before < 0.2 and held(worlds, learner.trained().act) > 0.9
    worlds.close()


def test_a_policy_comes_back_from_its_file(random_policy, tmp_path):
    save_policy(random_policy, tmp_path / "p.onnx")
    loaded = load_policy(tmp_path / "p.onnx")
    seen = np.random.default_rng(2).normal(size=(5, 2)).astype(np.float32)
    assert loaded.act(seen) == pytest.approx(random_policy.act(seen), abs=1e-6)
    assert loaded.task == random_policy.task


def fly(use, folder, **vehicle):
    entry = {"model": "quadcopter", "position": [0, 0, 1.1], **vehicle}
    entry["controller"] = {"use": use, "rate_hz": 20, "channel": 4, **vehicle.get("controller", {})}
    content: dict = {"physics_hz": 400, "vehicles": [entry]}
    scenario = cupola.Scenario(**content)
    scenario._folder = folder
    return cupola.load(scenario)


@pytest.mark.parametrize("rate_hz", [20, 400])
def test_a_controller_does_in_a_world_what_the_policy_does_in_the_environment(rate_hz, random_policy, tmp_path):
    save_policy(random_policy, tmp_path / "p.onnx")
    loaded = load_policy(tmp_path / "p.onnx")
    env = cupola.env(Task(**{**CLIMB, "randomise": {}, "lost": None}))
    seen, _ = env.reset(seed=0)
    world = fly("p.onnx", tmp_path, name="bird", position=[0, 0, 1], controller={"rate_hz": rate_hz})
    for _ in range(20):
        seen, *_ = env.step(loaded.act(seen[None])[0])
    world.run(1.0)
    assert world.motion().pos_w == pytest.approx(env.world.motion().pos_w, abs=1e-12)
    assert "p.onnx" in world.mission()


def test_a_recording_holds_the_policy_that_flew_and_a_replay_needs_no_library(random_policy, tmp_path, monkeypatch):
    """Replayed and verified after its file is gone, or is another."""
    save_policy(random_policy, tmp_path / "p.onnx")
    world = fly("p.onnx", tmp_path)
    (tmp_path / "p.onnx").write_bytes(b"another")
    recorder = cupola.WorldRecorder(world, tmp_path / "flight.mcap")
    world.observers.append(recorder)
    world.run(0.5)
    recorder.close()
    (tmp_path / "p.onnx").unlink()
    found = Verification(tmp_path / "flight.mcap").run(Trust())
    assert found.same and found.ticks == 200
    monkeypatch.setattr("cupola.learn.policy_file.onnx_module", lambda: pytest.fail("a replay asks for a library"))
    flight = tmp_path / "flight.mcap"
    assert world_of(HeldRecording(Recording(flight)), flight).instances[0].name == world.instances[0].name


def test_a_policy_is_in_a_snapshot_and_follows_the_plan(random_policy, tmp_path):
    save_policy(random_policy, tmp_path / "p.onnx")
    plan = [{"position": [0, 0, 7]}]
    world = fly("p.onnx", tmp_path, controller={"plan": plan})
    world.run(0.31)
    assert world.goal().z == 7.0
    kept = world.snapshot()
    world.run(0.4)
    first = world.motion()
    world.restore(kept)
    world.run(0.4)
    assert world.motion() == first
    assert world.scenario_now().vehicles[0].controller.use == str((tmp_path / "p.onnx").resolve())


def test_what_is_no_policy_for_a_vehicle_is_refused(random_policy, tmp_path):
    save_policy(random_policy, tmp_path / "p.onnx")
    with pytest.raises(InputError, match="write channel: 4"):
        fly("p.onnx", tmp_path, controller={"channel": 0})
    with pytest.raises(InputError, match="a policy has none"):
        fly("p.onnx", tmp_path, controller={"parameters": {"kp": 1.0}})
    with pytest.raises(InputError, match="there is no such file"):
        fly("q.onnx", tmp_path)
    (tmp_path / "junk.onnx").write_bytes(b"\x08\x01junk")
    with pytest.raises(InputError, match=r"junk\.onnx"):
        fly("junk.onnx", tmp_path)
    model = onnx.load(str(tmp_path / "p.onnx"))
    del model.metadata_props[:]
    (tmp_path / "plain.onnx").write_bytes(model.SerializeToString())
    with pytest.raises(InputError, match="does not say its task"):
        fly("plain.onnx", tmp_path)


def _node(*words, **attributes):
    return onnx.helper.make_node(*words, **attributes)


def _loops(model):
    body = onnx.helper.make_graph([], "body", [], [])
    model.graph.node.insert(0, _node("Loop", ["", ""], ["x"], body=body))


def _reads_a_file(model):
    tensor = model.graph.initializer[0]
    tensor.ClearField("raw_data")
    tensor.data_location = onnx.TensorProto.EXTERNAL
    tensor.external_data.add(key="location", value="secret.bin")


def _reads_a_file_in_a_constant(model):
    tensor = onnx.TensorProto(dims=[4], data_type=1, name="t", data_location=onnx.TensorProto.EXTERNAL)
    tensor.external_data.add(key="location", value="secret.bin")
    model.graph.node.insert(0, _node("Constant", [], ["x"], value=tensor))


def _draws_by_chance(model):
    model.graph.node.insert(0, _node("RandomNormal", [], ["x"], shape=[3]))


def _makes_much_of_little(model):
    many = np.zeros(10_000, np.float32)
    model.graph.initializer.append(onnx.numpy_helper.from_array(many[:, None], "tall"))
    model.graph.initializer.append(onnx.numpy_helper.from_array(many[None], "wide"))
    model.graph.node.insert(0, _node("MatMul", ["tall", "wide"], ["huge"]))


def _calls_itself_often(model):
    model.functions.append(onnx.helper.make_function("own", "f", ["a"], ["b"], [_node("Add", ["a", "a"], ["b"])], []))


def _is_of_another_domain(model):
    model.graph.node.insert(0, _node("Add", ["w0", "w0"], ["x"], domain="com.own"))


def _row(model, kind, times, *, twice=False, **attributes):
    """Operators of one kind, each of what the one before it gives."""
    names = ["observation", *(f"{kind}{k}" for k in range(times))]
    model.graph.node.extend(_node(kind, [a] * (1 + twice), [b], **attributes) for a, b in pairwise(names))


def _doubles(model, times=26):
    """A vector of the observation, again and again put behind itself."""
    seen = model.graph.input[0]
    seen.type.tensor_type.shape.dim[1].ClearField("dim_value")  # its length is said at run time only
    _row(model, "Concat", times, twice=True, axis=1)


def _lies_about_shapes(model):
    _doubles(model, 10)
    value = onnx.helper.make_tensor_value_info("Concat9", onnx.TensorProto.FLOAT, [1, 1])
    model.graph.value_info.append(value)
    model.graph.node.append(_node("Transpose", ["Concat9"], ["t"], perm=[1, 0]))
    model.graph.node.append(_node("MatMul", ["t", "Concat9"], ["square"]))
    model.graph.node.extend(_node("Concat", ["square"] * 8, [f"c{k}"], axis=1) for k in range(30))


def _is_sized_by_what_it_sees(model):
    model.graph.initializer.append(onnx.numpy_helper.from_array(np.zeros(2, np.int64), "from"))
    seen = _node("Cast", ["observation"], ["places"], to=onnx.TensorProto.INT64)
    flat = _node("Flatten", ["places"], ["row"], axis=0)
    one = _node("Squeeze", ["row"], ["ends"])
    model.graph.node.extend([seen, flat, one, _node("Slice", ["w0", "from", "ends"], ["cut"])])


def _goes_on_and_on(model):
    _row(model, "Identity", 2000)


def _multiplies_much(model):
    model.graph.initializer.append(onnx.numpy_helper.from_array(np.zeros((2000, 2000), np.float32), "m"))
    model.graph.node.extend(_node("MatMul", ["m" if k == 0 else f"m{k - 1}", "m"], [f"m{k}"]) for k in range(500))


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (_doubles, "more than 10000000 numbers"),
        (_lies_about_shapes, "shapes do not fit|more than 10000000 numbers"),
        (_is_sized_by_what_it_sees, "cannot be foreseen|shapes do not fit"),
        (_goes_on_and_on, "operators; 1000 are run"),
        (_multiplies_much, "more than 10000000 numbers"),
        (_loops, "Loop is not an operator"),
        (_reads_a_file, "in another file"),
        (_reads_a_file_in_a_constant, "in another file"),
        (_draws_by_chance, "RandomNormal is not an operator"),
        (_makes_much_of_little, "more than 10000000 numbers"),
        (_calls_itself_often, "functions of its own"),
        (_is_of_another_domain, "com.own.Add is not an operator"),
    ],
)
def test_a_stranger_s_policy_reads_no_file_and_comes_to_an_end(random_policy, tmp_path, monkeypatch, change, words):
    path = tmp_path / "p.onnx"
    save_policy(random_policy, path)
    (tmp_path / "secret.bin").write_bytes(bytes(4096))
    monkeypatch.chdir(tmp_path)
    model = onnx.load(str(path))
    change(model)
    path.write_bytes(model.SerializeToString())
    with pytest.raises(InputError, match=words):
        load_policy(path)


def test_a_policy_learnt_on_a_gpu_holds_a_single_world():
    """`cupola learn hover --gpu --seed 1` on one H200 wrote the file; MuJoCo's world, not the flight it learnt in."""
    where = Path(__file__).parent / "hover_from_gpu.onnx"
    flown: dict = {"use": str(where), "rate_hz": 50}
    vehicles: list = [{"model": "quadcopter", "controller": flown, "position": [0, 0, 3]}]
    world = cupola.World(cupola.Scenario(physics_hz=800, vehicles=tuple(vehicles)))
    rng = np.random.default_rng(22)
    for _ in range(5):
        position = [*rng.uniform(-1, 1, 2), rng.uniform(2, 4)]
        attitude = [*rng.uniform(-30, 30, 2), rng.uniform(-60, 60)]
        velocity, rate = rng.uniform(-1, 1, 3).tolist(), rng.uniform(-1, 1, 3).tolist()
        world.start_at("quadcopter", position=position, attitude_deg=attitude, velocity_b=velocity, rate_b=rate)
        world.reset()
        world.run(6.0)
        now = world.motion()
        assert np.linalg.norm(np.array(now.pos_w) - [0, 0, 3]) < 0.3
        assert np.linalg.norm(now.vel_w) < 0.5

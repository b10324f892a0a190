"""A trained policy in an ONNX file: observation in, action from -1 to 1 out, the task it was trained for inside."""

import json
import math
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from cupola import __version__
from cupola.learn.task import Task
from cupola.schema.input_files import MEBI, boundary, read_bytes
from cupola.schema.libraries import library
from cupola.schema.validation_messages import short
from cupola.schema.whole_files import whole_file
from cupola.schema.yaml_files import InputError

Array = np.ndarray[Any, Any]
TASK = "cupola_task"
"""Key of the metadata with the task, as JSON."""
OPSET = 17
"""Of the operators in the file: old enough for every runtime."""
SEEN, ACTED = "observation", "action"
OPERATORS = """
Abs Add Cast Celu Clip Concat Constant Cos Div Dropout Elu Exp Flatten Gather Gelu Gemm HardSigmoid HardSwish Identity
LayerNormalization LeakyRelu Log MatMul Max Mean Min Mish Mul Neg PRelu Pow ReduceMean ReduceSum Relu Reshape Selu Shape
Sigmoid Sin Slice Softmax Softplus Softsign Split Sqrt Squeeze Sub Sum Swish Tan Tanh Transpose Unsqueeze Where
"""
"""Of ONNX, those that a policy may use: none loops, draws by chance or reads a file."""
MOST_NUMBERS = 10_000_000
"""In all arrays of the network together, for one observation."""
MOST_NODES = 1000
LARGEST = 256 * MEBI
"""[bytes] of a file."""


class Trained(NamedTuple):
    """Layers of tanh, the last one straight and clipped to -1..1."""

    task: Task
    weights: list[Array]
    biases: list[Array]

    def act(self, seen: Array) -> Array:
        """Actions for rows of observations."""
        x = np.asarray(seen, np.float32)
        for w, b in zip(self.weights[:-1], self.biases[:-1], strict=True):
            x = np.tanh(x @ w + b)
        return np.asarray(np.clip(x @ self.weights[-1] + self.biases[-1], -1.0, 1.0))


class Loaded(NamedTuple):
    """A policy from a file, whoever trained it."""

    task: Task
    session: Any
    source: str

    def act(self, seen: Array) -> Array:
        """Actions for rows of observations."""
        name = self.session.input_names[0]
        found = np.asarray(self.session.run(None, {name: np.asarray(seen, np.float32)})[0])
        if found.shape != (len(seen), len(self.task.action)):
            wanted = (len(seen), len(self.task.action))
            raise InputError(f"{self.source}: expected actions of shape {wanted}, the network gave {found.shape}")
        return np.asarray(np.clip(found, -1.0, 1.0))


def onnx_module() -> Any:
    """The package onnx."""
    needs = "policies are kept in ONNX files: pip install 'cupola[learn]'"
    library("onnx.reference", needs)
    library("onnx.shape_inference", needs)
    return library("onnx", needs)


def save_policy(policy: Trained, path: Path) -> None:
    """Write a policy for every runtime of ONNX."""
    onnx = onnx_module()
    helper, numbers = onnx.helper, onnx.numpy_helper.from_array
    nodes, kept, name = [], [], SEEN
    last = len(policy.weights) - 1
    for k, (w, b) in enumerate(zip(policy.weights, policy.biases, strict=True)):
        kept += [numbers(w, f"w{k}"), numbers(b, f"b{k}")]
        nodes.append(helper.make_node("Gemm", [name, f"w{k}", f"b{k}"], [f"sum{k}"]))
        name = f"layer{k}" if k < last else ACTED
        if k < last:
            nodes.append(helper.make_node("Tanh", [f"sum{k}"], [name]))
    kept += [numbers(np.float32(-1.0).reshape(()), "low"), numbers(np.float32(1.0).reshape(()), "high")]
    nodes.append(helper.make_node("Clip", [f"sum{last}", "low", "high"], [ACTED]))
    floats = onnx.TensorProto.FLOAT
    seen = helper.make_tensor_value_info(SEEN, floats, ["worlds", policy.weights[0].shape[0]])
    acted = helper.make_tensor_value_info(ACTED, floats, ["worlds", policy.weights[-1].shape[1]])
    graph = helper.make_graph(nodes, "policy", [seen], [acted], kept)
    model = helper.make_model(
        graph, opset_imports=[helper.make_opsetid("", OPSET)], ir_version=8, producer_name=f"cupola {__version__}"
    )
    put_task(model, policy.task)
    onnx.checker.check_model(model)
    with whole_file(path) as new:
        new.file.write(model.SerializeToString())


def put_task(model: Any, task: Task) -> None:
    """Put a task into an ONNX model: what another library trained can then be flown."""
    entry = model.metadata_props.add()
    entry.key, entry.value = TASK, task.model_dump_json(exclude_unset=True)


def load_policy(path: Path | str, content: bytes | None = None) -> Loaded:
    """The policy of a file, or of what it held. An ONNX file is data: its operators compute and do nothing else."""
    onnx, source = onnx_module(), str(path)
    if content is None:
        if not Path(path).is_file():
            raise InputError(f"{source}: there is no such file")
        content = read_bytes(Path(path), LARGEST)
    with boundary(path, "not an ONNX file"):
        model = onnx.load_model_from_string(content)
    said = {entry.key: entry.value for entry in model.metadata_props}
    if TASK not in said:
        raise InputError(
            f"{source}: it does not say its task: cupola.learn.policy_file.put_task writes it into a model"
        )
    with boundary(path, "its task cannot be read"):
        task = Task(**json.loads(said[TASK]))
    _check_network(onnx, model, len(task.observation), source)
    with boundary(path, "cannot be run"):
        return Loaded(task, onnx.reference.ReferenceEvaluator(model), source)


def _check_network(onnx: Any, model: Any, seen: int, source: str) -> None:
    """Refuse what reads other files, what loops, and what makes much from little: a policy maps numbers to numbers.

    `seen`: numbers in an observation.
    """
    if model.functions:
        raise InputError(f"{source}: it defines functions of its own; export it with them written out")
    if len(model.graph.node) > MOST_NODES:
        raise InputError(f"{source}: it has {len(model.graph.node)} operators; {MOST_NODES} are run")
    known = OPERATORS.split()
    for node in model.graph.node:
        if node.domain not in ("", "ai.onnx") or node.op_type not in known:
            name = f"{node.domain}.{node.op_type}".lstrip(".")
            raise InputError(f"{source}: {name} is not an operator of policies; those are {', '.join(known)}")
    tensors = [*model.graph.initializer, *(a.t for node in model.graph.node for a in node.attribute)]
    if model.graph.sparse_initializer or any(one.data_location == onnx.TensorProto.EXTERNAL for one in tensors):
        raise InputError(f"{source}: weights in another file or in sparse form are not read; export them inside it")
    total = sum(_count(one.dims) for one in tensors)
    for size in _sizes(onnx, model, seen, source):
        total += _count(size)
    if total > MOST_NUMBERS:
        raise InputError(f"{source}: it makes arrays of more than {MOST_NUMBERS} numbers")


def _sizes(onnx: Any, model: Any, seen: int, source: str) -> Iterator[list[int]]:
    """The shape of everything that is computed from one observation; what cannot be foreseen is refused."""
    network = onnx.ModelProto()
    network.CopyFrom(model)
    del network.graph.value_info[:]  # what the file itself says of them is not taken for true
    for one in network.graph.output:
        one.type.tensor_type.ClearField("shape")
    for one, size in zip(network.graph.input[:1], [[1, seen]], strict=False):
        one.type.tensor_type.ClearField("shape")
        for count in size:
            one.type.tensor_type.shape.dim.add().dim_value = count
    with boundary(source, "its shapes do not fit"):
        graph = onnx.shape_inference.infer_shapes(network, strict_mode=True, data_prop=True).graph
    found = {one.name: one.type.tensor_type for one in (*graph.value_info, *graph.output)}
    for name in (name for node in graph.node for name in node.output if name):
        kind = found.get(name)
        if kind is None or not kind.HasField("shape") or any(not one.HasField("dim_value") for one in kind.shape.dim):
            raise InputError(f"{source}: the shape of {short(name)} cannot be foreseen; export it with fixed shapes")
        yield [one.dim_value for one in kind.shape.dim]


def _count(size: Iterable[int]) -> int:
    return math.prod(max(1, one) for one in size)

"""A stand-in of rclpy, with the functions that its documentation has, within one process.

Nodes of one domain hear each other. Callbacks run in the threads of executors, one at a time in a group. What rclpy
refuses is refused: a message of another type, a quality without a depth, a second start of a context.
"""

import itertools
import queue
import sys
import threading
from enum import Enum
from types import ModuleType, SimpleNamespace
from typing import Any

from cupola.bridge.ros2.services import store
from cupola.record.messages import types

PACKAGES = "geometry_msgs", "nav_msgs", "rosgraph_msgs", "sensor_msgs", "std_msgs", "std_srvs", "tf2_msgs"
"""Those that every ROS 2 has; others must be built."""
GIDS = itertools.count()


class Net:
    """What the nodes of a process have announced."""

    def __init__(self):
        self.publishers, self.subscriptions, self.services = [], [], []


class Context:
    domain = None

    def ok(self):
        return self.domain is not None


class Policy(Enum):
    KEEP_LAST, KEEP_ALL, RELIABLE, BEST_EFFORT, VOLATILE, TRANSIENT_LOCAL, NO = range(7)


class Quality:
    def __init__(self, *, history=None, depth=None, reliability=Policy.RELIABLE, durability=Policy.VOLATILE):
        if depth is None and history is not Policy.KEEP_ALL:
            raise ValueError("History and/or depth settings are required.")
        self.history, self.depth, self.reliability, self.durability = history, depth, reliability, durability


class Message:
    """A message, whose fields are those of `rosbags`."""

    kind = ""

    def __init__(self, **fields):
        self.fields = fields


def serialize_message(message):
    cls = store().types.get(message.kind) or types().types[message.kind]
    known = store() if message.kind in store().types else types()
    return bytes(known.serialize_cdr(cls(**message.fields), message.kind))


def deserialize_message(wire, cls):
    known = store() if cls.kind in store().types else types()
    found: Any = known.deserialize_cdr(wire, cls.kind)
    return cls(**{name: getattr(found, name) for name in found.__dataclass_fields__ if name != "__msgtype__"})


class Node:
    def __init__(self, net, name, context):
        assert context.ok(), "rclpy.init() was not called"
        self.net, self.name, self.context, self.executor = net, name, context, None

    def create_publisher(self, msg_type, topic, qos_profile):
        known = SimpleNamespace(type=msg_type, topic=topic, qos=qos_profile, node=self, last=None)
        known.endpoint_gid = [next(GIDS)] * 16

        def publish(message):
            if not isinstance(message, (msg_type, bytes)):
                raise TypeError(f"Expected {msg_type}, got {type(message)}")
            known.last = message if isinstance(message, bytes) else serialize_message(message)
            for one in self.net.subscriptions:
                if one.topic == topic and one.node.context.domain == self.context.domain:
                    assert one.type.kind == msg_type.kind
                    one.take(known.last)

        known.publish = publish
        self.net.publishers.append(known)
        return known

    def create_subscription(self, msg_type, topic, callback, qos_profile, *, callback_group=None, raw=False):
        def take(wire):
            self.executor.put(callback_group, lambda: callback(wire if raw else deserialize_message(wire, msg_type)))

        known = SimpleNamespace(type=msg_type, topic=topic, node=self, take=take)
        self.net.subscriptions.append(known)
        for one in self.net.publishers:
            kept = one.qos.durability is qos_profile.durability is Policy.TRANSIENT_LOCAL
            if kept and one.topic == topic and one.last is not None:
                take(one.last)
        return known

    def create_service(self, srv_type, srv_name, callback, *, callback_group=None):
        def ask(request, answered):
            self.executor.put(callback_group, lambda: answered(callback(request, srv_type.Response())))

        self.net.services.append(SimpleNamespace(type=srv_type, name=srv_name, node=self, ask=ask))

    def get_publishers_info_by_topic(self, topic):
        return [one for one in self.net.publishers if one.topic == topic]

    def destroy_node(self):
        for known in (self.net.publishers, self.net.subscriptions, self.net.services):
            known[:] = [one for one in known if one.node is not self]


class Executor:
    """Threads that call back."""

    def __init__(self, num_threads=1, *, context):
        self.threads, self.context, self.waiting, self.groups = num_threads, context, queue.SimpleQueue(), {}

    def add_node(self, node):
        node.executor = self
        return True

    def put(self, group, call):
        self.waiting.put((self.groups.setdefault(group, threading.Lock()), call))

    def spin(self):
        threads = [threading.Thread(target=self._work, daemon=True) for _ in range(self.threads)]
        for one in threads:
            one.start()
        for one in threads:
            one.join()

    def _work(self):
        while True:
            lock, call = self.waiting.get()
            if call is None:
                return
            with lock:
                call()

    def shutdown(self, timeout_sec=None):
        for _ in range(self.threads):
            self.waiting.put((threading.Lock(), None))
        return True


class Package(ModuleType):
    """`nav_msgs.msg` and so on: classes are made when they are asked for."""

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        kind = self.__name__.replace(".", "/") + f"/{name}"
        inner = {}
        if "/srv/" in kind:
            inner = {part: type(part, (Message,), {"kind": f"{kind}_{part}"}) for part in ("Request", "Response")}
        made = type(name, (Message,), {"kind": kind, **inner})
        setattr(self, name, made)
        return made


def install(monkeypatch):
    """Put it where Python looks for rclpy; returns what its nodes have announced."""
    net, rclpy = Net(), ModuleType("rclpy")

    def init(*, args=None, context, domain_id=None, signal_handler_options=None):
        assert not context.ok(), "Context.init() must only be called once"
        context.domain = domain_id or 0

    def shutdown(*, context):
        context.domain = None

    rclpy.__dict__.update(init=init, shutdown=shutdown, create_node=lambda name, *, context: Node(net, name, context))
    inside: dict[str, dict[str, Any]] = {
        "context": {"Context": Context},
        "signals": {"SignalHandlerOptions": Policy},
        "executors": {"MultiThreadedExecutor": Executor},
        "callback_groups": {"MutuallyExclusiveCallbackGroup": object},
        "serialization": {"serialize_message": serialize_message, "deserialize_message": deserialize_message},
        "qos": dict.fromkeys(("HistoryPolicy", "ReliabilityPolicy", "DurabilityPolicy"), Policy)
        | {"QoSProfile": Quality},
    }
    inside["qos"]["QoSProfile"] = Quality
    monkeypatch.setitem(sys.modules, "rclpy", rclpy)
    for name, contents in inside.items():
        module = ModuleType(f"rclpy.{name}")
        module.__dict__.update(contents)
        monkeypatch.setitem(sys.modules, f"rclpy.{name}", module)
    for name in PACKAGES:
        for kind in ("msg", "srv"):
            monkeypatch.setitem(sys.modules, f"{name}.{kind}", Package(f"{name}.{kind}"))
    return net

"""How ROS 2 calls topics and types on the wire, and the types themselves."""

from cupola.bridge.ros.definitions import learn
from cupola.record.messages import types


def dds_topic(topic: str) -> str:
    """`/tf` is `rt/tf` in DDS."""
    return f"rt{topic if topic.startswith('/') else f'/{topic}'}"


def dds_service(name: str) -> tuple[str, str]:
    """Topics of the requests and of the replies of a service in DDS."""
    called = f"/{name.strip('/')}"
    return f"rq{called}Request", f"rr{called}Reply"


def dds_type(name: str) -> str:
    """`tf2_msgs/msg/TFMessage` is `tf2_msgs::msg::dds_::TFMessage_`."""
    package, kind, short = name.split("/")
    return f"{package}::{kind}::dds_::{short}_"


def type_hash(name: str) -> str:
    """The hash of a definition by which ROS 2 tells types apart (REP 2011)."""
    learn(types(), name)
    return str(types().hash_rihs01(name))


def remapped(topic: str, names: dict[str, str]) -> str:
    """Another name, if one was asked for."""
    return names.get(topic, topic)


def remappings(given: tuple[str, ...]) -> dict[str, str]:
    """FROM:=TO, each."""
    pairs = [one.split(":=", 1) for one in given]
    return {f"/{old.strip('/')}": f"/{new.strip('/')}" for old, new in pairs}

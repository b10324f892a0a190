"""Services of a world over DDS and Zenoh, called by clients in processes of their own."""

import json
import sys
import time
from typing import Any

import pytest
from tests.bridge.processes import LONG, free_port
from tests.bridge.test_ros2 import HERE, needs_dds, needs_linux, needs_zenoh, network

import cupola
from cupola.bridge.ros.definitions import SERVICES
from cupola.bridge.ros.dialects import dialect
from cupola.bridge.ros.exchange import Exchange, Times
from cupola.bridge.ros.graph import Service
from cupola.bridge.ros2.names import dds_service
from cupola.bridge.ros2.services import Desk, service_hash, store
from cupola.record.encode import template
from cupola.record.stream import Stream

__all__ = ["network"]
pytestmark = pytest.mark.timeout(1200)


def served(link, network, *words):
    """A world that stands still and serves until the caller has ended; returns the world and what the caller heard."""
    world = cupola.load("hover")
    exchange = Exchange(link, Times(10.0, 10.0), lockstep=False)
    exchange.open(world, dialect("cupola"), commanded=False)
    world.run(0.1)
    caller = network.start([sys.executable, *words], "caller")
    end = time.monotonic() + LONG
    while caller.poll() is None and time.monotonic() < end:
        exchange.act()
        time.sleep(0.01)
    exchange.close()
    assert caller.poll() == 0, network.said()
    return world, exchange, json.loads(caller.words.read_text().splitlines()[-1])


def judge(world, exchange, said):
    assert said["box"] == [True, "1 boxes are out"]
    assert said["pause"] == [True, ""] and exchange.paused
    assert said["friction"] == [None, None] and world.parameters["floor.friction"][1] == 0.5
    assert said["reset"] == [True, ""] and world.tick == 0


@needs_dds
@needs_linux
def test_services_are_served_over_dds_in_the_form_of_rmw_cyclonedds(network, monkeypatch):
    from cupola.bridge.ros2.dds import Dds

    monkeypatch.setenv("CYCLONEDDS_URI", network.env["CYCLONEDDS_URI"])
    link = Dds(int(network.env["ROS_DOMAIN_ID"]))
    judge(*served(link, network, str(HERE / "ros2_node.py"), "caller", "41"))


@needs_zenoh
def test_services_are_served_over_zenoh_to_a_client_of_another_make(network):
    from cupola.bridge.ros2.zenoh import Zenoh

    port = free_port()
    network.env["ROS_DOMAIN_ID"] = "0"
    link = Zenoh(listen=(f"tcp/127.0.0.1:{port}",))
    judge(*served(link, network, str(HERE / "ros2_zenoh_caller.py"), str(port)))


def test_hashes_of_services_are_those_of_ros_2():
    # The hash of ROS 2 Jazzy.
    assert (
        service_hash("std_srvs/srv/SetBool")
        == "RIHS01_abe9e4bb6b41b40e6789712c00ec8871923e089af3f667a79992a428cff2da0a"
    )
    assert len({service_hash(one) for one in SERVICES}) == len(SERVICES)
    assert dds_service("/cupola/reset") == ("rq/cupola/resetRequest", "rr/cupola/resetReply")


@needs_zenoh
def test_hashes_of_services_are_those_of_another_implementation():
    utils = pytest.importorskip("zenoh_ros2_sdk.utils")
    for name in (
        "std_srvs/srv/Empty",
        "std_srvs/srv/Trigger",
        "std_srvs/srv/SetBool",
        "omnivelma_msgs/srv/SetFriction",
    ):
        request, response = (text or "# nothing\n" for text in SERVICES[name])
        assert service_hash(name) == utils.compute_service_type_hash(name, request, response, {}), name


class Refusing:
    def arrived(self, which, message):
        raise AssertionError(which)

    def call(self, which, request):
        raise cupola.InputError("the floor has one friction in all directions")


@pytest.mark.parametrize(
    "name", ["std_srvs/srv/Trigger", "gazebo_msgs/srv/DeleteModel", "omnivelma_msgs/srv/SetFriction"]
)
@pytest.mark.parametrize(("cut", "why"), [(None, "one friction"), (3, "cannot be read")])
def test_what_is_refused_or_cannot_be_read_is_answered_and_said(name, cut, why, caplog):
    answers: list[bytes] = []
    whole = template(Stream("/a", f"{name}_Request", (), {}), store())
    request_bytes = whole[:cut] + (b"" if cut else b"\0" * (-len(whole) % 4))  # filled up to four bytes
    desk = Desk(Refusing())
    desk.take(Service("/a", name, lambda _: {}), request_bytes, answers.append)
    desk._thread.shutdown(wait=True)
    found: Any = store().deserialize_cdr(answers[0], f"{name}_Response")
    if "Friction" in name:  # its answer has no field for it
        assert why in caplog.text
    else:
        assert not found.success and why in getattr(found, "message", getattr(found, "status_message", ""))

"""MSP, the protocol of Betaflight's and iNav's configurators: the version of who is there."""

import socket

from cupola.bridge.lockstep.protocol import HERE

FC_VERSION = 3
WAIT = 5.0
"""[s] for an answer: who is still booting listens, but does not answer yet."""


def request(command: int) -> bytes:
    """A question without content: its length, the command, and the sum of both."""
    return b"$M<" + bytes((0, command, command))


def version_on(port: int) -> float:
    """Version of the autopilot that listens on a TCP port, as 4.5 or 25.12; 0: nobody there says."""
    try:
        with socket.create_connection((HERE, port), timeout=WAIT) as link:
            link.settimeout(WAIT)
            link.sendall(request(FC_VERSION))
            heard = b""
            while (begin := heard.find(b"$M>")) < 0 or len(heard) < begin + 8:
                more = link.recv(4096)
                if not more:
                    return 0.0
                heard += more
    except OSError:
        return 0.0
    major, minor = heard[begin + 5 : begin + 7]
    return float(f"{major}.{minor:02d}" if major >= 25 else f"{major}.{minor}")  # 2025 on: year and month

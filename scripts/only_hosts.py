#!/usr/bin/env python3
"""Runs a command that reaches no network but the hosts named:

    only_hosts.py HOSTS_FILE URL... -- COMMAND...

The command gets a network of its own, with loopback alone. In it each host of
a URL has an address on loopback, which is added to HOSTS_FILE, the /etc/hosts
that the command is going to see; and what comes to that address, at the URL's
port, goes to the host itself. The listening sockets are made inside and served
from outside: a socket stays in the network that it was made in. No proxy has
to be configured, and no other name can be looked up. Needs root.
"""
import ctypes
import fcntl
import os
import socket
import struct
import sys
import threading
from urllib.parse import urlsplit

NEW_NETWORK = 0x40000000  # CLONE_NEWNET
GET_FLAGS, SET_FLAGS, UP = 0x8913, 0x8914, 1  # SIOCGIFFLAGS, ..., IFF_UP
PORTS = {"http": 80, "https": 443}


def enter_network():
    """Leaves this network for a new one, with loopback up."""
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.unshare(NEW_NETWORK) != 0:
        raise OSError(ctypes.get_errno(), "a network cannot be made; as root?")
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        asked = struct.pack("16sH14x", b"lo", 0)
        name, flags = struct.unpack(
            "16sH14x", fcntl.ioctl(any_socket, GET_FLAGS, asked))
        fcntl.ioctl(any_socket, SET_FLAGS,
                    struct.pack("16sH14x", name, flags | UP))


def places_of(urls):
    """Each host and port, once, with the host's address on loopback."""
    addresses, places = {}, {}
    for url in map(urlsplit, urls):
        address = addresses.setdefault(
            url.hostname, f"127.0.2.{len(addresses) + 1}")
        places[url.hostname, url.port or PORTS[url.scheme]] = address
    return places


def copy(source, target):
    """Until the source ends, which the target's other side is told then."""
    try:
        while data := source.recv(1 << 16):
            target.sendall(data)
        target.shutdown(socket.SHUT_WR)
    except OSError:
        pass


def serve(client, place):
    """One connection. What breaks is the asking program's to report."""
    with client:
        try:
            server = socket.create_connection(place, timeout=60)
        except OSError:
            return
        with server:
            server.settimeout(None)
            back = threading.Thread(target=copy, args=(server, client))
            back.start()
            copy(client, server)
            back.join()


def accept(listener, place):
    while True:
        client, _ = listener.accept()
        threading.Thread(target=serve, args=(client, place),
                         daemon=True).start()


def start(command, places):
    """The command's process, and the sockets made in its network."""
    ours, theirs = socket.socketpair()
    process = os.fork()
    if process == 0:
        try:
            enter_network()
            made = [socket.create_server((address, port), backlog=128)
                    for (_, port), address in places.items()]
            socket.send_fds(theirs, [b"x"], [one.fileno() for one in made])
            for one in made:
                one.close()
            os.execvp(command[0], command)
        except OSError as error:
            print(f"only_hosts: {error}", file=sys.stderr)
        os._exit(127)
    theirs.close()
    _, sockets, _, _ = socket.recv_fds(ours, 1, len(places))
    return process, [socket.socket(fileno=one) for one in sockets]


def main():
    if "--" not in sys.argv[2:] or sys.argv[-1] == "--":
        sys.exit(__doc__)
    split = sys.argv.index("--")
    places = places_of(sys.argv[2:split])
    with open(sys.argv[1], "a", encoding="ascii") as hosts:
        for (host, _), address in places.items():
            hosts.write(f"{address} {host}\n")
    process, listeners = start(sys.argv[split + 1:], places)
    for listener, place in zip(listeners, places):
        threading.Thread(target=accept, args=(listener, place),
                         daemon=True).start()
    _, status = os.waitpid(process, 0)
    os._exit(os.waitstatus_to_exitcode(status) & 0xff)


if __name__ == "__main__":
    main()

"""Two networks on this machine, and a wire between them that can be cut.

The test has one, with the address HERE; what is made inside of `there()` is in
the other one, with the address THERE. Both are namespaces of their own, with
nothing of the machine's network in them, and end with the test. They need no
root where users may have namespaces.
"""

import contextlib
import ctypes
import os
import subprocess
import sys

HERE, THERE = "10.0.1.1", "10.0.2.1"
ENTERED = "SEENSET_TEST_NETWORK"
CLONE_NEWNET = 0x40000000
libc = ctypes.CDLL(None, use_errno=True)


def enter(name):
    """Starts this program again in a network of its own, once."""
    if ENTERED in os.environ:
        return
    new = ["unshare", "--user", "--map-root-user", "--net"]
    try:
        allowed = subprocess.run(
            [*new, "ip", "link", "add", "near", "type", "veth"],
            capture_output=True).returncode == 0
    except FileNotFoundError:
        allowed = False
    if not allowed:
        print("SKIPPED: %s was not tested: this machine allows no network "
              "namespaces, or has no unshare or ip" % name)
        sys.exit(77)
    os.environ[ENTERED] = "yes"
    os.execvp(new[0], [*new, sys.executable, *sys.argv])


def ip(words):
    subprocess.run(["ip", *words.split()], check=True)


def checked(result):
    if result != 0:
        raise OSError(ctypes.get_errno(), "network namespaces")


class Wire:
    def __init__(self):
        self.home = os.open("/proc/thread-self/ns/net", os.O_RDONLY)
        checked(libc.unshare(CLONE_NEWNET))
        self.away = os.open("/proc/thread-self/ns/net", os.O_RDONLY)
        checked(libc.setns(self.home, CLONE_NEWNET))
        ip("link add near type veth peer far netns /proc/%d/fd/%d" %
           (os.getpid(), self.away))
        ip("link set lo up")
        ip("address add %s/32 dev lo" % HERE)
        with self.there():
            ip("link set lo up")
            ip("address add %s/32 dev lo" % THERE)
        self.mend()

    @contextlib.contextmanager
    def there(self):
        """Processes, threads and connections that are made in this are in the
        other network, and stay in it."""
        checked(libc.setns(self.away, CLONE_NEWNET))
        try:
            yield
        finally:
            checked(libc.setns(self.home, CLONE_NEWNET))

    def cut(self):
        ip("link set near down")

    def mend(self):
        ip("link set near up")
        ip("route replace %s dev near src %s" % (THERE, HERE))
        with self.there():
            ip("link set far up")
            ip("route replace %s dev far src %s" % (HERE, THERE))

"""docs/three-machines.md: its blocks, in their order, on three machines and a
fourth, which are addresses of the loopback with folders of their own.

While loops of the page fetch a small web, the second machine is killed, comes
back and gets its part again, is lost for good and replaced, and the fourth is
added. Each page is fetched, and what was backed up is there again in the end.
"""

import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import unittest

from harness import COMMAND, MODULE, SERVER, PATIENCE, until
from server.tls import needs_tls

SOURCE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(
    os.path.abspath(__file__)))))
PAGE = os.path.join(SOURCE, "docs", "three-machines.md")
ADDRESS = "127.77.0.%d"
HOSTS = 60
DEPTH = 4  # pages of a host, each of which links to the next

# What fetches: it notes the URL, and prints the page's link.
FETCH = """#!/bin/sh
while IFS='	' read -r lease url; do
    echo "$url" >>"$FETCHED"
    page=${url##*/}
    [ "$page" -ge %d ] || echo "${url%%/*}/$((page + 1))"
done
""" % (DEPTH - 1)


def blocks():
    """(words after sh, text) of each block of shell, and the text of the
    settings."""
    with open(PAGE) as page:
        text = page.read()
    shell = re.findall(r"^```sh *(.*?)\n(.*?)^```", text, re.S | re.M)
    (settings,) = re.findall(r"^```text\n(.*?)^```", text, re.S | re.M)
    return shell, settings


def is_free(port):
    for machine in range(1, 5):
        for number in (port, port + 10000):
            with socket.socket() as probe:
                try:
                    probe.bind((ADDRESS % machine, number))
                except OSError:
                    return False
    return True


def free_ports():
    found = [port for port in range(20000, 30000, 7) if is_free(port)][:3]
    assert len(found) == 3
    return found


class Machines(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="seenset-three-")
        self.addCleanup(shutil.rmtree, self.folder, True)
        self.ports = free_ports()
        self.loops = {}
        self.addCleanup(self.end_all)
        shell, self.settings = blocks()
        self.names = dict(shell)["names"]
        self.shell = [row for row in shell if row[0] != "names"]
        os.mkdir(self.path("etc"))
        self.write("fetch", FETCH)
        os.chmod(self.path("fetch"), 0o755)
        for machine in range(1, 5):
            os.makedirs(self.path("machine%d/loop" % machine))
            os.mkdir(self.path("machine%d/backups" % machine))

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, text):
        with open(self.path(name), "w") as file:
            file.write(text)

    def lines(self, name):
        with open(self.path(name)) as file:
            return file.read().split()

    # ---- blocks ----

    def block(self, words):
        """The next block of the page, which has these words."""
        found, text = self.shell.pop(0)
        self.assertEqual(found, words)
        return text

    def here(self, text, machine):
        """A block as it is for a machine: with its own address where one
        stands, its folders, and shorter times."""
        own = self.path("machine%d" % machine)
        for was, now in (("/etc/crawl", self.path("etc")),
                         ("/var/lib/crawl", own + "/servers"),
                         ("/var/backups", own + "/backups"),
                         ("/path/to/seenset-redis.so", MODULE),
                         ("redis-server ", SERVER + " "),
                         ("seenset queue", COMMAND + " queue"),
                         ("--lease 600", "--lease 5"),
                         ("--wait=60", "--wait=8"),
                         ("cluster-node-timeout 5000",
                          "cluster-node-timeout 1500"),
                         ("6379", str(self.ports[0])),
                         ("6380", str(self.ports[1])),
                         ("6381", str(self.ports[2]))):
            text = text.replace(was, now)
        return re.sub(r"10\.0\.0\.(\d)", lambda found: ADDRESS %
                      int(found.group(1)), text)

    def start(self, text, machine, is_own=False, **more):
        """Begins a block on a machine; is_own: 10.0.0.1 in it is its own."""
        names = self.names.replace("10.0.0.1", "10.0.0.%d" % machine)
        if is_own:
            text = text.replace("10.0.0.1", "10.0.0.%d" % machine)
        environment = dict(os.environ, FETCHED=self.path("fetched"),
                           PATH=self.folder + ":" + os.environ["PATH"])
        return subprocess.Popen(
            ["sh", "-c", self.here(names + text, machine)], env=environment,
            start_new_session=True, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, **more)

    def run_on(self, machine, text, folder="", is_own=False, stdin=None):
        block = self.start("set -e\n" + text, machine, is_own,
                           cwd=self.path(folder), stdin=stdin)
        said = block.communicate(timeout=5 * PATIENCE)[0].decode()
        self.assertEqual(block.returncode, 0, said)
        return said

    def run_on_each(self, text, machines=(1, 2, 3)):
        for machine in machines:
            self.run_on(machine, text, is_own=True)

    # ---- machines ----

    def servers(self, machine):
        """The processes of a machine's servers."""
        found = []
        for number in filter(str.isdigit, os.listdir("/proc")):
            try:
                with open("/proc/%s/cmdline" % number, "rb") as file:
                    words = file.read()
            except OSError:
                continue
            if ((ADDRESS % machine).encode() + b":") in words:
                found.append(int(number))
        return found

    def end_machine(self, machine):
        """As if its plug were pulled: its servers and its loop."""
        if machine in self.loops:
            loop = self.loops.pop(machine)
            os.killpg(loop.pid, signal.SIGKILL)
            loop.communicate()
        for number in self.servers(machine):
            os.kill(number, signal.SIGKILL)
        until(lambda: not self.answers(machine), "the servers end")

    def listens(self, machine, port):
        try:
            socket.create_connection((ADDRESS % machine, port), 1).close()
        except OSError:
            return False
        return True

    def answers(self, machine):
        return any(self.listens(machine, port) for port in self.ports)

    def end_all(self):
        for machine in range(1, 5):
            self.end_machine(machine)

    def is_whole(self, machine):
        """Not before its first server listens."""
        if not self.listens(machine, self.ports[0]):
            return False
        said = self.run_on(machine, self.look, is_own=True)
        return "state:ok" in said and "slots_ok:16384" in said

    def masters(self):
        """(machine, port) of each that is not lost, by the first machine."""
        said = self.run_on(1, "cli -h 10.0.0.1 -p 6379 cluster nodes")
        rows = [line.split() for line in said.splitlines()]
        return [re.search(r"\.(\d):(\d+)@", row[1]).groups() for row in rows
                if "master" in row[2] and "fail" not in row[2]]

    def are_at_home(self):
        """Each machine has one master, at its first port."""
        return sorted(self.masters()) == [
            (machine, str(self.ports[0])) for machine in "123"]

    def replace_second(self, back):
        """Once a replica has taken over, with another of its address."""
        until(self.are_at_home, "it has its part")
        self.end_machine(2)
        until(lambda: not self.are_at_home() and self.is_whole(1),
              "a replica takes over again")
        shutil.rmtree(self.path("machine2/servers"))
        self.run_servers((2,))
        self.run_on(1, self.block("replace"))
        self.run_on(1, back)
        until(self.are_at_home, "each machine has one master")

    def loop_on(self, machine):
        self.loops[machine] = self.start(self.loop, machine, is_own=True,
                                         cwd=self.path("machine%d/loop"
                                                       % machine))

    def fetched(self):
        return len(self.lines("fetched"))

    def stat(self, machine=1):
        return dict(line.rsplit(None, 1) for line in
                    self.run_on(machine, "queue stat").splitlines()
                    if len(line.split()) == 2)

    # ---- the page ----

    def begin(self):
        self.run_on(1, self.block(""), "etc")
        self.write("etc/redis.conf", self.settings)
        with open(self.path("etc/redis.conf"), "w") as file:
            file.write(self.here(self.settings, 1)
                       .replace(self.path("machine1"), "MACHINE"))
        self.begin_servers = self.block("each")
        self.run_servers((1, 2, 3))
        said = self.run_on(1, self.block(""))
        self.assertIn("[OK] All 16384 slots covered.", said)

    def run_servers(self, machines):
        for machine in machines:
            own = self.path("machine%d" % machine)
            with open(self.path("etc/redis.conf")) as file:
                settings = file.read().replace("MACHINE", own)
            self.write("machine%d/redis.conf" % machine, settings)
            self.run_on(machine, self.begin_servers.replace(
                "/etc/crawl/redis.conf", own + "/redis.conf"), is_own=True)

    def test_page(self):
        wanted = {"http://host%d.example/%d" % (host, page)
                  for host in range(HOSTS) for page in range(DEPTH)}
        self.write("seeds", "".join("http://host%d.example/0\n" % host
                                    for host in range(HOSTS)))
        self.write("fetched", "")
        self.begin()
        push, self.loop = self.block(""), self.block("each loop")
        figures, self.look = self.block(""), self.block("")
        until(lambda: self.is_whole(1), "the cluster is whole")
        self.run_on(1, push)
        for machine in (1, 2, 3):
            self.loop_on(machine)
        until(lambda: self.fetched() > 20, "pages are fetched")
        self.assertIn('"pushed":', self.run_on(1, figures).replace(" ", ""))

        self.end_machine(2)
        until(lambda: self.is_whole(1), "a replica takes over")
        before = self.fetched()
        until(lambda: self.fetched() > before, "the crawl goes on")
        self.run_servers((2,))
        back = self.block("back")
        self.run_on(1, back)
        until(lambda: self.is_whole(2), "it is back")
        self.replace_second(back)
        self.loop_on(2)
        until(lambda: self.is_whole(2), "the other one is there")

        self.run_servers((4,))
        self.run_on(1, self.block("add"))
        until(lambda: self.is_whole(4), "the new one has its part")
        self.loop_on(4)
        for machine, loop in list(self.loops.items()):
            said = loop.communicate(timeout=3 * PATIENCE)[0].decode()
            self.assertEqual(loop.returncode, 0, said)
            del self.loops[machine]
        self.assertEqual(set(self.lines("fetched")), wanted)

        self.run_on(1, "queue push --replicas 1", stdin=subprocess.DEVNULL)
        self.run_on_each(self.block("each"), (1, 2, 3, 4))
        before = self.stat()
        self.write("later", "http://later.example/\n")
        with open(self.path("later")) as later:
            self.run_on(3, "queue push --replicas 1", stdin=later)
        self.assertNotEqual(self.stat(), before)
        restore = self.block("each restore")
        self.run_on_each(restore, (1, 2, 3, 4))
        until(lambda: self.is_whole(4), "the backup is whole")
        self.assertEqual(self.stat(4), before)
        self.assertEqual(self.shell, [])


if __name__ == "__main__":
    needs_tls()
    if shutil.which("redis-cli") is None:
        print("SKIPPED: three_machines was not tested: redis-cli is not "
              "installed")
        sys.exit(77)
    unittest.main()

"""Active defragmentation: blocks go where the server wants them, and all
answers, digests, leases and turns stay what they are.

Debian's Redis has no active defragmentation. So the tests of all types run in a
server between which and the module is mover.c, which moves each block after
each command. A server that has it, as Valkey (run.sh with REDIS_SERVER), does
so by itself as well.
"""

import os
import random
import shutil
import subprocess
import sys
import tempfile
import unittest

import harness
from harness import Server, field, keys, until

HERE = os.path.dirname(os.path.abspath(__file__))
SOURCE = os.path.join(HERE, "..", "..", "..")
sys.path += [os.path.join(HERE, ".."), os.path.join(HERE, "..", "by_host")]

# What is moved at each step, and what is not for a mover: it is a command and
# a module more; and the slowest, which add nothing.
FILES = ("bf", "cf", "dumps", "info", "seen", "valkey_bloom", "visit",
         "visit_files", "visit_hosts", "visit_model")
NOT_FOR_MOVERS = ("test_crawl_of_the_command_is_one_row",
                  "test_documentation_is_there",
                  "test_the_module_is_loaded_once",
                  "test_a_long_merge_lets_others_be_answered",
                  "test_no_key_is_forgotten")
FORGOTTEN = range(20, 3000, 249)  # blocks, each in a server of its own


def build(folder):
    library = os.path.join(folder, "mover.so")
    subprocess.run([os.environ.get("CC", "cc"), "-shared", "-fPIC", "-O1",
                    "-I", os.path.join(SOURCE, "fronts", "redis"), "-o",
                    library, os.path.join(HERE, "mover.c"), "-ldl"],
                   check=True)
    return library


def without_mover():
    harness.AROUND, library = "", harness.AROUND
    try:
        return Server()
    finally:
        harness.AROUND = library


def busy(c, rng):
    """A bit of all that keys can hold. Returns all that was replied."""
    said = []
    urls = ["http://h%d.example/%d" % (rng.randrange(40), rng.randrange(9999))
            for _ in range(100)]
    for name, words in VISITS.items():
        said.append(c("VISIT.NEW", name, *words))
        said.append(c("VISIT.PUSH", name, *urls))
        popped = c("VISIT.POP", name, "COUNT", 30, "LEASE", 10 ** 9)
        leases = [row[1][1:] for row in popped[1:]]
        said.append([row[1:] for row in popped[1:]])
        if leases:
            said.append(c("VISIT.ACK", name, *leases[::2]))
            said.append(c("VISIT.NACK", name, *leases[1::4]))
            said.append(c("VISIT.NACK", name, leases[3], "DELAY", 10 ** 9))
            said.append(c("VISIT.EXTEND", name, leases[5], "LEASE", 10 ** 8))
    said.append(c("SEEN.ADD", "set", *urls))
    said.append(c("BF.MADD", "filter", *urls))
    said.append(c("CF.INSERT", "cuckoo", "ITEMS", *urls))
    return said


def rest(c):
    """All that is left of it, and of what the clock is not a part."""
    said = [c("DEBUG", "DIGEST-VALUE", *FILTERS)]
    for name in VISITS:
        said.append(c("VISIT.PEEK", name, "COUNT", 5000))
        said.append(c("VISIT.DEAD", name))
        said.append([row.split(b",")[0] if isinstance(row, bytes) else row
                     for row in c("VISIT.INFO", name)[:5]])
        said.append(c("VISIT.ACK", name, *range(1, 2000)))
        said.append(c("VISIT.POP", name, "COUNT", 5000, "LEASE", 10 ** 9))
    said.append(c("SEEN.HAS", "set", *keys(100)))
    said.append(sorted(c("KEYS", "*")[1:]))
    said.append(len(c("INFO", "seenset").splitlines()))
    return said


VISITS = {"plain": (), "hosts": ("DELAY", 0, "PERHOST", 999, "GIVEUP", 3)}
FILTERS = ("set", "filter", "cuckoo")


class EveryBlock(unittest.TestCase):
    """What the mover does is seen, and a pointer that is left is found."""

    def run_busy(self, is_moved, forgets=0):
        """All replies and digests; shorter if the server ended."""
        server = (Server(environment={"MOVER_FORGETS": str(forgets)})
                  if is_moved else without_mover())
        self.addCleanup(server.stop)
        c, rng, said = server.client(), random.Random(7), []
        try:
            for _ in range(20):
                said.append(busy(c, rng))
            said.append(rest(c))
            self.moved = c("MOVER.MOVED") if is_moved else None
        except (OSError, LookupError, TypeError, ValueError):
            said.append("the server ended")
        c.close()
        return said

    def test_a_server_that_moves_is_like_one_that_does_not(self):
        wanted = self.run_busy(False)
        self.assertEqual(self.run_busy(True), wanted)
        moved, parts = (int(number[1:]) for number in self.moved[1:])
        self.assertGreater(moved, 10000)
        self.assertGreater(parts, 10)
        print("%d blocks moved, %d times a part of a key" % (moved, parts))

    def test_a_server_without_time_gets_to_the_end(self):
        """Of a key with more hosts than fit into one call."""
        server = Server(environment={"MOVER_HURRIES": "1"})
        self.addCleanup(server.stop)
        c = server.client()
        c("VISIT.NEW", "many", "DELAY", 1000)
        c("VISIT.PUSH", "many", *("http://h%d.example/" % i
                                  for i in range(1500)))
        before, calls = None, 0
        while (now := c("MOVER.MOVED")[2]) != before:
            before, calls = now, calls + 1
            self.assertLess(calls, 5000, "it begins again and again")
            c("VISIT.LEN", "many")
        c.close()
        self.assertGreater(calls, 10)

    def test_a_pointer_that_is_left_is_found(self):
        """Planted: of one block the module is told that it did not move. A
        few blocks are freed, or wait for more hosts, and are not read."""
        wanted = self.run_busy(False)
        missed = [number for number in FORGOTTEN
                  if self.run_busy(True, number) == wanted]
        print("of %d blocks that were left, %d were not read" %
              (len(FORGOTTEN), len(missed)))
        self.assertLess(len(missed), len(FORGOTTEN) / 2)


class ActiveDefrag(unittest.TestCase):
    """A server that does it, where there is one."""

    def setUp(self):
        self.server = without_mover()
        self.addCleanup(self.server.stop)
        self.c = self.server.client()
        self.addCleanup(self.c.close)
        said = self.c("CONFIG", "SET", "activedefrag", "yes")
        if said != "+OK":
            print("SKIPPED: this server has no active defragmentation (%s); "
                  "one that has it: make test-redis SERVER=PROGRAM" % said)
            self.skipTest("the server has no active defragmentation")
        self.c("CONFIG", "SET", "activedefrag", "no")

    def make_holes(self, rng):
        """Leases of which one in ten is left, among small sets of which one
        in ten is left."""
        for name in VISITS:
            self.c("VISIT.NEW", name, *VISITS[name])
        for at in range(0, 60000, 1000):
            for name in VISITS:
                self.c("VISIT.PUSH", name,
                       *("http://h%d.example/%d/%s" % (i % 3000, i, "x" * 150)
                         for i in range(at, at + 1000)))
            for i in range(at, at + 1000, 10):
                self.c("SEEN.ADD", "s%d" % i, "x")
        for name in VISITS:
            leases = []
            while True:
                popped = self.c("VISIT.POP", name, "COUNT", 5000, "LEASE",
                                10 ** 9)[1:]
                if not popped:
                    break
                leases += [row[1][1:] for row in popped]
            gone = rng.sample(leases, len(leases) * 9 // 10)
            for at in range(0, len(gone), 1000):
                self.c("VISIT.ACK", name, *gone[at:at + 1000])
        self.c("DEL", *("s%d" % i for i in range(0, 60000, 10) if i % 100))

    def digests(self):
        names = self.c("KEYS", "*")[1:]
        return dict(zip(names, self.c("DEBUG", "DIGEST-VALUE", *names)[1:]))

    def number(self, name, section="memory"):
        return float(field(self.c, section, name))

    def holes(self):
        return (self.number("allocator_active") -
                self.number("allocator_allocated"))

    def test_holes_are_given_back(self):
        self.make_holes(random.Random(11))
        before, holes = self.digests(), self.holes()
        for name, value in (("active-defrag-ignore-bytes", "100kb"),
                            ("active-defrag-threshold-lower", 1),
                            ("active-defrag-cycle-min", 50),
                            ("active-defrag-cycle-max", 75),
                            ("activedefrag", "yes")):
            self.assertEqual(self.c("CONFIG", "SET", name, value), "+OK")
        until(lambda: self.holes() < holes / 3, "holes are given back")
        self.assertGreater(self.number("active_defrag_hits", "stats"), 1000)
        self.assertEqual(self.digests(), before)
        self.assertEqual(self.c("SEEN.HAS", "s0", "x", "y"),
                         ["*", ":1", ":0"])
        print("holes before %.1f MB, after %.1f MB" %
              (holes / 1e6, self.holes() / 1e6))
        self.drain()

    def drain(self):
        """While the server goes on to move what is left."""
        for name in VISITS:
            left = self.c("VISIT.LEN", name)
            self.assertGreater(int(left[1:]), 5000)
            numbers = [number for number in range(1, 60001)]
            acked = 0
            for at in range(0, len(numbers), 500):
                acked += self.c("VISIT.ACK", name,
                                *numbers[at:at + 500]).count(":1")
            self.assertEqual(":%d" % acked, left)
            self.assertEqual(self.c("VISIT.LEN", name), ":0")


def load_tests(loader, tests, pattern):
    """All of FILES, with each of their servers behind a mover."""
    suite = unittest.TestSuite(tests)
    for name in FILES:
        for case in loader.loadTestsFromName(name):
            for test in case:
                if test._testMethodName not in NOT_FOR_MOVERS:
                    suite.addTest(test)
    return suite


if __name__ == "__main__":
    folder = tempfile.mkdtemp(prefix="seenset-mover-")
    try:
        harness.AROUND = build(folder)
        unittest.main()
    finally:
        shutil.rmtree(folder, ignore_errors=True)

"""A master is cut off from the others while a client beside it goes on, and
then the network is whole again: what the client was answered is undone, and
with --replicas 1 it was answered nothing. Where there may be no networks of its
own, it is skipped (network.py).

    run.sh split SOURCE BUILD
"""

import unittest

import network
from crawl import run
from harness import needs_crawls, until
from load import Load, urls
from nodes import SHARDS, Cluster, Node


class OneHost(Load):
    """All its URLs are in one partition, and so all is on one master."""

    def __init__(self, port, name, words, host):
        super().__init__(port, name, words)
        self.host = host

    def batch(self, first, count):
        return ["http://%s/%d" % (self.host, i)
                for i in range(first, first + count)]

    def do(self, words, lines=()):
        """Where --wait is for servers, one second is enough."""
        more = "" if words.startswith("pop") else " --wait=1"
        return super().do(words + more, lines)


class Split(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.wire = network.Wire()

    def setUp(self):
        with self.wire.there():
            self.alone = Node(address=network.THERE)
        others = [Node(address=network.HERE) for _ in range(2 * SHARDS - 1)]
        self.cluster = Cluster([self.alone, *others])
        self.addCleanup(self.cluster.stop)
        self.addCleanup(self.wire.mend)

    def here(self):
        return self.cluster.nodes[1].port

    def crawl_there(self, prefix, words):
        """One that has its own key and a host on the master that is to be
        alone, and 1,000 URLs in it."""
        slots = self.cluster.slots(self.alone)
        name = next(name for name in map((prefix + "%d").__mod__, range(999))
                    if int(self.alone("CLUSTER", "KEYSLOT", name)[1:]) in slots)
        for i in range(99):
            load = OneHost(self.here, name, words, "h%d.example" % i)
            load.push()
            if self.alone("KEYS", name + ":*")[1:]:
                return load
        raise AssertionError("no host is there")

    def work_alone(self, load, popped):
        """Beside the master until that one stops: pushes, and acknowledges
        what was popped before. A pop would ask all masters."""
        load.port = lambda: self.alone.port
        with self.wire.there():
            while self.alone.info("cluster_state") == "ok":
                load.turns += 1
                if load.turns % 2 and popped:
                    load.ack([popped.pop() for _ in range(50)])
                else:
                    load.push()
        load.port = self.here

    def undone(self, name, words):
        """Returns what was answered alone, pushes and acknowledgements, and
        what of each was undone."""
        load = self.crawl_there(name, words)
        before, popped = set(load.pushed), load.pop(500)
        self.assertEqual(len(popped), 500)
        # What was answered before is not what this is about.
        self.assertEqual(self.alone("WAIT", "1", "10000"), ":1")
        self.wire.cut()
        self.work_alone(load, popped)
        pushed, acked = load.pushed - before, set(load.acked)
        self.heal()
        lost = load.lost()
        load.drain()
        self.assertLessEqual(load.pushed, load.found)
        print("%s: answered alone: %d pushes, %d undone, and %d "
              "acknowledgements, %d undone" %
              (name, len(pushed), len(lost), len(acked), len(load.twice)))
        return pushed, acked, lost, load.twice

    def test_a_push_that_cannot_reach_all_ends(self):
        """One try to connect to a server, however many partitions it has."""
        load = self.crawl_there("ends", "")
        self.wire.cut()
        with self.wire.there():
            status, _, said = run(self.alone.port, "push --wait=1",
                                  urls(0, 1000), load.name)
        self.assertEqual(status, 2)
        self.assertIn("given up after 1 seconds", said)

    def heal(self):
        """Once its replica has its place."""
        others = self.cluster.nodes[1:]
        until(lambda: sum(node.is_master() for node in others) == SHARDS,
              "a replica takes over")
        self.wire.mend()
        until(lambda: not self.alone.is_master(), "it is a replica now")
        self.cluster.settle()

    def test_without_replicas_all_is_undone(self):
        pushed, acked, lost, twice = self.undone("bare", "")
        self.assertTrue(pushed and acked)
        self.assertEqual((lost, twice), (pushed, acked))

    def test_with_replicas_nothing_is_answered(self):
        self.assertEqual(self.undone("waited", " --replicas 1"),
                         (set(), set(), set(), set()))


if __name__ == "__main__":
    network.enter("split")
    needs_crawls("split")
    unittest.main(verbosity=2)

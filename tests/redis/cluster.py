"""A crawl in a cluster of three masters and three replicas on this machine:
slots move and masters are killed while URLs are pushed and popped.

    run.sh cluster SOURCE BUILD [KILLS]     KILLS masters are killed (1), and
                                            100 slots are moved for each
"""

import subprocess
import sys
import threading
import unittest
from collections import Counter

from crawl import run, stat
from harness import COMMAND, Server, free_port, needs_crawls, until

KILLS = int(sys.argv.pop()) if sys.argv[-1].isdigit() else 1
SLOTS = 16384
SHARDS = 3
OPTIONS = ("--cluster-enabled", "yes", "--cluster-node-timeout", "1500",
           "--cluster-replica-validity-factor", "0",
           "--repl-diskless-load", "swapdb")


class Node:
    def __init__(self):
        self.bus = free_port()
        self.server = Server(*OPTIONS, "--cluster-port", str(self.bus))
        self.port = self.server.port
        self.client = None
        self.id = self("CLUSTER", "MYID").decode()

    def __call__(self, *words):
        """On one connection, until the server is killed."""
        if self.client is None:
            self.client = self.server.client()
        return self.client(*words)

    def info(self, name):
        for line in self("CLUSTER", "INFO").decode().splitlines():
            if line.startswith(name + ":"):
                return line.split(":", 1)[1]
        return None

    def is_master(self):
        return self("ROLE")[1] == b"master"

    def replica_count(self):
        return len(self("ROLE")[3]) - 1

    def kill(self):
        self.server.kill()

    def revive(self):
        if self.client is not None:
            self.client.close()
        self.client = None
        self.server.start(self.port)


class Cluster:
    def __init__(self):
        self.nodes = [Node() for _ in range(2 * SHARDS)]
        first = self.nodes[0]
        for i, node in enumerate(self.nodes[:SHARDS]):
            node("CLUSTER", "ADDSLOTSRANGE", i * SLOTS // SHARDS,
                 (i + 1) * SLOTS // SHARDS - 1)
            node("CLUSTER", "SET-CONFIG-EPOCH", i + 1)
        for node in self.nodes[1:]:
            node("CLUSTER", "MEET", "127.0.0.1", first.port, first.bus)
        until(lambda: all(node.info("cluster_known_nodes") == "6"
                          for node in self.nodes), "all know each other")
        for i, node in enumerate(self.nodes[SHARDS:]):
            until(lambda: node("CLUSTER", "REPLICATE", self.nodes[i].id)
                  == "+OK", "a replica")
        self.settle()

    def settle(self):
        """Until each slot has a master, and each master its replica."""
        until(lambda: all(node.info("cluster_state") == "ok"
                          for node in self.nodes), "the cluster is whole")
        until(lambda: sorted(node.is_master() for node in self.nodes) ==
              [False] * SHARDS + [True] * SHARDS, "a master a shard")
        until(lambda: all(node.replica_count() == 1 for node in self.masters()),
              "a replica a master")
        until(lambda: all(node("WAIT", 1, 1000) == ":1"
                          for node in self.masters()), "replicas are there")

    def masters(self):
        return [node for node in self.nodes if node.is_master()]

    def move(self, source, target, slot):
        """One slot, as redis-cli does it."""
        target("CLUSTER", "SETSLOT", slot, "IMPORTING", source.id)
        source("CLUSTER", "SETSLOT", slot, "MIGRATING", target.id)
        while True:
            names = source("CLUSTER", "GETKEYSINSLOT", slot, 10)[1:]
            if not names:
                break
            answer = source("MIGRATE", "127.0.0.1", target.port, "", 0, 20000,
                            "KEYS", *names)
            assert answer == "+OK", answer
        for node in (target, source, *self.masters()):
            node("CLUSTER", "SETSLOT", slot, "NODE", target.id)

    def stop(self):
        for node in self.nodes:
            if node.client is not None:
                node.client.close()
            node.server.stop()


def urls(first, count):
    return ["http://h%d.example/%d" % (i * 7919 % 4999, i)
            for i in range(first, first + count)]


class Crawl(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.cluster = Cluster()

    @classmethod
    def tearDownClass(cls):
        cls.cluster.stop()

    def setUp(self):
        self.cluster.settle()
        for node in self.cluster.masters():
            node("FLUSHALL")

    def port(self):
        return self.cluster.nodes[0].port

    def drain(self):
        """All that is pending, popped and acknowledged in parts."""
        found = Counter()
        while True:
            status, popped, said = run(self.port(), "pop -n 5000")
            self.assertIn(status, (0, 1), said)
            if status == 1:
                return found
            found.update(line.split("\t")[1] for line in popped)
            self.assertEqual(run(self.port(), "ack", popped)[::2], (0, ""))

    def test_partitions_are_spread_evenly(self):
        wanted = urls(0, 20000)
        self.assertEqual(run(self.port(), "push", wanted), (0, [], ""))
        counts = [len(node("KEYS", "crawl:*")) - 1
                  for node in self.cluster.masters()]
        figures = stat(self.port())
        self.assertEqual(sum(counts), figures["with_urls"])
        self.assertLessEqual(max(counts) - min(counts), 40)
        self.assertEqual(figures["pushed"], len(wanted))
        self.assertEqual(self.drain(), Counter(wanted))
        self.assertEqual(stat(self.port())["acked"], len(wanted))

    def test_slots_move_under_load(self):
        source, target = self.cluster.masters()[:2]
        wanted = urls(0, 10000 + 10000 * KILLS)
        pushing = subprocess.Popen(
            [COMMAND, "queue", "push",
             "redis://127.0.0.1:%d/crawl" % self.port()],
            stdin=subprocess.PIPE)

        def feed():
            for at in range(0, len(wanted), 200):
                pushing.stdin.write("".join(
                    url + "\n" for url in wanted[at:at + 200]).encode())
                pushing.stdin.flush()
            pushing.stdin.close()

        feeder = threading.Thread(target=feed)
        feeder.start()
        mine = [row for row in source("CLUSTER", "SLOTS")[1:]
                if row[3][3].decode() == source.id]
        first, last = int(mine[0][1][1:]), int(mine[0][2][1:])
        for slot in range(first, min(first + 100 * KILLS, last)):
            self.cluster.move(source, target, slot)
        feeder.join()
        self.assertEqual(pushing.wait(), 0)
        self.assertEqual(self.drain(), Counter(wanted))

    def test_masters_are_killed_under_load(self):
        """With --replicas 1 what was answered is there after that, and no URL
        comes twice after an acknowledgement."""
        answered, done, at = set(), Counter(), 0
        for kill in range(KILLS):
            master = self.cluster.masters()[kill % SHARDS]
            killer = threading.Timer(0.3, master.kill)
            killer.start()
            for _ in range(6):
                batch = urls(at, 1500)
                at += len(batch)
                # Without its replica a master answers no WAIT: that is an
                # error, and nothing of the batch counts as answered.
                status, _, _ = run(self.port_of_living(master),
                                   "push --replicas 1 --wait=1", batch)
                if status == 0:
                    answered.update(batch)
            killer.join()
            master.revive()
            self.cluster.settle()
            self.assertEqual(run(self.port(), "push --replicas 1",
                                 urls(0, at))[::2], (0, ""))
            popped = run(self.port(), "pop -n 100000 --replicas 1")[1]
            found = [line.split("\t")[1] for line in popped]
            self.assertLessEqual(answered, set(found) | set(done))
            self.assertEqual(run(self.port(), "ack --replicas 1",
                                 popped)[::2], (0, ""))
            done.update(found)
        self.assertEqual(done, Counter(urls(0, at)))

    def test_the_judge_sees_a_partition_that_is_lost(self):
        """Planted: its URLs are not drained."""
        wanted = urls(0, 5000)
        run(self.port(), "push", wanted)
        master = self.cluster.masters()[0]
        name = next(name for name in master("KEYS", "crawl:*")[1:])
        self.assertEqual(master("DEL", name), ":1")
        self.assertNotEqual(self.drain(), Counter(wanted))

    def port_of_living(self, killed):
        return next(node.port for node in self.cluster.nodes
                    if node is not killed)


if __name__ == "__main__":
    needs_crawls("cluster")
    unittest.main(verbosity=2)

"""A cluster of three masters, each with a replica, in servers of its own."""

import unittest

from harness import Server, free_port, until

SLOTS = 16384
SHARDS = 3
OPTIONS = ("--cluster-enabled", "yes", "--cluster-node-timeout", "1500",
           "--cluster-replica-validity-factor", "0",
           "--repl-diskless-load", "swapdb")


class Node:
    """Others reach it at its address, and the tests at 127.0.0.1."""

    def __init__(self, *options, address="127.0.0.1"):
        self.address = address
        self.bus = free_port()
        self.server = Server(
            *OPTIONS, "--bind", *sorted({"127.0.0.1", address}),
            "--protected-mode", "no" if address != "127.0.0.1" else "yes",
            "--cluster-announce-ip", address,
            "--cluster-port", str(self.bus), *options)
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


def new_nodes(*options):
    return [Node(*options) for _ in range(2 * SHARDS)]


class Cluster:
    def __init__(self, nodes):
        """The first three become masters, the others their replicas."""
        self.nodes = nodes
        first = nodes[0]
        for i, node in enumerate(self.nodes[:SHARDS]):
            node("CLUSTER", "ADDSLOTSRANGE", i * SLOTS // SHARDS,
                 (i + 1) * SLOTS // SHARDS - 1)
            node("CLUSTER", "SET-CONFIG-EPOCH", i + 1)
        for node in self.nodes[1:]:
            node("CLUSTER", "MEET", first.address, first.port, first.bus)
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

    def living(self):
        return [node for node in self.nodes
                if node.server.process.poll() is None]

    def port(self):
        return self.living()[0].port

    def masters(self):
        return [node for node in self.living() if node.is_master()]

    def fail_over(self, master):
        """Kills a master and starts it again, empty, once its replica has its
        place. Sooner, it would be the master still, and its replica would copy
        an empty one."""
        master.kill()
        until(lambda: len(self.masters()) == SHARDS, "a replica takes over")
        master.revive()

    def slots(self, master):
        """The first row of a master's."""
        row = next(row for row in master("CLUSTER", "SLOTS")[1:]
                   if row[3][3].decode() == master.id)
        return range(int(row[1][1:]), int(row[2][1:]) + 1)

    def move(self, source, target, slot):
        """One slot, as redis-cli does it."""
        target("CLUSTER", "SETSLOT", slot, "IMPORTING", source.id)
        source("CLUSTER", "SETSLOT", slot, "MIGRATING", target.id)
        while True:
            names = source("CLUSTER", "GETKEYSINSLOT", slot, 10)[1:]
            if not names:
                break
            answer = source("MIGRATE", target.address, target.port, "", 0,
                            20000, "KEYS", *names)
            assert answer == "+OK", answer
        for node in (target, source, *self.masters()):
            node("CLUSTER", "SETSLOT", slot, "NODE", target.id)

    def stop(self):
        for node in self.nodes:
            if node.client is not None:
                node.client.close()
            node.server.stop()


class ClusterTest(unittest.TestCase):
    """One cluster for the tests of a class; each begins without keys."""

    @classmethod
    def setUpClass(cls):
        cls.cluster = Cluster(new_nodes())

    @classmethod
    def tearDownClass(cls):
        cls.cluster.stop()

    def setUp(self):
        self.cluster.settle()
        for node in self.cluster.masters():
            node("FLUSHALL")

"""CLUSTER MIGRATESLOTS of Valkey 9: slots go to another server all at once,
while clients write.

    run.sh atomic_slots SOURCE BUILD [ROUNDS]    slots go there and back (2)

The server sends a slot as commands, as a log that is rewritten, and then what
was written after that. A server that lacks the command is not tested.
"""

import sys
import threading
import unittest

from harness import Server, field, free_port, keys, needs_crawls, until
from load import Load
from nodes import ClusterTest
from persist import digests, fill
from visit_files import fill as fill_visits

ROUNDS = int(sys.argv.pop()) if sys.argv[-1].isdigit() else 2
TAG = "{x}"
OVER = (b"success", b"failed", b"cancelled")
LATE = 4 * 10 ** 12  # in ms since 1970


class Tagged:
    """A client whose keys are all in one slot, and which follows that."""

    def __init__(self, nodes, prefix=""):
        self.nodes, self.prefix = nodes, TAG + prefix
        self.clients = {}
        self.port = nodes[0].port
        self.moved = 0

    def client(self):
        if self.port not in self.clients:
            node = next(n for n in self.nodes if n.port == self.port)
            self.clients[self.port] = node.server.client()
        return self.clients[self.port]

    def __call__(self, *words):
        first, end = {"DEBUG": (2, len(words)), "COPY": (1, 3),
                      "CONFIG": (1, 1)}.get(words[0], (1, 2))
        words = (*words[:first],
                 *(self.prefix + name for name in words[first:end]),
                 *words[end:])
        while True:
            reply = self.client()(*words)
            if not str(reply).startswith("-MOVED"):
                return reply
            self.port = int(reply.rsplit(":", 1)[1])
            self.moved += 1

    def close(self):
        for client in self.clients.values():
            client.close()


def rows(node):
    """The moves of slots that a server knows of, the newest first."""
    return [dict(zip(row[1::2], row[2::2])) if isinstance(row, list) else row
            for row in node("CLUSTER", "GETSLOTMIGRATIONS")[1:]]


class AtomicSlots(ClusterTest):
    @classmethod
    def setUpClass(cls):
        probe = Server("--cluster-enabled", "yes",
                       "--cluster-port", str(free_port()))
        client = probe.client()
        said = client("CLUSTER", "GETSLOTMIGRATIONS")
        client.close()
        probe.stop()
        if said != ["*"]:
            print("SKIPPED: this server has no CLUSTER MIGRATESLOTS (%s); "
                  "Valkey 9 has: make test-redis SERVER=PROGRAM" % said)
            sys.exit(77)
        super().setUpClass()

    def begin(self, source, target, first, last):
        self.assertEqual(source("CLUSTER", "MIGRATESLOTS", "SLOTSRANGE", first,
                                last, "NODE", target.id), "+OK")

    def states(self, node):
        return [row[b"state"] for row in rows(node)]

    def finish(self, source, wanted=b"success"):
        until(lambda: all(state in OVER for state in self.states(source)),
              "slots have moved")
        self.assertEqual(self.states(source)[0], wanted, rows(source))

    def migrate(self, source, target, first, last):
        self.begin(source, target, first, last)
        self.finish(source)

    def owner(self, slot):
        return next(node for node in self.cluster.masters()
                    if slot in self.slots(node))

    def slots(self, node):
        return {slot for row in node("CLUSTER", "SLOTS")[1:]
                if row[3][3].decode() == node.id
                for slot in range(int(row[1][1:]), int(row[2][1:]) + 1)}

    def slot(self):
        return int(self.cluster.masters()[0]("CLUSTER", "KEYSLOT", TAG)[1:])

    def tagged(self, prefix=""):
        tagged = Tagged(self.cluster.masters(), prefix)
        self.addCleanup(tagged.close)
        return tagged

    def fill(self):
        """Keys of each kind in one slot. Returns what asks for their digests,
        by the server that has them."""
        sets, visits = self.tagged("set:"), self.tagged("visit:")
        names, partitions = fill(sets), fill_visits(visits)
        sets("PEXPIREAT", "filter", LATE)

        def ask():
            for tagged in sets, visits:
                tagged("EXISTS", names[0])  # DEBUG is not sent elsewhere
            found = digests(sets, names)
            found.update(zip(["visit:" + name for name in partitions],
                             visits("DEBUG", "DIGEST-VALUE", *partitions)[1:]))
            found["filter lives until"] = sets("PEXPIRETIME", "filter")
            return found

        before = ask()
        self.assertEqual(len(set(before.values())), len(before))
        return ask, before

    def other(self, node):
        return next(one for one in self.cluster.masters() if one is not node)

    def replica_of(self, master):
        port = int(master("ROLE")[3][1][2])  # a list, with its kind before
        return next(node for node in self.cluster.nodes if node.port == port)

    def test_the_module_says_that_it_can(self):
        text = self.cluster.nodes[0]("INFO", "modules").decode()
        self.assertIn("handle-atomic-slot-migration", text)

    def test_each_kind_of_key_arrives_whole(self):
        """Leases and their times, half-loaded keys, times of life; and at the
        replica of the server that has them now."""
        ask, before = self.fill()
        slot = self.slot()
        source = self.owner(slot)
        target = self.other(source)
        self.migrate(source, target, slot, slot)
        self.assertEqual(ask(), before)
        self.assertIs(self.owner(slot), target)
        until(lambda: source("DBSIZE") == ":0", "the source has none of them")
        until(lambda: self.bytes(source) == 0, "the source frees their memory")
        self.assertEqual(target("WAIT", 1, 60000), ":1")
        names = target("KEYS", "*")[1:]
        self.assertEqual(
            self.replica_of(target)("DEBUG", "DIGEST-VALUE", *names)[1:],
            target("DEBUG", "DIGEST-VALUE", *names)[1:])

    def bytes(self, node):
        return int(field(node, "seenset", "seenset_memory_bytes"))

    def write(self, c, twin, stop):
        """The same commands here and on a server alone, which have to reply
        the same. A lease's number is the same, its time is not replied."""
        step = 0
        while not stop.is_set() or step < 50:
            urls = ["http://h%d.example/%d" % (i % 40, i)
                    for i in range(step * 20, step * 20 + 30)]
            for words in (
                    ("BF.MADD", "filter", *urls), ("SEEN.ADD", "set", *urls),
                    ("CF.INSERT", "cuckoo", "ITEMS", *urls),
                    ("CF.DEL", "cuckoo", urls[0]),
                    ("VISIT.PUSH", "plain", *urls),
                    ("VISIT.PUSH", "hosts", *urls),
                    ("VISIT.POP", "plain", "COUNT", 15, "LEASE", 10 ** 9),
                    ("VISIT.POP", "hosts", "COUNT", 15, "LEASE", 10 ** 9),
                    ("VISIT.ACK", "plain", *range(step * 14, step * 14 + 9)),
                    ("VISIT.NACK", "hosts", *range(step * 14, step * 14 + 9)),
                    ("VISIT.LEN", "plain"), ("VISIT.LEN", "hosts")):
                replies = c(*words), twin(*words)
                if replies[0] != replies[1]:
                    self.wrong.append((words[:2], replies))
            step += 1
        self.steps = step

    def test_a_client_that_writes_sees_nothing_of_it(self):
        c, alone = self.tagged(), Server()
        self.addCleanup(alone.stop)
        twin, slot = alone.client(), self.slot()
        for client in c, twin:
            client("VISIT.NEW", "hosts", "DELAY", 0, "PERHOST", 999)
            client("SEEN.NEW", "set", "CAPACITY", 500000)
            client("SEEN.ADD", "set", *keys(50000))
        self.wrong, stop = [], threading.Event()
        writer = threading.Thread(target=self.write, args=(c, twin, stop))
        writer.start()
        try:
            for _ in range(ROUNDS):
                source = self.owner(slot)
                for target in self.cluster.masters():
                    if target is not source:
                        self.migrate(source, target, slot, slot)
                        source = target
        finally:
            stop.set()
            writer.join()
        self.assertEqual(self.wrong, [])
        self.assertGreaterEqual(c.moved, 2 * ROUNDS)
        for name in ("filter", "set", "cuckoo"):
            self.assertEqual(c("DEBUG", "DIGEST-VALUE", name),
                             twin("DEBUG", "DIGEST-VALUE", name))
        print("%d moves, %d rounds of commands" % (c.moved, self.steps))
        twin.close()

    def test_a_crawl_goes_on(self):
        """The command's crawl, of which a third of the slots moves."""
        load = Load(self.cluster.port, "crawl", lease_seconds=3600)
        source, target = self.cluster.masters()[:2]
        first = min(self.slots(source))
        with load.at_work():
            for _ in range(ROUNDS):
                self.migrate(source, target, first, first + 2000)
                self.migrate(target, source, first, first + 2000)
        self.assertEqual(load.lost(), set())
        load.drain()
        self.assertEqual(load.found, load.pushed)
        self.assertEqual((load.twice, load.failed), (set(), 0))

    def test_a_move_that_is_cancelled_leaves_nothing(self):
        ask, before = self.fill()
        slot = self.slot()
        source = self.owner(slot)
        target = self.other(source)
        self.begin(source, target, slot, slot)
        source("CLUSTER", "CANCELSLOTMIGRATIONS")
        until(lambda: all(state in OVER for state in self.states(source)),
              "it is over")
        if self.states(source)[0] == b"success":  # it was faster
            source, target = target, source
        self.assertEqual(ask(), before)
        until(lambda: target("DBSIZE") == ":0" and self.bytes(target) == 0,
              "the target has none of it")

    def test_the_twin_sees_a_write_that_is_lost(self):
        """Planted: a command that only one of the two gets."""
        c, alone = self.tagged(), Server()
        self.addCleanup(alone.stop)
        self.wrong, stop = [], threading.Event()
        stop.set()
        twin = alone.client()
        twin("VISIT.PUSH", "plain", "http://h0.example/0")
        self.write(c, twin, stop)
        self.assertNotEqual(self.wrong, [])
        twin.close()


if __name__ == "__main__":
    needs_crawls("atomic_slots")
    unittest.main(verbosity=2)

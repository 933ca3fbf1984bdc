"""VISIT.*: random commands on a partition, against an exact model of it.

    run.sh visit_model SOURCE BUILD [STEPS]    STEPS random commands (300)
"""

import random
import sys
import unittest

from harness import Server, field, until

STEPS = int(sys.argv.pop()) if sys.argv[-1].isdigit() else 300
SEED = 41
LONG = 10 ** 9  # a lease in ms, longer than any test


class Twin:
    """A partition that is exact and slow."""

    def __init__(self):
        self.seen, self.pending = set(), []
        self.out = {}  # number: [url, data, times]
        self.due, self.waiting = {}, {}  # the same, of those given back
        self.next = 1

    def push(self, batch):
        answers = []
        for url, data in batch:
            answers.append(":%d" % (url not in self.seen))
            if url not in self.seen:
                self.seen.add(url)
                self.pending.append([url, data, 0])
        return ["*"] + answers

    def popped(self, reply, count):
        """Whether a reply of VISIT.POP may be one, and what comes of it."""
        due = {tuple(row[:2]): number for number, row in self.due.items()}
        wanted = min(count, len(self.due) + len(self.pending))
        if len(reply) - 1 != wanted:
            return False
        again = min(count, len(self.due))
        for i, (_, number, url, data, times) in enumerate(reply[1:]):
            if i < again:
                row = self.due.pop(due.pop((url, data), None), None)
            else:
                row = self.pending.pop(0)
            if row is None or number != ":%d" % self.next:
                return False
            row[2] += 1
            if [url, data, times] != [row[0], row[1], ":%d" % row[2]]:
                return False
            self.out[self.next] = row
            self.next += 1
        return True

    def taken(self, leases, rows=None, times=lambda times: times):
        """Leases that are out leave; rows gets them under a new number, with
        what their times become."""
        answers = []
        for lease in leases:
            row = self.out.pop(lease, None)
            answers.append(":%d" % (row is not None))
            if row is not None and rows is not None:
                row[2] = times(row[2])
                rows[self.next] = row
                self.next += 1
        return ["*"] + answers

    def count(self):
        return sum(map(len, (self.pending, self.out, self.due, self.waiting)))


class Model(unittest.TestCase):
    def setUp(self):
        self.rng = random.Random(SEED)
        self.server = Server("--appendonly", "yes", "--appendfsync", "no",
                             "--aof-use-rdb-preamble", "no",
                             "--repl-backlog-size", "32mb")
        self.addCleanup(self.server.stop)
        self.c = self.server.client()
        self.addCleanup(self.c.close)
        self.twin = Twin()

    def some_leases(self):
        known = list(self.twin.out)
        found = self.rng.sample(known, min(len(known), self.rng.choice(
            (1, 3, 100))))
        return found + [self.rng.randrange(1, self.twin.next + 3)]

    def push(self):
        batch = []
        for _ in range(self.rng.choice((1, 10, 500))):
            url = b"https://h%d.example/%d" % (self.rng.randrange(50),
                                               self.rng.randrange(10 ** 6))
            data = self.rng.choice((None, b"", b"depth=%d"
                                    % self.rng.randrange(9)))
            batch.append((url, data))
        words = []
        for url, data in batch:
            words += [url] if data is None else [url, "DATA", data]
        self.assertEqual(self.c("VISIT.PUSH", "k", *words),
                         self.twin.push(batch))

    def pop(self):
        count = self.rng.choice((1, 7, 100, 2000))
        reply = self.c("VISIT.POP", "k", "COUNT", count, "LEASE", LONG)
        self.assertTrue(self.twin.popped(reply, count), reply)

    def ack(self):
        leases = self.some_leases()
        self.assertEqual(self.c("VISIT.ACK", "k", *leases),
                         self.twin.taken(leases))

    def nack(self):
        """Also as untried, and as visited."""
        leases = self.some_leases()
        delay = self.rng.choice((0, LONG))
        rows = self.twin.waiting if delay else self.twin.due
        command, words, times = self.rng.choice((
            ("NACK", ("DELAY", delay), lambda times: times),
            ("NACK", ("DELAY", delay, "UNTRIED"), lambda times: times - 1),
            ("ACK", ("AGAIN", delay), lambda _: 0)))
        self.assertEqual(self.c("VISIT." + command, "k", *leases, *words),
                         self.twin.taken(leases, rows, times))

    def end(self):
        """Leases end by the clock: 1 ms is over when PEEK has them all."""
        leases = [lease for lease in dict.fromkeys(self.some_leases())
                  if lease in self.twin.out]
        if not leases:
            return
        self.c("VISIT.EXTEND", "k", *leases, "LEASE", 1)
        for lease in leases:
            self.twin.due[lease] = self.twin.out.pop(lease)
        due = sorted(row[0] for row in self.twin.due.values())
        until(lambda: sorted(row[1] for row in self.c(
            "VISIT.PEEK", "k", "COUNT", len(due))[1:]) == due, "leases end")

    def test_random_commands(self):
        acts = [self.push] * 5 + [self.pop] * 5 + [self.ack] * 4 + [
            self.nack, self.end]
        for step in range(STEPS):
            self.rng.choice(acts)()
            self.assertEqual(self.c("VISIT.LEN", "k"),
                             ":%d" % self.twin.count(), step)
            if step % 100 == 99:
                self.elsewhere()
        self.replicas()
        self.assertGreater(self.twin.next, 3 * STEPS)

    def digest(self, client, key="k"):
        return client("DEBUG", "DIGEST-VALUE", key)[1]

    def elsewhere(self):
        """The log, a copy and a payload make the same."""
        before = self.digest(self.c)
        self.c("COPY", "k", "copy", "REPLACE")
        self.assertEqual(self.digest(self.c, "copy"), before)
        self.c("RESTORE", "k", 0, self.c("DUMP", "copy"), "REPLACE")
        self.assertEqual(self.digest(self.c), before)
        self.c("DEBUG", "LOADAOF")
        self.assertEqual(self.digest(self.c), before)

    def replicas(self):
        """A replica that was there before, and one that comes later."""
        replica = Server()
        self.addCleanup(replica.stop)
        r = replica.client()
        r("REPLICAOF", "127.0.0.1", self.server.port)
        until(lambda: field(r, "replication", "master_link_status") == "up",
              "the replica is in step")
        for _ in range(100):
            self.rng.choice((self.push, self.pop, self.ack, self.nack))()
        self.assertEqual(self.c("WAIT", 1, 60000), ":1")
        self.assertEqual(self.digest(r), self.digest(self.c))
        r.close()

    def test_the_twin_sees_a_wrong_reply(self):
        """Planted: a URL handed out twice, and one that is missing."""
        self.twin.push([(b"a", None), (b"b", None)])
        self.assertFalse(Twin().popped(["*", ["*", ":1", b"a", None, ":1"]], 1))
        twice = ["*", ["*", ":1", b"a", None, ":1"],
                 ["*", ":2", b"a", None, ":1"]]
        self.assertFalse(self.twin.popped(twice, 2))


if __name__ == "__main__":
    unittest.main(verbosity=2)

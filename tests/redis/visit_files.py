"""A partition is the same in the server's files, on replicas and elsewhere."""

import time
import unittest

from harness import Server, Test, dump, field, keys, until

LONG = 10 ** 9
LOADING = ("-ERR the partition of this key is not loaded whole yet: see "
           "VISIT.LOAD")
BODY = 10  # of DUMP: the type comes before, and a checksum of 10 bytes after


def number(data, at):
    """One of the server's lengths, and what follows it."""
    first = data[at]
    if first >> 6 == 0:
        return first, at + 1
    if first >> 6 == 1:
        return (first & 63) << 8 | data[at + 1], at + 2
    size = 4 if first == 0x80 else 8
    return int.from_bytes(data[at + 1:at + 1 + size], "big"), at + 1 + size


def partition(client, key):
    """The bytes of a partition, out of the payload of DUMP."""
    client("CONFIG", "SET", "rdbcompression", "no")
    payload = client("DUMP", key)
    found, at, numbers = b"", BODY, []
    while len(numbers) < 2:  # flags and total
        _, at = number(payload, at)  # an opcode: a number follows
        value, at = number(payload, at)
        numbers.append(value)
    while len(found) < numbers[1]:
        _, at = number(payload, at)
        size, at = number(payload, at)
        found += payload[at:at + size]
        at += size
    return found


def load(client, key, data, size=10000, first=0):
    for at in range(first, len(data), size):
        reply = client("VISIT.LOAD", key, at, len(data), data[at:at + size])
        if reply != "+OK":
            return reply
    return "+OK"


def fill(client):
    """Keys in every state. Returns their names."""
    client("VISIT.NEW", "empty", "CAPACITY", 50, "RATE", 0.01)
    client("VISIT.PUSH", "small", "a", "DATA", "1", "b")
    for at in range(0, 20000, 1000):
        client("VISIT.PUSH", "large", *keys(1000, at))
    popped = client("VISIT.POP", "large", "COUNT", 3000, "LEASE", LONG)
    leases = [int(row[1][1:]) for row in popped[1:]]
    client("VISIT.ACK", "large", *leases[::3])
    client("VISIT.NACK", "large", *leases[1::30], "DELAY", LONG)
    client("VISIT.NACK", "large", *leases[2::30])
    client("VISIT.EXTEND", "large", *leases[7::30], "LEASE", LONG // 2)
    client("VISIT.POP", "large", "COUNT", 50, "LEASE", LONG)
    client("VISIT.LIMIT", "large", 12345678)
    data = partition(client, "large")
    client("VISIT.LOAD", "half", 0, len(data), data[:90000])
    client("COPY", "small", "both")
    client("VISIT.LOAD", "both", 0, len(data), data[:90000])
    fill_by_host(client)
    return ["empty", "small", "large", "half", "both", "hosts", "halfhosts"]


def fill_by_host(client):
    """Hosts in every state: with packed blocks, few items, settings, blocks,
    spent budgets; leases that are out, due, given back and dead."""
    client("VISIT.NEW", "hosts", "DELAY", 1, "PERHOST", 3, "BUDGET", 3000,
           "GIVEUP", 2, "FROM", "end", "BY", "hostport")
    for at in range(0, 4000, 1000):
        client("VISIT.PUSH", "hosts", *keys(1000, at), "x%d" % at, "DATA", "d")
    client("VISIT.PUSH", "hosts", *("https://h%d.example/%d" % (i % 50, i)
                                    for i in range(400)))
    for times in range(2):
        popped = client("VISIT.POP", "hosts", "COUNT", 30, "LEASE", LONG)
        leases = [int(row[1][1:]) for row in popped[1:]]
        client("VISIT.ACK", "hosts", *leases[:3])
        client("VISIT.NACK", "hosts", *leases[3:20])
        time.sleep(0.01)
    popped = client("VISIT.POP", "hosts", "COUNT", 30, "LEASE", LONG)
    leases = [int(row[1][1:]) for row in popped[1:]]
    client("VISIT.NACK", "hosts", *leases[3:5], "UNTRIED")
    client("VISIT.NACK", "hosts", *leases[5:7], "UNTRIED", "DELAY", LONG)
    client("VISIT.EXTEND", "hosts", *leases[7:9], "LEASE", 1)
    client("VISIT.HOST", "hosts", "h1.example", "DELAY", 5000)
    client("VISIT.HOST", "hosts", "h2.example", "BLOCK", LONG, "BUDGET", 9)
    client("VISIT.HOST", "hosts", "nowhere.example", "BLOCK", LONG)
    time.sleep(0.01)
    client("VISIT.POP", "hosts", "COUNT", 5, "LEASE", LONG)
    figures = client("VISIT.INFO", "hosts")
    for name in ("+leased", "+given-back", "+dead", "+refused",
                 "+packed-blocks", "+pending"):
        if figures[figures.index(name) + 1] == ":0":
            raise AssertionError("none is in the state " + name)
    data = partition(client, "hosts")
    if not data.startswith(b"SEENVST3"):
        raise AssertionError("it has another version")
    client("VISIT.LOAD", "halfhosts", 0, len(data), data[:9000])


def digests(client, names):
    return client("DEBUG", "DIGEST-VALUE", *names)[1:]


class Files(unittest.TestCase):
    def survives(self, *options, write=None):
        server = Server(*options)
        self.addCleanup(server.stop)
        client = server.client()
        names = fill(client)
        data = partition(client, "large")
        before = digests(client, names)
        self.assertEqual(len(set(before)), len(names))
        about = client("VISIT.INFO", "large")
        if write is not None:
            write(client)
        client.close()
        server.restart()
        client = server.client()
        self.assertEqual(digests(client, names), before)
        after = client("VISIT.INFO", "large")
        for name in ("pending", "leased", "given-back", "next-due-ms",
                     "limit", "seen"):
            at = about.index("+" + name)
            self.assertEqual(after[at + 1], about[at + 1], name)
        self.goes_on(client, data)
        client.close()

    def goes_on(self, client, data):
        for name in ("half", "both"):
            self.assertEqual(load(client, name, data, first=90000), "+OK")
            self.assertEqual(digests(client, [name]),
                             digests(client, ["large"]))
        pushed = client("VISIT.PUSH", "large", *keys(20000))
        self.assertEqual(pushed.count(":1"), 0)
        wanted = int(client("VISIT.LEN", "large")[1:])
        got = client("VISIT.POP", "large", "COUNT", 100000)
        rest = client("VISIT.INFO", "large")
        self.assertEqual(wanted, sum(
            int(rest[rest.index(name) + 1][1:])
            for name in ("+leased", "+given-back")))
        numbers = [row[1] for row in got[1:]]
        self.assertEqual(len(set(numbers)), len(numbers))

    def test_a_snapshot(self):
        self.survives(write=lambda client: client("SAVE"))

    def test_the_log_of_commands(self):
        self.survives("--appendonly", "yes")

    def test_a_rewritten_log_of_commands(self):
        self.survives("--appendonly", "yes", "--aof-use-rdb-preamble", "no",
                      write=self.rewrite)

    def rewrite(self, client):
        client("BGREWRITEAOF")
        until(lambda: field(client, "persistence", "aof_rewrite_in_progress")
              == "0" and field(client, "persistence", "aof_rewrite_scheduled")
              == "0", "the log is rewritten")
        self.assertEqual(
            field(client, "persistence", "aof_last_bgrewrite_status"), "ok")

    def test_what_changes_nothing_is_not_logged(self):
        server = Server("--appendonly", "yes", "--appendfsync", "no")
        self.addCleanup(server.stop)
        client = server.client()
        client("VISIT.PUSH", "k", "a")
        client("VISIT.POP", "k", "LEASE", LONG)
        size = field(client, "persistence", "aof_current_size")
        client("VISIT.PUSH", "k", "a", "a")
        client("VISIT.POP", "k")
        client("VISIT.ACK", "k", 7)
        client("VISIT.NACK", "k", 7)
        client("VISIT.EXTEND", "k", 7)
        client("VISIT.POP", "missing")
        self.assertEqual(field(client, "persistence", "aof_current_size"),
                         size)
        client.close()

    def test_a_log_that_ends_early_is_a_crawl_before(self):
        """Never seen and not queued: what is in the set, and was not
        acknowledged, is there, wherever the log ends."""
        server = Server("--appendonly", "yes", "--aof-use-rdb-preamble", "no")
        self.addCleanup(server.stop)
        client = server.client()
        for at in range(0, 300, 30):
            client("VISIT.PUSH", "k", *keys(30, at))
            client("VISIT.POP", "k", "COUNT", 10, "LEASE", LONG)
        name = next(path for path in server.files("appendonlydir")
                    if path.endswith(".incr.aof"))
        client.close()
        server.end()
        with open(name, "rb") as file:
            whole = file.read()
        for end in range(200, len(whole), len(whole) // 15):
            with open(name, "wb") as file:
                file.write(whole[:end])
            server.start()
            client = server.client()
            left = client("VISIT.LEN", "k")
            seen = client("VISIT.PUSH", "k", *keys(300))[1:].count(":0")
            self.assertEqual(left, ":%d" % seen)
            client.close()
            server.kill()


class Replicas(unittest.TestCase):
    def setUp(self):
        self.master = Server("--repl-backlog-size", "32mb")
        self.addCleanup(self.master.stop)
        self.replica = Server()
        self.addCleanup(self.replica.stop)
        self.m = self.master.client()
        self.r = self.replica.client()
        self.addCleanup(self.m.close)
        self.addCleanup(self.r.close)

    def follow(self):
        self.r("REPLICAOF", "127.0.0.1", self.master.port)
        until(lambda: field(self.r, "replication", "master_link_status")
              == "up", "the replica is in step")

    def same(self, names):
        offset = field(self.m, "replication", "master_repl_offset")
        until(lambda: int(field(self.r, "replication", "slave_repl_offset"))
              >= int(offset), "the replica has all")
        self.assertEqual(digests(self.r, names), digests(self.m, names))
        self.assertEqual(field(self.r, "stats", "total_error_replies"), "0")

    def test_a_full_sync_and_what_follows(self):
        names = fill(self.m)
        data = partition(self.m, "large")
        self.follow()
        self.same(names)
        self.m("VISIT.PUSH", "large", *keys(5000, 19000))
        self.m("VISIT.POP", "large", "COUNT", 9000, "LEASE", LONG)
        self.m("VISIT.PUSH", "new", "x", "DATA", "y", "z")
        self.same(names + ["new"])
        self.assertEqual(load(self.m, "half", data, first=90000), "+OK")
        bad = data[:-1] + bytes([data[-1] ^ 1])
        self.assertNotEqual(load(self.m, "never", bad), "+OK")
        self.assertNotEqual(load(self.m, "small", bad), "+OK")
        self.same(names)
        self.assertEqual(self.r("EXISTS", "never"), ":0")
        self.m("VISIT.LOAD", "both", "ABORT")
        self.same(names)

    def test_in_transactions_and_scripts(self):
        self.follow()
        self.m("MULTI")
        self.m("VISIT.PUSH", "k", *keys(100))
        self.m("VISIT.POP", "k", "COUNT", 10, "LEASE", LONG)
        self.m("EXEC")
        self.m("EVAL", "return redis.call('VISIT.POP', 'k', 'COUNT', 5)", 1,
               "k")
        self.same(["k"])
        self.assertEqual(self.r("VISIT.INFO", "k"), self.m("VISIT.INFO", "k"))

    def test_a_partial_sync(self):
        self.follow()
        names = fill(self.m)
        self.same(names)
        self.m("CLIENT", "KILL", "TYPE", "replica")
        self.m("VISIT.POP", "large", "COUNT", 5000, "LEASE", LONG)
        until(lambda: int(field(self.m, "stats", "sync_partial_ok")) >= 1,
              "the replica comes back")
        self.same(names)
        self.assertEqual(field(self.m, "stats", "sync_full"), "1")

    def test_a_replica_takes_over(self):
        """No URL is handed out twice after an acknowledgement, and what was
        leased is not handed out before its time."""
        self.follow()
        self.m("VISIT.PUSH", "k", *keys(1000))
        first = self.m("VISIT.POP", "k", "COUNT", 300, "LEASE", LONG)
        self.m("VISIT.ACK", "k", *[row[1][1:] for row in first[1:201]])
        self.assertEqual(self.m("WAIT", 1, 60000), ":1")
        self.master.kill()
        self.assertTrue(self.r("VISIT.POP", "k").startswith("-READONLY"))
        self.r("REPLICAOF", "NO", "ONE")
        rest = self.r("VISIT.POP", "k", "COUNT", 1000)
        self.assertEqual([row[2].decode() for row in rest[1:]],
                         keys(1000)[300:])
        held = [row[1][1:] for row in first[201:]]
        self.assertEqual(self.r("VISIT.ACK", "k", *held),
                         ["*"] + [":1"] * 100)
        self.assertEqual(self.r("VISIT.PUSH", "k", *keys(1000))[1:],
                         [":0"] * 1000)

    def test_a_replica_is_not_bound_by_its_own_limits(self):
        self.follow()
        self.r("CONFIG", "SET", "maxmemory", "1mb")
        names = fill(self.m)
        self.same(names)


class Copies(Test):
    def test_copy_is_a_partition_of_its_own(self):
        for name in fill(self.c):
            self.assertEqual(self.c("COPY", name, "copy"), ":1")
            self.assertEqual(*digests(self.c, [name, "copy"]))
            self.c("DEL", "copy")
        self.c("COPY", "small", "copy")
        self.c("VISIT.PUSH", "copy", "c")
        self.assertEqual(self.c("VISIT.LEN", "small"), ":2")

    def test_dump_and_restore(self):
        for name in fill(self.c):
            self.assertEqual(self.c("RESTORE", "r", 0, self.c("DUMP", name),
                                    "REPLACE"), "+OK")
            self.assertEqual(*digests(self.c, [name, "r"]))

    def test_migrate_and_rename(self):
        other = Server()
        self.addCleanup(other.stop)
        names = fill(self.c)
        before = digests(self.c, names)
        for name in names:
            self.assertEqual(self.c("MIGRATE", "127.0.0.1", other.port, name,
                                    0, 10000), "+OK")
        client = other.client()
        self.assertEqual(digests(client, names), before)
        client.close()
        self.assertEqual(self.c("DBSIZE"), ":0")
        self.c("VISIT.PUSH", "a", "x")
        self.c("RENAME", "a", "b")
        self.assertEqual(self.c("VISIT.LEN", "b"), ":1")

    def test_load_in_chunks(self):
        names = fill(self.c)
        data = partition(self.c, "large")
        self.assertEqual(self.c("VISIT.PUSH", "half", "x"), LOADING)
        self.assertEqual(self.c("VISIT.LOAD", "half", 5, len(data), b"x"),
                         "-ERR the next chunk is at offset 90000")
        self.assertEqual(
            self.c("VISIT.LOAD", "half", 90000, 9, b"x"),
            "-ERR the chunk is empty, past the total, or its total is "
            "another one than before")
        self.assertEqual(self.c("VISIT.LOAD", "half", "ABORT"), "+OK")
        self.assertEqual(self.c("EXISTS", "half"), ":0")
        self.assertEqual(load(self.c, "small", data), "+OK")
        self.assertEqual(*digests(self.c, ["small", "large"]))
        self.assertEqual(len(names), 7)

    def test_a_set_is_not_a_partition(self):
        """Nor is a set's file the bytes of one."""
        self.c("SEEN.ADD", "s", "x")
        reply = load(self.c, "k", dump(self.c, "s"))
        self.assertIn("it is not a partition, or of a newer version", reply)


if __name__ == "__main__":
    unittest.main(verbosity=2)

"""What is saved, logged, sent to replicas, copied and moved is the same."""

import unittest

from dumps import as_bytes, chunks, golden, restore
from harness import (FOOTER_BYTES, Server, Test, dump, field, keys, load,
                     until)

SECRET = "00112233445566778899aabbccddeeff"


def fill(client):
    """One key of each kind, and one that is half loaded. Returns their names.
    """
    client("BF.RESERVE", "filter", 0.001, 100, "EXPANSION", 4)
    client("BF.MADD", "filter", *keys(5000))
    client("BF.RESERVE", "fixed", 0.001, 100, "NONSCALING")
    client("BF.MADD", "fixed", *keys(100))
    client("SEEN.NEW", "empty")
    for name, words in (
            ("bloom", "LAYOUT bloom"), ("split", "LAYOUT split_block"),
            ("counting", "LAYOUT counting"),
            ("fingerprint", "LAYOUT fingerprint CAPACITY 3000"),
            ("keyed", "SECRET " + SECRET),
            ("window", "WINDOW KEYS 3000"),
            ("sliding", "WINDOW SECONDS 9999 SLIDING"),
            ("large", "CAPACITY 200000")):
        client("SEEN.NEW", name, *words.split())
        client("SEEN.ADD", name, *keys(2000))
    client("SEEN.ADD", "fingerprint", *keys(100))  # seen, and counted
    data = dump(client, "large")
    client("SEEN.LOAD", "half", 0, len(data), data[:100000])
    client("SEEN.LOAD", "bloom", 0, len(data), data[:100000])  # over a set
    saved = as_bytes(golden()[1]["dump"])
    restore(client, "chain", saved)
    restore(client, "half-chain", saved[:-1])
    restore(client, "half-dump", chunks(client, "filter")[:1])
    client("CF.RESERVE", "cuckoo", 500)
    client("CF.INSERT", "cuckoo", "ITEMS", *keys(2000), *keys(100))
    client("CF.DEL", "cuckoo", keys(1)[0])
    client("CF.LOADCHUNK", "half-cuckoo", 1,
           client("CF.SCANDUMP", "cuckoo", 0)[2])
    return ["chain", "half-chain", "half-dump", "filter", "fixed", "empty",
            "bloom", "split", "counting", "fingerprint", "keyed", "window",
            "sliding", "large", "half", "cuckoo", "half-cuckoo"]


def digests(client, names):
    """What is to be the same. A window by age keeps the times by the clock of
    the server that adds, so of that one it is which keys are seen."""
    found = dict(zip(names, client("DEBUG", "DIGEST-VALUE", *names)[1:]))
    if "sliding" in found:
        found["sliding"] = tuple(client("SEEN.HAS", "sliding", *keys(4000)))
    return found


class Files(unittest.TestCase):
    def survives(self, *options, write=None):
        server = Server(*options)
        self.addCleanup(server.stop)
        client = server.client()
        names = fill(client)
        before = digests(client, names)
        self.assertEqual(len(set(before.values())), len(names))
        info = [client("BF.INFO", name) for name in names]
        rest = chunks(client, "filter")[1:]
        cuckoo = client("CF.SCANDUMP", "cuckoo", 1)
        counted = client("CF.INFO", "cuckoo")
        if write is not None:
            write(client)
        client.close()
        server.restart()
        client = server.client()
        self.assertEqual(digests(client, names), before)
        self.assertEqual([client("BF.INFO", name)[10:] for name in names],
                         [reply[10:] for reply in info])
        self.assertEqual(restore(client, "half-dump", rest), "+OK")
        self.assertEqual(client("CF.INFO", "cuckoo"), counted)
        self.assertEqual(client("CF.LOADCHUNK", "half-cuckoo",
                                cuckoo[1][1:], cuckoo[2]), "+OK")
        both = client("DEBUG", "DIGEST-VALUE", "cuckoo", "half-cuckoo")
        self.assertEqual(both[1], both[2])
        self.goes_on(client)
        client.close()

    def goes_on(self, client):
        """What was loaded answers, and takes more keys."""
        seen = client("SEEN.HAS", "keyed", *keys(2000))
        self.assertEqual(seen.count(":1"), 2000)
        self.assertEqual(client("SEEN.COUNT", "counting", keys(1)[0]),
                         ["*", ":1"])
        self.assertEqual(client("SEEN.COUNT", "fingerprint", keys(1)[0]),
                         ["*", ":2"])
        client("BF.MADD", "filter", *keys(5000, 5000))
        seen = client("BF.MEXISTS", "filter", *keys(10000))
        self.assertEqual(seen.count(":1"), 10000)
        self.assertEqual(client("CF.COUNT", "cuckoo", keys(2)[1]), ":2")
        for name in ("cuckoo", "half-cuckoo"):
            client("CF.INSERT", name, "ITEMS", *keys(1000, 2000))
            seen = client("CF.MEXISTS", name, *keys(3000))
            self.assertEqual(seen.count(":1"), 3000)
        row = golden()[1]
        restore(client, "half-chain", as_bytes(row["dump"])[-1:])
        for name in ("chain", "half-chain"):
            client("BF.MADD", name, *["more-%d" % i
                                      for i in range(row["more"])])
            self.assertEqual(chunks(client, name), as_bytes(row["after"]))
        data = dump(client, "large")
        for name in ("half", "bloom"):
            self.assertEqual(client("SEEN.LOAD", name, 100000, len(data),
                                    data[100000:]), "+OK")
            seen = client("SEEN.HAS", name, *keys(2000))
            self.assertEqual(seen.count(":1"), 2000)

    def test_a_snapshot(self):
        self.survives(write=lambda client: client("SAVE"))

    def test_the_log_of_commands(self):
        self.survives("--appendonly", "yes")

    def test_a_rewritten_log_of_commands(self):
        self.survives("--appendonly", "yes", "--aof-use-rdb-preamble", "no",
                      write=self.rewrite)

    def test_a_rewritten_log_with_a_snapshot(self):
        self.survives("--appendonly", "yes", "--aof-use-rdb-preamble", "yes",
                      write=self.rewrite)

    def rewrite(self, client):
        client("BGREWRITEAOF")
        until(lambda: field(client, "persistence", "aof_rewrite_in_progress")
              == "0" and field(client, "persistence", "aof_rewrite_scheduled")
              == "0", "the log is rewritten")
        self.assertEqual(
            field(client, "persistence", "aof_last_bgrewrite_status"), "ok")

    def test_an_add_that_changes_nothing_is_not_logged(self):
        server = Server("--appendonly", "yes", "--appendfsync", "no")
        self.addCleanup(server.stop)
        client = server.client()
        client("SEEN.ADD", "a", *keys(100))
        client("BF.MADD", "b", *keys(100))
        client("CF.ADD", "c", "x")
        size = field(client, "persistence", "aof_current_size")
        for _ in range(3):
            client("SEEN.ADD", "a", *keys(100))
            client("BF.MADD", "b", *keys(100))
            client("BF.ADD", "b", keys(1)[0])
            client("CF.ADDNX", "c", "x")
            client("CF.INSERTNX", "c", "ITEMS", "x")
            client("CF.DEL", "c", "y")
        self.assertEqual(field(client, "persistence", "aof_current_size"),
                         size)
        client.close()


    def test_a_log_has_what_happens_when_a_set_is_full(self):
        """Of SEEN.NEW without ONFULL, the log of an older server means that a
        set of the layouts that count takes all keys; its keys are there."""
        server = Server("--appendonly", "yes")
        self.addCleanup(server.stop)
        client = server.client()
        client("SEEN.NEW", "new", "LAYOUT", "fingerprint")
        client("SEEN.ADD", "new", *keys(1500))
        before = client("DEBUG", "DIGEST-VALUE", "new")
        client.close()
        server.end()
        log, = [path for path in server.files("appendonlydir")
                if path.endswith(".incr.aof")]
        with open(log, "ab") as file:
            for words in (["SEEN.NEW", "old", "LAYOUT", "fingerprint"],
                          ["SEEN.ADD", "old", *keys(1500)]):
                file.write(b"*%d\r\n" % len(words) + b"".join(
                    b"$%d\r\n%s\r\n" % (len(word), word.encode())
                    for word in words))
        server.start()
        client = server.client()
        self.assertEqual(client("DEBUG", "DIGEST-VALUE", "new"), before)
        for name, policy in (("new", b"refuse"), ("old", b"degrade")):
            info = client("SEEN.INFO", name)
            self.assertEqual(info[info.index("+on-full") + 1], policy)
        seen = client("SEEN.HAS", "old", *keys(1500))
        self.assertEqual(seen.count(":1"), 1500)
        client.close()

    def test_a_refusal_has_its_cause_in_the_log(self):
        server = Server()
        self.addCleanup(server.stop)
        client = server.client()
        client("DEBUG", "SET-SKIP-CHECKSUM-VALIDATION", 1)
        client("SEEN.ADD", "set", *keys(100))
        data = client("DUMP", "set")
        for short in (data[:-200] + data[-FOOTER_BYTES:],
                      data[:200] + data[-FOOTER_BYTES:]):
            self.assertTrue(client("RESTORE", "short", 0, short)
                            .startswith("-ERR Bad data format"))
        said = server.tail()
        self.assertIn("a set was refused: the file ends before", said)
        self.assertNotIn("system call", said)
        client.close()


class Replicas(unittest.TestCase):
    def setUp(self):
        self.master = Server("--repl-backlog-size", "32mb")
        self.addCleanup(self.master.stop)
        self.replica = Server()
        self.addCleanup(self.replica.stop)
        self.m = self.master.client()
        self.r = self.replica.client()

    def tearDown(self):
        self.m.close()
        self.r.close()

    def follow(self):
        self.r("REPLICAOF", "127.0.0.1", self.master.port)
        until(lambda: field(self.r, "replication", "master_link_status")
              == "up", "the replica is in step")

    def same(self, names):
        offset = field(self.m, "replication", "master_repl_offset")
        until(lambda: int(field(self.r, "replication", "slave_repl_offset"))
              >= int(offset), "the replica has all")
        self.assertEqual(digests(self.r, names), digests(self.m, names))

    def test_a_full_sync_beside_old_keys(self):
        """Read next to the keys that are there, which go on answering."""
        self.r("CONFIG", "SET", "repl-diskless-load", "swapdb")
        self.r("SEEN.ADD", "old", "x")
        names = fill(self.m)
        self.follow()
        self.same(names)
        self.assertEqual(self.r("EXISTS", "old"), ":0")

    def test_a_full_sync_and_what_follows(self):
        names = fill(self.m)
        self.follow()
        self.same(names)
        self.m("SEEN.ADD", "filter", *keys(5000, 7000))
        self.m("SEEN.REMOVE", "counting", *keys(100))
        self.m("SEEN.MERGE", "merged", "filter", "large")
        self.m("CF.INSERT", "cuckoo", "ITEMS", *keys(3000, 2000))
        for key in keys(100):
            self.m("CF.DEL", "cuckoo", key)
        data = dump(self.m, "large")
        self.m("SEEN.LOAD", "half", 100000, len(data), data[100000:])
        bad = data[:-1] + bytes([data[-1] ^ 1])
        load(self.m, "large", bad, size=100000)
        load(self.m, "never", bad, size=100000)
        self.same(names + ["merged"])
        self.assertEqual(self.r("EXISTS", "never"), ":0")
        self.m("SEEN.LOAD", "bloom", "ABORT")
        self.same(names)

    def test_a_partial_sync(self):
        self.follow()
        names = fill(self.m)
        self.same(names)
        self.m("CLIENT", "KILL", "TYPE", "replica")
        self.m("SEEN.ADD", "large", *keys(5000, 5000))
        until(lambda: int(field(self.m, "stats", "sync_partial_ok")) >= 1,
              "the replica comes back")
        self.assertEqual(field(self.m, "stats", "sync_full"), "1")
        self.same(names)

    def test_a_replica_takes_over(self):
        self.follow()
        names = fill(self.m)
        self.same(names)
        before = digests(self.m, names)
        self.master.kill()
        self.r("REPLICAOF", "NO", "ONE")
        self.assertEqual(digests(self.r, names), before)
        self.assertEqual(self.r("SEEN.ADD", "large", "new-key"), ["*", ":1"])

    def test_a_replica_is_not_bound_by_its_own_maxmemory(self):
        self.follow()
        self.r("CONFIG", "SET", "maxmemory", "10mb")
        self.assertEqual(
            self.m("BF.RESERVE", "big", 0.01, 30000000), "+OK")
        self.same(["big"])


class Copies(Test):
    def test_copy_is_a_set_of_its_own(self):
        names = fill(self.c)
        for name in names:
            self.assertEqual(self.c("COPY", name, "copy"), ":1")
            both = self.c("DEBUG", "DIGEST-VALUE", name, "copy")
            self.assertEqual(both[1], both[2], name)
            self.c("DEL", "copy")
        self.c("COPY", "large", "copy")
        self.c("SEEN.ADD", "copy", "only-in-the-copy")
        self.assertEqual(self.c("SEEN.HAS", "large", "only-in-the-copy"),
                         ["*", ":0"])

    def test_dump_and_restore(self):
        for name in fill(self.c):
            self.assertEqual(self.c("RESTORE", "r", 0, self.c("DUMP", name),
                                    "REPLACE"), "+OK")
            both = self.c("DEBUG", "DIGEST-VALUE", name, "r")
            self.assertEqual(both[1], both[2], name)

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
        self.c("SEEN.ADD", "a", "x")
        self.c("RENAME", "a", "b")
        self.all_seen(self.c, "b", ["x"])


if __name__ == "__main__":
    unittest.main(verbosity=2)

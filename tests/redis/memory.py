"""Memory is the server's: counted, limited, given back."""

import unittest

from dumps import as_bytes, golden, restore
from harness import Test, dump, field, keys, until

OOM = "-OOM command not allowed when used memory > 'maxmemory'."
NO_ROOM = "-ERR Insufficient memory to create filter"
MIB = 1 << 20


class Memory(Test):
    def used(self):
        return int(field(self.c, "seenset", "seenset_memory_bytes"))

    def setUp(self):
        super().setUp()
        self.c("CONFIG", "SET", "maxmemory", 0)
        until(lambda: self.used() == 0, "all sets are freed")

    def test_memory_usage_is_the_servers(self):
        before = int(field(self.c, "memory", "used_memory"))
        self.c("BF.RESERVE", "f", 0.01, 10000000)
        usage = int(self.c("MEMORY", "USAGE", "f")[1:])
        self.assertGreater(usage, 10000000 * 9.6 / 8)
        taken = int(field(self.c, "memory", "used_memory")) - before
        self.assertAlmostEqual(taken / usage, 1, delta=0.3)
        self.assertAlmostEqual(self.used() / usage, 1, delta=0.01)
        self.assertEqual(self.c("BF.INFO", "f", "SIZE")[1][1:],
                         self.c("BF.INFO", "f")[4][1:])

    def test_all_of_it_comes_back(self):
        for name in ("a", "b", "c", "d"):
            self.c("SEEN.ADD", name, *keys(20000))
            self.c("SEEN.LOAD", "half-" + name, 0, 1000, "x" * 999)
            self.c("COPY", name, name + "2")
        data = dump(self.c, "a")
        self.c("RESTORE", "r", 0, self.c("DUMP", "a"))
        self.c("SEEN.LOAD", "l", 0, len(data), data)
        self.c("SEEN.MERGE", "m", "a", "b")
        self.c("SEEN.MERGE", "a", "b")
        for row in golden():
            for name in ("chain", "half"):
                saved = as_bytes(row["dump"])
                restore(self.c, name, saved if name == "chain" else saved[:1])
                self.c("BF.MADD", name, *keys(3000))
                self.c("COPY", name, name + "2", "REPLACE")
                self.c("RESTORE", "r", 0, self.c("DUMP", name), "REPLACE")
        self.c("SEEN.LOAD", "chain", 0, len(data), data)  # over a chain
        self.c("CF.INSERT", "cuckoo", "ITEMS", *keys(5000))
        self.c("COPY", "cuckoo", "cuckoo2")
        self.c("RESTORE", "r", 0, self.c("DUMP", "cuckoo"), "REPLACE")
        self.c("CF.LOADCHUNK", "half-cuckoo", 1,
               self.c("CF.SCANDUMP", "cuckoo", 0)[2])
        self.c("SEEN.LOAD", "cuckoo2", 0, len(data), data)  # over a list
        self.assertGreater(self.used(), 0)
        self.c("DEL", "a", "b")
        self.c("UNLINK", "c", "d")
        self.c("FLUSHALL", "ASYNC")
        until(lambda: self.used() == 0, "all sets are freed")

    def test_a_large_key_is_freed_beside_the_server(self):
        self.c("BF.RESERVE", "f", 0.01, 50000000)
        before = int(field(self.c, "stats", "lazyfreed_objects") or 0)
        self.c("UNLINK", "f")
        until(lambda: int(field(self.c, "memory", "lazyfreed_objects"))
              > before, "the server's own thread frees it")

    def test_maxmemory_stops_what_adds(self):
        self.c("SEEN.NEW", "c", "LAYOUT", "counting")
        self.c("SEEN.ADD", "c", "x", "y")
        self.c("CF.ADD", "f", "x")
        data = dump(self.c, "c")
        self.c("CONFIG", "SET", "maxmemory", 1)
        for command in ("BF.ADD c z", "BF.MADD c z", "BF.INSERT c ITEMS z",
                        "BF.RESERVE n 0.1 10", "SEEN.NEW n", "SEEN.ADD c z",
                        "SEEN.MERGE c c", "CF.ADD f z", "CF.ADDNX f z",
                        "CF.RESERVE n 100", "CF.INSERT n ITEMS z",
                        "CF.INSERTNX n ITEMS z"):
            self.assertEqual(self.c.line(command), OOM, command)
        self.assertEqual(self.c("SEEN.LOAD", "l", 0, len(data), data), OOM)
        for command in ("BF.EXISTS c x", "SEEN.HAS c x", "SEEN.REMOVE c x",
                        "SEEN.COUNT c x", "SEEN.INFO c", "BF.INFO c",
                        "SEEN.DUMP c 0", "DEL c", "CF.EXISTS f x",
                        "CF.COUNT f x", "CF.DEL f x", "CF.INFO f"):
            self.assertFalse(str(self.c.line(command)).startswith("-"))

    def test_a_key_that_has_no_room_is_not_made(self):
        self.c("CONFIG", "SET", "maxmemory", 40 * MIB)
        self.assertEqual(self.c("BF.RESERVE", "f", 0.01, 100000000), NO_ROOM)
        self.assertEqual(
            self.c("BF.INSERT", "f", "CAPACITY", 100000000, "ITEMS", "x"),
            NO_ROOM)
        self.assertEqual(
            self.c("SEEN.NEW", "f", "CAPACITY", 100000000),
            "-ERR such a set cannot be made: out of memory")
        self.assertEqual(self.c("CF.RESERVE", "f", 50000000), NO_ROOM)
        self.assertEqual(self.c("EXISTS", "f"), ":0")
        self.assertEqual(self.c("BF.RESERVE", "f", 0.01, 16000000), "+OK")
        # A merge needs a second set for as long as it takes.
        self.assertEqual(self.c("SEEN.MERGE", "f", "f"), "-ERR out of memory")

    def test_more_than_the_machine_has_is_refused(self):
        for capacity in (10 ** 12, 10 ** 14):
            self.assertEqual(self.c("BF.RESERVE", "f", 0.01, capacity),
                             NO_ROOM)
            self.assertEqual(self.c("CF.RESERVE", "f", capacity), NO_ROOM)
        self.assertEqual(self.c("PING"), "+PONG")
        self.assertEqual(self.used(), 0)


if __name__ == "__main__":
    unittest.main(verbosity=2)

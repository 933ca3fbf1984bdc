"""VISIT.*: a partition of a crawl, reply by reply."""

import random
import time
import unittest

from harness import WRONG_TYPE, Test, field, keys, until

SEED = 41
LONG = 10 ** 9  # a lease in ms, longer than any test
NOT_FOUND = "-ERR not found"
OOM = "-OOM command not allowed when used memory > 'maxmemory'."


def numbers(popped):
    """The leases of a reply of VISIT.POP."""
    return [int(row[1][1:]) for row in popped[1:]]


def urls(popped):
    return [row[2] for row in popped[1:]]


def info(client, key):
    """VISIT.INFO as a dictionary, of RESP2."""
    reply = client("VISIT.INFO", key)[1:]
    return {name[1:]: value for name, value in zip(reply[::2], reply[1::2])}


class Replies(Test):
    def pop(self, count=1, lease=LONG, key="k"):
        return self.c("VISIT.POP", key, "COUNT", count, "LEASE", lease)

    def test_a_crawl(self):
        self.assertEqual(self.c.line("VISIT.PUSH k a DATA 1 b c DATA 3 a"),
                         ["*", ":1", ":1", ":1", ":0"])
        self.assertEqual(self.c.line("VISIT.LEN k"), ":3")
        self.assertEqual(self.c.line("VISIT.PEEK k COUNT 9"),
                         ["*", ["*", b"a", b"1"], ["*", b"b", None],
                          ["*", b"c", b"3"]])
        self.assertEqual(self.pop(2), ["*", ["*", ":1", b"a", b"1", ":1"],
                                       ["*", ":2", b"b", None, ":1"]])
        self.assertEqual(self.c.line("VISIT.ACK k 1 1 9"),
                         ["*", ":1", ":0", ":0"])
        self.assertEqual(self.c.line("VISIT.NACK k 2 2 1"),
                         ["*", ":1", ":0", ":0"])
        self.assertEqual(self.c.line("VISIT.ACK k 2 3"), ["*", ":0", ":0"])
        self.assertEqual(self.c.line("VISIT.PEEK k COUNT 1"),
                         ["*", ["*", b"b", None]])
        again = self.pop(9)
        self.assertEqual(again, ["*", ["*", ":4", b"b", None, ":2"],
                                 ["*", ":5", b"c", b"3", ":1"]])
        self.assertEqual(self.c.line("VISIT.EXTEND k 4 2 LEASE 5"),
                         ["*", ":1", ":0"])
        self.assertEqual(self.c.line("VISIT.ACK k 4 5"), ["*", ":1", ":1"])
        self.assertEqual(self.c.line("VISIT.LEN k"), ":0")
        self.assertEqual(self.pop(9), ["*"])
        self.assertEqual(self.c.line("VISIT.PUSH k a b c d"),
                         ["*", ":0", ":0", ":0", ":1"])

    def test_urls_and_data_are_bytes(self):
        for url, data in ((b"", b""), (b"\0\r\n\xff", b"\0" * 999),
                          (b"u" * 70000, b"d" * 200000), (b"x", None)):
            words = () if data is None else ("data", data)
            self.c("VISIT.PUSH", "k", url, *words)
            self.assertEqual(self.pop()[1][2:4], [url, data])
        big = b"b" * ((1 << 20) + 1)
        for words in ((big,), ("x", "DATA", big)):
            self.assertEqual(
                self.c("VISIT.PUSH", "k", "y", *words),
                "-ERR a URL and its data have at most 1048576 bytes each")
        self.assertEqual(self.c("VISIT.PUSH", "k", "y"), ["*", ":1"])

    def test_the_word_data(self):
        self.assertEqual(self.c.line("VISIT.PUSH k DATA DATA x"), ["*", ":1"])
        self.assertEqual(self.pop()[1][2:4], [b"DATA", b"x"])
        self.assertEqual(self.c.line("VISIT.PUSH k x DATA"),
                         "-ERR DATA needs a value after it")

    def test_arity_and_options(self):
        for name, fewest in (("NEW", 1), ("LIMIT", 2), ("PUSH", 2), ("POP", 1),
                             ("ACK", 2), ("NACK", 2), ("EXTEND", 2),
                             ("PEEK", 1), ("LEN", 1), ("INFO", 1),
                             ("LOAD", 2), ("EFFECT", 3)):
            reply = self.c("VISIT." + name, *["k"] * (fewest - 1))
            self.assertIn("wrong number of arguments", reply, name)
        self.c("VISIT.PUSH", "k", "a")
        for line, error in (
                ("NEW k", "the key exists"),
                ("NEW n RATE 1", "RATE needs a number between 0 and 1"),
                ("NEW n RATE nan", "RATE needs a number between 0 and 1"),
                ("NEW n CAPACITY 0", "CAPACITY is 1 or more"),
                ("NEW n LIMIT 1023", "LIMIT is 1024 bytes or more"),
                ("NEW n LIMIT", "an option lacks its value"),
                ("NEW n SIZE 1", "options are CAPACITY n, RATE p, LIMIT "
                                 "bytes, DELAY ms, PERHOST n, BY kind, FROM "
                                 "start | end, BUDGET n and GIVEUP n"),
                ("LIMIT k 1", "LIMIT is 1024 bytes or more"),
                ("LIMIT n 9999", "not found"),
                ("POP k COUNT 0", "a number is missing or outside its range"),
                ("POP k COUNT 100001",
                 "a number is missing or outside its range"),
                ("POP k LEASE 0", "a number is missing or outside its range"),
                ("POP k LEASE", "an option lacks its value"),
                ("POP k SIZE 1", "an option is not known to this command"),
                ("PEEK k LEASE 1", "an option is not known to this command"),
                ("ACK k x", "a lease is a number that VISIT.POP replied"),
                ("ACK k -1", "a lease is a number that VISIT.POP replied"),
                ("NACK k 1 DELAY x",
                 "a number is missing or outside its range"),
                ("NACK k UNTRIED", "a lease is a number that VISIT.POP "
                                   "replied"),
                ("NACK k 1 UNTRIED UNTRIED",
                 "a lease is a number that VISIT.POP replied"),
                ("ACK k 1 UNTRIED",
                 "a lease is a number that VISIT.POP replied"),
                ("ACK k AGAIN 5", "a lease is a number that VISIT.POP "
                                  "replied"),
                ("ACK k 1 AGAIN", "a lease is a number that VISIT.POP "
                                  "replied"),
                ("ACK k 1 AGAIN -1",
                 "a number is missing or outside its range"),
                ("ACK k 1 AGAIN 5 AGAIN 5",
                 "a lease is a number that VISIT.POP replied"),
                ("NACK k 1 AGAIN 5",
                 "a lease is a number that VISIT.POP replied"),
                ("EXTEND k 1 LEASE 0",
                 "a number is missing or outside its range"),
                ("INFO n", "not found"),
                ("EFFECT n POP 1 1 1 x", "not found"),
                ("LOAD k 0 0 x", "offset and total are numbers of bytes")):
            self.assertEqual(self.c.line("VISIT." + line), "-ERR " + error)
        self.assertEqual(self.c("VISIT.LEN", "k"), ":1")
        self.assertEqual(self.c("EXISTS", "n"), ":0")

    def test_missing_keys_and_wrong_types(self):
        self.assertEqual(self.c.line("VISIT.POP n"), ["*"])
        self.assertEqual(self.c.line("VISIT.PEEK n"), ["*"])
        self.assertEqual(self.c.line("VISIT.LEN n"), ":0")
        for name in ("ACK", "NACK", "EXTEND"):
            self.assertEqual(self.c.line("VISIT.%s n 1 2" % name),
                             ["*", ":0", ":0"])
        self.assertEqual(self.c("EXISTS", "n"), ":0")
        self.c("SET", "s", "x")
        self.c("SEEN.ADD", "f", "x")
        for key in ("s", "f"):
            for line in ("NEW %s", "LIMIT %s 9999", "PUSH %s a", "POP %s",
                         "ACK %s 1", "NACK %s 1", "EXTEND %s 1", "PEEK %s",
                         "LEN %s", "INFO %s", "LOAD %s 0 9 x",
                         "LOAD %s ABORT", "EFFECT %s PUSH a"):
                self.assertEqual(self.c.line("VISIT." + line % key),
                                 WRONG_TYPE, line)
        self.c("VISIT.PUSH", "k", "a")
        for line in ("SEEN.ADD k a", "BF.ADD k a", "SEEN.MERGE x k"):
            self.assertEqual(self.c.line(line), WRONG_TYPE)
        self.assertEqual(self.c("TYPE", "k"), "+seenvisit")

    def test_effects_that_do_not_fit_change_nothing(self):
        self.c("VISIT.PUSH", "k", "a", "b")
        self.pop()
        before = self.c("DEBUG", "DIGEST-VALUE", "k")
        one, two = b"\1" + b"\0" * 7, b"\2" + b"\0" * 7
        wrong = "-ERR an effect does not fit the partition of this key"
        for words in (("POP", 1, 1, 1, b""), ("POP", 1, 2, 2, b""),
                      ("POP", 1, 2, 0, two), ("POP", 1, 2, 0, b"\1"),
                      ("POP", -1, 2, 0, one), ("POP", 1, 2, 1),
                      ("NACK", 1, 2, two), ("NACK", 1, 3, one),
                      ("NACK", 1, 2), ("UNTRIED", 1, 2, two),
                      ("UNTRIED", 1, 2), ("AGAIN", 1, 2, two),
                      ("AGAIN", 1, 3, one), ("EXTEND", 1, two), ("EXTEND", "x"),
                      ("EXTEND", 1, one, one)):
            self.assertEqual(self.c("VISIT.EFFECT", "k", *words), wrong, words)
        self.assertEqual(self.c.line("VISIT.EFFECT k ACK 1"),
                         "-ERR an effect is PUSH, POP, NACK, UNTRIED, AGAIN or "
                         "EXTEND")
        self.assertEqual(self.c("DEBUG", "DIGEST-VALUE", "k"), before)
        self.assertEqual(self.c("VISIT.EFFECT", "k", "NACK", 1, 2, one + one),
                         "+OK")
        self.assertEqual(urls(self.pop(3)), [b"a", b"b"])

    def test_untried_counts_for_nothing(self):
        self.c("VISIT.PUSH", "k", "a")
        lease = 0
        for words in (("UNTRIED",), ("DELAY", 0, "UNTRIED"),
                      ("UNTRIED", "DELAY", 0), ("untried",)):
            row = self.c("VISIT.POP", "k")[1]
            self.assertEqual(row[4], ":1")
            self.assertGreater(int(row[1][1:]), lease)
            lease = int(row[1][1:])
            self.assertEqual(self.c("VISIT.NACK", "k", lease, *words),
                             ["*", ":1"])
            self.c("RESTORE", "k", 0, self.c("DUMP", "k"), "REPLACE")
        lease = int(self.c("VISIT.POP", "k")[1][1][1:])
        self.c("VISIT.NACK", "k", lease)
        self.assertEqual(self.c("VISIT.POP", "k")[1][4], ":2")
        self.c("VISIT.NACK", "k", lease + 2, "UNTRIED")
        self.assertEqual(self.c("VISIT.POP", "k")[1][4], ":2")

    def test_what_was_visited_comes_again(self):
        """Under another number, and as if it had never been handed out."""
        self.c("VISIT.PUSH", "k", "a")
        for _ in range(3):
            lease = int(self.c("VISIT.POP", "k")[1][1][1:])
            self.c("VISIT.NACK", "k", lease)
        for words in (("AGAIN", 0), ("again", 0)):
            row = self.c("VISIT.POP", "k")[1]
            lease = int(row[1][1:])
            self.assertEqual(self.c("VISIT.ACK", "k", lease, 77, *words),
                             ["*", ":1", ":0"])
            self.c("RESTORE", "k", 0, self.c("DUMP", "k"), "REPLACE")
            row = self.c("VISIT.POP", "k")[1]
            self.assertEqual(row[2:], [b"a", None, ":1"])
            self.assertEqual(self.c("VISIT.ACK", "k", lease), ["*", ":0"])
            lease = int(row[1][1:])
            self.c("VISIT.NACK", "k", lease)
        lease = int(self.c("VISIT.POP", "k")[1][1][1:])
        self.c("VISIT.ACK", "k", lease, "AGAIN", 10 ** 6)
        self.assertEqual(self.c.line("VISIT.POP k"), ["*"])
        self.assertEqual(self.c.line("VISIT.PUSH k a"), ["*", ":0"])
        self.assertEqual(self.c("VISIT.LEN", "k"), ":1")

    def test_resp3(self):
        three = self.server.client(3)
        self.assertEqual(three.line("VISIT.PUSH k a a"), ["*", True, False])
        self.assertEqual(three.line("VISIT.POP k"),
                         ["*", ["*", ":1", b"a", None, ":1"]])
        self.assertEqual(three.line("VISIT.EXTEND k 1 2"),
                         ["*", True, False])
        self.assertEqual(three.line("VISIT.ACK k 1 1"), ["*", True, False])
        reply = three.line("VISIT.INFO k")
        self.assertEqual(reply["+seen"], ":1")
        self.assertEqual(reply["+rate"], 1e-9)
        three.close()

    def test_info(self):
        self.c.line("VISIT.NEW k CAPACITY 5000 RATE 0.001 LIMIT 999999")
        self.c("VISIT.PUSH", "k", *keys(100))
        self.c("VISIT.NACK", "k", *numbers(self.pop(10))[:3], "DELAY", LONG)
        found = info(self.c, "k")
        for name, value in (("limit", ":999999"), ("capacity", ":5000"),
                            ("seen", ":100"), ("pending", ":90"),
                            ("leased", ":7"), ("given-back", ":3"),
                            ("next-lease", ":14")):
            self.assertEqual(found[name], value, name)
        self.assertEqual(float(found["rate"]), 0.001)
        self.assertEqual(self.c("MEMORY", "USAGE", "k")[0], ":")
        self.assertGreater(int(found["next-due-ms"][1:]), time.time() * 1000)
        self.assertGreater(int(found["bytes"][1:]), 100 * 30)
        self.assertEqual(self.c.line("VISIT.LIMIT k 7777"), "+OK")
        self.assertEqual(info(self.c, "k")["limit"], ":7777")

    def test_a_full_partition_loses_nothing(self):
        self.c.line("VISIT.NEW k LIMIT 100000")
        pushed, at, rng = [], 0, random.Random(1)
        while True:
            batch = ["%d-%s" % (i, rng.random()) for i in range(at, at + 50)]
            reply = self.c("VISIT.PUSH", "k", *batch)
            if isinstance(reply, str):
                break
            pushed += batch
            at += 50
        self.assertTrue(reply.startswith("-FULL the partition takes "), reply)
        self.assertEqual(self.c("VISIT.LEN", "k"), ":%d" % len(pushed))
        popped = self.pop(len(pushed))
        self.assertEqual(urls(popped), [url.encode() for url in pushed])
        self.c("VISIT.ACK", "k", *numbers(popped))
        self.assertEqual(self.c("VISIT.PUSH", "k", *batch),
                         ["*"] + [":1"] * 50)

    def test_pending_urls_are_packed(self):
        self.c("VISIT.NEW", "k", "CAPACITY", 60000)
        for at in range(0, 60000, 1000):
            self.c("VISIT.PUSH", "k", *keys(1000, at))
        found = info(self.c, "k")
        self.assertLess(float(found["bytes-a-pending-url"]), 10)
        self.assertGreater(int(found["packed-blocks"][1:]), 10)
        got = []
        while len(got) < 60000:
            popped = self.pop(7777)
            got += urls(popped)
            self.c("VISIT.ACK", "k", *numbers(popped))
        self.assertEqual(got, [key.encode() for key in keys(60000)])
        self.assertLess(int(info(self.c, "k")["lease-bytes"][1:]), 1 << 20)

    def test_what_does_not_pack(self):
        rng = random.Random(SEED)
        wanted = [rng.randbytes(500) for _ in range(1000)]
        self.c("VISIT.PUSH", "k", *wanted)
        self.assertEqual(self.c("COPY", "k", "l"), ":1")
        self.assertEqual(urls(self.pop(2000, key="l")), wanted)

    def test_events_and_watch(self):
        self.c("CONFIG", "SET", "notify-keyspace-events", "KEA")
        listener = self.server.client()
        listener("PSUBSCRIBE", "__keyevent*")
        self.c("VISIT.PUSH", "k", "a")
        self.c("VISIT.PUSH", "k", "a")
        self.pop()
        self.c("VISIT.ACK", "k", 1)
        self.c("VISIT.ACK", "k", 1)
        found = [listener.read()[3].decode().split(":")[1] for _ in range(3)]
        self.assertEqual(found, ["visit.push", "visit.pop", "visit.ack"])
        listener.close()
        other = self.server.client()
        other("WATCH", "k")
        self.c("VISIT.PUSH", "k", "b")
        other("MULTI")
        other("PING")
        self.assertIsNone(other("EXEC"))
        other.close()

    def test_maxmemory_lets_a_crawl_be_drained(self):
        self.c("VISIT.PUSH", "k", "a", "b")
        self.c("CONFIG", "SET", "maxmemory", 1)
        for line in ("PUSH k z", "PUSH n z", "NEW n", "LOAD k 0 9 x"):
            self.assertEqual(self.c.line("VISIT." + line), OOM)
        self.assertEqual(urls(self.pop(2)), [b"a", b"b"])
        self.assertEqual(self.c.line("VISIT.ACK k 1"), ["*", ":1"])
        self.assertEqual(self.c.line("VISIT.NACK k 2"), ["*", ":1"])
        self.c("CONFIG", "SET", "maxmemory", 0)

    def test_a_partition_is_freed_beside_the_server(self):
        for at in range(0, 20000, 1000):
            self.c("VISIT.PUSH", "k", *keys(1000, at))
        self.pop(5000)
        before = int(field(self.c, "memory", "lazyfreed_objects"))
        self.c("UNLINK", "k")
        until(lambda: int(field(self.c, "memory", "lazyfreed_objects"))
              > before, "the server's own thread frees it")
        until(lambda: field(self.c, "seenset", "seenset_memory_bytes") == "0",
              "the set is freed")


class Leases(Test):
    """Waiting for the end of a lease is waiting for what POP replies."""

    def comes_back(self, url, times):
        found = []
        until(lambda: found.append(
            self.c("VISIT.POP", "k", "LEASE", LONG)) or found[-1] != ["*"],
            "the lease ends")
        self.assertEqual(found[-1][1][2:], [url, None, ":%d" % times])
        return int(found[-1][1][1][1:])

    def test_a_lease_ends(self):
        self.c("VISIT.PUSH", "k", "a")
        first = numbers(self.c("VISIT.POP", "k", "LEASE", 1))[0]
        second = self.comes_back(b"a", 2)
        self.assertNotEqual(first, second)
        self.assertEqual(self.c("VISIT.ACK", "k", first), ["*", ":0"])
        self.assertEqual(self.c("VISIT.EXTEND", "k", first), ["*", ":0"])
        self.assertEqual(self.c("VISIT.ACK", "k", second), ["*", ":1"])
        self.assertEqual(self.c("VISIT.LEN", "k"), ":0")

    def test_a_late_ack_counts_until_it_is_handed_out_again(self):
        self.c("VISIT.PUSH", "k", "a")
        self.c("VISIT.POP", "k", "LEASE", 1)
        until(lambda: self.c("VISIT.PEEK", "k") != ["*"], "the lease ends")
        self.assertEqual(self.c("VISIT.ACK", "k", 1), ["*", ":1"])
        self.assertEqual(self.c("VISIT.POP", "k"), ["*"])

    def test_a_delay_ends(self):
        self.c("VISIT.PUSH", "k", "a")
        self.c("VISIT.POP", "k")
        self.c("VISIT.NACK", "k", 1, "DELAY", LONG)
        self.assertEqual(self.c("VISIT.POP", "k"), ["*"])
        self.assertEqual(self.c("VISIT.LEN", "k"), ":1")
        self.c("VISIT.PUSH", "k", "b")
        second = numbers(self.c("VISIT.POP", "k"))[0]
        self.c("VISIT.NACK", "k", second, "DELAY", 1)
        self.comes_back(b"b", 2)

    def test_extend_ends_a_lease_sooner_or_later(self):
        self.c("VISIT.PUSH", "k", "a", "b")
        self.c("VISIT.POP", "k", "COUNT", 2, "LEASE", LONG)
        self.c("VISIT.EXTEND", "k", 2, "LEASE", 1)
        self.comes_back(b"b", 2)
        self.assertEqual(self.c("VISIT.POP", "k"), ["*"])


if __name__ == "__main__":
    unittest.main(verbosity=2)

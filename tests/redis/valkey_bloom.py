"""BF.LOAD: filters as valkey-bloom writes them.

payloads/valkey_bloom.json has filters that the Rust crates of valkey-bloom
made, what they replied when items were added, and the filters after that. It
says itself how it was made.
"""

import json
import os
import random
import struct
import unittest

import harness
from harness import Server, Test, field, keys, until

HERE = os.path.dirname(os.path.abspath(__file__))
DAMAGED = "-ERR the data is not a filter of valkey-bloom, or it is damaged: " \
          "please take it from that server again"
HEAD = 1 + 4 + 8 + 8 + 1 + 8  # up to the first filter
FILTER_HEAD = 8 + 1 + 8 + 4 + 32  # up to its bits


def golden(name="filters"):
    with open(os.path.join(HERE, "payloads", "valkey_bloom.json")) as file:
        return json.load(file)[name]


def payload(row, name="payload"):
    return bytes.fromhex(row[name])


def digits(replies):
    """"1" new, "0" seen, "E" an error."""
    return "".join(reply[1] if reply[0] == ":" else "E"
                   for reply in replies[1:])


def items(row):
    return ["item-%d" % i for i in range(row["items"])]


def more_items(row):
    return ["more-%d" % i + ("x" * i if row["grow_longer"] else "")
            for i in range(row["more"])]


def refused_from(new):
    """The replies to BF.MADD end with the first error."""
    return new if "E" not in new else new[:new.index("E") + 1]


class Loaded(Test):
    def load(self, key, row, name="payload"):
        self.assertEqual(self.c("BF.LOAD", key, payload(row, name)), "+OK")

    def digest(self, key):
        return self.c("DEBUG", "DIGEST-VALUE", key)[1]

    def test_it_answers_and_grows_as_there(self):
        """To the last bit: the filter that is added to here and the one that
        was added to there have the same digest."""
        for i, row in enumerate(golden()):
            self.load("f%d" % i, row)
            self.load("after%d" % i, row, "after")
            if row["items"]:
                seen = self.c("BF.MEXISTS", "f%d" % i, *items(row))
                self.assertEqual(set(seen[1:]), {":1"})
            if row["more"]:
                added = self.c("BF.MADD", "f%d" % i, *more_items(row))
                self.assertEqual(digits(added), refused_from(row["new"]))
            if "E" not in row["new"]:
                self.assertEqual(self.digest("f%d" % i),
                                 self.digest("after%d" % i), row)
            others = ["other-%d" % n for n in range(200)]
            self.assertEqual(
                digits(self.c("BF.MEXISTS", "after%d" % i, *others)),
                row["others"])

    def test_one_command_an_item_is_the_same(self):
        for i, row in enumerate(golden()):
            key = "f%d" % i
            self.load(key, row)
            for n, item in enumerate(more_items(row)):
                reply = self.c("BF.ADD", key, item)
                self.assertEqual(digits(["*", reply]), row["new"][n])
            self.load("after%d" % i, row, "after")
            self.assertEqual(self.digest(key), self.digest("after%d" % i))

    def test_a_changed_bit_is_not_the_same(self):
        """Planted: the digest, and the answers, see one bit."""
        row = golden()[1]
        bytes_ = bytearray(payload(row))
        self.load("right", row)
        at = HEAD + FILTER_HEAD
        self.assertEqual(bytes_[at:at + 6].hex(), "040002200000")
        bytes_[at] = 0
        self.assertEqual(self.c("BF.LOAD", "wrong", bytes(bytes_)), "+OK")
        self.assertNotEqual(self.digest("right"), self.digest("wrong"))
        self.assertEqual(self.c("BF.EXISTS", "right", "item-0"), ":1")
        self.assertEqual(self.c("BF.EXISTS", "wrong", "item-0"), ":0")

    def test_info_and_card(self):
        for i, row in enumerate(golden()):
            key = "f%d" % i
            self.load(key, row, "after")
            info = self.c("BF.INFO", key)
            self.assertEqual(info[2], ":%d" % row["after_capacity"])
            self.assertEqual(info[6], ":%d" % row["after_filters"])
            self.assertEqual(info[8], ":%d" % row["after_items"])
            self.assertEqual(info[10], ":%d" % row["expansion"]
                             if row["expansion"] else None)
            self.assertEqual(self.c("BF.CARD", key), info[8])

    def test_it_is_copied_dumped_and_restored(self):
        for i, row in enumerate(golden()):
            key = "f%d" % i
            self.load(key, row)
            dumped = self.c("DUMP", key)
            self.assertEqual(self.c("RESTORE", "r%d" % i, 0, dumped), "+OK")
            self.assertEqual(self.c("COPY", key, "c%d" % i), ":1")
            iterator = 0
            while True:
                _, after, data = self.c("BF.SCANDUMP", key, iterator)
                iterator = int(after[1:])
                if iterator == 0:
                    break
                self.assertEqual(
                    self.c("BF.LOADCHUNK", "s%d" % i, iterator, data), "+OK")
            for other in "rcs":
                self.assertEqual(self.digest("%s%d" % (other, i)),
                                 self.digest(key))
                if row["more"] and "E" not in row["new"]:
                    added = self.c("BF.INSERT", "%s%d" % (other, i), "ITEMS",
                                   *more_items(row))
                    self.assertEqual(digits(added), row["new"])

    def test_seen_commands_refuse_it(self):
        self.load("f", golden()[1])
        self.assertEqual(
            self.c("SEEN.ADD", "f", "x"),
            "-ERR the key is a filter in RedisBloom's or valkey-bloom's form, "
            "which only BF.* commands take")


class Words(Test):
    """BF.INSERT's words and BF.INFO's fields that RedisBloom lacks."""

    def words(self, row):
        words = ["CAPACITY", row["capacity"], "ERROR", repr(row["rate"]),
                 "TIGHTENING", row["tightening"],
                 "SEED", bytes.fromhex(row["seed"])]
        return words + (["EXPANSION", row["expansion"]]
                        if row["expansion"] else ["NONSCALING"])

    def test_a_filter_is_made_as_there(self):
        """As valkey-bloom sends what a client made to its replicas."""
        for i, row in enumerate(golden()):
            made = self.c("BF.INSERT", "f%d" % i, *self.words(row))
            self.assertEqual(made, ["*"])
            if row["items"]:
                self.c("BF.INSERT", "f%d" % i, *self.words(row), "ITEMS",
                       *items(row))
            self.c("BF.LOAD", "there%d" % i, payload(row))
            both = self.c("DEBUG", "DIGEST-VALUE", "f%d" % i, "there%d" % i)
            self.assertEqual(both[1], both[2], row)

    def test_another_seed_is_another_filter(self):
        """Planted: the comparison sees one bit of the seed."""
        row = golden()[1]
        other = dict(row, seed="58" + row["seed"][2:])
        for key, of in (("right", row), ("wrong", other)):
            self.c("BF.INSERT", key, *self.words(of), "ITEMS", "item-0")
        self.c("BF.LOAD", "there", payload(row))
        right, wrong, there = self.c("DEBUG", "DIGEST-VALUE", "right", "wrong",
                                     "there")[1:]
        self.assertEqual(right, there)
        self.assertNotEqual(wrong, there)

    def test_words_that_are_wrong(self):
        seed = "s" * 32
        for line, error in (
                ("SEED " + seed[1:], "-ERR SEED needs 32 bytes"),
                ("SEED " + seed + "s", "-ERR SEED needs 32 bytes"),
                ("SEED %s TIGHTENING 1" % seed,
                 "-ERR TIGHTENING needs a number between 0 and 1"),
                ("SEED %s TIGHTENING 0" % seed,
                 "-ERR TIGHTENING needs a number between 0 and 1"),
                ("SEED %s TIGHTENING nan" % seed,
                 "-ERR TIGHTENING needs a number between 0 and 1"),
                ("TIGHTENING 0.5 ITEMS a",
                 "-ERR TIGHTENING is for filters in valkey-bloom's form, which "
                 "SEED makes: give both or none"),
                ("VALIDATESCALETO 0",
                 "-ERR VALIDATESCALETO needs a number of items, 1 to "
                 "9007199254740992"),
                ("NONSCALING VALIDATESCALETO 5",
                 "-ERR a filter that does not grow cannot scale: leave "
                 "NONSCALING or VALIDATESCALETO out"),
                ("SEED %s NOCREATE" % seed, "-ERR not found"),
                ("SEED %s CAPACITY 9007199254740992" % seed,
                 "-ERR could not create filter: "),
                ("OTHER 5", "-Unknown argument received")):
            reply = self.c.line("BF.INSERT f " + line)
            self.assertEqual(reply[:len(error)], error, line)
        for line in ("SEED %s ITEMS" % seed, "CAPACITY 5", "NOCREATE NOCREATE"):
            self.assertIn("wrong number of arguments",
                          self.c.line("BF.INSERT f " + line), line)
        self.assertEqual(self.c("EXISTS", "f"), ":0")

    def test_how_far_a_filter_scales(self):
        """Until its rate is below the least number that a double has in full:
        there and here after 93 filters of 4 items."""
        row = golden("far")
        words = self.words(row)
        refused = self.c("BF.INSERT", "f", *words, "VALIDATESCALETO", 373)
        self.assertIn("cannot scale to that many items", refused)
        self.assertEqual(self.c("EXISTS", "f"), ":0")
        self.assertEqual(
            self.c("BF.INSERT", "f", *words, "VALIDATESCALETO", 372), ["*"])
        self.assertEqual(self.c("BF.INFO", "f", "MAXSCALEDCAPACITY"), ":372")
        added = ["*"] + [self.c("BF.ADD", "f", item)
                         for item in more_items(row)]
        self.assertEqual(digits(added), row["new"])
        self.assertEqual(self.c("BF.CARD", "f"), ":372")

    def test_no_more_filters_than_can_be_read_again(self):
        """1,024, however many there were when it was restored."""
        self.c("BF.INSERT", "f", "CAPACITY", 20, "ERROR", "1e-12",
               "TIGHTENING", "0.9999", "SEED", "s" * 32, "EXPANSION", 1,
               "ITEMS", *keys(12500))
        self.assertEqual(self.c("RESTORE", "g", 0, self.c("DUMP", "f")), "+OK")
        self.assertGreater(int(self.c("BF.INFO", "f")[6][1:]), 512)
        added = self.c("BF.MADD", "g", *keys(13000, first=12500))
        self.assertEqual(digits(added)[-1], "E")
        self.assertEqual(self.c("BF.INFO", "g")[6], ":1024")
        self.assertEqual(self.c("BF.CARD", "g"), ":20480")
        self.assertEqual(self.c("BF.INFO", "g", "MAXSCALEDCAPACITY"), ":20480")
        self.assertEqual(self.c("RESTORE", "h", 0, self.c("DUMP", "g")), "+OK")
        self.assertEqual(self.c("DEBUG", "DIGEST-VALUE", "h")[1],
                         self.c("DEBUG", "DIGEST-VALUE", "g")[1])

    def test_a_set_scales_within_maxmemory(self):
        self.assertEqual(self.c.line("BF.INSERT f VALIDATESCALETO 1000000"),
                         ["*"])
        self.c("CONFIG", "SET", "maxmemory", 20 << 20)
        self.assertEqual(self.c.line("BF.INSERT g VALIDATESCALETO 1000000"),
                         ["*"])
        for seed in ("", " SEED " + "s" * 32):
            self.assertIn("cannot scale to that many items", self.c.line(
                "BF.INSERT h VALIDATESCALETO 100000000" + seed))
        self.c("CONFIG", "SET", "maxmemory", 0)
        self.assertEqual(self.c("EXISTS", "h"), ":0")

    def test_fields(self):
        invalid = "-Invalid information value"
        for i, row in enumerate(golden()):
            self.c("BF.LOAD", "f", payload(row))
            error = self.c("BF.INFO", "f", "error")
            self.assertEqual(float(error), row["rate"])
            tightening = self.c("BF.INFO", "f", "TIGHTENING")
            if row["expansion"]:
                self.assertEqual(float(tightening), row["tightening"])
            else:
                self.assertEqual(tightening, invalid)
                self.assertEqual(self.c("BF.INFO", "f", "MAXSCALEDCAPACITY"),
                                 invalid)
            self.c("DEL", "f")
        self.c("BF.RESERVE", "set", "0.003", 100)
        self.assertEqual(float(self.c("BF.INFO", "set", "ERROR")), 0.003)
        for word in ("TIGHTENING", "MAXSCALEDCAPACITY", "RATE"):
            self.assertEqual(self.c("BF.INFO", "set", word), invalid)
        new = self.server.client(resp=3)
        self.assertEqual(new("BF.INFO", "set", "ERROR"), 0.003)
        new.close()


class Files(unittest.TestCase):
    def setUp(self):
        self.server = Server("--appendonly", "yes")
        self.addCleanup(self.server.stop)
        self.c = self.server.client()
        self.addCleanup(self.c.close)

    def fill(self):
        for i, row in enumerate(golden()):
            self.assertEqual(self.c("BF.LOAD", "f%d" % i, payload(row)), "+OK")
            if row["more"]:
                self.c("BF.MADD", "f%d" % i, *more_items(row))
        self.c("BF.INSERT", "made", "SEED", "s" * 32, "ITEMS", *keys(500))

    def digests(self, client):
        names = ["f%d" % i for i in range(len(golden()))] + ["made"]
        return client("DEBUG", "DIGEST-VALUE", *names)

    def test_snapshots_and_logs_keep_it(self):
        self.fill()
        before = self.digests(self.c)
        self.assertEqual(self.c.line("DEBUG RELOAD"), "+OK")
        self.assertEqual(self.digests(self.c), before)
        for preamble in (None, "no", "yes"):
            if preamble is not None:
                self.c("CONFIG", "SET", "aof-use-rdb-preamble", preamble)
                self.c("BGREWRITEAOF")
                until(self.is_settled, "the log is rewritten")
            self.assertEqual(self.c.line("DEBUG LOADAOF"), "+OK")
            self.assertEqual(self.digests(self.c), before, preamble)

    def is_settled(self):
        return field(self.c, "persistence", "aof_rewrite_in_progress") == "0" \
            and field(self.c, "persistence", "aof_rewrite_scheduled") == "0"

    def test_replicas_have_it(self):
        replica = Server()
        self.addCleanup(replica.stop)
        client = replica.client()
        self.addCleanup(client.close)
        client("REPLICAOF", "127.0.0.1", self.server.port)
        until(lambda: self.c("WAIT", 1, 100) == ":1", "the replica is there")
        self.fill()
        until(lambda: self.c("WAIT", 1, 100) == ":1", "the replica has it")
        self.assertEqual(self.digests(client), self.digests(self.c))
        client("REPLICAOF", "NO", "ONE")
        self.assertEqual(digits(client("BF.MADD", "f0", "a", "a")), "10")


class Refused(Test):
    def test_a_key_that_is_there_stays(self):
        row = golden()[2]
        self.c("BF.ADD", "f", "x")
        self.c("CF.ADD", "cf", "x")
        self.c("SET", "text", "x")
        error = "-BUSYKEY the key has a filter: delete it before BF.LOAD"
        self.assertEqual(self.c("BF.LOAD", "f", payload(row)), error)
        for key in ("cf", "text"):
            self.assertEqual(self.c("BF.LOAD", key, payload(row)),
                             harness.WRONG_TYPE)
        self.assertEqual(self.c("BF.EXISTS", "f", "x"), ":1")
        self.assertEqual(self.c("CF.EXISTS", "cf", "x"), ":1")

    def refused(self, data, why):
        self.assertEqual(self.c("BF.LOAD", "f", bytes(data)), DAMAGED, why)
        self.assertEqual(self.c("EXISTS", "f"), ":0", why)

    def test_each_field_is_checked(self):
        row = golden()[2]
        right = payload(row)
        self.assertEqual(right[22], 3)  # filters
        nan, infinite = float("nan"), float("inf")
        first = HEAD  # of the first filter
        bits = struct.unpack_from("<Q", right, first + 9)[0]
        end = first + FILTER_HEAD + bits
        cases = [(13, "<d", value) for value in
                 (nan, infinite, -infinite, 0.0, 1.0, -0.5, 2.0)]
        cases += [(5, "<d", value) for value in
                  (nan, infinite, -infinite, 0.0, 1.0, -0.5, 2.0)]
        cases += [(21, "<B", value) for value in (2, 255)]
        cases += [(22, "<Q", value) for value in
                  (0, 1, 2, 4, 5, 1025, 1 << 32, (1 << 64) - 1)]
        for offset in (first, first + 9):  # lengths
            cases += [(offset, "<Q", value) for value in
                      (0, 1, 44, 45, bits - 1, bits + 1, 1 << 40,
                       (1 << 63), (1 << 64) - 1)]
        cases += [(first + 8, "<B", value) for value in (0, 2)]
        cases += [(first + 17, "<I", value) for value in
                  (0, 4097, (1 << 32) - 1)]
        cases += [(end, "<q", value) for value in (-1, 21, 1 << 62)]
        cases += [(end + 8, "<q", value) for value in
                  (-1, 0, -(1 << 63), 19)]
        for offset, form, value in cases:
            data = bytearray(right)
            struct.pack_into(form, data, offset, value)
            self.refused(data, (offset, form, value))
        data = bytearray(right)
        data[first + 21] ^= 1  # the seeds are no longer the same
        self.refused(data, "seed")

    def test_no_bits_at_all(self):
        row = golden()[1]
        head = bytearray(payload(row)[:HEAD + FILTER_HEAD])
        struct.pack_into("<Q", head, HEAD, FILTER_HEAD - 8)
        struct.pack_into("<Q", head, HEAD + 9, 0)
        self.refused(bytes(head) + struct.pack("<qq", 0, 10), "no bits")

    def test_another_version(self):
        data = bytearray(payload(golden()[1]))
        for version in (0, 2, 255):
            data[0] = version
            reply = self.c("BF.LOAD", "f", bytes(data))
            self.assertIn("newer version of valkey-bloom", reply)
        self.assertEqual(self.c("EXISTS", "f"), ":0")

    def test_every_length_but_the_right_one(self):
        for row in golden()[:4]:
            right = payload(row)
            for length in range(len(right)):
                self.refused(right[:length], length)
            for more in (b"\0", b"\1" * 61):
                self.refused(right + more, len(more))

    def test_thousands_of_damaged_ones(self):
        """Each is refused, or makes a filter that can be asked, added to and
        dumped; the server lives."""
        chance = random.Random(18)
        rows = golden()
        loaded = refused = 0
        for n in range(4000):
            data = bytearray(payload(chance.choice(rows)))
            for _ in range(chance.choice((1, 1, 2, 8))):
                data[chance.randrange(1, len(data))] = \
                    chance.choice((0, 1, 127, 128, 255, chance.randrange(256)))
            reply = self.c("BF.LOAD", "f", bytes(data))
            if reply == "+OK":
                loaded += 1
                self.use()
            else:
                refused += 1
                self.assertIn(reply, (DAMAGED,), data.hex())
                self.assertEqual(self.c("EXISTS", "f"), ":0")
        self.assertGreater(loaded, 400)
        self.assertGreater(refused, 400)

    def use(self):
        for i in range(3):
            self.c("BF.ADD", "f", "new-%d" % i)
        self.assertEqual(self.c("BF.EXISTS", "f", "new-0")[0], ":")
        self.assertEqual(len(self.c("BF.INFO", "f")), 11)
        dumped = self.c("DUMP", "f")
        self.assertEqual(self.c("RESTORE", "g", 0, dumped), "+OK")
        self.assertEqual(self.c("DEBUG", "DIGEST-VALUE", "f")[1],
                         self.c("DEBUG", "DIGEST-VALUE", "g")[1])
        self.c("DEL", "f", "g")


if __name__ == "__main__":
    unittest.main(verbosity=2)

"""CF.*: RedisBloom's replies, in RESP2 and RESP3, and keys that are taken out.

The table is what RedisBloom 8.2.0 replies on redis-server 7.0.15, but for the
range of capacities.
"""

import random
import unittest

from bf import ARITY, differences
from dumps import chunks
from harness import WRONG_TYPE, Test, dump, keys

NOT_FOUND = "-ERR not found"
RANGE = "-Capacity must be in the range [2 * BUCKETSIZE, 9007199254740992]"
INSERT_RANGE = ("-Capacity must be in the range [cf-bucket-size * 2, "
                "9007199254740992]")
FULL = "-Filter is full"
UNKNOWN = "-Unknown argument received"
BUCKETS = "-BUCKETSIZE: value must be in the range [1, 255]"
TRIES = "-MAXITERATIONS: value must be in the range [1, 65535]"
TIMES = "-EXPANSION: value must be in the range [0, 32768]"
POSITION = "-Invalid position"

# A command, and its reply: True and False are booleans.
CONTRACT = [
    ("cf.add", ARITY % "cf.add"),
    ("cf.add a", ARITY % "cf.add"),
    ("cf.add a x y", ARITY % "cf.add"),
    ("cf.add a x", True),
    ("cf.add a x", True),
    ("cf.addnx a x", False),
    ("cf.addnx a y", True),
    ("cf.addnx a", ARITY % "cf.addnx"),
    ("cf.info none", NOT_FOUND),
    ("cf.info", ARITY % "cf.info"),
    ("cf.info a size", ARITY % "cf.info"),
    ("cf.count a x", 2),
    ("cf.count a none", 0),
    ("cf.count none x", 0),
    ("cf.count a", ARITY % "cf.count"),
    ("cf.exists a x", True),
    ("cf.exists a q", False),
    ("cf.exists none q", False),
    ("cf.exists a", ARITY % "cf.exists"),
    ("cf.mexists a x q y", [True, False, True]),
    ("cf.mexists none x", [False]),
    ("cf.mexists a", ARITY % "cf.mexists"),
    ("cf.del a x", True),
    ("cf.del a x", True),
    ("cf.del a x", False),
    ("cf.del none x", "-Not found"),
    ("cf.del a", ARITY % "cf.del"),
    ("exists none", 0),
    ("set s 1", "+OK"),
    ("cf.add s x", WRONG_TYPE),
    ("cf.addnx s x", WRONG_TYPE),
    ("cf.exists s x", False),
    ("cf.mexists s x y", [False, False]),
    ("cf.count s x", 0),
    ("cf.del s x", "-Not found"),
    ("cf.info s", WRONG_TYPE),
    ("cf.reserve s 100", WRONG_TYPE),
    ("cf.insert s items x", WRONG_TYPE),
    ("cf.insertnx s items x", WRONG_TYPE),
    ("cf.scandump s 0", WRONG_TYPE),
    ("cf.loadchunk s 1 x", WRONG_TYPE),
    ("bf.add b x", True),
    ("cf.add b x", WRONG_TYPE),
    ("cf.exists b x", False),
    ("cf.count b x", 0),
    ("cf.del b x", "-Not found"),
    ("cf.info b", WRONG_TYPE),
    ("cf.loadchunk b 1 x", WRONG_TYPE),
    ("bf.add a x", WRONG_TYPE),
    ("bf.exists a x", False),
    ("bf.info a", WRONG_TYPE),
    ("bf.reserve a 0.1 10", WRONG_TYPE),
    ("bf.loadchunk a 1 x", WRONG_TYPE),
    ("seen.add a x", WRONG_TYPE),  # ours
    ("seen.merge a b", WRONG_TYPE),
    ("seen.merge b a", WRONG_TYPE),
    ("cf.reserve", ARITY % "cf.reserve"),
    ("cf.reserve r", ARITY % "cf.reserve"),
    ("cf.reserve a 100", "-ERR item exists"),
    ("cf.reserve r foo", "-Bad capacity"),
    ("cf.reserve r 1.5", "-Bad capacity"),
    ("cf.reserve r 99999999999999999999", "-Bad capacity"),
    ("cf.reserve r 9223372036854775807", RANGE),
    ("cf.reserve r 0", RANGE),
    ("cf.reserve r -1", RANGE),
    ("cf.reserve r 3", RANGE),
    ("cf.reserve r 7 BUCKETSIZE 4", RANGE),
    ("cf.reserve r 100 BUCKETSIZE", ARITY % "cf.reserve"),
    ("cf.reserve r 100 BUCKETSIZE foo", "-Couldn't parse BUCKETSIZE"),
    ("cf.reserve r 100 BUCKETSIZE 0", BUCKETS),
    ("cf.reserve r 100 BUCKETSIZE 256", BUCKETS),
    ("cf.reserve r 100 MAXITERATIONS foo", "-Couldn't parse MAXITERATIONS"),
    ("cf.reserve r 100 MAXITERATIONS 0", TRIES),
    ("cf.reserve r 100 MAXITERATIONS 65536", TRIES),
    ("cf.reserve r 100 EXPANSION foo", "-Couldn't parse EXPANSION"),
    ("cf.reserve r 100 EXPANSION -1", TIMES),
    ("cf.reserve r 100 EXPANSION 32769", TIMES),
    ("cf.reserve r 100 foo", ARITY % "cf.reserve"),
    ("exists r", 0),
    ("cf.reserve r 4", "+OK"),
    ("cf.reserve r1 100 foo bar", "+OK"),
    ("cf.reserve r2 8 BUCKETSIZE 4", "+OK"),
    ("cf.insert", ARITY % "cf.insert"),
    ("cf.insert k ITEMS", ARITY % "cf.insert"),
    ("cf.insert k x", ARITY % "cf.insert"),
    ("cf.insert k x y", UNKNOWN),
    ("cf.insert k foo ITEMS x", UNKNOWN),
    ("cf.insert k BUCKETSIZE 2 ITEMS x", UNKNOWN),
    ("cf.insert k CAPACITY ITEMS x", "-Bad capacity"),
    ("cf.insert k CAPACITY 3 ITEMS x", INSERT_RANGE),
    ("cf.insert k CAPACITY 10", ARITY % "cf.insert"),
    ("cf.insert k CAPACITY 10 ITEMS", ARITY % "cf.insert"),
    ("cf.insert k NOCREATE ITEMS x", NOT_FOUND),
    ("cf.insert k NOCREATE CAPACITY foo ITEMS x", "-Bad capacity"),
    ("cf.insertnx", ARITY % "cf.insertnx"),
    ("cf.insertnx k NOCREATE ITEMS x", NOT_FOUND),
    ("exists k", 0),
    ("cf.insert k CAPACITY 100 ITEMS x y x", [True, True, True]),
    ("cf.insertnx k CAPACITY 100 ITEMS x y z", [0, 0, 1]),
    ("cf.insert k NOCREATE ITEMS x y x", [True, True, True]),
    ("cf.insertnx k2 ITEMS x x y", [1, 0, 1]),
    ("cf.count k x", 4),
    ("cf.insert k3 capacity 100 capacity 2000 items items", [True]),
    ("cf.scandump a", ARITY % "cf.scandump"),
    ("cf.scandump none 0", NOT_FOUND),
    ("cf.scandump a foo", POSITION),
    ("cf.scandump a -1", POSITION),
    ("cf.loadchunk n 1", ARITY % "cf.loadchunk"),
    ("cf.loadchunk n foo x", POSITION),
    ("cf.loadchunk n 0 x", POSITION),
    ("cf.loadchunk n -1 x", NOT_FOUND),
    ("cf.loadchunk n 2 x", NOT_FOUND),
    ("cf.loadchunk n 1 x", "-Invalid header"),
    ("cf.loadchunk a 1 x", "-ERR item exists"),
]

# A filter's arguments, and what CF.INFO says of it but for its size.
INFOS = (("1024", [512, 1, 0, 0, 2, 1, 20]),
         ("4", [2, 1, 0, 0, 2, 1, 20]),
         ("100 EXPANSION 0", [64, 1, 0, 0, 2, 0, 20]),
         ("1000 BUCKETSIZE 4 MAXITERATIONS 30 EXPANSION 3",
          [256, 1, 0, 0, 4, 4, 30]),
         ("1000 BUCKETSIZE 255 MAXITERATIONS 65535 EXPANSION 32768",
          [4, 1, 0, 0, 255, 32768, 65535]),
         ("100 BUCKETSIZE 3", [64, 1, 0, 0, 3, 1, 20]))
NAMES = ["+Size", "+Number of buckets", "+Number of filters",
         "+Number of items inserted", "+Number of items deleted",
         "+Bucket size", "+Expansion rate", "+Max iterations"]


def cf_chunks(client, key):
    """All chunks of CF.SCANDUMP."""
    found, iterator = [], 0
    while True:
        _, after, data = client("CF.SCANDUMP", key, iterator)
        iterator = int(after[1:])
        if iterator == 0:
            return found
        found.append((iterator, data))


def cf_restore(client, key, saved):
    """Sends chunks by CF.LOADCHUNK, and returns the last reply."""
    reply = None
    for iterator, data in saved:
        reply = client("CF.LOADCHUNK", key, iterator, data)
        if reply != "+OK":
            break
    return reply


class Contract(Test):
    def test_replies_are_redisblooms(self):
        for resp in (2, 3):
            client = self.server.client(resp)
            client("FLUSHALL")
            self.assertEqual(differences(client, resp, CONTRACT), [], resp)
            client.close()

    def test_info_is_redisblooms(self):
        for i, (words, wanted) in enumerate(INFOS):
            self.c("CF.RESERVE", "i%d" % i, *words.split())
            reply = self.c("CF.INFO", "i%d" % i)
            self.assertEqual(reply[1::2], NAMES)
            self.assertEqual(reply[4::2], [":%d" % n for n in wanted], words)
            client = self.server.client(3)
            self.assertEqual(list(client("CF.INFO", "i%d" % i)), NAMES)
            client.close()

    def test_a_full_filter_says_so(self):
        for resp, full in ((2, ":-1"), (3, False)):
            client = self.server.client(resp)
            client("FLUSHALL")
            client("CF.RESERVE", "f", 4, "EXPANSION", 0)
            added = client("CF.INSERT", "f", "ITEMS", *"abcdef")
            self.assertEqual(added[-2:], [full, full])
            self.assertEqual(
                client("CF.INSERTNX", "f", "ITEMS", "a", "g"),
                ["*", ":0", ":-1"])
            self.assertEqual(client("CF.ADD", "f", "g"), FULL)
            self.assertEqual(client("CF.ADDNX", "f", "g"), FULL)
            client("CF.DEL", "f", "a")
            self.assertEqual(client("CF.ADD", "f", "g"), True if resp == 3
                             else ":1")
            client.close()

    def test_a_filter_grows_by_its_expansion(self):
        self.c("CF.RESERVE", "x", 4, "EXPANSION", 1024)
        self.c("CF.INSERT", "x", "ITEMS", *keys(4000))
        self.assertEqual(self.c("CF.INFO", "x")[6], ":2")
        self.c("CF.INSERT", "x", "ITEMS", *keys(200, 4000))
        self.assertEqual(self.c("CF.INFO", "x")[6], ":3")
        self.c("CF.RESERVE", "y", 4)
        self.c("CF.INSERT", "y", "ITEMS", *keys(28))
        self.assertEqual(self.c("CF.INFO", "y")[6], ":3")


class Keys(Test):
    """Against a multiset, while the filter grows and shrinks."""

    def wrong(self, truth, name="k"):
        """The keys whose count is less than the truth."""
        there = [key for key, copies in truth.items() if copies > 0]
        answers = self.c("CF.MEXISTS", name, *there)[1:]
        lost = [key for key, answer in zip(there, answers) if answer != ":1"]
        for key in there[:300]:
            if int(self.c("CF.COUNT", name, key)[1:]) < min(truth[key], 14):
                lost.append(key)
        return lost

    def turn(self, truth, rng, round_number):
        added = [rng.choice(KEYS) for _ in range(900)]
        if round_number % 3 == 2:
            added = [key for key in truth if truth[key] > 0][:200]
        for key in added:
            truth[key] = truth.get(key, 0) + 1
        self.c("CF.INSERT", "k", "ITEMS", *added)
        gone = [key for key in rng.sample(KEYS, 1500) if truth.get(key, 0) > 0]
        for key in gone:
            self.assertEqual(self.c("CF.DEL", "k", key), ":1")
            truth[key] -= 1

    def test_no_key_is_forgotten(self):
        for words in ("100", "64 EXPANSION 4", "100 BUCKETSIZE 3"):
            rng, truth = random.Random(19), {}
            self.c("DEL", "k")
            self.c("CF.RESERVE", "k", *words.split())
            for i in range(6):
                self.turn(truth, rng, i)
                self.assertEqual(self.wrong(truth), [], (words, i))
            inserted = sum(truth.values())
            self.assertEqual(self.c("CF.INFO", "k")[8], ":%d" % inserted)
            self.assertGreater(int(self.c("CF.INFO", "k")[6][1:]), 3)
            for key, copies in truth.items():
                for _ in range(copies):
                    self.assertEqual(self.c("CF.DEL", "k", key), ":1")
                truth[key] = 0
            self.assertEqual(self.c("CF.INFO", "k")[8], ":0")

    def test_the_judge_sees_a_lost_key(self):
        """Planted: one key that was never added."""
        self.c("CF.INSERT", "k", "ITEMS", *KEYS[:500])
        truth = dict.fromkeys(KEYS[:501], 1)
        self.assertEqual(self.wrong(truth), [KEYS[500]])
        self.c("CF.DEL", "k", KEYS[3])
        truth = dict.fromkeys(KEYS[:500], 1)
        self.assertEqual(self.wrong(truth), [KEYS[3]] * 2)

    def test_room_that_was_made_is_filled_again(self):
        self.c("CF.RESERVE", "k", 1000)
        for i in range(8):
            wanted = keys(1000, 1000 * i)
            self.c("CF.INSERT", "k", "ITEMS", *wanted)
            for key in wanted:
                self.c("CF.DEL", "k", key)
        self.assertEqual(self.c("CF.INFO", "k")[6], ":1")

    def test_the_rate_holds_while_it_grows(self):
        self.c("CF.RESERVE", "k", 100)
        for i in range(40):
            self.c("CF.INSERT", "k", "ITEMS", *keys(500, 500 * i))
        self.assertGreater(int(self.c("CF.INFO", "k")[6][1:]), 6)
        wrong = sum(self.c("CF.MEXISTS", "k",
                           *keys(1000, 10 ** 6 + 1000 * i)).count(":1")
                    for i in range(20))
        # 1 % of 20,000 is 200; six standard deviations more are 285.
        self.assertLess(wrong, 285)
        self.assertGreater(wrong, 0)

    def test_a_key_that_is_added_often_stays(self):
        self.c("CF.RESERVE", "k", 100)
        for _ in range(500):
            self.assertEqual(self.c("CF.ADD", "k", "x"), ":1")
        self.assertLess(int(self.c("CF.INFO", "k")[6][1:]), 3)
        for _ in range(400):
            self.assertEqual(self.c("CF.DEL", "k", "x"), ":1")
        self.assertEqual(self.c("CF.EXISTS", "k", "x"), ":1")


class Dumps(Test):
    def setUp(self):
        super().setUp()
        self.c("CF.RESERVE", "k", 100)
        self.c("CF.INSERT", "k", "ITEMS", *KEYS[:1000])
        self.saved = cf_chunks(self.c, "k")

    def same(self, name):
        both = self.c("DEBUG", "DIGEST-VALUE", "k", name)
        self.assertEqual(both[1], both[2])
        self.assertEqual(self.c("CF.INFO", "k")[4:],
                         self.c("CF.INFO", name)[4:])

    def test_a_dump_makes_the_filter_again(self):
        self.assertEqual(cf_restore(self.c, "n", self.saved), "+OK")
        self.same("n")
        self.c("CF.LOADCHUNK", "m", *self.saved[0])
        self.assertTrue(self.c("CF.ADD", "m", "x").startswith("-ERR the set"))
        self.assertTrue(self.c("CF.EXISTS", "m", "x").startswith("-"))
        self.assertEqual(cf_restore(self.c, "m", self.saved), "+OK")
        self.same("m")
        self.assertEqual(cf_restore(self.c, "m", self.saved),
                         "-ERR item exists")

    def test_small_chunks_are_the_same(self):
        data = self.saved[1][1]
        cut = [(at + len(data[at:at + 1000]) + 1, data[at:at + 1000])
               for at in range(0, len(data), 1000)]
        self.assertEqual(cf_restore(self.c, "n", self.saved[:1] + cut), "+OK")
        self.same("n")

    def test_redisblooms_dump_is_refused_by_name(self):
        head = (b"\1" + bytes(7) + b"\0\2" + bytes(14) + b"\1" + bytes(7) +
                b"\2\0\x14\0\1\0")
        self.assertRegex(self.c("CF.LOADCHUNK", "n", 1, head), "RedisBloom")
        self.assertEqual(self.c("EXISTS", "n"), ":0")

    def test_another_familys_dump_is_not_taken(self):
        self.c("BF.ADD", "b", "x")
        head = chunks(self.c, "b")[0]
        self.assertEqual(self.c("CF.LOADCHUNK", "n", *head),
                         "-Invalid header")
        self.assertEqual(self.c("BF.LOADCHUNK", "n", *self.saved[0]),
                         "-ERR received bad data")
        self.c("SEEN.LOAD", "n", 0, 1000, dump(self.c, "b")[:100])
        self.assertEqual(self.c("CF.LOADCHUNK", "n", *self.saved[1]),
                         POSITION)

    def test_damage_is_refused(self):
        rng = random.Random(19)
        for i in range(200):
            saved = [[iterator, bytearray(data)]
                     for iterator, data in self.saved]
            data = rng.choice(saved)[1]
            data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
            reply = cf_restore(self.c, "n", saved)
            self.assertTrue(reply.startswith("-"), (i, reply))
            self.assertEqual(self.c("EXISTS", "n"), ":0")


KEYS = keys(3000)

if __name__ == "__main__":
    unittest.main(verbosity=2)

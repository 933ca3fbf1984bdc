"""SEEN.*: what RedisBloom lacks."""

import select
import unittest

from harness import MODULE, WRONG_TYPE, Test, dump, keys, load, until

ARITY = "-ERR wrong number of arguments for '%s' command"
SECRET = "000102030405060708090a0b0c0d0e0F"
LAYOUTS = ("-ERR LAYOUT is blocked, bloom, counting, fingerprint or "
           "split_block")
CANNOT = "-ERR this kind of set, or this machine, cannot do that"
CANNOT_MAKE = ("-ERR such a set cannot be made: an argument is missing or "
               "outside its range")
CANNOT_GROW = ("-ERR LAYOUT counting and fingerprint do not grow: give "
               "CAPACITY the most keys, or use CF.*, which grows")
FULL = "-ERR the set is at its capacity and refuses new keys"
RANGE = "-ERR a number is missing or outside its range"
LACKS = "-ERR an option lacks its value"

NEW_IS_REFUSED = [
    ("foo", "-ERR an option is not known to SEEN.NEW"),
    ("CAPACITY", LACKS),
    ("CAPACITY 0", RANGE),
    ("CAPACITY x", RANGE),
    ("CAPACITY -1", RANGE),
    ("RATE", "-ERR RATE needs a number between 0 and 1"),
    ("RATE 0", "-ERR RATE needs a number between 0 and 1"),
    ("RATE nan", "-ERR RATE needs a number between 0 and 1"),
    ("LAYOUT sealed", LAYOUTS),
    ("LAYOUT expandable", LAYOUTS),
    ("LAYOUT", LAYOUTS),
    ("LAYOUT fingerprint COUNTERBITS 4", CANNOT_MAKE),
    ("LAYOUT fingerprint ONFULL grow", CANNOT_GROW),
    ("ONFULL grow LAYOUT counting", CANNOT_GROW),
    ("COUNTERBITS 17", RANGE),
    ("ONFULL rotate", "-ERR ONFULL is grow, refuse or degrade"),
    ("WINDOW", "-ERR WINDOW is KEYS n or SECONDS s"),
    ("WINDOW DAYS 1", "-ERR WINDOW is KEYS n or SECONDS s"),
    ("WINDOW SECONDS 0", RANGE),
    ("WINDOW KEYS 10 WINDOWTABLES 65", RANGE),
    ("SECRET 12", "-ERR SECRET needs 32 hexadecimal digits"),
    ("SECRET " + "g" * 32, "-ERR SECRET needs 32 hexadecimal digits"),
    ("SLIDING", "-ERR such a set cannot be made: an argument is missing or "
                "outside its range"),
    ("CAPACITY 9007199254740992",
     "-ERR such a set cannot be made: the size asked for is over the limit "
     "of 2^53 bits"),
]

LEAST_WORDS = {"SEEN.NEW": 1, "SEEN.ADD": 2, "SEEN.HAS": 2, "SEEN.REMOVE": 2,
               "SEEN.COUNT": 2, "SEEN.MERGE": 2, "SEEN.SIMILARITY": 2,
               "SEEN.OVERLAP": 2,
               "SEEN.INFO": 1, "SEEN.DUMP": 2, "SEEN.LOAD": 4}


class Sets(Test):
    def info(self, key):
        client = self.server.client(3)
        reply = client("SEEN.INFO", key)
        client.close()
        return {name[1:]: value for name, value in reply.items()}

    def test_arity_and_types_are_checked(self):
        self.c("SET", "s", "1")
        for name, least in LEAST_WORDS.items():
            few = ["s"] * (least - 1)
            self.assertEqual(self.c(name, *few), ARITY % name.lower(), name)
            enough = ["s"] + ["0", "1", "x"][:least - 1]
            if name in ("SEEN.MERGE", "SEEN.SIMILARITY", "SEEN.OVERLAP"):
                enough = ["s", "s"]
            if name != "SEEN.NEW":
                self.assertEqual(self.c(name, *enough), WRONG_TYPE, name)
        self.assertEqual(self.c("SEEN.NEW", "s"), WRONG_TYPE)
        self.assertEqual(self.c("GET", "s"), b"1")

    def test_new_refuses_what_it_cannot_make(self):
        for words, error in NEW_IS_REFUSED:
            self.assertEqual(self.c("SEEN.NEW", "n", *words.split()), error)
            self.assertEqual(self.c("EXISTS", "n"), ":0")
        self.assertEqual(self.c("SEEN.NEW", "n"), "+OK")
        self.assertEqual(self.c("SEEN.NEW", "n"), "-ERR the key exists")

    def test_new_makes_what_was_asked_for(self):
        self.c.line("SEEN.NEW a CAPACITY 5000 RATE 0.001 LAYOUT bloom "
                    "ONFULL refuse")
        info = self.info("a")
        self.assertEqual(
            (info["layout"], info["on-full"], info["capacity"], info["rate"]),
            (b"bloom", b"refuse", ":5000", 0.001))
        self.c.line("SEEN.NEW c LAYOUT counting COUNTERBITS 8")
        self.assertEqual(self.info("c")["counter-bits"], ":8")
        self.c.line("SEEN.NEW f LAYOUT fingerprint")
        info = self.info("f")
        self.assertEqual((info["layout"], info["counter-bits"]),
                         (b"fingerprint", ":0"))
        self.assertGreater(int(info["fingerprint-bits"][1:]), 6)
        self.c.line("SEEN.NEW w WINDOW SECONDS 60 WINDOWTABLES 3 SLIDING")
        info = self.info("w")
        self.assertEqual((info["on-full"], info["window-seconds"],
                          info["window-tables"], info["sliding"]),
                         (b"rotate", ":60", ":3", ":1"))
        self.c.line("SEEN.NEW k SECRET " + SECRET)
        self.assertEqual(self.info("k")["keyed"], ":1")

    def test_add_and_has_answer_each_key(self):
        for resp, yes, no in ((2, ":1", ":0"), (3, True, False)):
            client = self.server.client(resp)
            client("FLUSHALL")
            self.assertEqual(client.line("SEEN.HAS a x y"), ["*", no, no])
            self.assertEqual(client("EXISTS", "a"), ":0")
            self.assertEqual(client.line("SEEN.ADD a x y x"),
                             ["*", yes, yes, no])
            self.assertEqual(client.line("SEEN.HAS a x z y"),
                             ["*", yes, no, yes])
            client.close()

    def test_a_set_grows_and_reports_it(self):
        wanted = keys(50000)
        for at in range(0, len(wanted), 5000):
            self.c("SEEN.ADD", "g", *wanted[at:at + 5000])
        self.all_seen(self.c, "g", wanted)
        info = self.info("g")
        self.assertEqual(info["tables"], ":2")  # one of them grows in place
        self.assertGreaterEqual(int(self.c("BF.INFO", "g", "CAPACITY")[1][1:]),
                                int(info["added"][1:]))
        self.assertEqual(len(self.c("BF.DEBUG", "g")), 4)
        self.assertAlmostEqual(info["estimated-keys"], 50000, delta=1000)
        self.assertLess(info["rate-now"], 0.01)
        self.assertGreater(info["rate-now"], 0)
        self.assertLess(info["expected-false-positives"], 500)

    def test_a_set_that_refuses_says_which_keys(self):
        self.c.line("SEEN.NEW r CAPACITY 2 ONFULL refuse RATE 0.000001")
        reply = self.c.line("SEEN.ADD r a b c a")
        self.assertEqual(reply[:3] + reply[4:], ["*", ":1", ":1", ":0"])
        self.assertEqual(reply[3], FULL)

    def test_layouts_that_cannot_grow_refuse(self):
        """No key that never was is answered as seen, beyond the rate; a key
        that is refused is not in the set. Room is made by taking keys out."""
        for layout in ("counting", "fingerprint"):
            self.c("DEL", "f")
            self.c("SEEN.NEW", "f", "LAYOUT", layout)
            info = self.c("SEEN.INFO", "f")
            self.assertEqual(info[info.index("+on-full") + 1], b"refuse")
            answers = self.c("SEEN.ADD", "f", *keys(5000))[1:]
            self.assertEqual(sorted(set(answers)), [FULL, ":0", ":1"])
            self.assertEqual(answers.count(":1"), 1000)
            # 4,000 new keys at 1 %: 40 expected, 4 sd are 26
            self.assertLess(answers.count(":0"), 70)
            taken = [key for key, answer in zip(keys(5000), answers)
                     if answer == ":1"]
            self.all_seen(self.c, "f", taken)
            self.assertEqual(self.c("SEEN.REMOVE", "f", taken[0]),
                             ["*", ":1"])
            self.assertEqual(self.c("SEEN.ADD", "f", taken[0]), ["*", ":1"])

    def test_degrade_is_still_to_be_had(self):
        self.c.line("SEEN.NEW f LAYOUT fingerprint ONFULL degrade")
        answers = self.c("SEEN.ADD", "f", *keys(5000))[1:]
        self.assertEqual(sorted(set(answers)), [":0", ":1"])

    def test_keys_are_counted_and_removed(self):
        for layout in ("counting", "fingerprint"):
            self.c("DEL", "c")
            self.c("SEEN.NEW", "c", "LAYOUT", layout)
            self.c.line("SEEN.ADD c k k k l")
            self.assertEqual(self.c.line("SEEN.COUNT c k l m"),
                             ["*", ":3", ":1", ":0"])
            self.assertEqual(self.c.line("SEEN.REMOVE c k m"),
                             ["*", ":1", ":0"])
            self.assertEqual(self.c.line("SEEN.COUNT c k"), ["*", ":2"])
        self.assertEqual(self.c.line("SEEN.COUNT none k"), ["*", ":0"])
        self.assertEqual(self.c.line("SEEN.REMOVE none k"), ["*", ":0"])
        self.c.line("SEEN.ADD a k")
        self.assertEqual(self.c.line("SEEN.REMOVE a k"), CANNOT)
        self.assertEqual(self.c.line("SEEN.COUNT a k"), CANNOT)

    def test_a_window_by_number_forgets(self):
        self.c.line("SEEN.NEW w WINDOW KEYS 100 RATE 0.000001")
        for key in keys(1000):
            self.c("SEEN.ADD", "w", key)
        self.all_seen(self.c, "w", keys(100, 900))
        old = self.c("SEEN.HAS", "w", *keys(100))
        self.assertEqual(old.count(":1"), 0)

    def test_a_window_by_age_forgets(self):
        self.c.line("SEEN.NEW w WINDOW SECONDS 1 WINDOWTABLES 2")
        self.c.line("SEEN.ADD w x")
        self.all_seen(self.c, "w", ["x"])
        until(lambda: self.c.line("SEEN.HAS w x") == ["*", ":0"],
              "a key of a window is forgotten")


class Together(Test):
    def is_merged(self, reply):
        """Within the rate that the key was made with, or over it."""
        self.assertRegex(reply, r"^\+OK(, but its rate can reach .*)?$")

    def test_merge_reports_a_rate_that_is_over(self):
        """A status that begins with OK; with STRICT an error, no change."""
        over = (r"its rate can reach 0\.\d+ \(now 0\.0\d+\), over the 0\.01 "
                r"that it was made with; to keep that, make the sets with ")
        for key in ("a", "b", "c", "d"):
            self.c.line("SEEN.NEW %s CAPACITY 100" % key)
            self.c("SEEN.ADD", key, *[key + str(i) for i in range(2000)])
        before = self.c("DEBUG", "DIGEST-VALUE", "a")
        self.assertRegex(self.c.line("SEEN.MERGE a b c STRICT"),
                         r"^-ERR nothing was merged: " + over)
        self.assertRegex(self.c.line("SEEN.MERGE u a b c strict"),
                         r"^-ERR nothing was merged: " + over)
        self.assertEqual(self.c("EXISTS", "u"), ":0")
        self.assertEqual(self.c("DEBUG", "DIGEST-VALUE", "a"), before)
        self.assertRegex(self.c.line("SEEN.MERGE a b"),
                         r"^\+OK, but " + over + r"RATE 0\.00[5-7]\d?$")
        self.c.line("SEEN.MERGE a c")
        self.assertRegex(self.c.line("SEEN.MERGE a d"),
                         r"^\+OK, but " + over + r"RATE 0\.00[34]\d?$")
        # and sets that were made so keep it, one after another
        self.c.line("SEEN.NEW all CAPACITY 1 RATE 0.01")
        for key in ("e", "f", "g", "h"):
            self.c.line("SEEN.NEW %s CAPACITY 100 RATE 0.001" % key)
            self.c("SEEN.ADD", key, *[key + str(i) for i in range(2000)])
            self.assertEqual(self.c("SEEN.MERGE", "all", key, "STRICT"), "+OK")
            self.all_seen(self.c, "all", [key + str(i) for i in range(2000)])

    def test_merge_into_a_fixed_size_reports_the_capacity(self):
        for key in ("a", "b"):
            self.c.line("SEEN.NEW %s CAPACITY 1000 ONFULL degrade" % key)
            self.c("SEEN.ADD", key, *[key + str(i) for i in range(1000)])
        self.assertRegex(self.c.line("SEEN.MERGE a b STRICT"),
                         r"^-ERR nothing was merged: .* with CAPACITY \d{4}$")
        self.assertRegex(self.c.line("SEEN.MERGE a b"),
                         r"^\+OK, but .* with CAPACITY (19|2[01])00$")

    def test_merge_takes_a_source_called_strict(self):
        self.c("SEEN.ADD", "strict", "x")
        self.c("SEEN.ADD", "b", "y")
        self.assertEqual(self.c.line("SEEN.MERGE a strict b"), "+OK")
        self.assertEqual(self.c.line("SEEN.HAS a x y"), ["*", ":1", ":1"])
        # two words after SEEN.MERGE are keys, whatever they are
        self.assertEqual(self.c.line("SEEN.MERGE u strict"), "+OK")
        self.assertEqual(self.c.line("SEEN.HAS u x"), ["*", ":1"])
        for line, found in (("a b c STRICT", ["a", "b", "c"]),
                            ("a strict b", ["a", "strict", "b"]),
                            ("a strict", ["a", "strict"])):
            self.assertEqual(
                self.c.line("COMMAND GETKEYS SEEN.MERGE " + line),
                ["*"] + [key.encode() for key in found])

    def test_merge_is_the_union(self):
        self.c("SEEN.ADD", "a", *keys(3000))
        self.c("SEEN.ADD", "b", *keys(3000, 2000))
        self.is_merged(self.c.line("SEEN.MERGE u a b none"))
        self.all_seen(self.c, "u", keys(5000))
        self.is_merged(self.c.line("SEEN.MERGE a b"))
        self.all_seen(self.c, "a", keys(5000))
        self.is_merged(self.c.line("SEEN.MERGE a a"))
        self.assertEqual(self.c("SEEN.HAS", "b", keys(1)[0]), ["*", ":0"])

    def test_merge_again_changes_nothing(self):
        for key, first in (("a", 0), ("b", 2000)):
            for batch in range(4):
                self.c("SEEN.ADD", key, *keys(1000, first + 1000 * batch))
        self.is_merged(self.c.line("SEEN.MERGE u a b"))
        once = self.c("DEBUG", "DIGEST-VALUE", "u")
        for source in ("a", "b", "a", "u"):
            for _ in range(70):
                self.c.send("SEEN.MERGE", "u", source)
                self.is_merged(self.c.read())
        self.assertEqual(self.c("DEBUG", "DIGEST-VALUE", "u"), once)
        self.all_seen(self.c, "u", keys(6000))

    def test_merge_leaves_all_as_it_was_on_an_error(self):
        self.c("SEEN.ADD", "a", *keys(10))
        self.c("SEEN.ADD", "b", *keys(10, 10))
        self.c.line("SEEN.NEW c LAYOUT bloom")
        self.c("SET", "s", "1")
        before = self.c("DEBUG", "DIGEST-VALUE", "a")
        self.assertTrue(self.c.line("SEEN.MERGE a b c").startswith(
            "-ERR nothing was merged: "))
        self.assertEqual(self.c.line("SEEN.MERGE a b s"), WRONG_TYPE)
        self.assertEqual(self.c.line("SEEN.MERGE n b s"), WRONG_TYPE)
        self.assertEqual(self.c.line("SEEN.MERGE n m"), "-ERR not found")
        self.assertEqual(self.c("DEBUG", "DIGEST-VALUE", "a"), before)
        self.assertEqual(self.c("EXISTS", "n"), ":0")

    def busy_replies(self, threshold_ms, times):
        """What another client hears while large sets are merged."""
        self.c("CONFIG", "SET", "busy-reply-threshold", threshold_ms)
        other = self.server.client()
        other.line("PING")
        self.c.send("SEEN.MERGE", "u", *["a", "b"] * times)
        replies = set()
        while not select.select([self.c.socket], [], [], 0)[0]:
            replies.add(other.line("GET none"))
        self.assertEqual(self.c.read(), "+OK")
        self.assertIsNone(other.line("GET none"))
        other.close()
        return replies

    def test_a_long_merge_lets_others_be_answered(self):
        busy = "-BUSY SEEN.MERGE is at work"
        for key, first in (("a", 0), ("b", 1000)):
            self.c("SEEN.NEW", key, "CAPACITY", 3000000)
            self.c("SEEN.ADD", key, *keys(1000, first))
        self.c.line("CONFIG SET hz 500")  # how often it looks
        try:
            self.assertIn(busy, self.busy_replies(0, 200))
            self.all_seen(self.c, "u", keys(2000))
            # planted: the server is to look after a day only; the client waits
            # until the merge has ended, so that is a short one
            self.assertNotIn(busy, self.busy_replies(86400000, 20))
        finally:
            self.c.line("CONFIG SET hz 10 busy-reply-threshold 5000")

    def test_overlap_is_estimated(self):
        self.c.line("SEEN.NEW a CAPACITY 100000 RATE 0.001")
        self.c.line("SEEN.NEW b CAPACITY 100000 RATE 0.001")
        self.c("SEEN.ADD", "a", *keys(60000))
        self.c("SEEN.ADD", "b", *keys(60000, 30000))
        client = self.server.client(3)
        reply = client.line("SEEN.OVERLAP a b")
        self.assertEqual(client.line("SEEN.SIMILARITY a b"), reply)
        client.close()
        self.assertAlmostEqual(reply["+jaccard"], 1 / 3, delta=0.02)
        self.assertAlmostEqual(reply["+union"], 90000, delta=2000)
        self.assertAlmostEqual(reply["+only-in-first"], 30000, delta=2000)
        self.c.line("SEEN.NEW c LAYOUT bloom")
        self.assertTrue(self.c.line("SEEN.OVERLAP a c").startswith("-ERR"))
        self.assertEqual(self.c.line("SEEN.OVERLAP a none"),
                         "-ERR not found")


class Transfer(Test):
    def test_what_was_dumped_loads(self):
        self.c("SEEN.ADD", "a", *keys(5000))
        data = dump(self.c, "a")
        for size in (1, 100, 4096, len(data)) if len(data) < 9000 else (
                777, 4096, len(data)):
            self.assertEqual(load(self.c, "b", data, size=size), "+OK")
            self.all_seen(self.c, "b", keys(5000))
        digests = self.c("DEBUG", "DIGEST-VALUE", "a", "b")
        self.assertEqual(digests[1], digests[2])

    def test_a_key_that_is_half_loaded_is_not_empty(self):
        self.c("SEEN.ADD", "a", "x")
        data = dump(self.c, "a")
        half = len(data) // 2
        self.c("SEEN.LOAD", "b", 0, len(data), data[:half])
        error = "-ERR the set of this key is not loaded whole yet: see " \
                "SEEN.LOAD"
        for command in ("SEEN.HAS b x", "BF.EXISTS b x", "BF.MEXISTS b x",
                        "SEEN.ADD b x", "BF.ADD b x", "BF.MADD b x",
                        "BF.INSERT b ITEMS x", "BF.INFO b", "BF.CARD b",
                        "BF.DEBUG b", "SEEN.INFO b", "SEEN.REMOVE b x",
                        "SEEN.COUNT b x", "SEEN.DUMP b 0",
                        "SEEN.SIMILARITY a b", "SEEN.MERGE b a",
                        "SEEN.MERGE a b", "SEEN.MERGE n b"):
            self.assertEqual(self.c.line(command), error, command)
        self.assertEqual(self.c.line("SEEN.NEW b"), "-ERR the key exists")
        self.assertEqual(
            self.c("SEEN.LOAD", "b", half, len(data), data[half:]), "+OK")
        self.all_seen(self.c, "b", ["x"])

    def test_a_wrong_chunk_changes_nothing(self):
        self.c("SEEN.ADD", "a", "x")
        data = dump(self.c, "a")
        total = len(data)
        odd = "-ERR the chunk is empty, past the total, or its total is " \
              "another one than before"
        self.assertEqual(self.c("SEEN.LOAD", "b", 0, total, ""), odd)
        self.assertEqual(self.c("SEEN.LOAD", "b", 0, 1, data), odd)
        self.assertEqual(self.c("SEEN.LOAD", "b", 5, total, data[5:]),
                         "-ERR the next chunk is at offset 0")
        self.assertEqual(self.c("EXISTS", "b"), ":0")
        self.c("SEEN.LOAD", "b", 0, total, data[:100])
        self.assertEqual(self.c("SEEN.LOAD", "b", 100, total + 1, "y"), odd)
        self.assertEqual(self.c("SEEN.LOAD", "b", 99, total, data[99:]),
                         "-ERR the next chunk is at offset 100")
        for words in ("x 1 y", "0 0 y", "-1 5 y", "0 x y"):
            self.assertEqual(self.c.line("SEEN.LOAD b " + words),
                             "-ERR offset and total are numbers of bytes")
        self.assertEqual(self.c("SEEN.LOAD", "b", 100, total, data[100:]),
                         "+OK")

    def test_a_damaged_file_leaves_the_key_as_it_was(self):
        self.c("SEEN.ADD", "a", "x")
        data = bytearray(dump(self.c, "a"))
        data[len(data) // 2] ^= 4
        before = self.c("DEBUG", "DIGEST-VALUE", "a")
        for key in ("a", "n"):
            self.assertTrue(load(self.c, key, bytes(data)).startswith(
                "-ERR the file was refused: "))
        self.assertEqual(self.c("DEBUG", "DIGEST-VALUE", "a"), before)
        self.assertEqual(self.c("EXISTS", "n"), ":0")

    def test_abort_drops_what_has_come(self):
        self.c("SEEN.ADD", "a", "x")
        data = dump(self.c, "a")
        for key in ("a", "n"):
            self.c("SEEN.LOAD", key, 0, len(data), data[:9])
            self.assertEqual(self.c("SEEN.LOAD", key, "ABORT"), "+OK")
            self.assertEqual(self.c("SEEN.LOAD", key, "ABORT"), "+OK")
        self.all_seen(self.c, "a", ["x"])
        self.assertEqual(self.c("EXISTS", "n"), ":0")

    def test_a_keyed_file_needs_its_secret(self):
        self.c.line("SEEN.NEW k SECRET " + SECRET)
        self.c.line("SEEN.ADD k x")
        data = dump(self.c, "k")
        self.assertTrue(load(self.c, "l", data).startswith("-ERR"))
        self.assertTrue(load(self.c, "l", data, "SECRET", "0" * 32)
                        .startswith("-ERR"))
        self.assertEqual(load(self.c, "l", data, "SECRET", SECRET), "+OK")
        self.all_seen(self.c, "l", ["x"])

    def test_an_offset_past_the_end_is_refused(self):
        self.c.line("SEEN.ADD a x")
        total = len(dump(self.c, "a"))
        self.assertEqual(self.c("SEEN.DUMP", "a", total),
                         ["*", ":%d" % total, b""])
        for offset in (total + 1, -1, "x"):
            self.assertEqual(
                self.c("SEEN.DUMP", "a", offset),
                "-ERR the offset is past the end of the set's file")


class Server(Test):
    options = ("--enable-module-command", "yes")

    def test_bf_and_seen_share_their_keys(self):
        self.c.line("BF.ADD a x")
        self.all_seen(self.c, "a", ["x"])
        self.c.line("SEEN.ADD a y")
        self.assertEqual(self.c.line("BF.MEXISTS a x y z"),
                         ["*", ":1", ":1", ":0"])

    def test_only_a_change_touches_a_watched_key(self):
        other = self.server.client()
        self.c.line("SEEN.ADD a x")
        for key, result in (("x", ["*", "+PONG"]), ("y", None)):
            self.c.line("WATCH a")
            self.c.line("MULTI")
            self.c.line("PING")
            other.line("SEEN.ADD a " + key)
            other.line("BF.ADD a " + key)
            self.assertEqual(self.c.line("EXEC"), result)
        other.close()

    def test_changes_are_events(self):
        other = self.server.client()
        other.line("CONFIG SET notify-keyspace-events Ed")
        self.c.line("PSUBSCRIBE *")
        other.line("SEEN.ADD a x")
        self.assertEqual(self.c.read()[3:],
                         [b"__keyevent@0__:seen.add", b"a"])
        other.line("BF.ADD a x")  # seen: nothing changes
        other.line("BF.ADD a y")
        self.assertEqual(self.c.read()[3:], [b"__keyevent@0__:bf.add", b"a"])
        other.close()

    def test_a_user_who_may_only_read_may_ask(self):
        self.c.line("SEEN.ADD a x")
        self.c.line("ACL SETUSER reader on nopass %R~* +@all")
        other = self.server.client()
        other.line("AUTH reader x")
        self.assertEqual(other.line("SEEN.HAS a x"), ["*", ":1"])
        self.assertEqual(other.line("BF.EXISTS a x"), ":1")
        self.assertEqual(other.line("SEEN.DUMP a 0")[0], "*")
        for change in ("SEEN.ADD a y", "BF.ADD a y", "SEEN.MERGE b a",
                       "SEEN.REMOVE a x", "SEEN.LOAD a ABORT", "SEEN.NEW b"):
            self.assertTrue(other.line(change).startswith("-NOPERM"), change)
        other.close()

    def test_documentation_is_there(self):
        listed = self.c.line("COMMAND LIST FILTERBY MODULE seenset")[1:]
        self.assertEqual(len(listed), 50)
        for name in listed:
            docs = self.c("COMMAND", "DOCS", name)[2]
            self.assertIn(b"summary", docs, name)
        found = self.c.line("COMMAND GETKEYS SEEN.MERGE a b c")
        self.assertEqual(found, ["*", b"a", b"b", b"c"])

    def test_the_module_is_loaded_once(self):
        error = self.c("MODULE", "LOAD", MODULE)
        self.assertTrue(error.startswith("-ERR Error loading"), error)
        error = self.c("MODULE", "UNLOAD", "seenset")
        self.assertTrue(error.startswith("-ERR Error unloading"), error)
        self.assertEqual(self.c.line("SEEN.ADD a x"), ["*", ":1"])

    def test_info_has_a_section(self):
        text = self.c.line("INFO seenset").decode()
        self.assertIn("# seenset\r\n", text)
        self.assertIn("seenset_version:", text)
        self.assertIn("seenset_memory_bytes:", text)


if __name__ == "__main__":
    unittest.main(verbosity=2)

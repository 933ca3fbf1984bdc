"""Damaged payloads of RESTORE and SEEN.LOAD.

    run.sh hostile SOURCE BUILD [COUNT]     COUNT payloads of each (1,000)

Redis checks a checksum of its own first, which a forger can compute. So that
check is switched off, and every damaged payload reaches the module. Either it
is refused, and the key is as it was, or it still has every key.
"""

import random
import sys
import unittest

from dumps import as_bytes, golden, restore
from harness import (FOOTER_BYTES, TYPE_BYTES, Test, damaged, dump, field, keys,
                     load)

COUNT = int(sys.argv.pop()) if sys.argv[-1].isdigit() else 1000
SEED = 18
KEYS = keys(50)
SECRET = "00112233445566778899aabbccddeeff"
KINDS = ("", "LAYOUT bloom", "LAYOUT counting CAPACITY 100",
         "LAYOUT fingerprint CAPACITY 100", "CAPACITY 10",
         "WINDOW KEYS 100", "SECRET " + SECRET)
LOADING = "-ERR the set of this key is not loaded whole yet: see SEEN.LOAD"


class Hostile(Test):
    def setUp(self):
        super().setUp()
        self.c("DEBUG", "SET-SKIP-CHECKSUM-VALIDATION", 1)
        # Else most changes would meet the server's decompression.
        self.c("CONFIG", "SET", "rdbcompression", "no")
        self.rng = random.Random(SEED)

    def judged(self, key, digest):
        """Whether the key is as it was, or has all of KEYS."""
        if self.c("DEBUG", "DIGEST-VALUE", key)[1] == digest:
            return True
        answer = self.c("SEEN.HAS", key, *KEYS)
        return answer in (["*"] + [":1"] * len(KEYS), LOADING)

    def make(self, words):
        self.c("FLUSHALL")
        self.c("SEEN.NEW", "k", *words.split())
        self.c("SEEN.ADD", "k", *KEYS)
        return self.c("DEBUG", "DIGEST-VALUE", "k")[1]

    def test_restore_refuses_or_has_every_key(self):
        refused = 0
        for words in KINDS + ("half",):
            half = words == "half"
            digest = self.make("" if half else words)
            if half:
                data = dump(self.c, "k")
                self.c("SEEN.LOAD", "k", 0, len(data), data[:-1])
                digest = self.c("DEBUG", "DIGEST-VALUE", "k")[1]
            whole = self.c("DUMP", "k")
            body = whole[TYPE_BYTES:-FOOTER_BYTES]
            for i in range(COUNT // len(KINDS)):
                payload = (whole[:TYPE_BYTES] + damaged(body, self.rng) +
                           whole[-FOOTER_BYTES:])
                reply = self.c("RESTORE", "k", 0, payload, "REPLACE")
                refused += reply != "+OK"
                self.assertTrue(self.judged("k", digest),
                                (words, i, reply, payload.hex()))
                if reply == "+OK":
                    self.c("RESTORE", "k", 0, whole, "REPLACE")
        self.assertGreater(refused, COUNT // 2)

    def test_load_refuses_every_damaged_file(self):
        for words in KINDS:
            digest = self.make(words)
            data = dump(self.c, "k")
            secret = words.split() if words.startswith("SECRET") else ()
            for i in range(COUNT // len(KINDS)):
                file = damaged(data, self.rng)
                reply = load(self.c, "k", file, *secret,
                             size=self.rng.choice((len(file), 64, 1000)))
                self.assertTrue(reply.startswith("-ERR the file was refused"),
                                (words, i, reply, file.hex()))
                self.assertEqual(self.c("DEBUG", "DIGEST-VALUE", "k")[1],
                                 digest)

    def test_a_chain_is_as_it_was_or_refused(self):
        """A snapshot has a sum of its bytes."""
        restore(self.c, "k", as_bytes(golden()[1]["dump"]))
        digest = self.c("DEBUG", "DIGEST-VALUE", "k")[1]
        whole = self.c("DUMP", "k")
        body = whole[TYPE_BYTES:-FOOTER_BYTES]
        for i in range(COUNT // len(KINDS)):
            payload = (whole[:TYPE_BYTES] + damaged(body, self.rng) +
                       whole[-FOOTER_BYTES:])
            self.c("RESTORE", "k", 0, payload, "REPLACE")
            self.assertEqual(self.c("DEBUG", "DIGEST-VALUE", "k")[1], digest,
                             (i, payload.hex()))

    def test_a_list_of_sets_is_as_it_was_or_refused(self):
        """So has a list of sets, beside the checksums of each."""
        self.c("CF.RESERVE", "k", 20)
        self.c("CF.INSERT", "k", "ITEMS", *KEYS)
        digest = self.c("DEBUG", "DIGEST-VALUE", "k")[1]
        whole = self.c("DUMP", "k")
        body = whole[TYPE_BYTES:-FOOTER_BYTES]
        refused = 0
        for i in range(COUNT // len(KINDS)):
            payload = (whole[:TYPE_BYTES] + damaged(body, self.rng) +
                       whole[-FOOTER_BYTES:])
            reply = self.c("RESTORE", "k", 0, payload, "REPLACE")
            refused += reply != "+OK"
            self.assertEqual(self.c("DEBUG", "DIGEST-VALUE", "k")[1], digest,
                             (i, payload.hex()))
        self.assertGreater(refused, COUNT // len(KINDS) // 2)

    def test_damaged_headers_of_a_list_of_sets_are_refused(self):
        self.c("CF.RESERVE", "k", 20)
        self.c("CF.INSERT", "k", "ITEMS", *KEYS)
        head = self.c("CF.SCANDUMP", "k", 0)[2]
        for i in range(COUNT // len(KINDS)):
            file = damaged(head, self.rng)
            reply = self.c("CF.LOADCHUNK", "n", 1, file)
            self.assertTrue(reply.startswith("-"), (i, file.hex()))
            self.assertEqual(self.c("EXISTS", "n"), ":0")

    def test_damaged_chunks_do_no_harm(self):
        """RedisBloom's bytes have no checksum: what is not refused answers."""
        for row in golden():
            saved = as_bytes(row["dump"])
            for i in range(COUNT // len(golden())):
                file = [[iterator + self.rng.choice((0, 0, 0, 1, -1, 1 << 40)),
                         damaged(data, self.rng)
                         if self.rng.random() < 0.6 else data]
                        for iterator, data in saved]
                restore(self.c, "k", file)
                self.c("BF.MADD", "k", *KEYS)
                self.c("BF.EXISTS", "k", "x")
                self.c("BF.INFO", "k")
                self.c("BF.SCANDUMP", "k", 1)
                if i % 4 == 0:
                    self.c("DEL", "k")
        self.assertEqual(self.c("PING"), "+PONG")

    def test_a_string_that_claims_much_takes_nothing(self):
        self.make("")
        whole = self.c("DUMP", "k")
        at = whole.index(b"SSET") - 1  # the file's first byte
        for length in (b"\x81" + b"\x7f" + b"\xff" * 7,
                       b"\x80" + b"\x7f\xff\xff\xff"):
            payload = whole[:at - 1] + length + whole[at:]
            reply = self.c("RESTORE", "r", 0, payload)
            self.assertEqual(reply, "-ERR Bad data format")
        self.assertLess(int(field(self.c, "memory", "used_memory_peak")),
                        100 << 20)

    def test_the_judge_sees_a_lost_key(self):
        """Planted: a payload of another set is not as it was."""
        digest = self.make("")
        self.c("SEEN.NEW", "other")
        self.c("SEEN.ADD", "other", *KEYS[1:])
        self.c("RESTORE", "k", 0, self.c("DUMP", "other"), "REPLACE")
        self.assertFalse(self.judged("k", digest))


if __name__ == "__main__":
    unittest.main(verbosity=2)

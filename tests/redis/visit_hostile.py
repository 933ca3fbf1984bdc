"""Damaged and forged partitions, in RESTORE and VISIT.LOAD.

    run.sh visit_hostile SOURCE BUILD [COUNT]    COUNT payloads of each (100)

A partition has a sum, so what is damaged is refused, and the key is as it was.
A forger computes the sum as well, here by way of libseenset: then the module
may take a partition that is sound in itself, and has to survive its use.
"""

import ctypes
import os
import random
import struct
import sys
import unittest

from harness import COMMAND, FOOTER_BYTES, TYPE_BYTES, Test, damaged, keys
from visit_files import load, partition

COUNT = int(sys.argv.pop()) if sys.argv[-1].isdigit() else 100
SEED = 43
LIBRARY = os.path.join(os.path.dirname(COMMAND), "libseenset.so")
PIECE = 1 << 16  # what each step of the sum covers
REFUSED = "-ERR the partition was refused"


def hasher():
    call = ctypes.CDLL(LIBRARY).seenset_hash
    call.restype = ctypes.c_uint64
    call.argtypes = [ctypes.c_char_p, ctypes.c_size_t]
    return lambda data: call(data, len(data))


def forged(data, hash_of):
    """The bytes with a sum that is right."""
    body, total = data[:-8], 0
    for at in range(0, len(body), PIECE):
        own = hash_of(body[at:at + PIECE])
        total = hash_of(struct.pack("<QQ", total, own))
    return body + struct.pack("<Q", total)


class Hostile(Test):
    def setUp(self):
        super().setUp()
        self.c("DEBUG", "SET-SKIP-CHECKSUM-VALIDATION", 1)
        self.c("CONFIG", "SET", "rdbcompression", "no")
        self.rng = random.Random(SEED)

    def make(self, pending):
        """A key with packed blocks, leases and what was given back."""
        self.c("FLUSHALL")
        self.c("VISIT.NEW", "k", "CAPACITY", 10, "RATE", 0.1)
        self.c("VISIT.PUSH", "k", *keys(pending), "x", "DATA", "depth=1")
        self.c("VISIT.POP", "k", "COUNT", 20, "LEASE", 10 ** 9)
        self.c("VISIT.NACK", "k", 3, 4, "DELAY", 10 ** 9)
        self.c("VISIT.ACK", "k", 1, 7, 8)
        return self.c("DEBUG", "DIGEST-VALUE", "k")[1]

    counts = 40  # bytes of counts and lengths after the set
    kinds = ("POP", "NACK", "AGAIN", "EXTEND", "PUSH")

    def same(self, digest):
        return self.c("DEBUG", "DIGEST-VALUE", "k")[1] == digest

    def test_restore_refuses_what_is_damaged(self):
        for pending in (30, 5000):
            digest = self.make(pending)
            whole = self.c("DUMP", "k")
            body = whole[TYPE_BYTES:-FOOTER_BYTES]
            refused = 0
            for i in range(COUNT // 2):
                payload = (whole[:TYPE_BYTES] + damaged(body, self.rng) +
                           whole[-FOOTER_BYTES:])
                reply = self.c("RESTORE", "k", 0, payload, "REPLACE")
                refused += reply != "+OK"
                self.assertTrue(self.same(digest), (i, reply, payload.hex()))
            self.assertGreater(refused, COUNT // 2 * 0.9)

    def test_load_refuses_what_is_damaged(self):
        for pending in (30, 5000):
            digest = self.make(pending)
            data = partition(self.c, "k")
            for i in range(COUNT // 2):
                bad = damaged(data, self.rng)
                reply = load(self.c, "k", bad,
                             size=self.rng.choice((len(bad), 4000)))
                self.assertTrue(reply.startswith(REFUSED), (i, reply))
                self.assertTrue(self.same(digest), (i, bad.hex()))

    def use(self):
        """All that can be done with a partition. It may hold nonsense, but
        each item comes out once."""
        left = int(self.c("VISIT.LEN", "k")[1:])
        self.c("VISIT.PEEK", "k", "COUNT", 50)
        self.c("VISIT.INFO", "k")
        self.c("COPY", "k", "copy", "REPLACE")
        self.assertEqual(self.c("DEBUG", "DIGEST-VALUE", "copy")[1],
                         self.c("DEBUG", "DIGEST-VALUE", "k")[1])
        self.c("VISIT.LIMIT", "k", 1 << 40)
        self.c("VISIT.PUSH", "k", *keys(30, 10 ** 6))
        popped = self.c("VISIT.POP", "k", "COUNT", 100000, "LEASE", 10 ** 9)
        numbers = [row[1][1:] for row in popped[1:]]
        self.assertEqual(len(set(numbers)), len(numbers))
        self.assertLessEqual(len(numbers), left + 30)
        if numbers:
            self.c("VISIT.ACK", "k", *numbers)

    def test_a_forged_partition_does_no_harm(self):
        if not os.path.exists(LIBRARY):
            self.skipTest("libseenset.so is not built")
        hash_of = hasher()
        taken = 0
        for pending in (30, 3000):
            digest = self.make(pending)
            data = partition(self.c, "k")
            self.assertEqual(forged(data, hash_of), data)
            for i in range(COUNT // 2):
                reply = load(self.c, "k", forged(damaged(data, self.rng),
                                                 hash_of), size=1 << 20)
                if reply != "+OK":
                    self.assertTrue(reply.startswith(REFUSED), (i, reply))
                    self.assertTrue(self.same(digest))
                    continue
                taken += 1
                self.use()
                self.assertEqual(load(self.c, "k", data, size=1 << 20), "+OK")
        self.assertGreater(taken, 0)

    def test_counts_that_claim_much_take_nothing(self):
        if not os.path.exists(LIBRARY):
            self.skipTest("libseenset.so is not built")
        digest = self.make(30)
        data = partition(self.c, "k")
        set_bytes = struct.unpack_from("<Q", data, 24)[0]
        blocks = 32 + set_bytes
        for at in (16, 24, *range(blocks, blocks + self.counts, 8),
                   len(data) - 16):
            for claim in (1 << 40, (1 << 64) - 1, 1 << 63):
                bad = bytearray(data)
                struct.pack_into("<Q", bad, at, claim)
                reply = load(self.c, "k", forged(bytes(bad), hasher()))
                if reply == "+OK":  # the next number may be large
                    reply = load(self.c, "k", data)
                else:
                    self.assertTrue(reply.startswith(REFUSED), (at, reply))
                self.assertTrue(self.same(digest), (at, claim))

    def test_effects_of_a_stranger(self):
        self.make(300)
        for _ in range(COUNT):
            kind = self.rng.choice(self.kinds)
            words = [self.rng.choice((0, 1, 5, 22, 23, 10 ** 15, 1 << 62, "x"))
                     for _ in range(self.rng.randrange(1, 4))]
            words.append(b"".join(
                struct.pack("<Q", self.rng.choice((0, 2, 5, 9, 1 << 63)))
                for _ in range(self.rng.randrange(4))))
            self.c("VISIT.EFFECT", "k", kind, *words)
        self.use()

    def test_the_judge_sees_another_partition(self):
        """Planted: a payload of another partition is not as it was."""
        digest = self.make(30)
        self.c("VISIT.PUSH", "other", "a")
        self.c("RESTORE", "k", 0, self.c("DUMP", "other"), "REPLACE")
        self.assertFalse(self.same(digest))


class HostileByHost(Hostile):
    """The same, in a partition that has rules for hosts."""

    counts = 40 + 8 + 8 + 6 * 4 + 12 + 24
    kinds = ("HOSTPOP", "HOSTNACK", "HOSTEXTEND", "HOSTPUSH", "HOSTACK",
             "HOSTUNTRIED", "HOSTAGAIN", "REVIVE", "REFUSED", "HOST", "POP",
             "PUSH")

    def make(self, pending):
        self.c("FLUSHALL")
        self.c("VISIT.NEW", "k", "CAPACITY", 10, "RATE", 0.1, "PERHOST", 4,
               "GIVEUP", 1, "BUDGET", 10 ** 6)
        self.c("VISIT.PUSH", "k", *keys(pending), "x", "DATA", "depth=1")
        self.c("VISIT.PUSH", "k", *("http://%d.example/" % i
                                    for i in range(30)))
        self.c("VISIT.HOST", "k", "3.example", "DELAY", 77, "BLOCK", 10 ** 9)
        self.c("VISIT.POP", "k", "COUNT", 20, "LEASE", 10 ** 9)
        self.c("VISIT.NACK", "k", 3, 4, "UNTRIED", "DELAY", 10 ** 9)
        self.c("VISIT.NACK", "k", 5)
        self.c("VISIT.ACK", "k", 1, 7, 8)
        return self.c("DEBUG", "DIGEST-VALUE", "k")[1]

    def use(self):
        super().use()
        self.c("VISIT.HOSTS", "k", "TOP", 1000)
        self.c("VISIT.HOST", "k", "3.example")
        self.c("VISIT.DEAD", "k", "COUNT", 1000)
        self.c("VISIT.DEAD", "k", "BACK")
        self.c("VISIT.POP", "k", "COUNT", 100000, "LEASE", 1)


if __name__ == "__main__":
    unittest.main(verbosity=2)

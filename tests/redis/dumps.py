"""BF.SCANDUMP and BF.LOADCHUNK: with RedisBloom, and among our own.

payloads/redisbloom.json has filters as RedisBloom 8.2.0 dumped them, what it
replied when items were added to them, and its dumps after that.
"""

import json
import os
import subprocess
import tempfile
import unittest

import harness
from harness import COMMAND, Test, keys

HERE = os.path.dirname(os.path.abspath(__file__))
NO_LINK = "-ERR invalid offset - no link found"
BAD = "-ERR received bad data"
IN_ORDER = "-ERR invalid offset - chunks are loaded in order"


def chunks(client, key):
    """All chunks of a filter: what a client saves."""
    found, iterator = [], 0
    while True:
        _, after, data = client("BF.SCANDUMP", key, iterator)
        iterator = int(after[1:])
        if iterator == 0:
            return found
        found.append([iterator, data])


def restore(client, key, saved):
    for iterator, data in saved:
        reply = client("BF.LOADCHUNK", key, iterator, data)
        if reply != "+OK":
            return reply
    return "+OK"


def golden():
    with open(os.path.join(HERE, "payloads", "redisbloom.json")) as file:
        return json.load(file)["filters"]


def as_bytes(saved):
    return [[iterator, bytes.fromhex(text)] for iterator, text in saved]


def digits(replies):
    """"1" new, "0" seen, "E" an error."""
    return "".join(reply[1] if reply[0] == ":" else "E"
                   for reply in replies[1:])


def more_items(row):
    """What was added to it there: in one row, longer and longer ones."""
    return ["more-%d" % i + ("x" * i if row["grow_longer"] else "")
            for i in range(row["more"])]


class RedisBloom(Test):
    def test_a_filter_comes_and_goes_unchanged(self):
        for row in golden():
            saved = as_bytes(row["dump"])
            self.assertEqual(restore(self.c, "f", saved), "+OK")
            self.assertEqual(chunks(self.c, "f"), saved)
            items = ["item-%d" % i for i in range(row["items"])]
            self.assertEqual(set(self.c("BF.MEXISTS", "f", *items)[1:]),
                             {":1"})

    def test_it_answers_and_grows_as_there(self):
        for row in golden():
            restore(self.c, "f", as_bytes(row["dump"]))
            if row["more"]:
                added = self.c("BF.MADD", "f", *more_items(row))
                self.assertEqual(digits(added), row["new"])
            others = ["other-%d" % i for i in range(200)]
            self.assertEqual(digits(self.c("BF.MEXISTS", "f", *others)),
                             row["others"])
            self.assertEqual(chunks(self.c, "f"), as_bytes(row["after"]))

    def test_the_command_opens_a_dump(self):
        """Its chunks in a file; what was added here is found there."""
        for row in golden():
            restore(self.c, "f", as_bytes(row["dump"]))
            more = ["here-%d" % i for i in range(300)]
            replies = digits(self.c("BF.MADD", "f", *more))
            added = [item for item, reply in zip(more, replies)
                     if reply != "E"]
            added += ["item-%d" % i for i in range(row["items"])]
            others = ["other-%d" % i for i in range(200)]
            with tempfile.NamedTemporaryFile() as file:
                for _, data in chunks(self.c, "f"):
                    file.write(data)
                file.flush()
                done = subprocess.run(
                    [COMMAND, "has", file.name], check=True, text=True,
                    input="\n".join(added + others), capture_output=True)
            seen = done.stdout.split()
            self.assertEqual(seen[:len(added)], added)
            here = digits(self.c("BF.MEXISTS", "f", *others))
            self.assertEqual(seen[len(added):],
                             [item for item, reply in zip(others, here)
                              if reply == "1"])
            self.assertLess(len(seen), len(added) + 200)  # planted

    def test_a_changed_bit_is_not_the_same(self):
        """Planted: the comparison of dumps sees one bit."""
        row = golden()[0]
        saved = as_bytes(row["dump"])
        saved[1][1] = bytes([saved[1][1][0] ^ 1]) + saved[1][1][1:]
        self.assertEqual(restore(self.c, "f", saved), "+OK")
        self.assertNotEqual(chunks(self.c, "f"), as_bytes(row["dump"]))

    def test_one_command_an_item_is_the_same(self):
        row = golden()[1]
        restore(self.c, "f", as_bytes(row["dump"]))
        for i in range(row["more"]):
            self.assertEqual(self.c("BF.ADD", "f", "more-%d" % i)[1],
                             row["new"][i])
            self.assertEqual(self.c("BF.EXISTS", "f", "more-%d" % i), ":1")
        self.assertEqual(chunks(self.c, "f"), as_bytes(row["after"]))
        self.assertEqual(self.c("BF.INSERT", "f", "ITEMS", "more-1"),
                         ["*", ":0"])

    def test_info_and_debug_know_its_links(self):
        restore(self.c, "f", as_bytes(golden()[1]["dump"]))
        info = self.c("BF.INFO", "f")
        lines = self.c("BF.DEBUG", "f")[1:]
        self.assertEqual(info[6], ":%d" % (len(lines) - 1))
        self.assertEqual(lines[0].decode(), "size:" + info[8][1:])
        self.assertEqual(self.c("BF.CARD", "f"), info[8])
        self.assertEqual(info[2], ":140")  # 20, 40 and 80
        self.assertEqual(info[10], ":2")
        restore(self.c, "n", as_bytes(golden()[2]["dump"]))
        self.assertIsNone(self.c("BF.INFO", "n", "EXPANSION")[1])

    def test_seen_commands_refuse_it(self):
        restore(self.c, "f", as_bytes(golden()[0]["dump"]))
        self.c("SEEN.ADD", "a", "x")
        error = "-ERR the key is a filter in RedisBloom's or valkey-bloom's " \
                "form, which only BF.* commands take"
        for command in ("SEEN.ADD f x", "SEEN.HAS f x", "SEEN.INFO f",
                        "SEEN.MERGE a f", "SEEN.MERGE f a", "SEEN.DUMP f 0",
                        "SEEN.SIMILARITY a f", "SEEN.REMOVE f x",
                        "SEEN.COUNT f x"):
            self.assertEqual(self.c.line(command), error, command)


class OwnDumps(Test):
    def test_a_set_comes_and_goes_unchanged(self):
        self.c("BF.RESERVE", "f", 0.001, 100, "EXPANSION", 5)
        self.c("BF.MADD", "f", *keys(5000))
        self.c.line("SEEN.NEW w WINDOW KEYS 3000 LAYOUT bloom")
        self.c("SEEN.ADD", "w", *keys(2000))
        for name in ("f", "w"):
            saved = chunks(self.c, name)
            self.assertEqual(restore(self.c, "g", saved), "+OK")
            self.assertEqual(chunks(self.c, "g"), saved)
            both = self.c("DEBUG", "DIGEST-VALUE", name, "g")
            self.assertEqual(both[1], both[2])
            self.assertEqual(self.c("BF.INFO", name, "EXPANSION"),
                             self.c("BF.INFO", "g", "EXPANSION"))

    def test_a_large_set_takes_several_chunks(self):
        self.c("BF.RESERVE", "f", 0.01, 20000000)
        self.c("BF.MADD", "f", *keys(1000))
        saved = chunks(self.c, "f")
        self.assertEqual(len(saved), 3)
        self.assertEqual(restore(self.c, "g", saved), "+OK")
        self.all_seen(self.c, "g", keys(1000))

    def test_a_damaged_dump_is_refused(self):
        self.c("BF.MADD", "f", *keys(100))
        saved = chunks(self.c, "f")
        before = self.c("DEBUG", "DIGEST-VALUE", "f")
        saved[1][1] = saved[1][1][:-1] + bytes([saved[1][1][-1] ^ 1])
        for name in ("f", "n"):
            self.assertTrue(restore(self.c, name, saved).startswith(
                "-ERR the file was refused: "))
        self.assertEqual(self.c("DEBUG", "DIGEST-VALUE", "f"), before)
        self.assertEqual(self.c("EXISTS", "n"), ":0")

    def test_a_set_with_a_secret_is_not_dumped(self):
        self.c.line("SEEN.NEW k SECRET " + "0" * 32)
        self.assertEqual(self.c.line("BF.SCANDUMP k 0"),
                         "-ERR a set with a secret is dumped by SEEN.DUMP")


class Contract(Test):
    def test_arguments_are_checked(self):
        self.c("SET", "s", "1")
        self.c("BF.ADD", "a", "x")
        head = chunks(self.c, "a")[0][1]
        for line, wanted in (
                ("BF.SCANDUMP a", "-ERR wrong number of arguments for "
                 "'bf.scandump' command"),
                ("BF.SCANDUMP none 0", "-ERR not found"),
                ("BF.SCANDUMP s 0", harness.WRONG_TYPE),
                ("BF.SCANDUMP a foo", "-Second argument must be numeric"),
                ("BF.SCANDUMP a -1", ["*", ":0", b""]),
                ("BF.SCANDUMP a 99999", ["*", ":0", b""]),
                ("BF.LOADCHUNK a 1", "-ERR wrong number of arguments for "
                 "'bf.loadchunk' command"),
                ("BF.LOADCHUNK a foo x",
                 "-ERR Second argument must be numeric"),
                ("BF.LOADCHUNK s 1 x", harness.WRONG_TYPE),
                ("BF.LOADCHUNK none 1 x", BAD),
                ("BF.LOADCHUNK none 0 x", "-ERR not found"),
                ("BF.LOADCHUNK none 2 x", "-ERR not found"),
                ("BF.LOADCHUNK a 0 x", BAD),
                ("BF.LOADCHUNK a -5 x", BAD),
                ("BF.LOADCHUNK a 2 x", NO_LINK),
                ("BF.LOADCHUNK a 2000 x", NO_LINK),
                ("EXISTS none", ":0")):
            self.assertEqual(self.c.line(line), wanted, line)
        self.assertEqual(self.c("BF.LOADCHUNK", "n", 1, head + b"x"), BAD)
        self.assertEqual(self.c("BF.LOADCHUNK", "n", 1, head[:-1]), BAD)

    def test_chunks_come_in_order(self):
        self.c("BF.MADD", "a", *keys(100))
        head, body = chunks(self.c, "a")
        half = len(body[1]) // 2
        self.c("BF.LOADCHUNK", "b", *head)
        self.assertTrue(self.c("BF.EXISTS", "b", keys(1)[0])
                        .startswith("-ERR the set of this key is not loaded"))
        self.assertEqual(self.c("BF.LOADCHUNK", "b", body[0], body[1][half:]),
                         IN_ORDER)
        self.assertEqual(self.c("BF.LOADCHUNK", "b", 5, body[1]), NO_LINK)
        self.assertEqual(
            self.c("BF.LOADCHUNK", "b", 1 + half, body[1][:half]), "+OK")
        self.assertEqual(
            self.c("BF.LOADCHUNK", "b", 1 + half, body[1][:half]), IN_ORDER)
        self.assertEqual(
            self.c("BF.LOADCHUNK", "b", body[0], body[1][half:]), "+OK")
        self.all_seen(self.c, "b", keys(100))


if __name__ == "__main__":
    unittest.main(verbosity=2)

"""The command in front of a server that lies (fake_server.py): whatever it
replies, the command ends in time, with a status and a message, and with no
report of a sanitizer where it was built with one.

    run.sh replies SOURCE BUILD [COUNT [SEED]]    COUNT random runs (300)

With fewer runs, as a sanitizer does them, a connection is cut at fewer bytes.

Some replies are chosen by hand; the others by chance, with a seed that a
failure prints.
"""

import concurrent.futures
import os
import random
import re
import subprocess
import sys
import unittest

from fake_server import BREAK, RECORD, Failed, Fake, Simple, encoded, info, item
from harness import COMMAND, free_port, needs_crawls

NUMBERS = [int(sys.argv.pop()) for _ in range(2) if sys.argv[-1].isdigit()]
SEED = NUMBERS[0] if len(NUMBERS) == 2 else 30
COUNT = NUMBERS[-1] if NUMBERS else 300
STEP = max(1, 300 // max(1, COUNT))
UNCHECKED = os.environ.get("SEENSET_UNCHECKED", "")
PATIENCE = 60  # seconds: a command that takes them waits for ever
ASKED = 100  # items of each pop
# The commands, and the lines that each is given.
RUNS = {
    "push --wait=0.2": 5, "push -v --wait=0": 3,
    "pop --wait=0.2 -n %d" % ASKED: 0,
    "pop --wait=0.2 --ack -n %d" % ASKED: 0,
    "pop --wait=0.2 --json --data --deliveries -n %d" % ASKED: 0,
    "ack --wait=0.2": 4, "nack --wait=0.2": 4,
    "nack --delay 3 --replicas 1 --wait=0.2": 4,
    "nack --untried --delay 3 --wait=0.2": 4,
    "ack --again-after 3 --wait=0.2": 4,
    "stat --wait=0.2": 0, "stat --json --wait=0.2": 0}
MESSAGE = re.compile(rb"(seenset: [ -~]*\n)*")
REPORTS = b"Sanitizer", b"runtime error:"


class Caught(AssertionError):
    pass


def run(port, words, command=COMMAND, wait="0.2"):
    """Returns the status, the output and the messages; raises Caught for what
    no command may do."""
    name, *options = words.replace("=0.2", "=" + wait).split()
    lines = "".join("%d\n" % (i + 1) for i in range(RUNS.get(words, 2)))
    try:
        done = subprocess.run(
            [command, "queue", name, *options,
             "redis://127.0.0.1:%d/crawl" % port],
            input=lines.encode(), capture_output=True, timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        raise Caught("%s does not end" % words) from None
    said = done.stderr
    if done.returncode not in (0, 1, 2) or any(
            report in said for report in REPORTS):
        raise Caught("%s: status %d: %r" % (words, done.returncode, said))
    if not MESSAGE.fullmatch(said) or (done.returncode == 2) != bool(said):
        raise Caught("%s: status %d says %r" % (words, done.returncode, said))
    if name == "pop" and done.stdout.count(b"\n") > ASKED:
        raise Caught("%s printed more than was asked for" % words)
    return done.returncode, done.stdout, said.decode()


def instead(name, text):
    """Another reply for the commands of that name."""
    def change(_fake, words, reply):
        is_it = words[0].upper() == name.encode()
        return text if is_it else encoded(reply)
    return change


def command_of(name):
    """One of the commands that get the reply to that."""
    for words in RUNS:
        kind = words.split()[0]
        if (kind == "pop" and name in ("VISIT.POP", "VISIT.LEN") or
                kind == "stat" and name in ("VISIT.INFO", "TIME") or
                kind == "push" and name in ("VISIT.PUSH", "SET") or
                name in ("VISIT.ACK", "VISIT.NACK") and
                kind == name[6:].lower()):
            return words
    return "ack --wait=0.2"


class Replies(unittest.TestCase):
    def refused(self, name, reply, expected, words=None, **more):
        """The command ends with status 2 at once, and says why. It might wait
        for longer than a busy machine takes to read a long reply."""
        text = reply if isinstance(reply, bytes) else encoded(reply)
        with Fake(instead(name, text), **more) as fake:
            status, found, said = run(fake.port, words or command_of(name),
                                      wait="30")
            self.assertEqual((status, found), (2, b""), (name, said))
            if expected is None:
                expected = ("the server at 127.0.0.1:%d answered what a crawl "
                            "does not: " % fake.port)
            self.assertIn(expected, said, (name, text[:99]))
            self.assertNotIn("given up", said)
            return said

    def test_an_honest_server_is_served(self):
        with Fake() as fake:
            for words in RUNS:
                status, found, said = run(fake.port, words)
                self.assertEqual((status, said), (0, ""), words)
            pop = "pop --wait=0.2 -n 2"
            self.assertEqual(run(fake.port, pop)[1],
                             b"1\thttp://h/1\n2\thttp://h/2\n")

    def test_more_items_than_were_asked_for(self):
        for count in (ASKED + 1, 950, 1001, 1500, 20000):
            said = self.refused(
                "VISIT.POP", [item(i + 1) for i in range(count)], None)
            self.assertIn("more items than were asked for", said)

    def test_the_harness_sees_what_is_not_checked(self):
        """Planted: a command without the two checks of how many items came."""
        if not UNCHECKED:
            self.skipTest("there is no command without the checks")
        caught = 0
        for count in (950, 1500, 20000):
            reply = encoded([item(i + 1) for i in range(count)])
            with Fake(instead("VISIT.POP", reply)) as fake:
                try:
                    run(fake.port, "pop --wait=0.2 -n %d" % ASKED, UNCHECKED)
                except Caught:
                    caught += 1
        self.assertEqual(caught, 3)

    def test_the_harness_sees_other_messages(self):
        """Planted: messages that are not the command's."""
        with self.assertRaises(Caught):
            run(1, "push", "/bin/cat")

    def test_replies_of_another_kind(self):
        others = {
            "SET": (7, [], "bulk"),
            "GET": (7, [], Simple("OK")),
            "VISIT.LEN": ("3", [3], -1, None),
            "VISIT.POP": (7, "x", None, [7], [[]], [item(1)[:3]],
                          [item(1) + [1]], [item(0)], [item(-1)],
                          [["1", "u", None, 1]], [[1, 2, None, 1]],
                          [[1, "u", 3, 1]], [[1, "u", None, "1"]],
                          [[1, "u", None, 0]], [[1, "u", None, -1]],
                          [[1, "u", None, 1 << 32]],
                          [[1, "u" * (1 + (1 << 20)), None, 1]],
                          [[1, "u", "d" * (1 + (1 << 20)), 1]],
                          [item(1), [2, None, None, 1]]),
            "VISIT.PUSH": (7, [], [1] * 4, [1] * 6, [1, 1, 1, 1, 2],
                           [1, 1, 1, 1, -1], [1, 1, 1, 1, "1"],
                           [1, 1, 1, 1, [1]], None),
            "VISIT.ACK": (7, [], [1] * 3, [1] * 5, [1, 1, 1, 2], [1, 1, 1, None],
                          [1, 1, 1, Failed("ERR")]),
            "VISIT.NACK": ([], [1] * 5, [0, 0, 0, -1]),
            "VISIT.INFO": (7, [], None, info()[:-16], info(rate="nan"),
                           info(rate="0"), info(rate="1"), info(rate="x"),
                           info(rate=None), info(pending=-1),
                           info(seen=(1 << 63) - 1), info(leased="1"),
                           {}),
            "TIME": (7, [], ["1"], ["x", "1"], ["1", "-1"], ["1" * 30, "1"],
                     [1, 1], ["", "1"])}
        for name, replies in others.items():
            for reply in replies:
                self.refused(name, list(reply) if reply == {} else reply, None)

    def test_a_lease_whose_number_is_too_large(self):
        for number in ((1 << 63) - 1, (1 << 63) // 1024):
            self.refused("VISIT.POP", [[number, "u", None, 1]], None,
                         partitions=1024)

    def test_records_that_no_crawl_has(self):
        for partitions in (0, 16385, 99999, 1 << 32, (1 << 32) + 1, -1):
            self.refused("GET", RECORD % partitions, "this key is not a crawl")
        for text in ("", "x", "a\0b", RECORD % 7 + " ", RECORD % 7 + "\0",
                     RECORD.replace("rate 0", "rate nan") % 7,
                     RECORD.replace("rate 0", "rate 1") % 7,
                     RECORD.replace("rate 0", "rate -1") % 7,
                     RECORD.replace("capacity 0", "capacity -1") % 7,
                     RECORD.replace("capacity 0", "capacity 9007199254740993")
                     % 7, RECORD.replace("off", "offf") % 7,
                     RECORD.replace("off", "o" * 5000) % 7,
                     *(RECORD % 7 + " polite " + rules for rules in (
                         "", "1", "1 per-host 0 by host budget 0",
                         "1 per-host 65536 by host budget 0",
                         "31622400001 per-host 1 by host budget 0",
                         "-1 per-host 1 by host budget 0",
                         "1 per-host 1 by path budget 0",
                         "1 per-host 1 by domainname budget 0",
                         "1 per-host 1 by host budget 4294967296",
                         "1 per-host 1 by host budget 0 ",
                         "1 per-host 1 by host budget 0 from end",
                         "1 per-host 1 by host budget 0 from start ",
                         "1 per-host 1 by host budget 0 more"))):
            self.refused("GET", text, "this key is not a crawl")

    def test_what_is_no_reply(self):
        for text in (b"HTTP/1.1 200 OK\r\n\r\n", b"?\r\n", b":x\r\n", b"$-2\r\n",
                     b":99999999999999999999\r\n", b"*-5\r\n", b"$x\r\n",
                     b"*100000\r\n", b"*2147483647\r\n", b"*4294967297\r\n",
                     b"*9223372036854775807\r\n", b"*1\r\n" * 20, b"\0" * 99):
            for name in ("CLUSTER", "GET", "VISIT.POP", "VISIT.ACK",
                         "VISIT.INFO", "WAIT"):
                self.refused(name, text, None, "nack --replicas 1 --wait=0.2"
                             if name == "WAIT" else None)

    def test_a_reply_longer_than_what_was_asked_for(self):
        endless = b"$100000000\r\n" + b"x" * 10_000_000
        for name in ("GET", "VISIT.LEN", "VISIT.PUSH"):
            said = self.refused(name, endless, None)
            self.assertIn("more bytes than were asked for", said)

    def test_maps_of_slots(self):
        here = ["127.0.0.1", 1]
        for rows in (7, "x", [7], [[]], [[0, 1]], [[0, 1, 7]], [[0, 1, []]],
                     [["0", 1, here]], [[0, None, here]], [[-1, 5, here]],
                     [[0, 16384, here]], [[5, 4, here]],
                     [[0, (1 << 63) - 1, here]], [[-(1 << 63), 1, here]],
                     [[0, 1, ["127.0.0.1", "1"]]], [[0, 1, ["127.0.0.1", 0]]],
                     [[0, 1, ["127.0.0.1", -1]]],
                     [[0, 1, ["127.0.0.1", 65536]]],
                     [[0, 1, ["127.0.0.1", (1 << 32) + 1]]],
                     [[0, 1, ["a" * 256, 1]]], [[0, 1, ["a\0b", 1]]],
                     [[0, 1, ["a b", 1]]], [[0, 1, ["a\x1b[2Jb", 1]]],
                     [[0, 16383, here]] * 16385):
            self.refused("CLUSTER", rows, None)

    def test_redirections_that_lead_nowhere(self):
        for kind in ("MOVED", "ASK"):
            for rest in ("", "7", "x 127.0.0.1:1", "-1 127.0.0.1:1",
                         "16384 127.0.0.1:1", "99999999999999999999 h:1",
                         "7 127.0.0.1", "7 127.0.0.1:", "7 127.0.0.1:0",
                         "7 127.0.0.1:65536", "7 127.0.0.1:1x",
                         "7 127.0.0.1:99999999999999999999", "7 a b:1",
                         "7 %s:1" % ("a" * 256), "7 \x1b[2J:1"):
                text = "%s %s" % (kind, rest)
                for name in ("GET", "VISIT.POP", "VISIT.PUSH"):
                    self.refused(name, Failed(text), None)

    def test_redirections_for_ever_end_with_the_wait(self):
        for text in ("MOVED 7 127.0.0.1:%d", "ASK 7 127.0.0.1:%d",
                     "MOVED 7 :%d", "TRYAGAIN later", "CLUSTERDOWN",
                     "LOADING"):
            for words in ("push --wait=0.2", "pop --wait=0.2 -n 5"):
                def change(fake, _words, reply, text=text):
                    return encoded(Failed(
                        text % fake.port if "%" in text else text)
                        if _words[0] != b"CLUSTER" else reply)
                with Fake(change) as fake:
                    status, found, said = run(fake.port, words)
                    self.assertEqual((status, found), (2, b""), text)
                    self.assertIn("given up after 0.2 seconds", said, text)

    def test_a_server_that_says_nothing_or_little(self):
        def silent(name, drop):
            def change(_fake, words, reply):
                if words[0].upper() != name:
                    return encoded(reply)
                return drop
            return change
        for name, words in ((b"CLUSTER", "push --wait=0.2"),
                            (b"GET", "stat --wait=0.2"),
                            (b"VISIT.POP", "pop --wait=0.2"),
                            (b"VISIT.INFO", "stat --wait=0.2")):
            for drop in (None, BREAK, b"$9\r\nab"):
                with Fake(silent(name, drop)) as fake:
                    status, found, said = run(fake.port, words)
                    self.assertEqual((status, found), (2, b""), said)
                    self.assertIn("given up", said)

    def test_a_byte_now_and_then_ends_with_the_wait(self):
        class Slow(Fake):
            def _send(self, client, text):
                for at in range(len(text)):
                    if self.is_over.wait(0.05):
                        return False
                    client.sendall(text[at:at + 1])
                return True
        with Slow() as fake:
            for words in ("push --wait=0.2", "stat --wait=0.2"):
                status, _, said = run(fake.port, words)
                self.assertEqual(status, 2)
                self.assertIn("it does not answer; given up", said)

    def test_a_connection_that_is_cut_at_each_byte(self):
        """Once; what it was asked is asked again, and all is done."""
        for words in ("push --wait=9", "pop --wait=9 -n 2", "ack --wait=9",
                      "stat --wait=9"):
            with Fake() as fake:
                status, whole, _ = run(fake.port, words)
                length = fake.sent
            self.assertEqual(status, 0)
            for limit in range(0, length, STEP):
                with Fake(limit=limit) as fake:
                    self.assertEqual(run(fake.port, words), (0, whole, ""),
                                     (words, limit))

    def test_messages_have_no_codes_for_a_terminal(self):
        ugly = Failed("ERR \x1b]0;x\x07\x1b[2J\x9b2J\x7f no")
        for name in ("CLUSTER", "GET", "VISIT.LEN", "VISIT.PUSH"):
            self.assertIn("?", self.refused(name, ugly, "ERR ?"))

    def test_what_waiting_does_not_mend_is_said_at_once(self):
        for name, error, words in (
                ("AUTH", "WRONGPASS invalid username-password pair", "push"),
                ("AUTH", "ERR invalid password", "pop"),
                ("CLUSTER", "NOAUTH Authentication required.", "stat"),
                ("CLUSTER", "NOPERM this user has no permissions", "ack"),
                ("GET", "NOPERM this user has no permissions", "ack")):
            with Fake(instead(name, encoded(Failed(error)))) as fake:
                done = subprocess.run(
                    [COMMAND, "queue", words,
                     "redis://:secret@127.0.0.1:%d/crawl" % fake.port],
                    input=b"1\n", capture_output=True, timeout=PATIENCE)
                said = done.stderr.decode()
                self.assertEqual(done.returncode, 2)
                self.assertIn(error, said)
                self.assertNotIn("given up", said)
                self.assertNotIn("secret", said)
                asked = [one for one in fake.asked
                         if one[0].upper() == name.encode()]
                self.assertEqual(len(asked), 1)


class Addresses(unittest.TestCase):
    def said(self, *words):
        done = subprocess.run([COMMAND, "queue", *words], input=b"1\n",
                              capture_output=True, timeout=PATIENCE)
        self.assertEqual((done.returncode, done.stdout), (2, b""), done.stderr)
        return done.stderr.decode()

    def test_tls_is_for_crawls(self):
        self.assertIn("this subcommand is for folders",
                      self.said("list", "rediss://127.0.0.1:1/crawl"))

    def test_a_host_is_a_host(self):
        self.assertIn("is not one", self.said(
            "push", "--wait=0.2", "redis://a b:%d/crawl" % free_port()))


# ---- by chance ----

ANY_NUMBER = (0, 1, -1, 2, 7, 1 << 31, 1 << 32, 1 << 53, (1 << 63) - 1,
              -(1 << 63), 16383, 16384, 65536)
ANY_TEXT = ("", "x", "OK", "0", "1e99", "nan", "127.0.0.1", "a\0b", "\x1b[2J",
            "u" * 70000, RECORD % 3)
ANY_ERROR = ("ERR no", "MOVED 7 127.0.0.1:%d", "ASK 7 127.0.0.1:%d",
             "MOVED 16384 h:1", "ASK 7 :%d", "MOVED 7 127.0.0.1:1",
             "TRYAGAIN", "CLUSTERDOWN", "LOADING", "READONLY", "NOAUTH",
             "FULL", "ERR not found", "ERR the key exists", "WRONGTYPE", "")
NO_REPLY = (b"*4294967297\r\n", b"*65536\r\n", b"$99999999999\r\n", b"*1\r\n" * 9,
            b":\r\n", b"%1\r\n+a\r\n+b\r\n", b"_\r\n", b",1.5\r\n", b"#t\r\n",
            b">1\r\n+x\r\n", b"*3\r\n:1\r\n", b"$5\r\nab", b"\r\n", b"\0")


def anything(rng, port, depth=0):
    kind = rng.randrange(8 if depth < 4 else 5)
    if kind == 0:
        return rng.choice(ANY_NUMBER)
    if kind == 1:
        return rng.choice(ANY_TEXT)
    if kind == 2:
        return Simple(rng.choice(("OK", "", "QUEUED")))
    if kind == 3:
        error = rng.choice(ANY_ERROR)
        return Failed(error % port if "%" in error else error)
    if kind == 4:
        return None
    return [anything(rng, port, depth + 1) for _ in range(rng.randrange(6))]


def damaged(rng, fake, reply):
    """The bytes that are sent, or None or BREAK."""
    kind = rng.randrange(12)
    if isinstance(reply, list) and kind < 5:
        rows = list(reply)
        at = rng.randrange(len(rows) + 1)
        if kind == 0:
            rows *= rng.choice((0, 2, 40, 400, 7000))
        elif kind == 1:
            rows[at:at + 1] = []
        elif kind == 2:
            rows[at:at] = [anything(rng, fake.port)]
        elif kind == 3:
            rows[at:at + 1] = [anything(rng, fake.port)]
        elif rows and isinstance(rows[at % len(rows)], list):
            row = list(rows[at % len(rows)])
            row[rng.randrange(len(row))] = anything(rng, fake.port)
            rows[at % len(rows)] = row
        return encoded(rows)
    if kind < 7:
        return encoded(anything(rng, fake.port))
    if kind == 7:
        return rng.choice(NO_REPLY)
    text = bytearray(encoded(reply))
    if kind == 8:
        text[rng.randrange(len(text))] = rng.randrange(256)
    elif kind == 9:
        return bytes(text[:rng.randrange(len(text))])
    elif kind == 10:
        return rng.choice((None, BREAK))
    else:
        text += encoded(anything(rng, fake.port))
    return bytes(text)


def one_run(seed):
    """Returns the status, or what is wrong."""
    rng = random.Random(seed)
    odds = rng.choice((0.02, 0.1, 0.3, 0.6))

    def change(fake, _words, reply):
        if rng.random() >= odds:
            return encoded(reply)
        return damaged(rng, fake, reply)

    partitions = rng.choice((1, 1, 3, 64))
    with Fake(change, partitions) as fake:
        try:
            return run(fake.port, rng.choice(list(RUNS)))[0]
        except Caught as error:
            return "seed %d: %s" % (seed, error)


class Chance(unittest.TestCase):
    def test_random_replies(self):
        """Threads, as a run is mostly a wait."""
        seeds = range(SEED * 1_000_000, SEED * 1_000_000 + COUNT)
        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            results = list(pool.map(one_run, seeds))
        self.assertEqual([one for one in results if isinstance(one, str)], [])
        counts = [results.count(status) for status in (0, 1, 2)]
        print("random runs: %d; by status: %s" % (COUNT, counts))
        # The damage is neither none nor all.
        self.assertGreater(min(counts[0], counts[2]), COUNT // 50)


if __name__ == "__main__":
    needs_crawls("replies")
    unittest.main(verbosity=2)

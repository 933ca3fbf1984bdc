"""VISIT.* in a partition with rules for hosts, reply by reply."""

import time
import unittest

from harness import WRONG_TYPE, Test, until
from visit import info, numbers, urls

LONG = 10 ** 9  # ms, longer than any test
BUDGET = ("-BUDGET the host has all the URLs that it may have; see VISIT.HOST")
DELAY_RANGE = "-ERR DELAY is 0 to 31622400000 ms, 366 days"
BUDGET_RANGE = "-ERR BUDGET is 1 to 4294967295 URLs"
BLOCK_RANGE = "-ERR BLOCK is 1 to 1099511627776 ms; UNBLOCK ends one"
NOT_A_HOST = "-ERR a host is a name such as www.example.org, and not a URL"
# No number of ms or of URLs, whatever command it is for.
NEVER_NUMBERS = ("-1", "nan", "-nan", "inf", "1e20", "1.5", "0x10", " 1", "1s",
                 "99999999999999999999", "-9223372036854775809")
NO_RULES = ("-ERR this partition has no rules for hosts: they are made by "
            "VISIT.NEW with DELAY, PERHOST, BY, FROM, BUDGET or GIVEUP")
RANGE = "-ERR a number is missing or outside its range"


def figures(client, host, key="k"):
    """VISIT.HOST without settings, as a dictionary."""
    reply = client("VISIT.HOST", key, host)[1:]
    return {name[1:]: value for name, value in zip(reply[::2], reply[1::2])}


class Hosts(Test):
    def new(self, *words, key="k"):
        self.assertEqual(self.c("VISIT.NEW", key, *words), "+OK")

    def push(self, *urls):
        return self.c("VISIT.PUSH", "k", *("http://" + url for url in urls))[1:]

    def pop(self, count=99, lease=LONG):
        return self.c("VISIT.POP", "k", "COUNT", count, "LEASE", lease)

    def popped(self, count=99, lease=LONG):
        return [url[7:].decode() for url in urls(self.pop(count, lease))]

    def test_options(self):
        for words, error in (
                ("DELAY -1", "DELAY is 0 to 31622400000 ms, 366 days"),
                ("DELAY 31622400001", "DELAY is 0 to 31622400000 ms, 366 days"),
                ("DELAY x", "DELAY is 0 to 31622400000 ms, 366 days"),
                ("DELAY", "an option lacks its value"),
                ("PERHOST 0", "PERHOST is 1 to 65535"),
                ("PERHOST 65536", "PERHOST is 1 to 65535"),
                ("BY path", "BY is host, hostport or domain"),
                ("FROM middle", "FROM is start or end"),
                ("BUDGET 0", "BUDGET is 1 to 4294967295 URLs"),
                ("BUDGET 4294967296", "BUDGET is 1 to 4294967295 URLs"),
                ("GIVEUP 0", "GIVEUP is 1 to 4294967295 hand-outs")):
            self.assertEqual(self.c.line("VISIT.NEW k " + words),
                             "-ERR " + error)
        self.assertEqual(self.c("EXISTS", "k"), ":0")
        self.new(*"RATE 0.01 delay 31622400000 PERHOST 65535 by HostPort FROM "
                 "Start BUDGET 4294967295 GIVEUP 4294967295 LIMIT 9999"
                 .split())
        found = info(self.c, "k")
        for name, value in (("delay-ms", ":31622400000"),
                            ("per-host", ":65535"), ("by", b"hostport"),
                            ("from", b"start"), ("budget", ":4294967295"),
                            ("give-up", ":4294967295"), ("hosts", ":0"),
                            ("refused", ":0"), ("dead", ":0"),
                            ("limit", ":9999"), ("next-due-ms", ":0")):
            self.assertEqual(found[name], value, name)
        self.new("GIVEUP", 3, key="g")
        self.assertEqual(info(self.c, "g")["per-host"], ":65535")
        self.new("DELAY", 5, key="d")
        self.assertEqual(info(self.c, "d")["per-host"], ":1")
        self.assertEqual(info(self.c, "d")["from"], b"end")

    def test_what_is_not_a_number_or_a_host_changes_nothing(self):
        """As a rule of a new partition, and as a setting of a host."""
        ranges = (("DELAY", DELAY_RANGE, 31622400001),
                  ("BUDGET", BUDGET_RANGE, 0),
                  ("BUDGET", BUDGET_RANGE, 2 ** 32))
        for word, error, beyond in ranges:
            for number in (*NEVER_NUMBERS, "", beyond):
                self.assertEqual(
                    self.c("VISIT.NEW", "n", "PERHOST", 2, word, number),
                    error, number)
        self.assertEqual(self.c("EXISTS", "n"), ":0")
        self.new("DELAY", 5, "BUDGET", 9)
        self.push("a.example/1", "b.example/1")
        self.c.line("VISIT.HOST k a.example DELAY 7 BLOCK 1000000 BUDGET 3")
        before = self.c("DEBUG", "DIGEST-VALUE", "k")
        for word, error, beyond in (*ranges, ("BLOCK", BLOCK_RANGE, 0),
                                    ("BLOCK", BLOCK_RANGE, 2 ** 40 + 1)):
            for number in (*NEVER_NUMBERS, "", beyond):
                for words in ((word, number), ("DELAY", 8, word, number),
                              (word, number, "UNBLOCK")):
                    self.assertEqual(
                        self.c("VISIT.HOST", "k", "a.example", *words), error,
                        words)
        for name in ("http://a.example/", "http://a.example", "ftp://x@a/b",
                     "file:///a"):
            for words in ((), ("DELAY", 8)):
                self.assertEqual(self.c("VISIT.HOST", "k", name, *words),
                                 NOT_A_HOST, name)
        self.assertEqual(self.c("DEBUG", "DIGEST-VALUE", "k"), before)
        for name in ("", "a.example:8080", "[::1]", "not a url"):
            self.assertEqual(self.c("VISIT.HOST", "k", name, "DELAY", 8),
                             "+OK", name)

    def test_without_rules_nothing_is_new(self):
        self.c("VISIT.NEW", "k", "CAPACITY", 100)
        self.c("VISIT.PUSH", "k", "a")
        self.assertEqual(len(info(self.c, "k")), 15)
        for line in ("HOST k a", "HOSTS k", "DEAD k", "DEAD k BACK 1"):
            self.assertEqual(self.c.line("VISIT." + line), NO_RULES, line)
        self.assertIn(b"SEENVST1", self.c("DUMP", "k"))

    def test_arity_types_and_missing_keys(self):
        self.c("SET", "s", "x")
        for name, fewest in (("HOST", 2), ("HOSTS", 1), ("DEAD", 1)):
            words = ["k"] * (fewest - 1)
            self.assertIn("wrong number of arguments",
                          self.c("VISIT." + name, *words))
            words = ["x"] * (fewest - 1)
            self.assertEqual(self.c("VISIT." + name, "s", *words), WRONG_TYPE)
            self.assertEqual(self.c("VISIT." + name, "n", *words),
                             "-ERR not found")
        self.new("DELAY", 1)
        for line, error in (
                ("HOST k h BLOCK 0", BLOCK_RANGE),
                ("HOST k h BUDGET 0", BUDGET_RANGE),
                ("HOST k h DELAY", "-ERR an option lacks its value"),
                ("HOST k h SIZE 1",
                 "-ERR an option is not known to this command"),
                ("HOSTS k TOP 0", RANGE), ("DEAD k COUNT 0", RANGE),
                ("DEAD k BACK x",
                 "-ERR a lease is a number that VISIT.DEAD replied"),
                ("EFFECT k POP 1 1 1 x", "-ERR an effect is HOSTPUSH, "
                 "HOSTPOP, HOSTACK, HOSTNACK, HOSTUNTRIED, HOSTAGAIN, "
                 "HOSTEXTEND, REVIVE, REFUSED or HOST")):
            self.assertEqual(self.c.line("VISIT." + line), error, line)
        self.assertEqual(info(self.c, "k")["hosts"], ":0")

    def test_effects_that_do_not_fit_change_nothing(self):
        self.new("DELAY", 0)
        self.push("a/1", "a/2", "b/1")
        self.pop(1)
        before = self.c("DEBUG", "DIGEST-VALUE", "k")
        none = b"\0" * 8
        for words in (("HOSTPOP", 1, 1, 2), ("HOSTPOP", 1, 1, 9, b""),
                      ("HOSTPOP", 1, 1, 2, none), ("HOSTPOP", 1, 1, 2, b"x"),
                      ("HOSTPOP", -1, 1, 2, b""), ("HOSTACK", 1, 1, 2, none),
                      ("HOSTPOP", 1, 1, 2, none * 9), ("HOSTPUSH", none),
                      ("HOSTPUSH", none, "x", "y"), ("HOSTPUSH", b"x", "y"),
                      ("REFUSED", b"x"), ("HOST", "a", -2, 1, 1),
                      ("HOST", "a", 1, 1), ("HOST", "a", 1, 1, -1)):
            self.assertEqual(
                self.c("VISIT.EFFECT", "k", *words), "-ERR an effect does not "
                "fit the partition of this key", words)
        self.assertEqual(self.c("DEBUG", "DIGEST-VALUE", "k"), before)

    def test_one_of_a_host_at_a_time(self):
        self.new("DELAY", LONG)
        self.assertEqual(self.push("a/1", "a/2", "b/1", "A:80/3", "c:81/"),
                         [":1"] * 5)
        first = self.pop()
        self.assertEqual(sorted(urls(first)), [
            b"http://a/1", b"http://b/1", b"http://c:81/"])
        self.assertEqual(self.popped(), [])
        leases = dict(zip(urls(first), numbers(first)))
        self.assertEqual(self.c("VISIT.ACK", "k", leases[b"http://a/1"]),
                         ["*", ":1"])
        self.assertEqual(self.popped(), [])
        due = int(info(self.c, "k")["next-due-ms"][1:])
        self.assertGreater(due, time.time() * 1000 + LONG / 2)
        self.c("VISIT.HOST", "k", "A", "DELAY", 0)
        self.assertEqual(self.popped(), [])  # the new one is of the next time
        self.assertEqual(self.c("VISIT.LEN", "k"), ":4")
        found = figures(self.c, "a")
        for name, value in (("host", b"a"), ("pending", ":2"),
                            ("leased", ":0"), ("taken", ":3"), ("done", ":1"),
                            ("failed", ":0"), ("delay-ms", ":0")):
            self.assertEqual(found[name], value, name)
        # What is due first is this host, or the end of another's lease.
        self.assertGreaterEqual(int(found["next-ms"][1:]), due)

    def test_several_at_a_time(self):
        self.new("PERHOST", 2)
        self.push("a/1", "a/2", "a/3", "b/1")
        first = self.pop()
        self.assertEqual(sorted(urls(first)), [b"http://a/1", b"http://a/2",
                                               b"http://b/1"])
        self.assertEqual(self.popped(), [])
        lease = dict(zip(urls(first), numbers(first)))[b"http://a/2"]
        self.c("VISIT.NACK", "k", lease)
        self.assertEqual(self.popped(), ["a/2"])
        self.assertEqual(self.c("VISIT.NACK", "k", lease), ["*", ":0"])

    def test_from_the_start(self):
        self.new("DELAY", 300, "FROM", "start")
        self.push("a/1", "a/2")
        lease = numbers(self.pop())[0]
        begin = int(figures(self.c, "a")["next-ms"][1:])
        self.c("VISIT.ACK", "k", lease)
        self.assertEqual(figures(self.c, "a")["next-ms"], ":%d" % begin)
        self.assertEqual(self.popped(), [])
        until(lambda: self.popped() == ["a/2"], "the delay is over")

    def test_untried_starts_no_delay(self):
        self.new("DELAY", LONG)
        self.push("a/1", "a/2")
        row = self.pop()
        self.c("VISIT.NACK", "k", numbers(row)[0], "UNTRIED")
        row = self.pop()
        self.assertEqual(row[1][2:], [b"http://a/1", None, ":1"])
        self.c("VISIT.NACK", "k", numbers(row)[0])
        self.assertEqual(self.popped(), [])

    def test_what_was_visited_comes_again(self):
        """It is done as its host counts, and no failure of before counts."""
        self.new("DELAY", 0, "GIVEUP", 2)
        self.push("a/1")
        for _ in range(3):
            self.c("VISIT.NACK", "k", numbers(self.pop())[0])
            row = self.pop()
            self.assertEqual(row[1][4], ":2")
            self.assertEqual(
                self.c("VISIT.ACK", "k", numbers(row)[0], 77, "AGAIN", 0),
                ["*", ":1", ":0"])
            row = self.pop()
            self.assertEqual(row[1][2:], [b"http://a/1", None, ":1"])
            self.c("VISIT.NACK", "k", numbers(row)[0], "UNTRIED")
        self.assertEqual(figures(self.c, "a")["done"], ":3")
        self.assertEqual(figures(self.c, "a")["failed"], ":3")
        self.c("VISIT.ACK", "k", numbers(self.pop())[0], "AGAIN", LONG)
        self.assertEqual(self.popped(), [])
        self.assertEqual(figures(self.c, "a")["given-back"], ":1")
        self.assertEqual(self.push("a/1"), [":0"])

    def test_visited_starts_the_delay(self):
        self.new("DELAY", LONG)
        self.push("a/1", "a/2")
        self.c("VISIT.ACK", "k", numbers(self.pop())[0], "AGAIN", 0)
        self.assertEqual(self.popped(), [])

    def test_leases_that_end(self):
        self.new("DELAY", 0)
        self.push("a/1", "a/2")
        late = numbers(self.pop(lease=1))[0]
        until(lambda: self.popped() == ["a/1"], "the lease ends")
        self.assertEqual(self.c("VISIT.ACK", "k", late), ["*", ":0"])
        self.assertEqual(figures(self.c, "a")["failed"], ":1")
        self.push("b/1", "b/2")
        late = numbers(self.pop(lease=1))[0]
        self.assertEqual(figures(self.c, "b")["leased"], ":1")
        self.c("VISIT.HOST", "k", "b", "BLOCK", LONG)
        time.sleep(0.01)
        self.assertEqual(self.popped(), [])
        self.assertEqual(figures(self.c, "b")["given-back"], ":1")
        self.assertEqual(self.c("VISIT.EXTEND", "k", late), ["*", ":1"])
        self.assertEqual(figures(self.c, "b")["leased"], ":1")
        self.assertEqual(self.c("VISIT.ACK", "k", late), ["*", ":1"])

    def test_an_ended_lease_is_not_extended_beside_another(self):
        self.new("DELAY", 0)
        self.push("a/1", "a/2")
        late = numbers(self.pop(lease=1))[0]
        self.c("VISIT.NACK", "k", late, "DELAY", LONG)
        late = numbers(self.pop(lease=1))[0]
        time.sleep(0.01)
        self.c("VISIT.HOST", "k", "a", "BLOCK", 1)
        other = []
        until(lambda: other.extend(self.pop()[1:]) or other, "it is asked")
        self.assertEqual(self.c("VISIT.EXTEND", "k", late), ["*", ":0"])

    def test_blocks(self):
        self.new("DELAY", 0)
        self.push("a/1", "b/1")
        self.assertEqual(self.c.line("VISIT.HOST k a BLOCK %d" % LONG), "+OK")
        self.assertEqual(self.popped(), ["b/1"])
        self.c.line("VISIT.HOST k A unblock")
        self.assertEqual(self.popped(), ["a/1"])
        self.c.line("VISIT.HOST k later BLOCK 60")
        self.push("later/1")
        self.assertEqual(self.popped(), [])
        until(lambda: self.popped() == ["later/1"], "the block is over")

    def test_an_end_under_a_block_counts(self):
        self.new("DELAY", LONG)
        self.push("a/1", "a/2")
        lease = numbers(self.pop())[0]
        self.c("VISIT.HOST", "k", "a", "BLOCK", 2 * LONG)
        self.c("VISIT.ACK", "k", lease)
        self.c("VISIT.HOST", "k", "a", "UNBLOCK")
        left = int(figures(self.c, "a")["next-ms"][1:]) - time.time() * 1000
        self.assertTrue(LONG / 2 < left <= LONG + 1000, left)

    def test_budgets(self):
        self.new("BUDGET", 2)
        self.assertEqual(self.push("a/1", "a/2", "a/1", "a/3", "b/1"),
                         [":1", ":1", ":0", BUDGET, ":1"])
        self.c("VISIT.ACK", "k", *numbers(self.pop()))
        self.c("VISIT.ACK", "k", *numbers(self.pop()))
        self.assertEqual(self.c("VISIT.LEN", "k"), ":0")
        self.assertEqual(self.push("a/3", "a/4"), [BUDGET] * 2)
        self.assertEqual(info(self.c, "k")["refused"], ":3")
        self.assertEqual(figures(self.c, "a")["refused"], ":3")
        self.assertEqual(figures(self.c, "a")["taken"], ":2")
        self.c.line("VISIT.HOST k a BUDGET 3")
        self.assertEqual(self.push("a/3", "a/4"), [":1", BUDGET])
        self.assertEqual(figures(self.c, "a")["budget"], ":3")
        self.c.line("VISIT.HOST k a BUDGET 2")
        self.assertEqual(figures(self.c, "a")["budget"], ":2")

    def test_dead_letters(self):
        self.new("GIVEUP", 2)
        self.push("a/1", "a/2")
        first = self.pop()
        self.c("VISIT.NACK", "k", *numbers(first))
        self.assertEqual(self.c.line("VISIT.DEAD k"), ["*"])
        second = self.pop(lease=1)
        self.c("VISIT.NACK", "k", numbers(second)[0])
        until(lambda: self.popped() == [] and
              info(self.c, "k")["dead"] == ":2", "both are dead")
        self.assertEqual(self.c("VISIT.LEN", "k"), ":0")
        self.assertEqual(self.c.line("VISIT.DEAD k COUNT 9"), second)
        self.assertEqual(self.c.line("VISIT.DEAD k COUNT 1"), second[:2])
        for name in ("NACK", "EXTEND"):
            self.assertEqual(self.c("VISIT." + name, "k", numbers(second)[0]),
                             ["*", ":0"])
        self.assertEqual(self.push("a/1"), [":0"])
        self.assertEqual(
            self.c("VISIT.DEAD", "k", "BACK", numbers(second)[1], 77),
            ["*", ":1", ":0"])
        row = self.pop()
        self.assertEqual(row[1][2:], [b"http://a/2", None, ":1"])
        self.assertEqual(self.c.line("VISIT.DEAD k BACK"), ["*", ":1"])
        self.assertEqual(self.popped(), ["a/1"])
        self.assertEqual(self.c.line("VISIT.DEAD k"), ["*"])

    def test_a_dead_one_can_be_done(self):
        self.new("GIVEUP", 1)
        self.push("a/1")
        lease = numbers(self.pop(lease=1))[0]
        until(lambda: self.popped() == [] and
              info(self.c, "k")["dead"] == ":1", "it is dead")
        self.assertEqual(self.c("VISIT.ACK", "k", lease), ["*", ":1"])
        self.assertEqual(info(self.c, "k")["dead"], ":0")

    def test_untried_is_not_a_failure(self):
        self.new("GIVEUP", 1)
        self.push("a/1")
        for _ in range(3):
            self.c("VISIT.NACK", "k", numbers(self.pop())[0], "UNTRIED")
        self.assertEqual(info(self.c, "k")["dead"], ":0")
        self.c("VISIT.NACK", "k", numbers(self.pop())[0])
        self.assertEqual(info(self.c, "k")["dead"], ":1")

    def test_kinds_of_hosts(self):
        urls = ("http://a.example.co.uk/", "http://b.example.co.uk/",
                "http://a.example.co.uk:8080/", "http://u@a.example.co.uk:80/2")
        for kind, first in (("host", 2), ("hostport", 3), ("domain", 1)):
            self.c("DEL", "k")
            made = self.c("VISIT.NEW", "k", "BY", kind)
            if made != "+OK":  # a module that was built without libpsl
                self.assertEqual(kind, "domain")
                self.assertIn("libpsl", made)
                continue
            self.c("VISIT.PUSH", "k", *urls)
            self.assertEqual(len(self.popped()), first, kind)
            names = {row[2] for row in self.c.line("VISIT.HOSTS k")[1:]}
            self.assertEqual(len(names), first)
            self.assertTrue(all(b"example.co.uk" in name for name in names))

    def test_the_list_of_hosts(self):
        self.new("DELAY", 0)
        self.push("a/1", "b/1", "b/2", "b/3", "c/1", "c/2")
        self.pop(3)
        self.c("VISIT.HOST", "k", "set.example", "DELAY", 9)
        rows = self.c.line("VISIT.HOSTS k")[1:]
        self.assertEqual([(row[2], row[4]) for row in rows[:2]],
                         [(b"b", ":2"), (b"c", ":1")])
        self.assertEqual({row[2] for row in rows[2:]}, {b"a", b"set.example"})
        self.assertEqual(len(self.c.line("VISIT.HOSTS k TOP 1")), 2)
        three = self.server.client(3)
        self.assertEqual(three.line("VISIT.HOSTS k TOP 1")[1]["+leased"], ":1")
        three.close()

    def test_peek_has_one_of_each_ready_host(self):
        self.new("DELAY", LONG)
        self.push("a/1", "a/2", "b/1", "c/1")
        self.c("VISIT.HOST", "k", "c", "BLOCK", LONG)
        seen = self.c.line("VISIT.PEEK k COUNT 9")[1:]
        self.assertEqual(sorted(row[1] for row in seen),
                         [b"http://a/1", b"http://b/1"])
        self.assertEqual(len(self.c.line("VISIT.PEEK k COUNT 1")), 2)
        self.assertEqual(urls(self.pop(1)), [seen[0][1]])

    def test_hosts_that_are_done_are_forgotten(self):
        self.new("DELAY", 1)
        self.c("VISIT.PUSH", "k", *("http://h%d/" % i for i in range(1000)))
        self.assertEqual(info(self.c, "k")["hosts"], ":1000")
        self.c("VISIT.ACK", "k", *numbers(self.pop(1000)))
        until(lambda: self.popped() == [] and
              info(self.c, "k")["hosts"] == ":0", "they are forgotten")

    def test_one_large_host_is_packed(self):
        self.new("DELAY", 0)
        lines = ["http://large.example/page/%d" % i for i in range(5000)]
        self.c("VISIT.PUSH", "k", *lines)
        found = info(self.c, "k")
        self.assertGreater(int(found["packed-blocks"][1:]), 2)
        self.assertLess(float(found["bytes-a-pending-url"]), 25)
        for at in range(0, 5000, 25):
            row = self.pop(1)
            self.assertEqual(urls(row), [lines[at // 25].encode()])
            self.c("VISIT.ACK", "k", *numbers(row))
        self.assertEqual(info(self.c, "k")["pending"], ":4800")


if __name__ == "__main__":
    unittest.main(verbosity=2)

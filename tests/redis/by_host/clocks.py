"""A crawl that fails over 20 times, each time to a server with another clock.

    run.sh clocks SOURCE BUILD [FAILOVERS]

A replica's clock is up to an hour fast or slow beside its master's
(server/other_clock.c).
After each failover the new master's clock counts. So by the clock of the server
that is asked nothing is handed out early, and by a clock on the wall at most by
as much as the two clocks differ: a judge beside the servers, which knows each
one's clock, follows every lease, delay, block and dead URL. A replica has what
its master has, to the bit, whatever its clock says.
"""

import os
import random
import subprocess
import sys
import tempfile
import time
import unittest

from harness import Server, until

FAILOVERS = 20
if sys.argv[-1].isdigit():
    FAILOVERS = int(sys.argv.pop())
SOURCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir,
                      "server", "other_clock.c")
SEED = 31
HOUR = 3600.0
HOSTS, PER_HOST = 40, 50  # and URLs of each
TRIES = 2
AT_ONCE = float("-inf")  # by any clock
DELAY = 60.0  # seconds that a host rests
ROUNDS = 12  # of commands between two failovers


def milliseconds(seconds):
    return int(seconds * 1000)


class Judge:
    """What may be handed out when, by the clock that counts at the time. Each
    moment is one before the server did what it is of, so a promise that the
    judge calls broken was broken."""

    def __init__(self, delay, tries):
        """No delay: hosts have no rules."""
        self.delay, self.tries = delay, tries
        self.ready = {}  # URL, or host: not before that time
        self.count = {}  # URL: hand-outs that count
        self.leases = {}  # number: URL
        self.done, self.given_up, self.pushed = set(), set(), set()
        self.early = []  # by how much

    def held(self, url):
        """What holds a URL back: itself, and its host."""
        return (url, url.split(b"/")[2]) if self.delay else (url,)

    def popped(self, rows, sent, came, lease):
        for number, url, _, count in (row[1:] for row in rows):
            number, count = int(number[1:]), int(count[1:])
            if url in self.done:
                raise AssertionError("%s came after it was done" % url)
            self.count[url] = self.count.get(url, 0) + 1
            if count != self.count[url]:
                raise AssertionError("%s came %d times, not %d" % (
                    url, self.count[url], count))
            for name in self.held(url):
                early = self.ready.get(name, came) - came
                if early > 0:
                    self.early.append(early)
            self.leases = {old: of for old, of in self.leases.items()
                           if of != url}
            self.leases[number] = url
            self.ready[url] = sent + lease
            for host in self.held(url)[1:]:
                self.ready[host] = sent + lease + self.delay

    def left(self, number, sent, delay=0.0, is_tried=True):
        """A lease was given back, or is done."""
        url = self.leases.pop(number)
        self.ready[url] = sent + delay if delay > 0 else AT_ONCE
        for host in self.held(url)[1:]:
            rested = sent + self.delay if is_tried else AT_ONCE
            self.ready[host] = min(self.ready[host], rested)
        if not is_tried:
            self.count[url] -= 1
        elif self.tries and self.count[url] >= self.tries:
            self.given_up.add(url)
        return url

    def acked(self, number, sent):
        url = self.left(number, sent)
        self.given_up.discard(url)
        self.done.add(url)


class Crawl:
    """One key, its rules, and what a client does with it."""

    def __init__(self, name, rules, judge, rng):
        self.name, self.rules, self.judge, self.rng = name, rules, judge, rng
        self.known_dead = set()

    def begin(self, master):
        answer = master("VISIT.NEW", self.name, *self.rules)
        assert answer == "+OK", answer
        urls = [b"http://h%d.example/%d" % (i % HOSTS, i)
                for i in range(HOSTS * PER_HOST)]
        master("VISIT.PUSH", self.name, *urls)
        self.judge.pushed = set(urls)

    def pop(self, master, count):
        lease = self.rng.choice((5, 600, 1800, 5400))
        sent = master.now()
        rows = master("VISIT.POP", self.name, "COUNT", count, "LEASE",
                      milliseconds(lease))[1:]
        self.judge.popped(rows, sent, master.now(), lease)
        return len(rows)

    def leave(self, master, number):
        sent, kind = master.now(), self.rng.randrange(4)
        if kind == 0:
            delay = self.rng.choice((0, 900, 3000))
            answer = master("VISIT.NACK", self.name, number, "DELAY",
                            milliseconds(delay))
        elif kind == 1:
            answer = master("VISIT.NACK", self.name, number, "UNTRIED")
        elif kind == 2:
            answer = master("VISIT.ACK", self.name, number)
        else:
            return  # its worker died
        if answer[1] != ":1":  # its last lease ended
            url = self.judge.leases.pop(number)
            assert url in self.dead(master), url
        elif kind == 2:
            self.judge.acked(number, sent)
        else:
            self.judge.left(number, sent, delay if kind == 0 else 0.0,
                            kind == 0)

    def work(self, master):
        for _ in range(ROUNDS):
            self.pop(master, self.rng.randrange(1, 20))
            for number in self.rng.sample(sorted(self.judge.leases),
                                          len(self.judge.leases) // 3):
                self.leave(master, number)

    def dead(self, master):
        if "GIVEUP" not in self.rules:
            return set()
        rows = master("VISIT.DEAD", self.name, "COUNT", HOSTS * PER_HOST)[1:]
        return {row[2] for row in rows}

    def check(self, master, latest):
        """Dead is what was given up, and what was out for the last time, when
        its lease ended by one of the clocks: no clock was after `latest`."""
        dead = self.dead(master)
        assert self.judge.given_up <= dead, self.judge.given_up - dead
        for url in dead:
            assert self.judge.count[url] == TRIES, url
        for url in dead - self.judge.given_up - self.known_dead:
            assert self.judge.ready[url] <= latest, url
        self.known_dead = dead
        left = int(master("VISIT.LEN", self.name)[1:])
        assert left == len(self.judge.pushed - self.judge.done - dead), left


    def check_all_come(self, master):
        """When each lease and delay is over: one URL of a host, or all."""
        left = self.judge.pushed - self.judge.done - self.dead(master)
        count = len({self.judge.held(url)[-1] for url in left})
        sent = master.now()
        rows = master("VISIT.POP", self.name, "COUNT", len(left))[1:]
        self.judge.popped(rows, sent, master.now(), 60)
        assert len(rows) == count > 0, (len(rows), count)
        assert self.judge.early == []


class Master:
    """A server and its clock: `apart` seconds from that on the wall."""

    def __init__(self, library, apart, *options):
        self.library, self.apart = library, apart
        environment = {"LD_PRELOAD": library,
                       "OTHER_CLOCK_MS": str(milliseconds(apart))}
        # The allocator's thread waits by the system's clock: it would not rest.
        self.server = Server("--jemalloc-bg-thread", "no", *options,
                             environment=environment)
        self.client = self.server.client()

    def __call__(self, *words):
        return self.client(*words)

    def now(self):
        return time.time() + self.apart

    def stop(self):
        self.client.close()
        self.server.stop()


def replica_of(master, apart):
    replica = Master(master.library, apart, "--repl-diskless-load", "swapdb")
    replica("REPLICAOF", "127.0.0.1", master.server.port)
    until(lambda: b"master_link_status:up" in replica("INFO", "replication"),
          "the replica is there")
    return replica


class Clocks(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory(prefix="seenset-redis-")
        cls.library = os.path.join(cls.folder.name, "other_clock.so")
        subprocess.run([os.environ.get("CC", "cc"), "-shared", "-fPIC", "-O1",
                        "-o", cls.library, SOURCE], check=True)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def setUp(self):
        self.rng = random.Random(SEED)
        self.servers = []

    def tearDown(self):
        for server in self.servers:
            server.stop()

    def keep(self, server):
        self.servers.append(server)
        return server

    def fail_over(self, master, replica):
        self.assertEqual(master("WAIT", 1, 60000), ":1")
        self.assertEqual(master("DEBUG", "DIGEST"), replica("DEBUG", "DIGEST"))
        self.servers.remove(master)
        master.stop()
        self.assertEqual(replica("REPLICAOF", "NO", "ONE"), "+OK")
        return replica

    def crawls(self):
        rules = ("DELAY", milliseconds(DELAY), "GIVEUP", TRIES)
        return (Crawl("plain", (), Judge(0.0, 0), self.rng),
                Crawl("polite", rules, Judge(DELAY, TRIES), self.rng))

    def test_servers_of_other_clocks_take_over(self):
        master = self.keep(Master(self.library, 0.0))
        crawls = self.crawls()
        for crawl in crawls:
            crawl.begin(master)
        furthest = 0.0
        for _ in range(FAILOVERS):
            apart = master.apart + self.rng.uniform(-HOUR, HOUR)
            furthest = max(furthest, abs(apart - master.apart))
            replica = self.keep(replica_of(master, apart))
            for crawl in crawls:
                crawl.work(master)
            latest = max(master.now(), replica.now())
            master = self.fail_over(master, replica)
            for crawl in crawls:
                crawl.check(master, latest)
                self.assertEqual(crawl.judge.early, [])
        replica = self.keep(replica_of(master, FAILOVERS * HOUR))
        master = self.fail_over(master, replica)
        for crawl in crawls:
            crawl.check_all_come(master)
            self.assertGreater(len(crawl.judge.done), 0)
        self.assertGreater(len(crawls[1].dead(master)), 0)
        for crawl in crawls:
            print("%s: %d failovers, clocks up to %.0f s apart, %d hand-outs, "
                  "%d done, %d dead; none early" %
                  (crawl.name, FAILOVERS, furthest,
                   sum(crawl.judge.count.values()), len(crawl.judge.done),
                   len(crawl.dead(master))))

    def test_what_was_out_comes_early_by_as_much_as_the_clocks_differ(self):
        """And the judge sees it, if it does not know of the other clock."""
        master = self.keep(Master(self.library, 0.0))
        crawls = self.crawls()
        for crawl in crawls:
            crawl.begin(master)
            sent = master.now()
            rows = master("VISIT.POP", crawl.name, "COUNT", HOSTS, "LEASE",
                          milliseconds(HOUR / 2))[1:]
            crawl.judge.popped(rows, sent, master.now(), HOUR / 2)
            self.assertEqual(crawl.judge.early, [])
        replica = self.keep(replica_of(master, HOUR))
        master = self.fail_over(master, replica)
        for crawl in crawls:
            rows = master("VISIT.POP", crawl.name, "COUNT", HOSTS)[1:]
            on_the_wall = time.time()
            crawl.judge.popped(rows, on_the_wall, on_the_wall, HOUR)
            self.assertEqual(len(rows), HOSTS)
            self.assertGreater(len(crawl.judge.early), 0)
            self.assertLessEqual(max(crawl.judge.early), HOUR)


if __name__ == "__main__":
    unittest.main(verbosity=2)

"""VISIT.* by host: that no host is asked too often, by the server's own clock.

    run.sh visit_polite SOURCE BUILD

What a server does is in its log, with the time at which it did it. A judge reads
the log, knows the rules and nothing of the module, and follows each host: when it
was asked, how often at a time, its oldest URL, whether a host that could be asked
was left waiting.
"""

import os
import random
import struct
import threading
import time
import unittest

from harness import Client, Server, field, until

SEED = 47
DELAY = 100  # ms
HOSTS, URLS = 50, 12  # and of each


def commands(data):
    """The commands of a log, each a list of words."""
    at, found = 0, []

    def line():
        nonlocal at
        end = data.index(b"\r\n", at)
        text, at = data[at:end], end + 2
        return text

    while at < len(data):
        head = line()
        if head.startswith(b"#"):
            continue
        words = []
        for _ in range(int(head[1:])):
            size = int(line()[1:])
            words.append(data[at:at + size])
            at += size + 2
        found.append(words)
    return found


def numbers(text):
    return list(struct.unpack("<%dQ" % (len(text) // 8), text))


class Wrong(Exception):
    pass


class Host:
    def __init__(self):
        self.pending, self.due = [], []
        self.ready = self.out = self.asked = 0


class Judge:
    """Follows a log. Raises Wrong where a promise is broken."""

    def __init__(self, delay=DELAY, per_host=1, from_start=False):
        self.delay, self.per_host, self.start = delay, per_host, from_start
        self.hosts, self.names = {}, {}
        self.leases = {}  # number: [host, url, due, is_out]
        self.url_of = {}  # as each number was handed out
        self.next, self.empty = 1, 0

    def follow(self, words):
        if words[0] != b"VISIT.EFFECT":
            return
        kind, rest = words[2].decode(), words[3:]
        if kind == "HOSTPUSH":
            self.push(numbers(rest[0]), rest[1:])
        elif kind == "HOST":
            pass
        else:
            now, due, first = map(int, rest[:3])
            self.settle(now)
            if first != self.next:
                raise Wrong("a number was skipped")
            act = {"HOSTPOP": self.pop, "HOSTACK": self.ack,
                   "HOSTNACK": self.nack, "HOSTUNTRIED": self.untried,
                   "HOSTAGAIN": self.nack,
                   "HOSTEXTEND": self.extend}[kind]
            act(now, due, numbers(rest[3]))

    def push(self, hosts, urls):
        if len(hosts) != len(urls):
            raise Wrong("not a host for each URL")
        for host, url in zip(hosts, urls):
            name = url.split(b"/")[2]
            if self.names.setdefault(host, name) != name:
                raise Wrong("two hosts are one")
            self.hosts.setdefault(host, Host()).pending.append(url)
        if len(set(self.names.values())) != len(self.names):
            raise Wrong("one host is two")

    def settle(self, now):
        ended = sorted((lease[2], number)
                       for number, lease in self.leases.items()
                       if lease[2] is not None and lease[2] <= now)
        for due, number in ended:
            lease = self.leases[number]
            host = self.hosts[lease[0]]
            if lease[3]:
                self.end(host, due)
            host.due.append(number)
            lease[2] = None  # it waits for its turn

    def end(self, host, at):
        host.out -= 1
        if not self.start:
            host.ready = max(host.ready, at + self.delay)

    def may_be_asked(self, host, now):
        return (host.pending or host.due) and host.ready <= now and (
            host.out < self.per_host)

    def pop(self, now, due, hosts):
        if not hosts:
            self.empty += 1
            if any(self.may_be_asked(host, now)
                   for host in self.hosts.values()):
                raise Wrong("a host that is ready is not asked")
        for key in hosts:
            host = self.hosts[key]
            if host.ready > now:
                raise Wrong("a host is asked too early")
            if host.out >= self.per_host:
                raise Wrong("a host is asked too often at a time")
            if host.due:
                lease = self.leases.pop(host.due.pop(0))
            else:
                lease = [key, host.pending.pop(0), 0, True]
            lease[2], lease[3] = due, True
            self.leases[self.next] = lease
            self.url_of[self.next] = lease[1]
            self.next += 1
            host.out += 1
            host.asked += 1
            if self.start:
                host.ready = max(host.ready, now + self.delay)

    def leave(self, number, now, is_tried=True):
        """A lease that is out ends by its client; it may have ended before."""
        lease = self.leases.pop(number)
        host = self.hosts[lease[0]]
        if not lease[3]:
            raise Wrong("a lease that is not out ends")
        if lease[2] is None:
            host.due.remove(number)
        elif is_tried:
            self.end(host, now)
        else:
            host.out -= 1
        return lease

    def ack(self, now, _, leases):
        for number in leases:
            self.leave(number, now)

    def nack(self, now, due, leases, is_tried=True):
        for number in leases:
            lease = self.leave(number, now, is_tried)
            lease[2], lease[3] = due, False
            self.leases[self.next] = lease
            self.next += 1

    def untried(self, now, due, leases):
        self.nack(now, due, leases, False)

    def extend(self, now, due, leases):
        for number in leases:
            lease = self.leases[number]
            host = self.hosts[lease[0]]
            if lease[2] is None:
                host.due.remove(number)
                host.out += 1
                if host.out > self.per_host:
                    raise Wrong("a host is asked too often at a time")
            lease[2] = due

    def left(self):
        return len(self.leases) + sum(len(host.pending)
                                      for host in self.hosts.values())


def log_of(server):
    """All commands that the server wrote to its log, in order."""
    names = sorted((name for name in server.files("appendonlydir")
                    if name.endswith(".incr.aof")),
                   key=lambda name: int(name.split(".")[-3]))
    found = []
    for name in names:
        with open(name, "rb") as file:
            found += commands(file.read())
    return found


class Worker(threading.Thread):
    """Pops, waits as for a page, and acks; sometimes it does something else.
    When its server is away it goes on trying."""

    def __init__(self, server, seed):
        super().__init__(daemon=True)
        self.server, self.rng = server, random.Random(seed)
        self.fetched, self.client, self.error = {}, None, None
        self.visited = set()

    def ask(self, *words):
        while True:
            try:
                if self.client is None:
                    self.client = Client(self.server.port)
                return self.client(*words)
            except (OSError, ConnectionError):
                if self.client is not None:
                    self.client.close()
                self.client = None
                time.sleep(0.02)

    def run(self):
        try:
            while self.ask("VISIT.LEN", "k") != ":0":
                self.work()
        except Exception as error:  # of this thread: the test reports it
            self.error = error
        if self.client is not None:
            self.client.close()

    def work(self):
        popped = self.ask("VISIT.POP", "k", "COUNT", 2, "LEASE", 400)
        if popped[0] != "*":
            return
        for row in popped[1:]:
            number = int(row[1][1:])
            self.fetched[number] = row[2]
            time.sleep(self.rng.random() * 0.01)
            self.finish(number)
        if len(popped) == 1:
            time.sleep(0.005)

    def finish(self, number):
        chance = self.rng.random()
        if chance < 0.04:
            return  # it dies: the lease ends
        if chance < 0.08:
            self.ask("VISIT.NACK", "k", number, "DELAY",
                     self.rng.randrange(50))
        elif chance < 0.12:
            self.ask("VISIT.NACK", "k", number, "UNTRIED")
        elif chance < 0.14:
            self.revisit(number)
        elif chance < 0.18:
            self.ask("VISIT.EXTEND", "k", number, "LEASE", 500)
            self.ask("VISIT.ACK", "k", number)
        else:
            self.ask("VISIT.ACK", "k", number)

    def revisit(self, number):
        """Once: its lease is acked the second time."""
        is_first = self.fetched[number] not in self.visited
        self.visited.add(self.fetched[number])
        self.ask("VISIT.ACK", "k", number, *("AGAIN", 30) * is_first)


class Polite(unittest.TestCase):
    def start(self, *words):
        server = Server("--appendonly", "yes", "--appendfsync", "no")
        self.addCleanup(server.stop)
        client = server.client()
        self.assertEqual(client("VISIT.NEW", "k", "DELAY", DELAY, *words),
                         "+OK")
        urls = ["http://h%d.example/%d" % (host, i) for i in range(URLS)
                for host in range(HOSTS)]
        self.assertEqual(client("VISIT.PUSH", "k", *urls),
                         ["*"] + [":1"] * len(urls))
        return server, client

    def crawl(self, judge, *words, kills=0):
        """A crawl of 50 hosts by 3 workers; returns the log."""
        server, client = self.start(*words)
        workers = [Worker(server, SEED + i) for i in range(3)]
        for worker in workers:
            worker.start()
        for _ in range(kills):
            time.sleep(0.4)
            port = server.port
            server.kill()
            server.start(port)
        for worker in workers:
            worker.join(120)
            self.assertFalse(worker.is_alive())
            self.assertIsNone(worker.error)
        log = log_of(server)
        for command in log:
            judge.follow(command)
        self.assertEqual(judge.left(), 0)
        for worker in workers:
            for number, url in worker.fetched.items():
                self.assertEqual(judge.url_of[number], url)
        self.assertGreater(judge.empty, 0)
        self.assertEqual(len(judge.hosts), HOSTS)
        for host in judge.hosts.values():
            self.assertGreaterEqual(host.asked, URLS)
        client.close()
        return log

    def test_a_crawl(self):
        self.crawl(Judge())

    def test_a_crawl_whose_server_is_killed(self):
        self.crawl(Judge(), kills=2)

    def test_two_at_a_time_from_the_start(self):
        self.crawl(Judge(per_host=2, from_start=True), "PERHOST", 2, "FROM",
                   "start")

    def test_three_at_a_time(self):
        self.crawl(Judge(per_host=3), "PERHOST", 3)

    def test_the_judge_sees_what_is_planted(self):
        """A hand-out twice, one too early, two at a time, and none at all."""
        log = self.crawl(Judge())
        judge = Judge()
        for at, words in enumerate(log):
            is_pop = words[2:3] == [b"HOSTPOP"] and len(words[6]) == 8
            ready = judge.hosts[numbers(words[6])[0]].ready if is_pop else 0
            if ready > 0:
                break  # a host that was asked before
            judge.follow(words)
        early = words[:3] + [b"%d" % (ready - 1)] + words[4:]
        again = words[:5] + [b"%d" % (int(words[5]) + 1), words[6]]
        for planted, promise in (
                ([words, words], "skipped"), ([early], "too early"),
                ([words, again], "too often"),
                ([words[:6] + [b""]], "not asked")):
            judge = Judge()
            with self.assertRaisesRegex(Wrong, promise):
                for each in log[:at] + planted:
                    judge.follow(each)

    def test_hosts_take_turns(self):
        """One host with many URLs, and others that come later: each is asked
        as often, within one."""
        server = Server()
        self.addCleanup(server.stop)
        client = server.client()
        client("VISIT.NEW", "k", "GIVEUP", 9)
        client("VISIT.PUSH", "k", *("http://big.example/%d" % i
                                    for i in range(1000)))
        client("VISIT.POP", "k", "COUNT", 500)
        client("VISIT.PUSH", "k", *("http://h%d.example/%d" % (host, i)
                                    for host in range(9) for i in range(20)))
        popped = client("VISIT.POP", "k", "COUNT", 100)[1:]
        asked = [row[2].split(b"/")[2] for row in popped]
        self.assertEqual(len(set(asked)), 10)
        for name in set(asked):
            self.assertLessEqual(abs(asked.count(name) - 10), 1)
        ours = [row[2] for row in popped if b"h3." in row[2]]
        self.assertEqual(ours, [b"http://h3.example/%d" % i
                                for i in range(len(ours))])
        client.close()

    def test_random_commands_are_the_same_everywhere(self):
        """A replica, the log, a copy and a payload have the same hosts, to
        the bit, also of leases that end by the clock."""
        rng = random.Random(SEED)
        server, c = self.start("PERHOST", 2, "BUDGET", 20, "GIVEUP", 3)
        replica = Server()
        self.addCleanup(replica.stop)
        r = replica.client()
        r("REPLICAOF", "127.0.0.1", server.port)
        until(lambda: field(r, "replication", "master_link_status") == "up",
              "the replica is in step")
        leases, dead = [0], 0
        for step in range(1500):
            self.act(rng, c, leases)
            if step % 50 == 0:
                dead = max(dead, len(c("VISIT.DEAD", "k", "COUNT", 99)) - 1)
                self.same_everywhere(c, r)
        c("DEBUG", "LOADAOF")
        self.same_everywhere(c, r)
        figures = c("VISIT.INFO", "k")
        self.assertNotEqual(figures[figures.index("+refused") + 1], ":0")
        self.assertGreater(dead, 0)
        self.assertGreater(leases[-1], 300)
        c.close()
        r.close()

    def act(self, rng, c, leases):
        some = rng.sample(leases[-60:], min(3, len(leases)))
        host = "h%d.example" % rng.randrange(HOSTS + 5)
        chance = rng.randrange(12)
        if chance < 5:
            popped = c("VISIT.POP", "k", "COUNT", rng.choice((1, 5, 30)),
                       "LEASE", rng.choice((1, 20, 10 ** 6)))
            leases += [int(row[1][1:]) for row in popped[1:]]
            leases.sort()
        elif chance == 5:
            c("VISIT.PUSH", "k", *("http://%s/%d" % (host, rng.randrange(99))
                                   for _ in range(4)))
        elif chance == 6:
            c("VISIT.ACK", "k", *some, *rng.choice(
                ((), ("AGAIN", 5), ("AGAIN", 0))))
        elif chance == 7:
            c("VISIT.NACK", "k", *some, *rng.choice(
                ((), ("DELAY", 5), ("UNTRIED",), ("UNTRIED", "DELAY", 9))))
        elif chance == 8:
            c("VISIT.EXTEND", "k", *some, "LEASE", rng.choice((1, 10 ** 6)))
        elif chance == 9:
            c("VISIT.HOST", "k", host, *rng.choice(
                (("DELAY", 3), ("BLOCK", 30), ("UNBLOCK",), ("BUDGET", 25),
                 ("DELAY", DELAY, "BUDGET", 20))))
        elif chance == 10 and rng.random() < 0.1:
            c("VISIT.DEAD", "k", "BACK")
        else:
            time.sleep(0.004)

    def same_everywhere(self, c, r):
        def digest(client, key="k"):
            return client("DEBUG", "DIGEST-VALUE", key)[1]
        before = digest(c)
        self.assertEqual(c("WAIT", 1, 60000), ":1")
        self.assertEqual(digest(r), before)
        c("COPY", "k", "copy", "REPLACE")
        self.assertEqual(digest(c, "copy"), before)
        c("RESTORE", "k", 0, c("DUMP", "copy"), "REPLACE")
        self.assertEqual(digest(c), before)


if __name__ == "__main__":
    unittest.main(verbosity=2)

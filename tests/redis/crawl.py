"""seenset queue ... redis://HOST:PORT/NAME: a crawl on one server."""

import json
import subprocess
import time
import unittest
from collections import Counter

from harness import COMMAND, Server, Test, free_port, keys, needs_crawls, until


def run(port, words, lines=(), name="crawl"):
    """A queue's subcommand. Returns its status, its lines and its messages."""
    words = words.split()
    address = "redis://127.0.0.1:%d/%s" % (port, name)
    done = subprocess.run(
        [COMMAND, "queue", words[0], *words[1:], address],
        input="".join(line + "\n" for line in lines).encode(),
        capture_output=True, timeout=120)
    return (done.returncode, done.stdout.decode().splitlines(),
            done.stderr.decode())


def stat(port, **more):
    return json.loads(run(port, "stat --json", **more)[1][0])


class Crawl(Test):
    def run_(self, words, lines=(), **more):
        return run(self.server.port, words, lines, **more)

    def lines(self, words, lines=(), **more):
        status, found, said = self.run_(words, lines, **more)
        self.assertEqual((status, said), (0, ""))
        return found

    def test_other_subcommands_are_for_folders(self):
        for words in ("list", "peek", "export", "verify", "repair",
                      "forget"):
            status, found, said = self.run_(words)
            self.assertEqual((status, found), (2, []), words)
            self.assertIn("this subcommand is for folders", said, words)

    def test_push_pop_ack_as_in_a_folder(self):
        self.assertEqual(
            self.lines("push -v", ["http://a/1", "http://b/1", "http://a/1"]),
            ["NEW\thttp://a/1", "NEW\thttp://b/1", "SEEN\thttp://a/1"])
        popped = self.lines("pop -n 5")
        self.assertEqual(sorted(line.split("\t")[1] for line in popped),
                         ["http://a/1", "http://b/1"])
        self.assertEqual(self.run_("pop"), (1, [], ""))
        self.assertEqual(self.lines("ack", popped[:1]), [])
        self.assertEqual(self.lines("nack", popped[1:]), [])
        self.assertEqual(self.lines("pop --ack"),
                         [popped[1].split("\t")[1]])
        figures = stat(self.server.port)
        self.assertEqual([figures[name] for name in
                          ("pending", "leased", "pushed", "acked")],
                         [0, 0, 2, 2])
        text = self.lines("stat")
        self.assertIn("pushed           2", text)
        self.assertIn("dropped_as_seen  none", text)

    def test_a_lease_that_is_over_is_an_error(self):
        self.lines("push", ["a"])
        popped = self.lines("pop")
        self.lines("ack", popped)
        for words in ("ack", "nack"):
            status, found, said = self.run_(words, popped)
            self.assertEqual((status, found), (2, []))
            self.assertIn("no such lease", said)

    def test_data_and_the_word_data(self):
        lines = ["x", "DATA\tDATA", "data", "y\tDATA", "z\t", "DATA"]
        self.lines("push --data --partitions 1", lines)
        popped = self.lines("pop -n 9 --ack --data --deliveries")
        self.assertEqual(sorted(popped), sorted(
            ["1\tx\t", "1\tDATA\tDATA", "1\tdata\t", "1\ty\tDATA", "1\tz\t"]))

    def test_json_and_leases_that_end(self):
        self.lines("push", ["http://a/1"])
        row = json.loads(self.lines("pop --json --lease 0.001")[0])
        self.assertEqual((row["url"], row["deliveries"]), ("http://a/1", 1))
        self.assertIsNone(row["number"])
        row = json.loads(self.lines("pop --json --wait=60")[0])
        self.assertEqual(row["deliveries"], 2)
        self.lines("nack --delay 1000", [str(row["lease"])])
        self.assertEqual(self.run_("pop --wait=0.05"), (1, [], ""))
        self.assertGreater(stat(self.server.port)["seconds_to_due"], 900)

    def test_untried_is_no_delivery(self):
        self.lines("push", ["http://a/1"])
        for delay in ("", " --delay 0.001", ""):
            row = json.loads(self.lines("pop --json --wait=60")[0])
            self.assertEqual(row["deliveries"], 1)
            self.lines("nack --untried" + delay, [str(row["lease"])])
        self.lines("nack", self.lines("pop"))
        row = json.loads(self.lines("pop --json")[0])
        self.assertEqual(row["deliveries"], 2)
        status, found, said = self.run_("nack --untried", ["1"])
        self.assertEqual((status, found), (2, []))
        self.assertIn("no such lease", said)

    def test_what_was_visited_comes_again(self):
        self.lines("push", ["http://a/1"])
        self.lines("nack", self.lines("pop"))
        for delay in ("0", "0.001"):
            popped = self.lines("pop --wait=60")
            self.lines("ack --again-after " + delay, popped)
            row = json.loads(self.lines("pop --json --wait=60")[0])
            self.assertEqual(row["deliveries"], 1)
            self.lines("nack", [str(row["lease"])])
        popped = self.lines("pop")
        self.lines("ack --again-after 1d", popped)
        self.assertEqual(self.run_("pop"), (1, [], ""))
        self.assertGreater(stat(self.server.port)["seconds_to_due"], 80000)
        status, found, said = self.run_("ack --again-after 1d", popped)
        self.assertEqual((status, found), (2, []))
        self.assertIn("no such lease", said)

    def test_hosts_are_kept_together_and_in_order(self):
        urls = ["http://%s/%d" % (host, i) for i in range(50)
                for host in ("A.example", "u:p@a.example:80", "b.example")]
        self.lines("push", urls)
        names = [name for name in self.c("KEYS", "crawl:*")[1:]]
        self.assertIn(len(names), (1, 2))
        popped = self.lines("pop --ack -n 150")
        for host in ("b.example", "A.example"):
            self.assertEqual([url for url in popped if "/" + host in url],
                             [url for url in urls if "/" + host in url])

    def test_each_url_is_handed_out_once(self):
        urls = ["http://h%d.example/%d" % (i % 997, i) for i in range(20000)]
        self.lines("push", urls)
        self.assertEqual(self.c("DBSIZE"), ":%d" % (1 + len(
            self.c("KEYS", "crawl:*")[1:])))
        found = Counter()
        for _ in range(4):
            popped = self.lines("pop -n 4000")
            self.assertEqual(len(popped), 4000)
            found.update(line.split("\t")[1] for line in popped)
            self.lines("ack", popped)
        found.update(self.lines("pop -n 9999 --ack"))
        self.assertEqual(found, Counter(urls))
        self.assertEqual(self.run_("pop"), (1, [], ""))

    def test_options_of_a_new_crawl_are_kept(self):
        self.lines("push -n 70000 -p 0.001 --partitions 7 --normalise url",
                   ["HTTP://Example.org:80/a/../b"])
        self.assertEqual(
            self.lines("push -v --strict --partitions 7 --normalise url",
                       ["http://example.org/b"]),
            ["SEEN\thttp://example.org/b"])
        status, found, said = self.run_("push -v --strict", ["no url"])
        self.assertEqual((status, found), (2, ["NOTURL\tno url"]))
        self.assertIn("1 line that is not a URL was left out", said)
        key = self.c("KEYS", "crawl:*")[1]
        info = self.c("VISIT.INFO", key)
        self.assertEqual(info[info.index("+capacity") + 1], ":10000")
        self.assertEqual(stat(self.server.port)["partitions"], 7)
        self.assertEqual(stat(self.server.port)["promised_rate"], 0.001)

    def test_options_that_a_crawl_cannot_take_on_are_errors(self):
        self.lines("push --partitions 7", ["a"])
        status, found, said = self.run_("push --partitions 1024", ["b"])
        self.assertEqual((status, found), (2, []))
        self.assertIn("the crawl has 7 partitions, and --partitions 1024 asks "
                      "for others", said)
        status, found, said = self.run_("push --normalise url", ["b"])
        self.assertEqual((status, found), (2, []))
        self.assertIn("was begun without --normalise url", said)
        self.assertEqual(self.lines("pop --ack -n 9"), ["a"])

    def test_a_full_partition_refuses(self):
        self.lines("push --partitions 1", ["a"])
        key = self.c("KEYS", "crawl:*")[1]
        self.c("VISIT.LIMIT", key, 1024)
        status, found, said = self.run_("push -v", ["b", "c"])
        self.assertEqual((status, found), (2, ["REFUSED\tb", "REFUSED\tc"]))
        self.assertIn("2 URLs were refused: their partitions are at the limit",
                      said)
        self.assertEqual(self.lines("pop --ack -n 5"), ["a"])

    def test_what_cannot_be_is_said(self):
        for words, expected in (
                ("pop", "there is no such crawl"),
                ("push --exact", "--exact is for a queue in a folder"),
                ("push --window 9URLs", "--window is for a queue in a folder"),
                ("push --priority 3", "--priority is for a queue in a folder"),
                ("push --again", "--again is for a queue in a folder"),
                ("push --partitions 16385", "--partitions is at most 16384"),
                ("stat --watch", "--watch is for a queue in a folder")):
            status, found, said = self.run_(words)
            self.assertEqual((status, found), (2, []), words)
            self.assertIn(expected, said)
        self.c("SET", "text", "x")
        self.assertIn("this key is not a crawl",
                      self.run_("push", name="text")[2])
        self.c("LPUSH", "list", "x")
        self.assertIn("WRONGTYPE", self.run_("pop", name="list")[2])
        for name in ("", "a{b}", "a/b"):
            self.assertIn("an address is", self.run_("pop", name=name)[2])

    def test_replicas_are_waited_for(self):
        replica = Server()
        self.addCleanup(replica.stop)
        client = replica.client()
        self.addCleanup(client.close)
        client("REPLICAOF", "127.0.0.1", self.server.port)
        until(lambda: self.c("WAIT", 1, 100) == ":1", "the replica is there")
        self.lines("push --replicas 1", keys(100))
        self.assertEqual(client("VISIT.LEN", self.c("KEYS", "crawl:*")[1]),
                         ":100")

    def test_a_password_is_given(self):
        server = Server()
        self.addCleanup(server.stop)
        client = server.client()
        client("CONFIG", "SET", "requirepass", "pass:word")
        address = "redis://%s127.0.0.1:" + "%d/crawl" % server.port
        for secret, status in (("", 2), (":x@", 2), (":pass:word@", 0),
                               ("default:pass:word@", 0)):
            done = subprocess.run(
                [COMMAND, "queue", "push", "--wait=0", address % secret],
                input=b"a\n", capture_output=True)
            self.assertEqual(done.returncode, status, done.stderr)
            self.assertNotIn(b"pass:word", done.stderr)
        client.close()


class Away(unittest.TestCase):
    def test_no_server(self):
        status, found, said = run(free_port(), "push --wait=0.1", ["a"])
        self.assertEqual((status, found), (2, []))
        self.assertIn("Connection refused; given up after 0.1 seconds", said)

    def test_no_module(self):
        server = Server(module=None)
        self.addCleanup(server.stop)
        self.assertIn("load the module", run(server.port, "push", ["a"])[2])

    def test_a_server_that_comes_back(self):
        """Commands that its end cut off are done again."""
        server = Server("--appendonly", "yes", "--appendfsync", "always")
        self.addCleanup(server.stop)
        port = server.port
        pushing = subprocess.Popen(
            [COMMAND, "queue", "push", "-v",
             "redis://127.0.0.1:%d/crawl" % port],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        pushing.stdin.write(b"a\n")
        pushing.stdin.flush()
        self.assertEqual(pushing.stdout.readline(), b"NEW\ta\n")
        server.kill()
        pushing.stdin.write(b"b\na\n")
        pushing.stdin.close()
        server.start(port)
        rest = pushing.stdout.read()
        pushing.stdout.close()
        self.assertEqual(pushing.wait(), 0)
        self.assertEqual(rest, b"NEW\tb\nSEEN\ta\n")
        self.assertEqual(sorted(run(port, "pop --ack -n 9")[1]), ["a", "b"])



class PoliteCrawl(Crawl):
    """A crawl that is begun with --polite; each test of it, as well as those
    of any other crawl, which a delay of 0 does not change."""

    def lines(self, words, lines=(), **more):
        if words.startswith("push"):
            words = "push --polite=0 --per-host 9999" + words[4:]
        return super().lines(words, lines, **more)

    def begin(self, words):
        """A crawl of that name, of 9 hosts with 3 URLs each."""
        urls = ["http://www.h%d.example.org/%d" % (i % 9, i)
                for i in range(27)]
        self.assertEqual(self.run_("push --partitions 5 " + words, urls,
                                   name="p"), (0, [], ""))

    def hosts(self, words="pop -n 99"):
        found = self.run_(words, name="p")[1]
        return [line.split("/")[2] for line in found]

    def record(self):
        return self.c("GET", "p").decode().split(" normalise off")[1]

    def test_one_of_each_host(self):
        self.begin("--polite=300")
        self.assertEqual(self.record(),
                         " polite 300000 per-host 1 by host budget 0")
        self.assertEqual(len(set(self.hosts())), 9)
        self.assertEqual(self.run_("pop -n 99", name="p"), (1, [], ""))
        self.assertEqual(stat(self.server.port, name="p")["pending"], 18)

    def test_a_host_is_asked_again_after_its_delay(self):
        self.begin("--polite=0.3")
        popped = self.run_("pop -n 99", name="p")[1]
        self.assertEqual(len(popped), 9)
        start = time.monotonic()
        self.run_("ack", popped, name="p")
        status = self.run_("pop -n 1 --wait=0", name="p")[0]
        self.assertTrue(status == 1 or time.monotonic() - start >= 0.3)
        again = self.run_("pop --wait=20", name="p")
        self.assertEqual((again[0], len(again[1])), (0, 1))

    def test_given_back_untried(self):
        self.begin("--polite=300")
        popped = self.run_("pop -n 99", name="p")[1]
        self.assertEqual(self.run_("nack --untried", popped, name="p"),
                         (0, [], ""))
        self.assertEqual(len(self.hosts()), 9)

    def test_several_of_a_domain(self):
        urls = ["http://%d.example.co.uk/" % i for i in range(9)]
        words = "push --partitions 5 --polite --by domain --per-host 2"
        status, found, said = self.run_(words, urls, name="p")
        if "without libpsl" in said:
            self.assertEqual(status, 2)
            return
        self.assertEqual((status, found, said), (0, [], ""))
        self.assertEqual(self.record(),
                         " polite 1000 per-host 2 by domain budget 0")
        self.assertEqual(len(self.hosts()), 2)

    def test_from_the_start(self):
        self.begin("--polite=300 --from-start --per-host 2")
        self.assertEqual(self.record(), " polite 300000 per-host 2 by host "
                         "budget 0 from start")
        self.assertEqual(len(self.hosts()), 9)  # by host, for 300 seconds
        self.assertEqual(self.run_("pop", name="p"), (1, [], ""))
        status, _, said = self.run_("push --polite=300 --per-host 2", name="p")
        self.assertEqual(status, 2)
        self.assertIn("begun with other rules for hosts", said)
        self.assertEqual(self.run_("push --polite=300 --per-host 2 "
                                   "--from-start", name="p"), (0, [], ""))

    def test_a_budget(self):
        self.begin("--polite=0 --host-budget 3 --by host-port")
        self.assertEqual(self.record(),
                         " polite 0 per-host 1 by hostport budget 3")
        more = ["http://www.h1.example.org/%d" % i for i in (1, 100, 101)]
        status, found, said = self.run_("push -v", more, name="p")
        self.assertEqual((status, found), (0, [
            "SEEN\t" + more[0], "REFUSED\t" + more[1], "REFUSED\t" + more[2]]))
        self.assertIn("2 URLs were refused: their hosts have all", said)
        self.assertEqual(self.run_("push --strict", more, name="p")[0], 2)

    def test_other_rules_are_an_error(self):
        self.begin("--polite --per-host 2")
        self.assertEqual(self.run_("push --polite=1 --per-host 2", name="p"),
                         (0, [], ""))
        self.assertEqual(self.run_("push", name="p"), (0, [], ""))
        for words in ("--polite=2 --per-host 2", "--polite",
                      "--polite --per-host 2 --host-budget 1",
                      "--polite --per-host 2 --from-start",
                      "--polite --per-host 2 --by host-port"):
            status, _, said = self.run_("push " + words, name="p")
            self.assertEqual(status, 2)
            self.assertIn("begun with other rules for hosts", said)
        self.run_("push", name="plain")
        status, _, said = self.run_("push --polite", name="plain")
        self.assertEqual(status, 2)
        self.assertIn("begun without --polite", said)


if __name__ == "__main__":
    needs_crawls("crawl")
    unittest.main(verbosity=2)

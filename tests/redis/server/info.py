"""INFO seenset: what is in the server, and in each crawl."""

import subprocess
import time
import unittest

from harness import COMMAND, Server, Test, field, keys, needs_crawls, until

FIGURES = ("partitions", "pending", "leased", "given_back", "dead", "seen",
           "partition_bytes", "next_due_ms", "overdue_ms")


def report(client):
    """The fields of the module, and of each crawl those of its row."""
    found, crawls = {}, {}
    for line in client("INFO", "seenset").decode().splitlines():
        if line.startswith("#") or not line:
            continue
        name, value = line.split(":", 1)
        if name.startswith("seenset_crawl_"):
            assert name[14:] not in crawls, name
            crawls[name[14:]] = {
                one.split("=")[0]: int(one.split("=")[1])
                for one in value.split(",")}
        else:
            found[name[8:]] = value
    return found, crawls


def kept(client):
    """The rows, without their bytes, which depend on the room for more."""
    rows = report(client)[1]
    return [(name, [row[one] for one in FIGURES if one != "partition_bytes"])
            for name, row in rows.items()]


def visit_info(client, key):
    row = client("VISIT.INFO", key)
    return {row[i][1:]: int(row[i + 1][1:]) for i in range(1, len(row), 2)
            if row[i + 1][:1] == ":"}


class Info(Test):
    def same_as_visit_info(self):
        """The sums are those of VISIT.INFO of each partition."""
        names = [key for key in self.c("KEYS", "*")[1:]
                 if self.c("TYPE", key) == "+seenvisit"]
        rows = [visit_info(self.c, name) for name in names]
        found, crawls = report(self.c)
        for name, of in (("pending", "pending"), ("leased", "leased"),
                         ("given_back", "given-back"), ("dead", "dead"),
                         ("seen", "seen"), ("partition_bytes", "bytes")):
            self.assertEqual(int(found[name]),
                             sum(row.get(of, 0) for row in rows), name)
        self.assertEqual(int(found["partitions"]), len(names))
        self.assertEqual(sum(row["partitions"] for row in crawls.values()),
                         len(names))
        return found, crawls

    def test_empty_server(self):
        found, crawls = report(self.c)
        self.assertEqual(crawls, {})
        self.assertEqual(found["keys"], "0")
        self.assertEqual([found[name] for name in FIGURES], ["0"] * 9)

    def test_keys_are_counted(self):
        for i in range(5):
            self.c("BF.ADD", "b%d" % i, "x")
        self.c("CF.ADD", "c", "x")
        self.c("SEEN.ADD", "s", "x")
        self.c("SET", "text", "x")
        self.assertEqual(report(self.c)[0]["keys"], "7")
        self.c("COPY", "s", "t")
        self.c("DEL", "b0", "b1")
        self.assertEqual(report(self.c)[0]["keys"], "6")
        self.c("FLUSHALL")  # Valkey frees them in another thread
        until(lambda: report(self.c)[0]["keys"] == "0", "all are freed")

    def test_pending_leased_given_back_and_dead(self):
        self.c("VISIT.NEW", "crawl:{1}", "GIVEUP", 1)
        self.c("VISIT.PUSH", "crawl:{1}", *("http://h%d.example/" % i
                                            for i in range(10)))
        self.c("VISIT.PUSH", "crawl:{22}", *keys(100))
        self.c("VISIT.PUSH", "other:{1}", *keys(7))
        leases = [row[1][1:] for row in self.c("VISIT.POP", "crawl:{22}",
                                               "COUNT", 30)[1:]]
        self.c("VISIT.ACK", "crawl:{22}", *leases[:10])
        self.c("VISIT.NACK", "crawl:{22}", *leases[10:15], "DELAY", 60000)
        lease = self.c("VISIT.POP", "crawl:{1}")[1][1][1:]
        self.c("VISIT.NACK", "crawl:{1}", lease)
        found, crawls = self.same_as_visit_info()
        self.assertEqual(sorted(crawls), ["crawl", "other"])
        row = crawls["crawl"]
        self.assertEqual([row[name] for name in FIGURES[:6]],
                         [2, 79, 15, 5, 1, 110])
        self.assertEqual([crawls["other"][name] for name in FIGURES[:6]],
                         [1, 7, 0, 0, 0, 7])
        self.assertEqual(found["pending"], "86")

    def test_lease_that_is_over(self):
        self.c("VISIT.PUSH", "k", "a", "b")
        now = int(time.time() * 1000)
        self.c("VISIT.POP", "k", "LEASE", 60000)
        row = report(self.c)[1]["k"]
        self.assertEqual(row["overdue_ms"], 0)
        self.assertGreaterEqual(row["next_due_ms"], now + 60000)
        self.c("VISIT.POP", "k", "LEASE", 1)
        until(lambda: report(self.c)[1]["k"]["overdue_ms"] > 0, "it ends")
        self.assertEqual(int(report(self.c)[0]["next_due_ms"]),
                         report(self.c)[1]["k"]["next_due_ms"])

    def test_names(self):
        self.c("SELECT", 0)
        for key in (b"a:{1}", b"a:{x}", b"a{1}", b"\r\n:=,\xff", b"", b":{3}",
                    b"{4}", b"x" * 500, b"x" * 500 + b":{7}"):
            self.c("VISIT.PUSH", key, "u")
        self.assertEqual(sorted(self.same_as_visit_info()[1]), sorted([
            "a", "a__x_", "a_1_", "______", "", "__3_", "_4_", "x" * 63]))

    def test_copy_rename_delete_and_flush(self):
        self.c("VISIT.PUSH", "a:{1}", *keys(10))
        self.c("COPY", "a:{1}", "b:{1}")
        self.assertEqual(sorted(self.same_as_visit_info()[1]), ["a", "b"])
        self.c("RENAME", "a:{1}", "c:{1}")
        # A row has the new name once a command has asked for it.
        self.c("VISIT.LEN", "c:{1}")
        self.assertEqual(sorted(self.same_as_visit_info()[1]), ["b", "c"])
        saved = self.c("DUMP", "b:{1}")
        self.c("UNLINK", "b:{1}")
        self.c("RESTORE", "d:{5}", 0, saved)
        self.assertEqual(sorted(self.same_as_visit_info()[1]), ["c", "d"])
        self.c("FLUSHALL", "ASYNC")
        until(lambda: report(self.c)[0]["partitions"] == "0", "all are freed")

    def test_loaded_in_chunks_is_one_partition(self):
        self.c("VISIT.PUSH", "a:{1}", *keys(2000))
        self.c("VISIT.POP", "a:{1}", "COUNT", 3)
        before = kept(self.c)
        self.c("CONFIG", "SET", "aof-use-rdb-preamble", "no")
        self.c("CONFIG", "SET", "appendonly", "yes")
        self.addCleanup(self.server.client(), "CONFIG", "SET", "appendonly",
                        "no")
        until(lambda: b"aof_rewrite_in_progress:0" in self.c("INFO") and
              b"aof_rewrite_scheduled:0" in self.c("INFO"), "it is rewritten")
        self.assertEqual(self.c("DEBUG", "LOADAOF"), "+OK")
        self.assertEqual(kept(self.c), before)
        self.same_as_visit_info()

    def test_more_crawls_than_rows(self):
        for i in range(150):
            self.c("VISIT.PUSH", "crawl%d" % i, "u")
        found, crawls = report(self.c)
        self.assertEqual((len(crawls), found["pending"]), (100, "150"))
        self.assertEqual(found["partitions"], "150")

    def test_asked_for_while_keys_are_freed(self):
        """In a thread of the server's, of which there is no other sign."""
        for _ in range(5):
            for i in range(20):
                self.c("VISIT.PUSH", "crawl:{%d}" % i, *keys(3000))
            self.c("FLUSHALL", "ASYNC")
            for _ in range(20):
                report(self.c)
        until(lambda: report(self.c)[0]["partitions"] == "0", "all are freed")


class Files(unittest.TestCase):
    def test_snapshot_and_replica_have_the_same(self):
        server = Server()
        self.addCleanup(server.stop)
        c = server.client()
        for i in range(9):
            c("VISIT.PUSH", "crawl:{%d}" % i, *keys(100))
            c("VISIT.POP", "crawl:{%d}" % i, "COUNT", i + 1)
        before = kept(c)
        replica = Server()
        self.addCleanup(replica.stop)
        r = replica.client()
        r("REPLICAOF", "127.0.0.1", server.port)
        until(lambda: field(r, "replication", "master_link_status") == "up",
              "a replica")  # WAIT of Valkey 9 does not wait for its first copy
        self.assertEqual(kept(r), before)
        until(lambda: c("SAVE") == "+OK", "a save of its own")
        c.close()
        server.restart()
        c = server.client()
        self.assertEqual(kept(c), before)
        c.close()
        r.close()

    def test_crawl_of_the_command_is_one_row(self):
        server = Server()
        self.addCleanup(server.stop)
        subprocess.run(
            [COMMAND, "queue", "push", "--partitions", "64",
             "redis://127.0.0.1:%d/crawl" % server.port], check=True,
            input="".join("http://h%d.example/\n" % i
                          for i in range(1000)).encode())
        c = server.client()
        found, crawls = report(c)
        self.assertEqual(list(crawls), ["crawl"])
        self.assertEqual((crawls["crawl"]["partitions"],
                          crawls["crawl"]["pending"]), (64, 1000))
        c.close()


if __name__ == "__main__":
    needs_crawls("info")
    unittest.main()

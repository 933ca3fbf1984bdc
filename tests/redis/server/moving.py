"""docs/from-redisbloom.md: its blocks, in their order, and what it says of logs.

The old server is one with the module that has filters in RedisBloom's form, of
payloads/redisbloom.json: it dumps and answers as RedisBloom, to the bit. A log
as RedisBloom's server writes it is made of the same payloads.
"""

import os
import re
import shutil
import subprocess
import sys
import unittest

from dumps import as_bytes, chunks, digits, golden, more_items, restore
from harness import MODULE, SERVER, Client, Server, encoded, until

SOURCE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(
    os.path.abspath(__file__)))))
PAGE = os.path.join(SOURCE, "docs", "from-redisbloom.md")


def blocks(language):
    with open(PAGE) as page:
        return re.findall(r"```%s\n(.*?)```" % language, page.read(), re.S)


def fill(client):
    """The filters of the payloads, and other keys. Returns their names."""
    names = []
    for i, row in enumerate(golden()):
        names.append("users" if i == 0 else "filter-%d" % i)
        assert restore(client, names[-1], as_bytes(row["dump"])) == "+OK"
    client("SET", "text", "of another type")
    client("PEXPIRE", names[1], 10 ** 9)
    return names


def all_chunks(client, names):
    return [chunks(client, name) for name in names]


class Moving(unittest.TestCase):
    def setUp(self):
        self.server = Server()
        self.addCleanup(self.server.stop)
        self.c = self.server.client()
        self.names = fill(self.c)
        self.before = all_chunks(self.c, self.names)

    def grows_as_there(self, client):
        for name, row in zip(self.names, golden()):
            if row["more"]:
                self.assertEqual(digits(client("BF.MADD", name,
                                               *more_items(row))), row["new"])

    def there(self, text, other=None):
        """A block, with what is named in it as it is here."""
        folder = self.server.folder
        for was, now in (("MBbloom--", "seenset-1"),
                         ("/path/to/seenset-redis.so", MODULE),
                         ("redis-server ", SERVER + " --bind 127.0.0.1 "),
                         ("/var/backups/redis-before", folder + "-before"),
                         ("/var/lib/redis", folder),
                         ("6379", str(self.server.port)),
                         ("6380", str(other or 0))):
            text = text.replace(was, now)
        return text

    def shell(self, text):
        done = subprocess.run(["sh", "-e", "-c", self.there(text)],
                              capture_output=True, timeout=60)
        self.assertEqual(done.returncode, 0, done.stderr.decode())
        return done.stdout.decode()

    def test_restart(self):
        look, write, wait, restart, check = blocks("sh")
        types = [str(len(self.names)), "seenset-1", "1", "string"]
        self.assertEqual(self.shell(look).split(), types)
        self.assertEqual(self.shell(write).count("OK"), 2)
        self.shell(wait)
        self.c.close()
        self.addCleanup(shutil.rmtree, self.server.folder + "-before", True)
        self.addCleanup(self.end_the_other)
        self.shell(restart)
        self.assertTrue(os.path.isdir(self.server.folder + "-before"))
        self.server.process.wait(60)
        said = self.shell(check).splitlines()
        self.assertEqual(" ".join(said[:2]).split(), types)
        self.assertIn("Capacity", said)
        c = Client(self.server.port)
        self.assertEqual(all_chunks(c, self.names), self.before)
        self.assertEqual(c("GET", "text"), b"of another type")
        self.grows_as_there(c)
        c.close()

    def end_the_other(self):
        """The server that a block has started, which is not a child: where
        nobody waits for it, its process stays listed, so it has ended when
        nobody listens."""
        try:
            client = Client(self.server.port)
        except OSError:
            return
        client.send("SHUTDOWN", "NOSAVE")
        client.close()
        until(self.refuses, "it ends")

    def refuses(self):
        try:
            Client(self.server.port).close()
        except OSError:
            return True
        return False

    def test_copy_while_both_run(self):
        new = Server()
        self.addCleanup(new.stop)
        n = new.client()
        n("BF.ADD", "users", "is replaced")
        (block,) = blocks("python")
        done = subprocess.run([sys.executable, "-c",
                               self.there(block, new.port)],
                              capture_output=True, timeout=60)
        if b"No module named 'redis'" in done.stderr:
            self.skipTest("python3-redis is not installed")
        self.assertEqual(done.returncode, 0, done.stderr.decode())
        self.assertEqual(all_chunks(n, self.names), self.before)
        self.assertGreater(int(n("PTTL", self.names[1])[1:]), 10 ** 8)
        self.assertEqual(n("PTTL", "users"), ":-1")
        self.grows_as_there(n)
        n.close()

    def test_settings_of_the_page(self):
        (line,) = blocks("text")
        server = Server(module=None, config=self.there(line))
        self.addCleanup(server.stop)
        c = server.client()
        c("BF.ADD", "b", "x")
        self.assertEqual(c("BF.INFO", "b", "ERROR"), b"0.001")
        self.assertEqual(c("BF.INFO", "b", "CAPACITY"), ["*", ":400"])
        c.close()


def command(*words):
    parts = [b"*%d\r\n" % len(words)]
    for word in map(encoded, words):
        parts.append(b"$%d\r\n%s\r\n" % (len(word), word))
    return b"".join(parts)


class Logs(unittest.TestCase):
    def start_with(self, *commands):
        """A server that reads a log of these commands."""
        server = Server("--appendonly", "yes")
        self.addCleanup(server.stop)
        server.end()
        folder = os.path.join(server.folder, "appendonlydir")
        for path in server.files("appendonlydir"):
            os.remove(path)
        name = "appendonly.aof.1.base.aof"
        with open(os.path.join(folder, name), "wb") as log:
            log.write(command("SELECT", 0) + b"".join(
                command(*words) for words in commands))
        with open(os.path.join(folder, "appendonly.aof.manifest"), "w") as file:
            file.write("file %s seq 1 type b\n" % name)
        server.start()
        return server

    def loads(self):
        return [("BF.LOADCHUNK", "f%d" % i, iterator, data)
                for i, row in enumerate(golden())
                for iterator, data in as_bytes(row["dump"])]

    def test_log_of_redisbloom_is_read(self):
        c = self.start_with(*self.loads(), ("BF.ADD", "f0", "later")).client()
        for i, row in enumerate(golden()):
            name = "f%d" % i
            items = ["item-%d" % one for one in range(row["items"])]
            self.assertEqual(set(c("BF.MEXISTS", name, *items)[1:]), {":1"})
            if i > 0:
                self.assertEqual(chunks(c, name), as_bytes(row["dump"]))
        self.assertEqual(c("BF.EXISTS", "f0", "later"), ":1")
        c.close()

    def test_log_that_is_rewritten_is_redisblooms(self):
        """So that it can go back: the same commands, with the same bytes."""
        server = Server("--appendonly", "yes", "--aof-use-rdb-preamble", "no",
                        "--auto-aof-rewrite-percentage", "0")
        self.addCleanup(server.stop)
        c = server.client()
        names = fill(c)
        c("BF.RESERVE", "large", 0.001, 1000000)  # our own form
        before = all_chunks(c, names)
        c("BGREWRITEAOF")
        until(lambda: b"aof_rewrite_in_progress:0" in c("INFO") and
              b"aof_rewrite_scheduled:0" in c("INFO"), "it is rewritten")
        text = b""
        for path in server.files("appendonlydir"):
            if path.endswith(".base.aof"):
                with open(path, "rb") as log:
                    text += log.read()
        for name, saved in zip(names, before):
            for iterator, data in saved:
                self.assertTrue(command("BF.LOADCHUNK", name, iterator, data)
                                in text, (name, iterator))
        loaded = set(re.findall(rb"SEEN.LOAD\r\n\$\d+\r\n(\S+)\r\n", text))
        self.assertEqual(loaded, {b"large"})
        c.close()
        server.restart()
        c = server.client()
        self.assertEqual(all_chunks(c, names), before)
        c.close()

    def test_what_is_not_known_ends_it_with_its_name(self):
        with self.assertRaises(RuntimeError) as ended:
            self.start_with(("TOPK.ADD", "t", "x"), *self.loads())
        self.assertIn("nknown command 'TOPK.ADD'", str(ended.exception))

    def test_cuckoo_filter_of_redisblooms_is_a_line_of_the_log(self):
        server = self.start_with(("CF.LOADCHUNK", "c", 1, b"\0" * 48),
                                 *self.loads())
        c = server.client()
        self.assertEqual(c("EXISTS", "c"), ":0")
        self.assertIn("sending an error to its AOF-loading-client",
                      server.tail())
        self.assertIn("cf.loadchunk", server.tail())
        c.close()


if __name__ == "__main__":
    if shutil.which("redis-cli") is None:
        print("SKIPPED: moving was not tested: redis-cli is not installed")
        sys.exit(77)
    unittest.main()

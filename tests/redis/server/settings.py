"""What filters are made with when a command says nothing: arguments of the
module, settings of the server, and what replicas and the log get of them."""

import os
import re
import shutil
import subprocess
import tempfile
import unittest

from harness import MODULE, Server, Test, keys, until

BF = {"seenset.bf-error-rate": b"0.01", "seenset.bf-initial-size": b"100",
      "seenset.bf-expansion-factor": b"2"}
CF = {"seenset.cf-initial-size": b"1024", "seenset.cf-bucket-size": b"2",
      "seenset.cf-max-iterations": b"20",
      "seenset.cf-expansion-factor": b"1",
      "seenset.cf-max-expansions": b"32"}
SEED = bytes(range(32))


def with_arguments(*words):
    """The options of a server that loads the module with these."""
    return ("--loadmodule", MODULE) + words


def start(test, *options, config=None):
    server = Server(*options, module=None, config=config)
    test.addCleanup(server.stop)
    return server


def made(client, key="b"):
    """Capacity, expansion and rate of a filter."""
    return (client("BF.INFO", key, "CAPACITY")[1],
            client("BF.INFO", key, "EXPANSION")[1],
            client("BF.INFO", key, "ERROR"))


def cuckoo(client, key="c"):
    """Buckets, sub-filters, size of a bucket, expansion and iterations."""
    row = client("CF.INFO", key)
    found = dict(zip(row[1::2], row[2::2]))
    return tuple(found["+" + name] for name in (
        "Number of buckets", "Number of filters", "Bucket size",
        "Expansion rate", "Max iterations"))


class Arguments(unittest.TestCase):
    def test_arguments_are_what_filters_are_made_with(self):
        for words in ("ERROR_RATE 0.001 INITIAL_SIZE 400 EXPANSION 4",
                      "error_rate 1e-3 initial_size 400 expansion 4",
                      "bf-error-rate .001 bf-initial-size 400 "
                      "bf-expansion-factor 4"):
            c = start(self, *with_arguments(*words.split())).client()
            c("BF.ADD", "b", "x")
            self.assertEqual(made(c), (":400", ":4", b"0.001"), words)
            c("BF.INSERT", "i", "CAPACITY", 7, "ITEMS", "x")
            self.assertEqual(made(c, "i")[1:], (":4", b"0.001"))
            c("BF.RESERVE", "r", 0.5, 20)
            self.assertEqual(made(c, "r"), (":20", ":4", b"0.5"))
            c.close()

    def test_arguments_of_cuckoo_filters(self):
        words = ("CF_INITIAL_SIZE 4096 CF_BUCKET_SIZE 4 CF_MAX_ITERATIONS 9 "
                 "CF_EXPANSION 3 CF_MAX_EXPANSIONS 2")
        c = start(self, *with_arguments(*words.split())).client()
        self.assertEqual(c("CF.ADD", "c", "x"), ":1")
        self.assertEqual(cuckoo(c), (":1024", ":1", ":4", ":4", ":9"))
        c("CF.RESERVE", "r", 100, "BUCKETSIZE", 1)
        self.assertEqual(cuckoo(c, "r")[2:], (":1", ":4", ":9"))
        c.close()

    def test_size_is_at_least_two_buckets(self):
        c = start(self, *with_arguments("CF_INITIAL_SIZE", "1",
                                        "CF_BUCKET_SIZE", "255")).client()
        self.assertEqual(c("CF.ADD", "c", "x"), ":1")
        self.assertEqual(cuckoo(c)[2], ":255")
        c.close()

    def test_wrong_arguments_end_the_server_with_the_reason(self):
        for words, reason in (
                ("ERROR_RATE 1", "ERROR_RATE needs a number above 0 and "),
                ("ERROR_RATE nan", "ERROR_RATE needs a number above 0 and "),
                ("ERROR_RATE", "ERROR_RATE needs a number above 0 and below"),
                ("INITIAL_SIZE 0", "INITIAL_SIZE needs a whole number from 1 "
                                   "to 1048576"),
                ("INITIAL_SIZE x", "INITIAL_SIZE needs a whole number"),
                ("EXPANSION 32769", "EXPANSION needs a whole number from 0 to "
                                    "32768"),
                ("cf-bucket-size 256", "cf-bucket-size needs a whole number "),
                ("EROR_RATE 0.1", "does not know the argument EROR_RATE; it "
                                  "takes ERROR_RATE, ")):
            with self.assertRaises(RuntimeError) as ended:
                start(self, *with_arguments(*words.split()))
            self.assertIn(reason, str(ended.exception), words)


class Settings(Test):
    def setUp(self):
        super().setUp()
        for row in (BF | CF).items():
            self.c("CONFIG", "SET", *row)

    def test_defaults_are_redisblooms(self):
        for name, value in (BF | CF).items():
            self.assertEqual(self.c("CONFIG", "GET", name),
                             ["*", name.encode(), value])

    def test_set_at_run_time(self):
        def put(name, value):
            return self.c("CONFIG", "SET", "seenset." + name, value)
        self.assertEqual(put("bf-error-rate", "0.25"), "+OK")
        self.assertEqual(put("bf-initial-size", 1048576), "+OK")
        self.assertEqual(put("bf-expansion-factor", 0), "+OK")
        self.c("BF.ADD", "b", "x")
        self.assertEqual(made(self.c), (":1048576", None, b"0.25"))
        self.assertEqual(self.c("CONFIG", "GET", "seenset.bf-error-rate")[2],
                         b"0.25")
        self.assertEqual(put("cf-bucket-size", 8), "+OK")
        self.c("CF.INSERT", "c", "ITEMS", "x")
        self.assertEqual(cuckoo(self.c)[2], ":8")

    def test_wrong_values_are_refused_and_change_nothing(self):
        for name, value, reason in (
                ("bf-error-rate", "0", "needs a number above 0 and below 1"),
                ("bf-error-rate", "x", "needs a number above 0 and below 1"),
                ("bf-initial-size", 0, "between 1 and 1048576"),
                ("bf-expansion-factor", -1, "between 0 and 32768"),
                ("cf-max-expansions", 65536, "between 1 and 65535")):
            answer = self.c("CONFIG", "SET", "seenset." + name, value)
            self.assertTrue(answer.startswith("-ERR CONFIG SET failed"))
            self.assertIn(reason, answer)
        self.test_defaults_are_redisblooms()

    def test_filter_grows_to_the_sub_filters_that_are_set(self):
        self.c("CONFIG", "SET", "seenset.cf-max-expansions", 2)
        self.c("CF.RESERVE", "c", 64)
        answers = [self.c("CF.ADD", "c", key) for key in keys(1000)]
        self.assertEqual(cuckoo(self.c)[1], ":2")
        self.assertEqual(answers[-1], "-Maximum expansions reached")
        self.assertGreater(answers.count(":1"), 64)
        self.c("CONFIG", "SET", "seenset.cf-max-expansions", 3)
        self.assertEqual(self.c("CF.ADD", "c", "one more"), ":1")
        self.assertEqual(cuckoo(self.c)[1], ":3")


class Files(unittest.TestCase):
    def test_configuration_file_is_read_and_rewritten(self):
        server = start(self, config=(
            "loadmodule %s ERROR_RATE 0.2 INITIAL_SIZE 300\n"
            "seenset.bf-error-rate 0.125\n" % MODULE))
        c = server.client()
        c("BF.ADD", "b", "x")
        self.assertEqual(made(c), (":300", ":2", b"0.125"))
        c("CONFIG", "SET", "seenset.cf-bucket-size", 4)
        self.assertEqual(c("CONFIG", "REWRITE"), "+OK")
        c.close()
        server.restart()
        c = server.client()
        c("BF.ADD", "b", "x")
        self.assertEqual(made(c), (":300", ":2", b"0.125"))
        self.assertEqual(c("CONFIG", "GET", "seenset.cf-bucket-size")[2], b"4")
        c.close()

    def test_wrong_setting_of_a_file_ends_the_server(self):
        with self.assertRaises(RuntimeError) as ended:
            start(self, *with_arguments(), "--seenset.bf-error-rate", "2")
        self.assertIn("needs a number above 0 and below 1",
                      str(ended.exception))


def make_all(client):
    """A key of each kind that is made by default. Returns their names."""
    client("BF.ADD", "add", "x")
    client("BF.MADD", "madd", *keys(50))
    client("BF.INSERT", "insert", "CAPACITY", 33, "ITEMS", *keys(40))
    client("BF.INSERT", "fixed", "NONSCALING", "ITEMS", *keys(40))
    client("BF.INSERT", "seeded", "SEED", SEED, "ITEMS", *keys(40))
    client("BF.INSERT", "bare", "SEED", SEED)
    client("BF.INSERT", "tight", "SEED", SEED, "TIGHTENING", 0.75, "ERROR",
           0.3, "ITEMS", *keys(40))
    client("CF.ADD", "cadd", "x")
    client("CF.ADDNX", "caddnx", "x")
    client("CF.INSERT", "cinsert", "CAPACITY", 99, "ITEMS", *keys(300))
    client("CF.INSERTNX", "cinsertnx", "ITEMS", *keys(300))
    return ["add", "madd", "insert", "fixed", "seeded", "bare", "tight",
            "cadd", "caddnx", "cinsert", "cinsertnx"]


OTHERS = ("ERROR_RATE", "0.001", "INITIAL_SIZE", "400", "EXPANSION", "4",
          "CF_INITIAL_SIZE", "128", "CF_BUCKET_SIZE", "4", "CF_EXPANSION", "4")


def digests(client, names):
    return dict(zip(names, client("DEBUG", "DIGEST-VALUE", *names)[1:]))


class Others(unittest.TestCase):
    """Servers whose settings are not those under which a filter was made."""

    def test_settings_matter(self):
        """So that the tests below compare what can differ."""
        plain = start(self, *with_arguments()).client()
        other = start(self, *with_arguments(*OTHERS)).client()
        names = make_all(plain)
        make_all(other)
        a, b = digests(plain, names), digests(other, names)
        self.assertEqual([name for name in names if a[name] == b[name]], [])
        plain.close()
        other.close()

    def test_replica_has_the_same_filters(self):
        master = start(self, *with_arguments(*OTHERS))
        replica = start(self, *with_arguments("CF_MAX_EXPANSIONS", "1"))
        m, r = master.client(), replica.client()
        r("REPLICAOF", "127.0.0.1", master.port)
        until(lambda: m("WAIT", 1, 100) == ":1", "a replica")
        names = make_all(m)
        m("BF.MADD", "add", *keys(2000))
        m("CF.INSERT", "cadd", "ITEMS", *keys(2000))
        self.assertEqual(m("WAIT", 1, 10000), ":1")
        self.assertEqual(digests(m, names), digests(r, names))
        self.assertGreater(int(cuckoo(r, "cadd")[1][1:]), 1)
        m.close()
        r.close()

    def test_log_makes_the_same_filters(self):
        server = start(self, *with_arguments(*OTHERS), "--appendonly", "yes",
                       "--appendfsync", "always")
        c = server.client()
        names = make_all(c)
        before = digests(c, names)
        c.close()
        server.options = with_arguments("ERROR_RATE", "0.25",
                                        "CF_MAX_EXPANSIONS", "1",
                                        ) + server.options[-4:]
        server.restart()
        c = server.client()
        self.assertEqual(digests(c, names), before)
        c("BF.ADD", "new", "x")
        self.assertEqual(made(c, "new")[2], b"0.25")
        c.close()


class OtherServers(unittest.TestCase):
    """Servers that have more, or less, than the one that is tested with."""

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp(prefix="seenset-redis-")
        cls.between = os.path.join(cls.folder, "between.so")
        source = os.path.join(os.path.dirname(os.path.abspath(__file__)),
                              "between.c")
        subprocess.run([os.environ.get("CC", "cc"), "-shared", "-fPIC", "-O1",
                        "-o", cls.between, source, "-ldl"], check=True)

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.folder, ignore_errors=True)

    def load(self, *words):
        return start(self, "--loadmodule", self.between, MODULE, *words)

    def test_server_with_categories_has_redisblooms(self):
        server = self.load()
        with open(server.log) as log:
            text = log.read()
        self.assertEqual(re.findall(r"category (\w+)", text),
                         ["bloom", "cuckoo", "seenset"])
        found = dict(re.findall(r"categories of ([\w.]+): ([\w ]+);", text))
        of = {"bf": ["bloom", "seenset"], "cf": ["cuckoo", "seenset"],
              "seen": ["seenset"], "visit": ["seenset"]}
        c = server.client()
        flags = {row[1].decode(): row[3] for row in c("COMMAND", "INFO",
                                                      *found)[1:]}
        for name, words in found.items():
            way = "write" if "+write" in flags[name] else "read"
            self.assertEqual(words.split(),
                             [way] + of[name.split(".")[0]], name)
        families = [name.split(".")[0] for name in found]
        self.assertEqual({family: families.count(family) for family in of},
                         {"bf": 12, "cf": 12, "seen": 11, "visit": 15})
        c.close()

    def test_server_without_settings_of_modules_loads_it(self):
        server = self.load("without", "RedisModule_Register")
        c = server.client()
        self.assertEqual(c("CONFIG", "GET", "seenset.*"), ["*"])
        self.assertEqual(c("BF.ADD", "b", "x"), ":1")
        self.assertEqual(made(c), (":100", ":2", b"0.01"))
        c.close()


if __name__ == "__main__":
    unittest.main()

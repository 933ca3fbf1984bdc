"""What the tests of the module share: servers of their own, and a client.

A server listens on a free port of the loopback, in a folder of its own, and is
ended by its process number. The client is a plain socket, so that a test sees
each reply as it is on the wire:

    +text  :number  -error         as text, with that first character
    bulk strings                   bytes; None if there is none (RESP2)
    arrays, maps (RESP3), sets     ["*", ...], {...}, ["~", ...]
    booleans, null, doubles        True, False, None, float (RESP3)
"""

import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import unittest

MODULE = os.path.abspath(os.environ["SEENSET_REDIS_MODULE"])
COMMAND = os.path.abspath(os.environ["SEENSET_COMMAND"])
SERVER = os.environ.get("REDIS_SERVER", "redis-server")
PRELOAD = os.environ.get("SEENSET_REDIS_PRELOAD", "")
WRONG_TYPE = ("-WRONGTYPE Operation against a key holding the wrong kind of "
              "value")
# A module that has MODULE loaded by itself, with its path as an argument.
AROUND = os.environ.get("SEENSET_REDIS_AROUND", "")
PATIENCE = 60  # seconds until a server that does not answer fails a test


def encoded(word):
    return word if isinstance(word, bytes) else str(word).encode()


class Client:
    """One connection. c("SEEN.ADD", "k", b"x") returns the reply."""

    def __init__(self, port, resp=2):
        self.socket = socket.create_connection(("127.0.0.1", port), PATIENCE)
        self.file = self.socket.makefile("rb")
        if resp == 3:
            self("HELLO", 3)

    def __call__(self, *words):
        self.send(*words)
        return self.read()

    def line(self, text):
        return self(*text.split())

    def send(self, *words):
        parts = [b"*%d\r\n" % len(words)]
        for word in map(encoded, words):
            parts.append(b"$%d\r\n%s\r\n" % (len(word), word))
        self.socket.sendall(b"".join(parts))

    def read(self):
        line = self.file.readline()
        if not line:
            raise ConnectionError("the server closed the connection")
        kind, rest = line[:1], line[1:-2]
        if kind in b"+:-":
            return line[:-2].decode()
        if kind in b"$=":
            return self.bulk(int(rest))
        if kind in b"*~":
            if rest == b"-1":
                return None
            return [kind.decode()] + [self.read() for _ in range(int(rest))]
        if kind == b"%":
            return {self.name(): self.read() for _ in range(int(rest))}
        simple = {b"#t": True, b"#f": False, b"_": None}
        return simple[line[:-2]] if line[:-2] in simple else float(rest)

    def name(self):
        name = self.read()
        return name.decode() if isinstance(name, bytes) else name

    def bulk(self, length):
        if length < 0:
            return None
        body = self.file.read(length)
        self.file.read(2)
        return body

    def close(self):
        self.file.close()
        self.socket.close()


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Server:
    """A server with the module. Its folder outlives restart(), not stop()."""

    def __init__(self, *options, module=MODULE, config=None, environment=None):
        """config: the text of its redis.conf, which options override."""
        self.folder = tempfile.mkdtemp(prefix="seenset-redis-")
        self.options = options
        self.environment = environment or {}
        self.config = []
        if config is not None:
            self.config = [os.path.join(self.folder, "redis.conf")]
            with open(self.config[0], "w") as file:
                file.write(config)
        if module == MODULE and AROUND:
            self.options += ("--loadmodule", AROUND, module)
        elif module is not None:
            self.options += ("--loadmodule", module)
        self.process = None
        self.start()

    def start(self, port=None):
        self.port = port or free_port()
        environment = dict(os.environ, **self.environment)
        if PRELOAD:
            environment["LD_PRELOAD"] = " ".join(
                [PRELOAD, self.environment.get("LD_PRELOAD", "")]).strip()
            environment["ASAN_OPTIONS"] = (
                "detect_leaks=0:allocator_may_return_null=1")
        self.log = os.path.join(self.folder, "log")
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(
                [SERVER, *self.config, "--port", str(self.port), "--bind", "127.0.0.1",
                 "--save", "", "--dir", self.folder,
                 "--enable-debug-command", "yes",
                 "--repl-diskless-sync-delay", "0",
                 *self.options],
                stdout=log, stderr=log, env=environment)
        self.wait()

    def wait(self):
        """Until it answers, which it does not while it loads its files."""
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            if self.process.poll() is not None:
                raise RuntimeError("the server ended:\n" + self.tail())
            try:
                client = Client(self.port)
                answer = client("PING")
                client.close()
                if answer == "+PONG":
                    return
            except OSError:
                pass
            time.sleep(0.02)
        raise RuntimeError("the server does not answer:\n" + self.tail())

    def files(self, folder):
        """The paths of the files in a folder of the server's."""
        folder = os.path.join(self.folder, folder)
        return [os.path.join(folder, name) for name in os.listdir(folder)]

    def tail(self):
        with open(self.log, errors="replace") as log:
            return log.read()[-4000:]

    def client(self, resp=2):
        return Client(self.port, resp)

    def end(self):
        if self.process.poll() is None:
            self.process.terminate()
        self.process.wait(PATIENCE)

    def kill(self):
        self.process.kill()
        self.process.wait(PATIENCE)

    def restart(self):
        self.end()
        self.start()

    def stop(self):
        self.end()
        shutil.rmtree(self.folder, ignore_errors=True)


def needs_crawls(name):
    """Skips a file of tests if the command was built without hiredis."""
    said = subprocess.run(
        [COMMAND, "queue", "push", "--wait=0",
         "redis://127.0.0.1:%d/x" % free_port()],
        stdin=subprocess.DEVNULL, capture_output=True).stderr
    if b"built without" in said:
        print("SKIPPED: %s was not tested: the command was built without "
              "libhiredis" % name)
        sys.exit(77)


def until(condition, what):
    """Waits for something that the server does by itself."""
    end = time.monotonic() + PATIENCE
    while not condition():
        if time.monotonic() > end:
            raise AssertionError("it never happens: " + what)
        time.sleep(0.02)


def field(client, section, name):
    """A field of INFO, as text."""
    for line in client("INFO", section).decode().splitlines():
        if line.startswith(name + ":"):
            return line.split(":", 1)[1]
    return None


def keys(count, first=0):
    return ["https://example.org/%d" % i for i in range(first, first + count)]


def load(client, key, data, *words, size=4096):
    """Sends a set's file by SEEN.LOAD, and returns the last reply."""
    answer = None
    for at in range(0, len(data), size):
        answer = client("SEEN.LOAD", key, at, len(data), data[at:at + size],
                        *words)
        if answer != "+OK":
            break
    return answer


def dump(client, key):
    """The set's file, of all chunks of SEEN.DUMP."""
    data, total = b"", 1
    while len(data) < total:
        _, total, chunk = client("SEEN.DUMP", key, len(data))
        total = int(total[1:])
        data += chunk
    return data


# Of what DUMP replies: at its begin that it is a value of this module, and at
# its end a version and a checksum.
TYPE_BYTES = 10
FOOTER_BYTES = 10


def damaged(data, rng):
    """A copy with one to three changes, which is another text."""
    text = bytearray(data)
    for _ in range(rng.randint(1, 3)):
        at = rng.randrange(len(text))
        # Most counts and sizes are at the beginning.
        at = at if rng.random() < 0.5 else at % 200 % len(text)
        change = rng.randrange(6)
        if change == 0:
            text[at] ^= 1 << rng.randrange(8)
        elif change == 1:
            text[at] = rng.choice((0, 1, 0x7f, 0x80, 0xff))
        elif change == 2:
            del text[at:at + rng.choice((1, 2, 8, 100, len(text)))]
        elif change == 3:
            text[at:at] = rng.randbytes(rng.choice((1, 2, 8, 100)))
        elif change == 4:
            text[at:at + 8] = rng.choice((b"\xff" * 8, b"\x00" * 8,
                                          b"\x7f" + b"\xff" * 7))
        else:
            other = rng.randrange(len(text))
            text[at:at + 16] = text[other:other + 16]
        if not text:
            text = bytearray(b"\0")
    return bytes(text) if bytes(text) != data else bytes(text) + b"\0"


class Test(unittest.TestCase):
    """One server for a class of tests, with no key when a test begins."""

    options = ()

    @classmethod
    def setUpClass(cls):
        cls.server = Server(*cls.options)

    @classmethod
    def tearDownClass(cls):
        cls.server.stop()

    def setUp(self):
        self.c = self.server.client()
        self.c("FLUSHALL")

    def tearDown(self):
        self.c.close()
        if self.server.process.poll() is not None:
            self.fail("the server ended:\n" + self.server.tail())

    def all_seen(self, client, key, wanted):
        answers = client("SEEN.HAS", key, *wanted)
        self.assertEqual(answers, ["*"] + [":1"] * len(wanted))

"""A server that lies: it speaks RESP, knows what a crawl asks, and does with
its replies what a test says.

It listens on a free port of the loopback, in threads of the test's own process.
A `Fake` is honest unless `change(fake, words, reply)` returns another reply, as
bytes, for the words of a command; None: no reply, and BREAK: the connection is
closed. `limit` bytes are sent in all, and then every connection is cut, once.
"""

import socket
import threading

BREAK = object()
RECORD = "seenset-crawl 1 partitions %d capacity 0 rate 0 normalise off"


class Simple(str):
    """+text, where a str is a bulk string."""


class Failed(str):
    """-text"""


def encoded(value):
    if isinstance(value, Simple):
        return b"+%s\r\n" % value.encode()
    if isinstance(value, Failed):
        return b"-%s\r\n" % value.encode("latin-1")
    if isinstance(value, str):
        value = value.encode()
    if isinstance(value, bytes):
        return b"$%d\r\n%s\r\n" % (len(value), value)
    if value is None:
        return b"$-1\r\n"
    if isinstance(value, int):
        return b":%d\r\n" % value
    return b"*%d\r\n%s" % (len(value), b"".join(map(encoded, value)))


def item(number, data=None):
    return [number, "http://h/%d" % number, data, 1]


def info(**more):
    figures = {"pending": 3, "pending-bytes": 40, "bytes-a-pending-url": "13",
               "packed-blocks": 0, "leased": 1, "given-back": 1,
               "lease-bytes": 90, "next-lease": 5,
               "next-due-ms": 1_700_000_000_000, "seen": 9, "capacity": 1000,
               "rate": "1e-09", "set-bytes": 8000, "bytes": 9000,
               "limit": 1 << 28, **more}
    return [part for name, value in figures.items()
            for part in (Simple(name), value)]


class Fake:
    def __init__(self, change=None, partitions=1, limit=None):
        self.change = change
        self.partitions = partitions
        self.limit = limit
        self.sent = 0
        self.asked = []  # the words of every command
        self.lock = threading.Lock()
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=64)
        self.port = self.listener.getsockname()[1]
        self.open = set()
        self.is_over = threading.Event()
        threading.Thread(target=self._accept, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.is_over.set()
        for one in [self.listener, *self.open]:
            try:
                one.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
            one.close()

    def _accept(self):
        while not self.is_over.is_set():
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            self.open.add(client)
            threading.Thread(target=self._serve, args=(client,),
                             daemon=True).start()

    def _serve(self, client):
        try:
            with client, client.makefile("rb") as file:
                while self._answer(client, self._read(file)):
                    pass
        except (OSError, ValueError):
            pass
        self.open.discard(client)

    def _read(self, file):
        count = file.readline()
        if not count:
            raise OSError("it is over")
        words = []
        for _ in range(int(count[1:])):
            length = int(file.readline()[1:])
            words.append(file.read(length + 2)[:-2])
        return words

    def _answer(self, client, words):
        self.asked.append(words)
        reply = self.honest(words)
        text = encoded(reply)
        if self.change is not None:
            text = self.change(self, words, reply)
        if text is BREAK:
            return False
        return text is None or self._send(client, text)

    def _send(self, client, text):
        with self.lock:
            left = None if self.limit is None else self.limit - self.sent
            self.sent += len(text)
            if left is not None and left < len(text):
                text, self.limit = text[:left], None
                client.sendall(text)
                return False
        client.sendall(text)
        return True

    # ---- what a server with an honest crawl replies ----

    def honest(self, words):
        name = words[0].upper()
        if name == b"CLUSTER":
            return Failed("ERR This instance has cluster support disabled")
        if name in (b"SET", b"AUTH", b"ASKING", b"VISIT.NEW"):
            return Simple("OK")
        if name == b"GET":
            return RECORD % self.partitions
        if name == b"TIME":
            return ["1600000000", "1"]
        if name == b"WAIT":
            return 1
        if name == b"VISIT.LEN":
            return 3
        if name == b"VISIT.POP":
            return [item(i + 1) for i in range(min(3, int(words[3])))]
        if name == b"VISIT.PUSH":
            return [1] * (len(words) - 2 - 2 * words[2:].count(b"DATA"))
        if name in (b"VISIT.ACK", b"VISIT.NACK"):
            return [1] * (len(words) - 2 - 2 * (b"DELAY" in words) -
                          2 * (b"AGAIN" in words) - (b"UNTRIED" in words))
        if name == b"VISIT.INFO":
            return info()
        return Failed("ERR unknown command")

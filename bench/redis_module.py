#!/usr/bin/env python3
"""What a key costs a Redis server: the module's commands beside Redis's own,
and beside RedisBloom where REDISBLOOM names its module's file.

    make redis && bench/redis_module.py build/release [--quick]

Each row is the processor time of the server for a key (INFO cpu: it reads,
does and replies), and the time that passed, of which this program has a part.
All is measured in one run, in turn; the best of the rounds is printed. Single
commands come in pipelines of 64. Those of many keys come one by one, where
most of the time goes to waiting for the next, and 16 at once. Keys are URLs,
new ones when they are added; of those that are asked for half are there. Where
no key has that name, the server reads the words and replies zeros, with
no filter: what a row has beyond that is the filter's part.
"""

import os
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
BUILD = os.path.abspath(sys.argv[1])
QUICK = "--quick" in sys.argv
PIPELINE, BATCH, TOGETHER, PUSHED = 64, 100, 16, 1000
os.environ.setdefault("SEENSET_REDIS_MODULE",
                      os.path.join(BUILD, "seenset-redis.so"))
os.environ.setdefault("SEENSET_COMMAND", os.path.join(BUILD, "seenset"))
sys.path.insert(0, os.path.join(HERE, "..", "tests", "redis"))
import harness  # noqa: E402  it reads the environment


def word(text):
    return b"$%d\r\n%s\r\n" % (len(text), text)


def command(*words):
    return b"*%d\r\n" % len(words) + b"".join(map(word, words))


def cut(items, size):
    return [items[at:at + size] for at in range(0, len(items), size)]


def singles(name, key, items):
    """Pipelines of one key a command."""
    return [b"".join(command(name, key, item) for item in part)
            for part in cut(items, PIPELINE)]


def batches(name, key, items, size):
    return [command(name, key, *part) for part in cut(items, size)]


def at_once(payloads):
    """Pipelines of commands of many keys."""
    return [b"".join(part) for part in cut(payloads, TOGETHER)]


class Server:
    """A server, and one connection that counts no replies: an ECHO at the end
    of what is sent comes back last."""

    def __init__(self, module=harness.MODULE):
        self.server = harness.Server(module=module)
        self.client = self.server.client()
        self.socket = self.client.socket

    def ask(self, *words):
        return self.client(*words)

    def cpu(self):
        """Seconds of the server's processors."""
        return sum(float(harness.field(self.client, "cpu", name))
                   for name in ("used_cpu_user", "used_cpu_sys"))

    def memory(self):
        return int(harness.field(self.client, "memory", "used_memory"))

    def send(self, payload):
        self.socket.sendall(payload + command(b"ECHO", b"=end of this="))
        last = b""
        while not last.endswith(b"=end of this=\r\n"):
            last = last[-20:] + self.socket.recv(1 << 20)

    def stop(self):
        self.client.close()
        self.server.stop()


class Row:
    """Payloads for `count` keys, after the commands in `first`."""

    def __init__(self, server, name, payloads, count, first=()):
        self.server, self.name, self.payloads = server, name, payloads
        self.count, self.first = count, first
        self.cpu = self.wall = float("inf")

    def run(self):
        for words in self.first:
            self.server.ask(*words)
        cpu, wall = self.server.cpu(), time.perf_counter()
        for payload in self.payloads:
            self.server.send(payload)
        wall = time.perf_counter() - wall
        cpu = self.server.cpu() - cpu
        self.cpu = min(self.cpu, cpu / self.count * 1e9)
        self.wall = min(self.wall, wall / self.count * 1e9)


def url_list(count):
    """New URLs of bench/urls, which are the same on every machine."""
    made = subprocess.run([os.path.join(BUILD, "bench", "urls"),
                           str(2 * count)], check=True, capture_output=True)
    return list(dict.fromkeys(made.stdout.split()))[:count]


def home_pages():
    """Those of Debian's packages, or none where apt has no lists."""
    try:
        text = subprocess.run(["apt-cache", "dumpavail"],
                              capture_output=True).stdout
    except OSError:
        return []
    return list(dict.fromkeys(line[10:] for line in text.split(b"\n")
                              if line.startswith(b"Homepage: ")))


def without_filter(server, asked, prefix=""):
    """Rows of asking a key that is not there."""
    name, count = b"no such key", len(asked)
    many = batches(b"BF.MEXISTS", name, asked, BATCH)
    return [
        Row(server, prefix + "BF.EXISTS, no filter",
            singles(b"BF.EXISTS", name, asked), count),
        Row(server, f"{prefix}BF.MEXISTS of {BATCH}, no filter", many, count),
        Row(server, f"{prefix}the same, {TOGETHER} at once", at_once(many),
            count),
    ]


def in_pairs(server, known, asked, names, prefix=""):
    """Rows of add and ask: of single keys, and of batches."""
    add, has, add_many, has_many = names
    count, key = len(known), add
    sized = ([("BF.RESERVE", key, "0.01", count)] if add == b"BF.ADD" else [])
    fresh = [("DEL", key), *sized]
    show = [prefix + name.decode() for name in names]
    adds = batches(add_many, key, known, BATCH)
    asks = batches(has_many, key, asked, BATCH)
    return [
        Row(server, show[0], singles(add, key, known), count, fresh),
        Row(server, show[1], singles(has, key, asked), count),
        Row(server, f"{show[2]} of {BATCH}", adds, count, fresh),
        Row(server, f"{show[3]} of {BATCH}", asks, count),
        Row(server, f"{show[2]} of {BATCH}, {TOGETHER} at once",
            at_once(adds), count, fresh),
        Row(server, f"{show[3]} of {BATCH}, {TOGETHER} at once",
            at_once(asks), count),
    ]


SETS = (b"SADD", b"SISMEMBER", b"SADD", b"SMISMEMBER")
FILTERS = (b"BF.ADD", b"BF.EXISTS", b"BF.MADD", b"BF.MEXISTS")


def queue_rows(server, urls):
    """The same URLs through a list, and through a partition."""
    count = len(urls)
    leases = [b"%d" % number for number in range(1, count + 1)]
    pops = [command(b"LPOP", b"list", b"%d" % PUSHED)] * (count // PUSHED)
    visits = [command(b"VISIT.POP", b"crawl", b"COUNT",
                      b"%d" % PUSHED)] * (count // PUSHED)
    pushes = batches(b"VISIT.PUSH", b"crawl", urls, PUSHED)
    single = urls[:count // 4]
    return [
        Row(server, "RPUSH", singles(b"RPUSH", b"list", single), len(single),
            [("DEL", "list")]),
        Row(server, "LPOP", [command(b"LPOP", b"list") * PIPELINE] *
            (len(single) // PIPELINE), len(single)),
        Row(server, "VISIT.PUSH", singles(b"VISIT.PUSH", b"crawl", single),
            len(single), [("DEL", "crawl")]),
        Row(server, "VISIT.POP", [command(b"VISIT.POP", b"crawl") * PIPELINE] *
            (len(single) // PIPELINE), len(single)),
        Row(server, f"RPUSH of {PUSHED}",
            batches(b"RPUSH", b"list", urls, PUSHED), count,
            [("DEL", "list")]),
        Row(server, f"LPOP COUNT {PUSHED}", pops, count),
        Row(server, f"VISIT.PUSH of {PUSHED}, new", pushes, count,
            [("DEL", "crawl")]),
        Row(server, f"VISIT.PUSH of {PUSHED}, seen", pushes, count),
        Row(server, f"VISIT.POP COUNT {PUSHED}", visits, count),
        Row(server, f"VISIT.ACK of {PUSHED}",
            batches(b"VISIT.ACK", b"crawl", leases, PUSHED), count),
    ]


def show(title, rows):
    print(f"\n{title}\n{'':42}{'server ns':>11}{'wall ns':>10}")
    for row in rows:
        print(f"  {row.name:40}{row.cpu:11.0f}{row.wall:10.0f}")


def measure(title, rows, rounds):
    for _ in range(rounds):
        for row in rows:
            row.run()
    show(title, rows)


def keys_of(first, count):
    return [b"https://example.com/page/%011d" % i
            for i in range(first, first + count)]


def grown(server, count, prefix):
    """A filter that was made for 100 keys: to add `count`, and then to ask."""
    key = b"grown"
    server.ask("DEL", key)
    server.ask("BF.RESERVE", key, "0.01", 100)
    before, cpu = server.memory(), 0.0
    for first in range(0, count, 10 ** 5):
        payloads = batches(b"BF.MADD", key, keys_of(first, 10 ** 5), BATCH)
        start = server.cpu()
        for payload in payloads:
            server.send(payload)
        cpu += server.cpu() - start
    row = Row(server, "", batches(b"BF.MEXISTS", key, keys_of(
        count - 5 * 10 ** 4, 10 ** 5), BATCH), 10 ** 5)
    for _ in range(3):
        row.run()
    print(f"  {prefix + 'BF.MADD, from 100 to %.0e' % count:40}"
          f"{cpu / count * 1e9:11.0f}")
    print(f"  {prefix + 'BF.MEXISTS, then':40}{row.cpu:11.0f}")
    print(f"  {prefix + 'bytes a key, then':40}"
          f"{(server.memory() - before) / count:11.3f}")
    return server.memory() - before


def own_bytes(server):
    """Of the library's own tables, which it reports."""
    reply = server.ask("SEEN.INFO", "grown")[1:]
    return int(reply[reply.index("+bytes") + 1][1:])


def show_growth(count, server, bloom):
    print(f"\nGrown, in batches of {BATCH}\n{'':42}{'server ns':>11}")
    if bloom is not None:
        grown(bloom, count, "RedisBloom ")
    taken = grown(server, count, "")
    print(f"  {'memory, of the library its own':40}"
          f"{taken / own_bytes(server):11.3f}")


def show_bytes(server, urls, what):
    """Pending URLs in a list, and here."""
    print(f"\nBytes a pending URL: {len(urls):,} {what}, of "
          f"{sum(map(len, urls)) / len(urls):.1f} bytes")
    server.ask("FLUSHALL")
    for name, key in ((b"RPUSH", b"list"), (b"VISIT.PUSH", b"crawl")):
        before = server.memory()
        for payload in batches(name, key, urls, PUSHED):
            server.send(payload)
        taken = (server.memory() - before) / len(urls)
        print(f"  {name.decode() + ', all memory':40}{taken:11.1f}")
    reply = server.ask("VISIT.INFO", "crawl")[1:]
    pending = int(reply[reply.index("+pending-bytes") + 1][1:])
    print(f"  {'VISIT.PUSH, without the set':40}{pending / len(urls):11.1f}")


def main():
    rounds = 3 if QUICK else 7
    count = 32_000 if QUICK else 320_000
    server = Server()
    path = os.environ.get("REDISBLOOM")
    bloom = Server(path) if path else None
    version = harness.field(server.client, "server", "redis_version")
    print(f"Redis {version}, {os.cpu_count()} processors, load "
          f"{os.getloadavg()[0]:.1f}")
    known, asked = keys_of(0, count), keys_of(count // 2, count)
    rows = in_pairs(server, known, asked, SETS)
    if bloom is not None:
        rows += in_pairs(bloom, known, asked, FILTERS, "RedisBloom ")
        rows += without_filter(bloom, asked, "RedisBloom ")
    rows += in_pairs(server, known, asked, FILTERS)
    rows += without_filter(server, asked)
    measure(f"{count:,} keys, single ones in pipelines of {PIPELINE}; best of "
            f"{rounds} rounds", rows, rounds)
    urls = url_list(count)
    measure(f"{count:,} URLs; single commands a quarter of them",
            queue_rows(server, urls), rounds)
    show_bytes(server, urls, "URLs of bench/urls")
    homes = home_pages()
    if homes:
        show_bytes(server, homes, "home pages of Debian's packages")
    server.ask("FLUSHALL")
    show_growth(10 ** 6 if QUICK else 10 ** 7, server, bloom)
    for each in filter(None, (server, bloom)):
        each.stop()


main()

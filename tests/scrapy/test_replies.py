"""A crawl in Redis in front of a hostile server (tests/redis/fake_server.py):
each reply that a crawl does not give is an error that says so, before anything
of it is used."""

import os
import random
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
from seenset.scrapy.address import read_address
from seenset.scrapy.servers import Failure
from seenset.scrapy.shared import SharedQueue

sys.path.append(str(Path(os.environ["SEENSET_SOURCE"], "tests/redis")))
from fake_server import Failed, Fake, Simple, encoded, info, item  # noqa: E402

UNEXPECTED = "the server answered what a crawl does not"
OPTIONS = SimpleNamespace(lease=60.0, capacity=None, fp_rate=None)


def honest(words, reply):
    """As the fake, with partitions that are empty after a pop."""
    if words[0] == b"VISIT.EXTEND":
        return [1] * (len(words) - 4)
    return reply


def use(fake, lies):
    """All that a crawl does. The queue is sound until `lies` is set."""
    queue = SharedQueue(OPTIONS, read_address(
        f"redis://127.0.0.1:{fake.port}/crawl"), lambda data: None)
    queue.servers.wait = 0.0
    lies.append(True)
    queue.push("scrapy://h/1", b"data")
    queue.push("scrapy://h/2", b"data")
    queue.sync()
    first = queue.pop()
    assert first is not None
    queue.ack(first)
    second = queue.pop()
    if second is not None:
        queue.nack(second, 1)
    queue.sync()
    queue.extend()
    queue.stats()
    queue.counts()
    queue.is_over()
    queue.close()


def run(change):
    """`change(words, reply)`: the bytes of another reply, or None."""
    lies = []

    def changed(_fake, words, reply):
        reply = honest(words, reply)
        other = change(words, reply) if lies else None
        return encoded(reply) if other is None else other

    with Fake(changed) as fake:
        use(fake, lies)


def test_an_honest_server_is_served():
    run(lambda words, reply: None)


CHANGES = [
    ("VISIT.PUSH", 7), ("VISIT.PUSH", []), ("VISIT.PUSH", [1] * 3),
    ("VISIT.PUSH", [1, 2]), ("VISIT.PUSH", [1, "1"]), ("VISIT.PUSH", "x"),
    ("VISIT.POP", 7), ("VISIT.POP", [item(i + 1) for i in range(1000)]),
    ("VISIT.POP", [7]), ("VISIT.POP", [item(1)[:3]]), ("VISIT.POP", [item(0)]),
    ("VISIT.POP", [["1", "u", None, 1]]), ("VISIT.POP", [[1, 2, None, 1]]),
    ("VISIT.POP", [[1, "u", 3, 1]]), ("VISIT.POP", [[1, "u", None, 0]]),
    ("VISIT.POP", [[1, "u", None, 1 << 32]]),
    ("VISIT.ACK", []), ("VISIT.ACK", [1, 1]), ("VISIT.ACK", [2]),
    ("VISIT.NACK", []), ("VISIT.NACK", [1, 1]), ("VISIT.NACK", "x"),
    ("VISIT.EXTEND", []), ("VISIT.EXTEND", [1] * 99),
    ("VISIT.LEN", "x"), ("VISIT.LEN", -1), ("VISIT.LEN", [1]),
    ("VISIT.INFO", 7), ("VISIT.INFO", []), ("VISIT.INFO", info()[:-1]),
    ("VISIT.INFO", info(rate="nan")), ("VISIT.INFO", info(rate="x")),
    ("VISIT.INFO", info(pending=-1)), ("VISIT.INFO", info(seen="1")),
]


@pytest.mark.parametrize("name, reply", CHANGES,
                         ids=[f"{name}-{i}"
                              for i, (name, _) in enumerate(CHANGES)])
def test_a_reply_that_a_crawl_does_not_give(name, reply):
    with pytest.raises(OSError, match=UNEXPECTED):
        run(lambda words, _: encoded(reply) if words[0] == name.encode()
            else None)


@pytest.mark.parametrize("text", [
    "ASK 7", "ASK 7 x", "ASK 7 127.0.0.1:", "ASK 7 127.0.0.1:0",
    "ASK 7 127.0.0.1:65536", "ASK 7 127.0.0.1:-1",
    "ASK 7 127.0.0.1:" + "9" * 40])
def test_a_redirection_that_leads_nowhere(text):
    with pytest.raises(OSError, match="leads nowhere"):
        run(lambda words, _: encoded(Failed(text))
            if words[0] == b"VISIT.PUSH" else None)


@pytest.mark.parametrize("rows", [
    7, [7], [[]], [[0, 1]], [[0, 1, []]], [[-1, 1, ["h", 1]]],
    [[0, 16384, ["h", 1]]], [[5, 4, ["h", 1]]], [[0, 1, ["h", 0]]],
    [[0, 1, ["h", "1"]]], [[0, 1, [7, 1]]]])
def test_a_damaged_map_of_slots(rows):
    def change(_fake, words, reply):
        return encoded(rows if words[0] == b"CLUSTER" else reply)
    with Fake(change) as fake, pytest.raises(OSError, match="map of slots"):
        use(fake, [])


def test_random_replies():
    """Each run ends well, or by an error that is one of the queue's."""
    counts = {True: 0, False: 0}
    for seed in range(200):
        rng = random.Random(seed)

        def change(words, reply, rng=rng):
            if rng.random() < 0.95:
                return None
            other = rng.choice((
                reply * 2 if isinstance(reply, list) else [reply], [], None,
                -1, 1 << 62, "x", Simple("OK"), Failed("ERR no"),
                [reply, reply], Failed("FULL"), [[1, None, 2, "x"]]))
            return encoded(other)
        try:
            run(change)
            counts[True] += 1
        except (Failure, OSError) as error:
            assert str(error)
            counts[False] += 1
    assert min(counts.values()) > 0, counts

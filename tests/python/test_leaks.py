"""Calls again and again: no object and no memory is left behind.

Python's own objects are counted by sys.getallocatedblocks, references to one
object by sys.getrefcount, and the C library's memory by mallinfo2.
"""

import array
import copy
import ctypes
import gc
import os
import pickle
import sys
import tracemalloc
import uuid

import numpy
import pytest
import seenset
from seenset import Queue, SeenSet

# A million with SEENSET_LONG, as the whole run has.
CALLS = 1_000_000 if os.environ.get("SEENSET_LONG") else 20_000


class Mallinfo(ctypes.Structure):
    _fields_ = [(name, ctypes.c_size_t) for name in (
        "arena", "ordblks", "smblks", "hblks", "hblkhd", "usmblks", "fsmblks",
        "uordblks", "fordblks", "keepcost")]


libc = ctypes.CDLL(None)
libc.mallinfo2.restype = Mallinfo


def in_use():
    """Blocks of Python, and bytes that malloc and mmap have handed out."""
    gc.collect()
    info = libc.mallinfo2()
    return sys.getallocatedblocks(), info.uordblks + info.hblkhd


def swallow(call):
    try:
        call()
    except (Exception, RuntimeError):
        pass


def left_after(call, times):
    for _ in range(max(times // 10, 20)):
        swallow(call)
    blocks, bytes_ = in_use()
    for _ in range(times):
        swallow(call)
    more_blocks, more_bytes = in_use()
    return more_blocks - blocks, more_bytes - bytes_


def failing():
    yield "a"
    raise RuntimeError


SMALL = SeenSet(100, 1e-3)
COUNTING = SeenSet(100, layout="counting")
FULL = SeenSet(1, on_full="refuse")
FULL.add("full")
SEALED = seenset.seal(["a"])
EQUAL = SMALL.copy()
UUID = uuid.UUID(int=1)
BYTES = SMALL.to_bytes()
DAMAGED = BYTES[:-1] + bytes([BYTES[-1] ^ 1])
NUMBERS = numpy.arange(10, dtype="u8")
TEXTS = numpy.array([b"a", b"bc"])
QUEUE = Queue()
TABLE = os.path.join(os.environ["SEENSET_SOURCE"],
                     "tests/vectors/foreign/rocksdb-5.sst")
FOREIGN = seenset.Foreign(TABLE)
ITEMS = ["x", ("y", b"data"), (bytearray(b"z"), memoryview(b"1"))]


def whole_queue():
    queue = Queue(capacity=100)
    queue.push_many(ITEMS)
    for item in queue:
        queue.ack(item)


def turn():
    QUEUE.push("t", b"data", again=True)
    QUEUE.ack(QUEUE.pop())


def give_back():
    QUEUE.push("t", again=True)
    item = QUEUE.pop()
    QUEUE.extend(item, 5)
    QUEUE.nack(item)
    for _ in QUEUE:
        pass


# Calls that succeed and calls that fail, with the share of CALLS that they get.
CASES = {
    "add": (lambda: SMALL.add("a"), 1),
    "add_bytes": (lambda: SMALL.add(b"a"), 1),
    "add_buffer": (lambda: SMALL.add(bytearray(b"a")), 1),
    "add_escaped": (lambda: SMALL.add("\udcff"), 1),
    "add_refused": (lambda: SMALL.add(5.5), 1),
    "add_unencodable": (lambda: SMALL.add("\ud800"), 1),
    "add_full": (lambda: FULL.add("another"), 1),
    "add_sealed": (lambda: SEALED.add("another"), 1),
    "contains": (lambda: "b" in SMALL, 1),
    "contains_refused": (lambda: None in SMALL, 1),
    "count": (lambda: (COUNTING.add("a"), COUNTING.count("a"),
                       COUNTING.remove("a")), 1),
    "counters": (lambda: (COUNTING.counters(), COUNTING.counters(0, 0)), .2),
    "counters_refused": (lambda: COUNTING.counters(2**60), 1),
    "counters_unsupported": (lambda: SMALL.counters(), 1),
    "unsupported": (lambda: SMALL.count("a"), 1),
    "add_many_list": (lambda: SMALL.add_many(["a", b"b", bytearray(b"c")]), 1),
    "add_many_iterator": (lambda: SMALL.add_many(iter(["a"])), .2),
    "add_many_failing": (lambda: SMALL.add_many(failing()), .2),
    "add_many_refused": (lambda: SMALL.add_many(["a", 5.5]), .2),
    "add_many_empty": (lambda: SMALL.add_many([]), 1),
    "add_many_full": (lambda: FULL.add_many(["a", "b"]), 1),
    "has_many_numbers": (lambda: SMALL.has_many(NUMBERS), 1),
    "has_many_texts": (lambda: SMALL.has_many(TEXTS), 1),
    "has_many_odd": (lambda: SMALL.has_many(NUMBERS[::2]), 1),
    "has_many_offsets": (lambda: SMALL.has_many(
        b"abc", array.array("i", [0, 1, 3])), 1),
    "has_many_bad_offsets": (lambda: SMALL.has_many(
        b"abc", array.array("i", [0, 9])), 1),
    "update_set": (lambda: SMALL.update(SMALL), 1),
    "new": (lambda: SeenSet(100, 1e-3), .5),
    "new_keyed": (lambda: SeenSet(100, keyed=True).secret, .5),
    "new_wrong": (lambda: SeenSet(100, layout="round"), .5),
    "again": (lambda: SMALL.copy().__init__(10), .5),
    "operators": (lambda: (SMALL | SMALL, SMALL.overlap(SMALL)), .2),
    "operators_refused": (lambda: SMALL | 5, .5),
    "bytes": (lambda: SeenSet.from_bytes(SMALL.to_bytes()), .2),
    "bytes_damaged": (lambda: SeenSet.from_bytes(DAMAGED), .2),
    "pickle": (lambda: pickle.loads(pickle.dumps(SMALL)), .2),
    "open_missing": (lambda: SeenSet.open("/missing"), .5),
    "figures": (lambda: (SMALL.info(), SMALL.stats(), repr(SMALL),
                         SMALL.estimated_items), .2),
    "length": (lambda: len(SMALL), 1),
    "seal": (lambda: seenset.seal(["a", "b"]), .05),
    "seal_keyed": (lambda: seenset.seal(["a", "b"], keyed=True), .05),
    "seal_failing": (lambda: seenset.seal(failing()), .05),
    "plan": (lambda: seenset.plan(1000, 1e-3), .2),
    "plan_wrong": (lambda: seenset.plan(1000, 5), .5),
    "hash": (lambda: seenset.hash_key("a"), 1),
    "key of an int": (lambda: SMALL.add(7), 1),
    "key of a UUID": (lambda: seenset.key(UUID), .2),
    "no key": (lambda: seenset.key(1.5), .2),
    "equal": (lambda: SMALL == EQUAL, .2),
    "deep copy": (lambda: copy.deepcopy(SMALL), .2),
    "shard": (lambda: seenset.shard("a", 16), 1),
    "shard_wrong": (lambda: seenset.shard(5, 16), .5),
    "queue": (whole_queue, .005),
    "queue_wrong": (lambda: Queue(durability="maybe"), .5),
    "queue_missing": (lambda: Queue("/missing/folder"), .2),
    "push_seen": (lambda: QUEUE.push("a", b"data"), 1),
    "push_refused": (lambda: QUEUE.push("a", 5), 1),
    "push_many_refused": (lambda: QUEUE.push_many(["a", ("b", 5)]), .05),
    "push_many_failing": (lambda: QUEUE.push_many(failing()), .05),
    "push_many_seen": (lambda: QUEUE.push_many(ITEMS), .05),
    "turn": (turn, .5),
    "give_back": (give_back, .2),
    "no_lease": (lambda: QUEUE.ack(12345), 1),
    "ack_many": (lambda: QUEUE.ack_many([1, 2, 3]), .5),
    "ack_refused": (lambda: QUEUE.ack("a"), 1),
    "queue_figures": (lambda: (QUEUE.stats(), QUEUE.counts(),
                               QUEUE.set_info()), .2),
    "verify_missing": (lambda: Queue.verify("/missing"), .5),
    "foreign": (lambda: seenset.Foreign(TABLE).filters(), .1),
    "foreign_has": (lambda: FOREIGN.has_many(["key 1", b"a", 5]), .5),
    "foreign_refused": (lambda: FOREIGN.has_many(["a", None]), .5),
    "foreign_set": (lambda: FOREIGN.to_set(), .1),
    "foreign_save": (lambda: FOREIGN.save(SMALL, "/missing"), .2),
    "foreign_column": (lambda: seenset.Foreign(TABLE, "none"), .1),
    "foreign_missing": (lambda: seenset.Foreign("/missing"), .2),
}


@pytest.mark.parametrize("name", CASES)
def test_nothing_is_left(name):
    call, share = CASES[name]
    times = max(int(CALLS * share), 300)
    # The log of a queue in memory comes and goes by the megabyte.
    slack = 2 << 20 if name in ("turn", "give_back") else 0
    for attempt in range(3):  # a cache that grew once does not grow again
        blocks, bytes_ = left_after(call, times)
        if blocks < times // 50 and bytes_ < times + slack:
            return
    assert blocks < times // 50 and bytes_ < times + slack, (blocks, bytes_)


def test_references_to_keys_and_arguments():
    key, data, path = "a key of its own", b"some data", "/missing/path"
    numbers = numpy.arange(10, dtype="u8")
    keys = [key, key]
    held = [key, data, path, numbers, keys, SMALL, None, True, False]
    before = [sys.getrefcount(thing) for thing in held]
    for _ in range(1000):
        SMALL.add(key)
        key in SMALL
        SMALL.add_many(keys)
        SMALL.has_many(numbers)
        SMALL.update(SMALL)
        SMALL.clear()
        SMALL.expect(5000)
        swallow(lambda: SMALL.add_many([key, 5]))
        swallow(lambda: SeenSet.open(path))
        swallow(lambda: SMALL.save(path))
        QUEUE.push(key, data)
        QUEUE.push_many([(key, data), key])
        QUEUE.pop()
        QUEUE.sync()
        swallow(lambda: QUEUE.ack_many([key]))
    after = [sys.getrefcount(thing) for thing in held]
    assert all(b - a < 200 for a, b in zip(before, after)), (before, after)


def test_a_leak_is_found():
    """The same measure, of a call that leaves something behind each time."""
    kept = []
    blocks, _ = left_after(lambda: kept.append(object()), 2000)
    assert blocks >= 2000 // 50
    _, bytes_ = left_after(lambda: libc.malloc(64), 2000)
    assert bytes_ >= 2000


def test_tracemalloc_sees_nothing_grow():
    keys = [str(i) for i in range(100)]
    tracemalloc.start()
    try:
        SMALL.add_many(keys)
        first = tracemalloc.get_traced_memory()[0]
        for _ in range(CALLS // 100):
            SMALL.add_many(keys)
            SMALL.has_many(NUMBERS)
        assert tracemalloc.get_traced_memory()[0] - first < 20_000
    finally:
        tracemalloc.stop()

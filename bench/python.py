#!/usr/bin/env python3
"""What a key costs in Python: SeenSet beside Python's own set, and beside
rbloom and pybloom-live if they are installed.

    scripts/python.sh && build/python/venv/bin/python bench/python.py [--quick]

Once with few keys, which stay in the cache, so that the calls are measured; and
once with a million. All is measured in one run, in turn, and the best of the
rounds is printed: nanoseconds a key, without the loop around single calls, and
how that compares with Python's set. Keys are URLs of 35 bytes; of those that
are looked up half are there.
"""

import array
import os
import platform
import sys
import time

import seenset

QUICK = "--quick" in sys.argv[1:]
RATE = 0.01


def keys_of(first, count):
    return [f"https://example.com/page/{i:011d}" for i in
            range(first, first + count)]


def encoded(texts):
    return [text.encode() for text in texts]


def pass_each(keys):
    for key in keys:
        pass


def call_each(call, keys):
    for key in keys:
        call(key)


def look_each(container, keys):
    for key in keys:
        key in container


class Row:
    """Work on `count` keys, with what `prepare` makes for it each time."""

    def __init__(self, name, prepare, work, in_loop=False, beside=None):
        self.name, self.prepare, self.work = name, prepare, work
        self.in_loop, self.beside = in_loop, beside
        self.best = float("inf")

    def run(self, count):
        made = self.prepare()
        start = time.perf_counter_ns()
        self.work(made)
        took = (time.perf_counter_ns() - start) / count
        self.best = min(self.best, took)


def filled(kind, keys):
    made = kind()
    for key in keys:
        made.add(key)
    return made


def kinds(count):
    """Each kind of set, by the name that is shown; Python's own comes first."""
    found = {"set": set,
             "SeenSet": lambda: seenset.SeenSet(max(count, 10**6), RATE)}
    try:
        import rbloom
        found["rbloom.Bloom"] = lambda: rbloom.Bloom(max(count, 10**6), RATE)
    except ImportError:
        pass
    try:
        import pybloom_live
        found["pybloom_live.BloomFilter"] = (
            lambda: pybloom_live.BloomFilter(max(count, 10**6), RATE))
    except ImportError:
        pass
    return found


def single_rows(what, known, asked):
    rows = []
    for name, kind in kinds(len(known)).items():
        beside = rows[:2] or [None, None]
        rows.append(Row(f"{name}.add({what}), new", kind,
                        lambda made: call_each(made.add, known), True,
                        beside[0]))
        there = filled(kind, known)
        rows.append(Row(f"{what} in {name}", lambda there=there: there,
                        lambda made: look_each(made, asked), True, beside[1]))
    return rows


def compat_rows(known, beside):
    """The classes of other packages' names, beside Python's set."""
    from seenset.compat import Bloom, BloomFilter

    def new(kind):
        return lambda: kind(max(len(known), 10**6), RATE)

    return [
        Row("compat.Bloom.add(str), new", new(Bloom),
            lambda made: call_each(made.add, known), True, beside),
        Row("compat.BloomFilter.add(str), new", new(BloomFilter),
            lambda made: call_each(made.add, known), True, beside),
        Row("compat.Bloom.update, a list of str", new(Bloom),
            lambda made: made.update(known)),
    ]


def batch_rows(known, asked, hashes):
    def new():
        return seenset.SeenSet(max(len(known), 10**6), RATE)

    there = new()
    there.update(known)
    there.update(hashes, hashed=True)
    return [
        Row("add_many, a list of str", new, lambda made: made.add_many(known)),
        Row("has_many, a list of str", lambda: there,
            lambda made: made.has_many(asked)),
        Row("add_many, an array of integers", new,
            lambda made: made.add_many(hashes)),
        Row("add_many, an array of hashes", new,
            lambda made: made.add_many(hashes, hashed=True)),
        Row("has_many, an array of hashes", lambda: there,
            lambda made: made.has_many(hashes, hashed=True)),
    ]


def measure(count, rounds):
    known, asked = keys_of(0, count), keys_of(count // 2, count)
    singles = single_rows("str", known, asked)
    rows = (singles + compat_rows(known, singles[0]) +
            single_rows("bytes", encoded(known), encoded(asked)) +
            batch_rows(known, asked, array.array("Q", os.urandom(8 * count))))
    loop = Row("the loop itself", lambda: known, pass_each)
    for _ in range(rounds):
        for row in [loop, *rows]:
            row.run(count)
    for row in rows:
        row.best -= loop.best if row.in_loop else 0
    return rows


def show(count, rounds, rows):
    print(f"\n{count:,} keys, best of {rounds} rounds")
    for row in rows:
        ratio = (f"{row.best / row.beside.best:6.2f} of set's" if row.beside
                 else "")
        print(f"  {row.name:38} {row.best:8.1f} ns  {ratio}".rstrip())


def show_memory(count):
    keys = keys_of(0, count)
    with_keys = sys.getsizeof(set(keys)) + sum(map(sys.getsizeof, keys))
    small = seenset.plan(count, RATE).size_bits / 8
    print(f"\nmemory for {count:,} keys: SeenSet {small / 1e6:.2f} MB, a set "
          f"and its str {with_keys / 1e6:.0f} MB")


def main():
    print(f"Python {platform.python_version()}, seenset {seenset.__version__}, "
          f"fp_rate {RATE}, {os.cpu_count()} processors, load "
          f"{os.getloadavg()[0]:.1f}")
    large = 100_000 if QUICK else 1_000_000
    for count, rounds in ((2000, 100 if QUICK else 1000),
                          (large, 3 if QUICK else 7)):
        show(count, rounds, measure(count, rounds))
    show_memory(large)


main()

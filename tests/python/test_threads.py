"""Threads on one object: nothing is lost, and the GIL is released."""

import itertools
import operator
import signal
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import numpy
import pytest
import seenset
from seenset import Queue, SeenSet

THREADS = 8


def run(*works):
    """Runs functions at once, and raises what one of them raised."""
    start = threading.Barrier(len(works))

    def begin(work):
        start.wait()
        return work()

    with ThreadPoolExecutor(len(works)) as pool:
        return [done.result(60) for done in
                [pool.submit(begin, work) for work in works]]


def test_adds_of_many_threads_are_new_once():
    seen = SeenSet(1000, 1e-9)
    keys = [str(i) for i in range(20_000)]

    def singly():
        return sum(seen.add(key) for key in keys)

    def in_batches():
        return sum(sum(seen.add_many(keys[i:i + 500]))
                   for i in range(0, len(keys), 500))

    new = run(*[singly] * 3, *[in_batches] * 3)
    assert sum(new) == len(keys)
    assert all(seen.has_many(keys))
    assert seen.info().added == len(keys)


def test_everything_at_once():
    """Each kind of call beside each other: no crash, and no key is lost."""
    seen, other = (SeenSet(200_000, 1e-6, on_full="degrade") for _ in range(2))
    numbers = numpy.arange(200_000, dtype="u8")
    seen.update(numbers[:1000])

    def check():
        for _ in range(20):
            assert all(seen.has_many(numbers[:1000]))
            assert (17).to_bytes(8, "little") in seen

    def look():
        for _ in range(20):
            seen.stats()
            seen.info()
            repr(seen)
            assert seen.estimated_items > 0

    def copies():
        for _ in range(5):
            assert all(seen.copy().has_many(numbers[:1000]))
            assert all(SeenSet.from_bytes(seen.to_bytes())
                       .has_many(numbers[:1000]))

    def both(a, b):
        def work():
            for _ in range(5):
                a.update(b)
                a.overlap(b)
        return work

    def add():
        for part in numpy.array_split(numbers, 40):
            seen.update(part)
            other.add_many(part[:100])
            seen.add("one")

    run(check, look, copies, both(seen, other), both(other, seen), add, add,
        both(seen, seen))
    assert all(seen.has_many(numbers))


def test_the_gil_is_released_in_batches():
    """A thread of Python goes on while a batch is at work: while it holds the
    GIL, no other thread could count."""
    numbers = numpy.arange(4_000_000, dtype="u8")
    seen = SeenSet(4_000_000, 1e-3)
    done = threading.Event()
    counted = 0

    def batch():
        while counted < 100:
            seen.has_many(numbers)
        done.set()

    worker = threading.Thread(target=batch)
    worker.start()
    while not done.is_set():
        counted += 1
        time.sleep(0)
    worker.join(60)
    assert counted >= 100


def test_batches_that_ask_run_beside_each_other():
    """An iterable of keys is asked for while another batch asks: both are in
    the set at once."""
    seen = SeenSet(2_000_000, 1e-3)
    numbers = numpy.arange(2_000_000, dtype="u8")
    seen.update(numbers)
    answers = run(*[lambda: all(seen.has_many(numbers))] * 4)
    assert answers == [True] * 4


def test_a_change_is_not_kept_waiting_for_ever():
    seen = SeenSet(1_000_000, 1e-3)
    numbers = numpy.arange(300_000, dtype="u8")
    stop = threading.Event()

    def ask():
        while not stop.is_set():
            seen.has_many(numbers)

    def change():
        for i in range(50):
            seen.update([str(i)])
            seen.add(f"single {i}")
        stop.set()

    run(ask, ask, ask, change)
    assert "single 49" in seen


@pytest.mark.parametrize("keys, chunks", [
    ([str(i) for i in range(800_000)], 97),
    (numpy.arange(6_000_000, dtype="u8"), 91)])
def test_others_have_a_turn_between_chunks(keys, chunks):
    """A thread that waits is let in before the batch goes on. Without that it
    gets in by luck, twice in a batch."""
    seen = SeenSet(8_000_000, 1e-3)
    is_done = threading.Event()
    counts = {"add": 0, "in": 0}

    def batch():
        while not all(counts.values()):
            time.sleep(0)
        counts.update({"add": 0, "in": 0})
        seen.update(keys)
        is_done.set()

    def add():
        while not is_done.is_set():
            seen.add(f"single {counts['add']}")
            counts["add"] += 1

    def ask():
        while not is_done.is_set():
            assert "never added" not in seen
            counts["in"] += 1

    run(batch, add, ask)
    assert counts["add"] + counts["in"] > chunks / 2


def test_a_signal_ends_a_batch():
    """Also of a source that runs no Python code."""
    class Stopped(Exception):
        pass

    def stop(*_):
        raise Stopped

    def is_ended(call):
        keys = itertools.repeat("key", 10**10)
        signal.setitimer(signal.ITIMER_REAL, 0.05)
        with pytest.raises(Stopped):
            call(keys)
        return 0 < operator.length_hint(keys) < 10**10

    before = signal.signal(signal.SIGALRM, stop)
    seen, queue = SeenSet(), Queue()
    try:
        assert is_ended(seen.update) and is_ended(queue.push_many)
    finally:
        signal.signal(signal.SIGALRM, before)
    assert "key" in seen and seen.info().added == 1
    assert queue.counts().pushed == 1


def test_queues_hand_each_item_to_one():
    queue = Queue()
    total = 20_000

    def push(part):
        def work():
            new = 0
            for i in range(total // 2):
                new += queue.push(f"{i + part}")
            return new
        return work

    def pop():
        got = []
        while queue.counts().acked < total:
            items = queue.pop_many(50)
            got += [item.url for item in items]
            queue.ack_many(items)
            if not items:
                time.sleep(0.0005)
        return got

    *new, first, second = run(push(0), push(0), push(total // 2), pop, pop)
    assert sum(new) == total
    assert sorted(first + second) == sorted(map(str, range(total)))


def test_close_waits_for_others(tmp_path):
    for _ in range(20):
        queue = Queue(tmp_path / "crawl", durability="interval")

        def push():
            try:
                for i in itertools.count():
                    queue.push(str(i))
            except ValueError as error:
                return str(error)

        def close():
            time.sleep(0.002)
            queue.close()

        *said, _ = run(push, push, push, close)
        assert all("closed" in text for text in said)


def test_errors_in_threads_are_each_their_own():
    seen = SeenSet(100, on_full="refuse")

    def fill():
        with pytest.raises(seenset.FullError):
            for i in range(1000):
                seen.add_many([f"{threading.get_ident()} {i}"])

    run(*[fill] * THREADS)
    assert seen.info().added == 100

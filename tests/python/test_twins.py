"""Random histories of a SeenSet and of a Queue beside exact twins.

Sets are made for a rate so low that no key of a run is ever called seen by
mistake, so a twin made of Python's own set and list gives the same answers.
SEENSET_LONG makes the histories longer, and others in each run.
"""

import collections
import os
import pickle
import shutil
import tempfile

import numpy
import pytest
import seenset
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (RuleBasedStateMachine, initialize, invariant,
                                 precondition, rule, run_state_machine_as_test)
from seenset import Answer, Queue, SeenSet

LONG = bool(os.environ.get("SEENSET_LONG"))
SETTINGS = settings(max_examples=500 if LONG else 30,
                    stateful_step_count=100 if LONG else 40, deadline=None,
                    derandomize=not LONG,
                    suppress_health_check=list(HealthCheck))

SECRET = bytes(range(16))  # the same answers in each run
texts = st.text(st.characters(blacklist_categories=["Cs"]), max_size=6)
keys = st.one_of(texts, st.binary(max_size=6),
                 st.sampled_from(["a", "b", "c", b"a"]))


def bytes_of(key):
    return key.encode() if isinstance(key, str) else bytes(key)


class SetMachine(RuleBasedStateMachine):
    """One set, its copies, files and pickles; the twin counts keys."""

    faulty = False  # see test_a_fault_is_found

    @initialize(layout=st.sampled_from(["blocked", "bloom", "split_block",
                                        "counting"]),
                capacity=st.integers(1, 500), keyed=st.booleans(),
                on_full=st.sampled_from(["grow", "refuse", "rotate"]))
    def start(self, layout, capacity, keyed, on_full):
        if layout == "counting":
            on_full = "degrade"
            capacity = 5000
        if on_full == "rotate":
            capacity = 100_000
        self.layout = layout
        self.limit = capacity if on_full == "refuse" else None
        # split blocks cannot keep a rate below that of equal halves of hashes
        rate = 1e-7 if layout == "split_block" else 1e-12
        self.seen = SeenSet(capacity, rate, layout=layout, on_full=on_full,
                            keyed=SECRET if keyed else False, counter_bits=(
                                16 if layout == "counting" else None))
        self.twin = collections.Counter()

    def add_to_twin(self, key):
        """The answer, or None: refused."""
        if key in self.twin:
            self.twin[key] += 1
            return False
        if self.limit is not None and len(self.twin) >= self.limit:
            return None
        self.twin[key] = 1
        return True

    @rule(key=keys)
    def add(self, key):
        expected = self.add_to_twin(bytes_of(key))
        try:
            assert self.seen.add(key) is expected
        except seenset.FullError:
            assert expected is None
        if self.faulty and len(self.twin) == 3:
            self.twin.popitem()

    @rule(batch=st.lists(keys, max_size=30))
    def add_many(self, batch):
        expected = [self.add_to_twin(bytes_of(key)) for key in batch]
        try:
            assert list(self.seen.add_many(batch)) == expected
        except seenset.FullError:
            assert None in expected

    @rule(numbers=st.lists(st.integers(0, 2**64 - 1), max_size=30),
          signed=st.booleans())
    def add_numbers(self, numbers, signed):
        array = numpy.array(numbers, "u8")
        expected = [self.add_to_twin(n.to_bytes(8, "little")) for n in numbers]
        try:
            answers = self.seen.add_many(array.view("i8") if signed else array)
            assert list(answers) == expected
        except seenset.FullError:
            assert None in expected

    @rule(batch=st.lists(texts, max_size=10), wide=st.booleans())
    def add_with_offsets(self, batch, wide):
        data = [text.encode() for text in batch]
        ends = numpy.cumsum([0] + list(map(len, data)))
        expected = [self.add_to_twin(key) for key in data]
        try:
            answers = self.seen.add_many(b"".join(data),
                                         ends.astype("i8" if wide else "i4"))
            assert list(answers) == expected
        except seenset.FullError:
            assert None in expected

    @rule(batch=st.lists(keys, max_size=30))
    def has(self, batch):
        expected = [bytes_of(key) in self.twin for key in batch]
        assert list(self.seen.has_many(batch)) == expected
        assert [key in self.seen for key in batch] == expected

    @precondition(lambda self: self.layout == "counting" and self.twin)
    @rule(data=st.data())
    def remove(self, data):
        key = data.draw(st.sampled_from(sorted(self.twin)))
        assert self.seen.count(key) == self.twin[key]
        assert self.seen.remove(key)
        self.twin[key] -= 1
        if self.twin[key] == 0:
            del self.twin[key]

    @rule(way=st.sampled_from(["copy", "bytes", "pickle", "file", "or"]))
    def go_on_with_another(self, way):
        if way == "copy":
            self.seen = self.seen.copy()
        elif way == "bytes":
            self.seen = SeenSet.from_bytes(self.seen.to_bytes(),
                                           self.seen.secret)
        elif way == "pickle":
            self.seen = pickle.loads(pickle.dumps(self.seen))
        elif way == "or" and self.layout != "counting":
            self.seen = self.seen | self.seen.copy()
        elif way == "file":
            with tempfile.TemporaryDirectory() as folder:
                self.seen.save(folder + "/set")
                view = SeenSet.open(folder + "/set", keyed=self.seen.secret)
                self.has_all(view)
                self.seen = view.copy()

    @rule()
    def clear(self):
        self.seen.clear()
        self.twin.clear()

    @rule(items=st.integers(0, 2000))
    def expect(self, items):
        if self.seen.info().on_full == "grow":
            self.seen.expect(items)

    def has_all(self, seen):
        assert all(seen.has_many(self.twin))

    @invariant()
    def it_never_forgets(self):
        if hasattr(self, "seen"):
            self.has_all(self.seen)


class QueueMachine(RuleBasedStateMachine):
    """A queue in a folder that is closed and opened again; the twin is a list
    of items for each priority."""

    faulty = False

    @initialize(exact=st.booleans(),
                layout=st.sampled_from(["blocked", "bloom"]))
    def start(self, exact, layout):
        self.folder = tempfile.mkdtemp()
        self.options = {"exact": exact, "durability": "none"}
        if not exact:
            self.options |= {"fp_rate": 1e-12, "layout": layout}
        self.queue = Queue(self.folder + "/queue", **self.options)
        self.seen = set()
        self.waiting = []  # (priority, number, url, data), never handed out
        self.returned = []  # given back, in the order of that
        self.leased = {}
        self.number = 0

    def pushed(self, url, data, priority, again):
        if url in self.seen and not again:
            return False
        self.seen.add(url)
        self.waiting.append((priority, self.number, url, data))
        self.number += 1
        if self.faulty and self.number == 3:
            self.waiting.pop()
        return True

    @rule(url=keys, data=st.binary(max_size=5),
          priority=st.sampled_from([0, 0, 0, 5, 9]), again=st.booleans())
    def push(self, url, data, priority, again):
        expected = self.pushed(bytes_of(url), data, priority, again)
        assert self.queue.push(url, data, priority=priority,
                               again=again) is expected

    @rule(urls=st.lists(keys, max_size=10), pairs=st.booleans())
    def push_many(self, urls, pairs):
        expected = [self.pushed(bytes_of(url), b"x" if pairs else b"", 0, False)
                    for url in urls]
        given_ = [(url, b"x") for url in urls] if pairs else urls
        answers = self.queue.push_many(given_)
        assert [answer == Answer.NEW for answer in answers] == expected

    def next_of_twin(self):
        """Of the highest priority; there, what was given back comes first."""
        items = self.returned + sorted(self.waiting, key=lambda item: item[1])
        return max(items, key=lambda item: item[0]) if items else None

    def take(self, item, expected):
        assert (item is None) == (expected is None)
        if item is None:
            return
        priority, number, url, data = expected
        assert item.url.encode("utf-8", "surrogateescape") == url
        assert (item.data, item.priority, item.number) == (data, priority,
                                                           number)

    @rule()
    def peek(self):
        self.take(self.queue.peek(), self.next_of_twin())

    @rule(count=st.integers(1, 4))
    def pop(self, count):
        items = self.queue.pop_many(count)
        for item in items:
            expected = self.next_of_twin()
            self.take(item, expected)
            kept = self.returned if expected in self.returned else self.waiting
            kept.remove(expected)
            self.leased[item.lease] = expected
        assert len(items) == count or self.next_of_twin() is None

    @precondition(lambda self: self.leased)
    @rule(data=st.data(), many=st.booleans())
    def ack(self, data, many):
        if many:
            self.queue.ack_many(list(self.leased))
            self.leased.clear()
            return
        lease = data.draw(st.sampled_from(sorted(self.leased)))
        self.queue.ack(lease)
        del self.leased[lease]
        with pytest.raises(seenset.LeaseError):
            self.queue.ack(lease)

    @precondition(lambda self: self.leased)
    @rule(data=st.data())
    def nack(self, data):
        lease = data.draw(st.sampled_from(sorted(self.leased)))
        self.queue.nack(lease)
        self.returned.append(self.leased.pop(lease))

    @rule(url=keys)
    def forget(self, url):
        assert self.queue.forget(url) is (bytes_of(url) in self.seen)
        self.seen.discard(bytes_of(url))

    @rule()
    def work_through(self):
        done = [item.number for item in self.queue]
        expected = []
        while (item := self.next_of_twin()) is not None:
            expected.append(item[1])
            kept = self.returned if item in self.returned else self.waiting
            kept.remove(item)
        assert done == expected

    @rule(checkpoint=st.booleans())
    def open_again(self, checkpoint):
        if checkpoint:
            self.queue.checkpoint()
        self.queue.close()
        assert Queue.verify(self.folder + "/queue").damages == 0
        self.queue = Queue(self.folder + "/queue", must_exist=True)
        # What was popped and not acked waits in its old place again.
        self.waiting += list(self.leased.values()) + self.returned
        self.leased.clear()
        self.returned.clear()

    @invariant()
    def counts_agree(self):
        if hasattr(self, "queue"):
            counts = self.queue.counts()
            assert counts.leased == len(self.leased)
            assert counts.pending == len(self.waiting) + len(self.returned)

    def teardown(self):
        if hasattr(self, "queue"):
            self.queue.close()
            shutil.rmtree(self.folder)


def test_sets_and_their_twin():
    run_state_machine_as_test(SetMachine, settings=SETTINGS)


def test_queues_and_their_twin():
    run_state_machine_as_test(QueueMachine, settings=SETTINGS)


@pytest.mark.parametrize("machine", [SetMachine, QueueMachine])
def test_a_fault_is_found(machine):
    """A twin that loses a key, or an item, is told from the real one."""
    faulty = type("Faulty", (machine,), {"faulty": True})
    with pytest.raises(AssertionError):
        run_state_machine_as_test(faulty, settings=SETTINGS)

"""Queue: pushed once, handed out under leases, there after a crash."""

import datetime
import os
import signal
import subprocess
import sys
import time

import pytest
import seenset
from seenset import Answer, Queue
from support import command


@pytest.fixture
def path(tmp_path):
    return tmp_path / "crawl"


def test_push_pop_ack(path):
    with Queue(path) as queue:
        assert queue.push("a", b"data") is True
        assert queue.push("a") is False
        item = queue.pop()
        assert (item.url, item.data, item.deliveries) == ("a", b"data", 1)
        assert item.number == 0 and item.priority == 0 and item.lease > 0
        assert queue.pop() is None
        assert queue.ack(item) is None
        with pytest.raises(seenset.LeaseError):
            queue.ack(item)
        assert queue.counts().acked == 1
    assert queue.closed
    with Queue(path, must_exist=True) as queue:
        assert queue.pop() is None and queue.push("a") is False


def test_what_was_not_acked_comes_again(path):
    with Queue(path) as queue:
        queue.push_many(["a", "b"])
        queue.ack(queue.pop().lease)
        assert queue.pop().url == "b"
    with Queue(path) as queue:
        assert queue.pop().url == "b"


def test_a_loop_acks(path):
    with Queue(path) as queue:
        queue.push("0")
        seen = []
        for item in queue:
            seen.append(item.url)
            number = int(item.url)
            if number < 50:
                queue.push(str(2 * number + 1))
                queue.push(str(2 * number + 2))
        assert sorted(map(int, seen)) == list(range(101))
        assert queue.counts() == (0, 0, 0, 101, 101)


def test_a_loop_that_ends_early_gives_back():
    queue = Queue()
    queue.push_many(["a", "b", "c"])
    for item in queue:
        break
    assert queue.counts().pending == 3
    with pytest.raises(ZeroDivisionError):
        for item in queue:
            if item.url == "b":
                1 / 0
    assert queue.counts() == (2, 0, 0, 3, 1)
    for item in queue:
        queue.ack(item)
    assert queue.counts() == (0, 0, 0, 3, 3)


def test_a_loop_over_a_queue_that_is_closed():
    queue = Queue()
    queue.push("a")
    with pytest.raises(ValueError, match="closed"):
        for item in queue:
            queue.close()


def test_push_many_says_what_became_of_each():
    queue = Queue(normalise=True)
    answers = queue.push_many(["http://a/", ("HTTP://A:80/", b"x"), "no url",
                               (b"http://b/", "data")])
    assert list(map(Answer, answers)) == [Answer.NEW, Answer.SEEN,
                                          Answer.NOT_A_URL, Answer.NEW]
    assert [item.url for item in queue.pop_many(5)] == ["http://a/",
                                                        "http://b/"]
    assert queue.push_many([]) == b""
    full = Queue(capacity=2, on_full="refuse")
    assert list(full.push_many(["a", "b", "c"])) == [1, 1, 2]
    with pytest.raises(seenset.FullError):
        full.push("d")


def test_many_more_than_a_chunk():
    queue = Queue()
    urls = [f"u{i}" for i in range(10_000)]
    assert queue.push_many((url, str(i)) for i, url in enumerate(urls)
                           ) == bytes([1]) * 10_000
    items = queue.pop_many(20_000)
    assert [item.url for item in items] == urls
    assert items[4711].data == b"4711"
    queue.ack_many(items)
    assert queue.counts() == (0, 0, 0, 10_000, 10_000)


def test_priorities_and_pushing_again():
    queue = Queue()
    queue.push("low")
    queue.push("high", priority=9)
    assert queue.push("low", again=True) is True
    queue.push_many(["mid"], priority=5)
    assert queue.peek().url == "high" and queue.peek().lease == 0
    items = queue.pop_many(9)
    assert [item.url for item in items] == ["high", "mid", "low", "low"]
    assert queue.stats().by_priority == (2, 0, 0, 0, 0, 1, 0, 0, 0, 1)
    queue.push_many([("own", b"", 7), ("of the call", b"", 0)], priority=3)
    items = queue.pop_many(9)
    assert [(item.url, item.priority) for item in items] == [
        ("own", 7), ("of the call", 3)]
    for wrong in ([("a", b"", 10)], [("a", b"", -1)], [("a", b"", 2**40)]):
        with pytest.raises((ValueError, OverflowError)):
            queue.push_many(wrong)
    queue.push_many(["seen"], seen_only=True)
    assert queue.push("seen") is False
    assert queue.forget("seen") is True and queue.forget("seen") is False
    assert queue.push("seen") is True
    for wrong in (-1, 10, 2**31):
        with pytest.raises((ValueError, OverflowError)):
            queue.push("x", priority=wrong)


def test_leases_end():
    queue = Queue(lease=0.01)
    queue.push("a")
    first = queue.pop()
    time.sleep(0.02)
    again = queue.pop()
    assert again.url == "a" and again.deliveries == 2
    with pytest.raises(seenset.LeaseError, match="lease"):
        queue.ack(first)
    queue.extend(again, 1000)
    queue.extend(again.lease, datetime.timedelta(hours=1))
    time.sleep(0.02)
    assert queue.pop() is None
    queue.nack(again)
    item = queue.pop()
    queue.nack(item, untried=True)
    untried, item = item, queue.pop()
    assert item.deliveries == untried.deliveries
    assert item.lease != untried.lease
    queue.nack(item, delay=1000)
    assert queue.pop() is None and queue.counts().delayed == 1
    for wrong in (-1, float("nan"), 1e10):
        with pytest.raises(ValueError):
            queue.nack(item, wrong)
        with pytest.raises(ValueError):
            queue.extend(item, wrong)


def test_a_page_is_visited_again(tmp_path):
    path = os.path.join(tmp_path, "again")
    with Queue(path, lease=1000) as queue:
        queue.push_many(["a", "b"])
        a, b = queue.pop_many(2)
        queue.nack(a)
        a = queue.pop()
        assert a.deliveries == 2
        queue.ack(a, again_after=0)
        with pytest.raises(seenset.LeaseError, match="lease"):
            queue.ack(a, again_after=0)
        a = queue.pop()
        assert a.url == "a" and a.deliveries == 1
        queue.ack(a.lease, again_after=datetime.timedelta(days=1))
        assert queue.push("a") is False
        assert queue.pop() is None and queue.counts().delayed == 1
        for wrong in (-1, float("nan"), 1e10):
            with pytest.raises(ValueError):
                queue.ack(b, again_after=wrong)
        with pytest.raises(TypeError):
            queue.ack(b, 1)
        with pytest.raises(TypeError):
            queue.ack(item=b)
        queue.ack(b, again_after=None)
        counts = queue.counts()
        assert counts.acked == 1 and counts.leased == 0
    with Queue(path, keep_leases=True) as queue:
        assert queue.pop() is None and queue.counts().delayed == 1
    # An open queue hands out what is not acked; its leases were its own.
    with Queue(path) as queue:
        assert [item.url for item in queue] == ["a"]


def test_ack_many_skips_what_has_ended():
    queue = Queue()
    queue.push_many(["a", "b"])
    items = queue.pop_many(2)
    queue.ack(items[0])
    with pytest.raises(seenset.LeaseError):
        queue.ack_many(items)
    assert queue.counts().acked == 2
    assert queue.ack_many([]) is None


def test_any_bytes_go_through():
    queue = Queue()
    for url in (b"\xff\xfe", "grün", "", b"a\0b"):
        assert queue.push(url, url)
    items = list(queue.pop_many(9))
    assert items[0].url == "\udcff\udcfe"
    assert queue.push(items[0].url) is False
    assert [item.data for item in items] == [b"\xff\xfe", "grün".encode(), b"",
                                             b"a\0b"]


def test_exact_queues_and_windows(path):
    with Queue(path, exact=True) as queue:
        assert queue.push("a") and not queue.push("a")
        assert queue.set_stats().current_fp_rate == 0
    with Queue(path) as queue:
        assert not queue.push("a")
    with Queue(window=3600, capacity=1000) as queue:
        assert queue.set_info().window_seconds == 3600


def test_stats():
    queue = Queue(capacity=1000, fp_rate=1e-4)
    queue.push_many(["a", "b", "a"])
    stats = queue.stats()
    assert (stats.pending, stats.pushed, stats.dropped) == (2, 2, 1)
    assert stats.durability == "none" and stats.normalise == "off"
    assert stats.memory_bytes > 0
    assert queue.set_stats().added == 2
    assert queue.set_info().capacity == 1000
    assert queue.set_info().fp_rate == 1e-4
    assert Queue().set_info().fp_rate == 1e-6


def test_durabilities(path):
    for durability in ("each", "interval", "none"):
        with Queue(path, durability=durability, interval=0.001) as queue:
            assert queue.stats().durability == durability
            queue.push(durability)
            queue.sync()
            queue.checkpoint()
            queue.save_leases()
            assert queue.stats().unsynced_bytes == 0
    with Queue(path) as queue:
        assert queue.counts().pending == 3


def test_leases_that_go_on(path):
    with Queue(path, lease=1000) as queue:
        queue.push("a")
        item = queue.pop()
        queue.save_leases()
    with Queue(path, keep_leases=True) as queue:
        assert queue.pop() is None
        queue.ack(item.lease)


def test_keyed_queues(path):
    with Queue(path, keyed=True) as queue:
        queue.push("a")
        secret = queue.secret
        assert len(secret) == 16
    with pytest.raises(seenset.SecretError):
        Queue(path)
    with pytest.raises(seenset.SecretError):
        Queue.verify(path)
    assert Queue.verify(path, keyed=secret).items == 1
    with Queue(path, keyed=secret) as queue:
        assert queue.push("a") is False and queue.secret == secret
    assert Queue().secret is None


def test_one_process_at_a_time(path):
    with Queue(path):
        with pytest.raises(seenset.InUseError) as caught:
            Queue(path)
        assert caught.value.file == path
    Queue(path).close()


def test_folders_that_are_none(path, tmp_path):
    with pytest.raises(FileNotFoundError):
        Queue(path, must_exist=True)
    with pytest.raises(FileNotFoundError):
        Queue(tmp_path / "no" / "folder")
    with pytest.raises(FileNotFoundError):
        Queue.verify(tmp_path)
    other = tmp_path / "other"
    other.mkdir()
    (other / "MANIFEST").write_bytes(b"a file of another program" * 9)
    for call in (Queue, Queue.verify, Queue.repair):
        with pytest.raises(seenset.FormatError):
            call(other)
    Queue(path, 1000).close()
    with pytest.raises(seenset.MismatchError):
        Queue(path, 2000)
    with pytest.raises(seenset.MismatchError):
        Queue(path, normalise=True)


@pytest.mark.parametrize("wrong, error", [
    ({"durability": "maybe"}, ValueError), ({"lease": 0}, ValueError),
    ({"lease": -1}, ValueError), ({"lease": "long"}, TypeError),
    ({"interval": 1e-9, "durability": "interval"}, ValueError),
    ({"segment_bytes": 1}, ValueError), ({"segment_bytes": -1}, ValueError),
    ({"layout": "sealed"}, ValueError),
    ({"fp_rate": 2}, ValueError), 
    ({"exact": True, "keyed": True}, seenset.UnsupportedError),
    ({"must_exist": True}, ValueError), ({"path": 5}, TypeError),
])
def test_wrong_options(wrong, error):
    with pytest.raises(error):
        Queue(**wrong)


def test_what_cannot_be_pushed():
    queue = Queue()
    for wrong in (None, 5, ["a"]):
        with pytest.raises(TypeError):
            queue.push(wrong)
        with pytest.raises(TypeError):
            queue.push("a", wrong)
        with pytest.raises(TypeError):
            queue.forget(wrong)
        with pytest.raises(TypeError):
            queue.push_many([("a", wrong)])
        with pytest.raises(TypeError):
            queue.ack("a" if wrong == 5 else wrong)
    for wrong in ("abc", b"abc", 5, [("a", "b", "c")], [("a", b"", 1, 1)], [5], None):
        with pytest.raises(TypeError):
            queue.push_many(wrong)
    with pytest.raises(ValueError, match="bytes at most"):
        queue.push("a", bytes(seenset.MAX_ITEM_BYTES))
    assert queue.push("b", bytes(seenset.MAX_ITEM_BYTES - 1))
    with pytest.raises(ValueError):
        queue.push_many([("c", bytes(seenset.MAX_ITEM_BYTES))])
    with pytest.raises(seenset.UrlError):
        Queue(normalise=True).push("no url")
    for call in (queue.pop_many, lambda n: queue.ack(n)):
        with pytest.raises(ValueError):
            call(-1)
    assert queue.counts().pushed == 1


def test_a_closed_queue():
    queue = Queue()
    queue.push("a")
    item = queue.pop()
    queue.close()
    queue.close()
    calls = [lambda: queue.push("a"), lambda: queue.push_many(["a"]),
             lambda: queue.forget("a"), queue.pop, queue.peek,
             lambda: queue.pop_many(1), lambda: queue.ack(item),
             lambda: queue.ack_many([item]), lambda: queue.nack(item),
             lambda: queue.extend(item, 1), queue.stats, queue.counts,
             queue.set_stats, queue.set_info, queue.sync, queue.checkpoint,
             queue.save_leases, lambda: list(queue)]
    for call in calls:
        with pytest.raises(ValueError, match="closed"):
            call()
    assert repr(queue) == "<Queue None, closed>"


def test_damage_and_repair(path):
    with Queue(path) as queue:
        queue.push_many([f"url {i}" for i in range(1000)])
    assert Queue.verify(path).items == 1000
    log = max(path.glob("log*"), key=lambda file: file.stat().st_size)
    whole = bytearray(log.read_bytes())
    whole[len(whole) // 2] ^= 4
    log.write_bytes(whole)
    with pytest.raises(seenset.DamagedError, match="repair") as caught:
        Queue.verify(path)
    error = caught.value
    assert error.name == "EDAMAGED" and error.file == str(log)
    assert 0 < error.offset < len(whole) and error.reason
    with pytest.raises(seenset.DamagedError):
        with Queue(path) as queue:
            for item in queue:
                pass
    report = Queue.repair(path)
    assert report.damages == 1 and report.lost_items >= 1
    with Queue(path) as queue:
        assert 990 <= len(queue.pop_many(2000)) <= 999


def test_a_class_of_ones_own(path):
    class Crawl(Queue):
        def push(self, url):
            return super().push(url.lower())

    with Crawl(path) as queue:
        assert queue.push("A") and not queue.push("a")
        assert queue.path == path and str(path) in repr(queue)
        with pytest.raises(ValueError, match="open already"):
            queue.__init__(path)


CRAWL = """
import sys, seenset
queue = seenset.Queue(sys.argv[1], durability=sys.argv[2], interval=0.001)
queue.push("0")
for item in queue:
    number = int(item.url)
    print(number, flush=True)
    if number < 1000:
        queue.push_many([str(2 * number + 1), str(2 * number + 2)])
"""


@pytest.mark.parametrize("durability", ["each", "interval"])
def test_kills_lose_nothing(path, durability):
    """Killed again and again, a crawl visits every page."""
    visited = set()
    for kill in range(6):
        child = subprocess.Popen(
            [sys.executable, "-c", CRAWL, path, durability],
            stdout=subprocess.PIPE, text=True)
        for line in child.stdout:
            visited.add(int(line))
            if kill < 5 and len(visited) > 300 * (kill + 1):
                child.send_signal(signal.SIGKILL)
                break
        visited.update(map(int, filter(str.strip, child.stdout)))
        child.stdout.close()
        child.wait(60)
    assert visited == set(range(2001))
    with Queue(path) as queue:
        assert queue.pop() is None


def test_look_at_an_open_queue(path):
    with Queue(path) as queue:
        queue.push_many([("a", b"1"), "b"])
        queue.push("c", priority=9)
        queue.ack(queue.pop())
        queue.push_many(["d", "a"])
        figures = Queue.look(path)
        assert (figures.pending, figures.pushed, figures.acked) == (3, 4, 1)
        assert figures.wrong_items < 1e-3
        items = []
        assert Queue.look_items(path, items.append) is None
        assert [(item.url, item.data) for item in items] == [
            ("a", b"1"), ("b", b""), ("d", b"")]
        assert items[0].lease == 0 and items[0].deliveries == 0
        first = []
        Queue.look_items(path, lambda item: first.append(item) or True)
        assert len(first) == 1
        with pytest.raises(ZeroDivisionError):
            Queue.look_items(path, lambda item: 1 / 0)
        with pytest.raises(TypeError):
            Queue.look_items(path)
        assert queue.pop().url == "a"


def test_look_at_what_is_not_a_queue(tmp_path):
    for call in (Queue.look, lambda path: Queue.look_items(path, print)):
        with pytest.raises((seenset.FormatError, OSError)):
            call(tmp_path)
    secret = b"s" * 16
    Queue(tmp_path / "keyed", keyed=secret).close()
    with pytest.raises(seenset.SecretError):
        Queue.look(tmp_path / "keyed")
    assert Queue.look(tmp_path / "keyed", keyed=secret).pending == 0
    Queue.look_items(tmp_path / "keyed", print, keyed=secret)


def test_a_forked_child_is_refused(path):
    """What it pushed would be in no file, or in the middle of the parent's."""
    def in_child(call):
        child = os.fork()
        if child == 0:
            try:
                call()
            except RuntimeError as error:
                os._exit(42 if "child" in str(error) else 43)
            except BaseException:
                os._exit(44)
            os._exit(0)
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])

    memory = Queue()
    with Queue(path) as queue:
        assert queue.push("before")
        for call in (lambda: queue.push("a"), lambda: queue.push_many(["a"]),
                     queue.pop, queue.counts, lambda: list(queue)):
            assert in_child(call) == 42
        assert in_child(lambda: memory.push("a")) == 0
        assert queue.push("after") and queue.counts().pushed == 2
    with Queue(path) as queue:
        assert [item.url for item in queue] == ["before", "after"]


def test_a_polite_queue_says_whose_budget_is_spent(path):
    subprocess.run([command(), "queue", "push", "--polite=0",
                    "--host-budget", "2", path],
                   input="http://a.example/1\n", text=True, check=True)
    with Queue(path) as queue:
        assert queue.push_many(["http://a.example/2", "http://a.example/3",
                                "http://a.example/1", "http://b.example/"]) == (
            bytes([Answer.NEW, Answer.OVER_BUDGET, Answer.SEEN, Answer.NEW]))
        with pytest.raises(seenset.BudgetError, match="budget"):
            queue.push("http://a.example/4")
        assert queue.counts().pending == 3

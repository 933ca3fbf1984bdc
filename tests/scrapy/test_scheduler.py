"""The scheduler at a desk: what goes in, what comes out, what survives."""

import logging

import pytest
import scrapy
import seenset
from desk import Desk, Spider, lone_filter
from scrapy.http import FormRequest, JsonRequest


@pytest.fixture
def job(tmp_path):
    return tmp_path / "job"


def test_each_once_and_the_oldest_first(job):
    desk = Desk(job).open()
    assert [desk.push(path) for path in "abac"] == [True, True, False, True]
    assert len(desk.scheduler) == 3 and desk.scheduler.has_pending_requests()
    assert desk.pop_all() == ["a", "b", "c"]
    assert not desk.scheduler.has_pending_requests()
    stats = desk.close()
    assert stats["scheduler/enqueued"] == stats["scheduler/dequeued"] == 3
    assert stats["dupefilter/filtered"] == 1
    assert 0 < stats["seenset/expected_wrongly_dropped"] < 1e-9
    assert stats["seenset/leases"] == stats["seenset/pending"] == 0
    assert "seenset/redelivered" not in stats


def test_keys_are_fingerprints(job):
    desk = Desk(job).open()
    assert desk.push("?b=2&a=1") and not desk.push("?a=1&b=2#top")
    assert desk.push("?a=1&b=2", method="POST")
    desk.close()


def test_a_request_comes_back_whole(job):
    first = scrapy.Request(
        "http://a/x", method="PUT", body=b"\0\xff", priority=3,
        cookies={"c": 1}, headers={"X": ["1", "2"]}, flags=["f"],
        meta={"depth": 2, "own": object},
        cb_kwargs={"k": (1,)}, encoding="latin-1", dont_filter=True)
    others = [FormRequest("http://a/form", formdata={"q": "1"}),
              JsonRequest("http://a/json", data={"q": [1]}),
              scrapy.Request("http://a/plain")]
    desk = Desk(job).open()
    first.callback, first.errback = desk.spider.other, desk.spider.failed
    for request in [first, *others]:
        assert desk.scheduler.enqueue_request(request)
    desk.close()
    desk = Desk(job).open()
    for request in [first, *others]:
        again = desk.pop()
        assert type(again) is type(request)
        known = {"callback", "errback"}
        for name in set(request.attributes) - known:
            assert getattr(again, name) == getattr(request, name), name
        for name in known:
            method = getattr(request, name)
            name = method and method.__name__
            assert getattr(again, "callback" if name == "other" else "errback"
                           ) == (name and getattr(desk.spider, name))
    desk.close()


def test_dont_filter_passes_and_leaves_no_trace(job):
    desk = Desk(job).open()
    assert [desk.push("a", dont_filter=True) for _ in range(3)] == [True] * 3
    assert desk.push("a") and not desk.push("a")
    assert desk.push("a", dont_filter=True)
    assert desk.pop_all() == ["a"] * 5
    desk.close()


def test_priorities(job):
    desk = Desk(job).open()
    given = [0, -1, 5, -1000, 10**9, 0, 2, -1]
    for number, priority in enumerate(given):
        desk.push(number, priority=priority)
    assert desk.pop_all() == list("42605173")
    for number, priority in enumerate([-2, 1, -1, 0, 2]):  # Scrapy's own test
        desk.push(f"s{number}", priority=priority)
    assert desk.pop_all() == ["s4", "s1", "s3", "s2", "s0"]
    desk.close()
    desk = Desk(job, SEENSET_LEVELS=[3]).open()
    for number, priority in enumerate([2, 3, 1, 4]):
        desk.push(f"x{number}", priority=priority)
    assert desk.pop_all() == ["x1", "x3", "x0", "x2"]
    desk.close()


def test_depth_first(job):
    desk = Desk(job, SEENSET_ORDER="depth").open()
    for number, depth in enumerate([1, 3, 2, 3, 0, 50]):
        desk.push(number, meta={"depth": depth})
    assert desk.pop_all() == list("513204")
    desk.close()


def test_what_was_not_done_comes_again(job):
    desk = Desk(job).open()
    for path in "abcd":
        desk.push(path)
    desk.slot.remove_request(desk.pop())
    desk.pop(), desk.pop()
    desk.kill()
    desk = Desk(job).open()
    assert len(desk.scheduler) == 3 and not desk.push("a")
    assert desk.pop_all() == ["b", "c", "d"]
    assert desk.close()["seenset/redelivered"] == 2
    assert not Desk(job).open().scheduler.has_pending_requests()


def test_shutdown_gives_back(job):
    desk = Desk(job).open()
    desk.push("a")
    desk.pop()
    assert desk.close()["seenset/leases"] == 1
    desk = Desk(job).open()
    assert desk.pop_all() == ["a"]
    assert "seenset/redelivered" not in desk.close()


def test_many_in_flight(job):
    desk = Desk(job, CONCURRENT_REQUESTS_PER_DOMAIN=2000).open()
    for number in range(2000):
        desk.push(number)
    requests = [desk.pop() for _ in range(2000)]
    for request in requests[:500]:
        desk.slot.remove_request(request)
    desk.kill()
    desk = Desk(job).open()
    assert len(desk.pop_all()) == 1500
    assert desk.close()["seenset/redelivered"] == 1500


def test_the_engine_drops_what_is_not_ours(job):
    desk = Desk(job).open()
    other = scrapy.Request("http://a/robots.txt")
    desk.slot.inprogress.add(other)
    desk.slot.remove_request(other)
    desk.close()


@pytest.mark.parametrize("in_memory", [False, True])
def test_too_long_for_the_queue(job, in_memory):
    desk = Desk(None if in_memory else job).open()
    body = bytes(range(256)) * 8192
    assert desk.push("a", method="POST", body=body)
    assert not desk.push("a", method="POST", body=body)
    if not in_memory:
        assert len(list((job / "seenset/large").iterdir())) == 1
        desk.pop()
        desk.kill()
        desk = Desk(job).open()
    request = desk.pop()
    assert request.body == body
    desk.slot.remove_request(request)
    assert not desk.scheduler._codec.large.names()
    desk.close()


def test_files_that_no_request_has_are_removed(job):
    desk = Desk(job).open()
    desk.scheduler._codec.large.write(b"lost")
    desk.kill()
    desk = Desk(job).open()
    assert not desk.scheduler._codec.large.names()
    desk.close()


def test_what_cannot_be_pickled(job, caplog):
    desk = Desk(job).open()
    here = lambda response: None  # noqa: E731
    assert desk.push("a", callback=here) and not desk.push("a", callback=here)
    assert desk.push("b", meta={"file": caplog.handler})
    assert desk.pop().callback is here
    assert desk.crawler.stats.get_value("scheduler/unserializable") == 2
    assert caplog.text.count("memory only") == 1
    desk.kill()
    desk = Desk(job).open()
    assert desk.pop() is None
    assert caplog.text.count("Lost with the process") == 2
    assert desk.crawler.stats.get_value("seenset/lost_unserializable") == 2
    # It is new again: another page that links to it brings it back.
    assert desk.push("a")
    desk.close()


def test_a_callback_that_is_gone(job, caplog, monkeypatch):
    desk = Desk(job).open()
    desk.push("old", callback=desk.spider.other)
    desk.push("new")
    desk.close()
    with monkeypatch.context() as patch:
        patch.delattr(Spider, "other")
        desk = Desk(job).open()
        assert desk.pop_all() == ["new"]
        assert "stays in the queue" in caplog.text
        assert desk.close()["seenset/unreadable"] == 1
    assert Desk(job).open().pop_all() == ["old"]


def test_a_disk_that_fails(job, caplog):
    desk = Desk(job).open()
    desk.push("a")
    request = desk.pop()

    class Failing:
        def push(self, *_, **__):
            raise OSError(28, "No space left on device")

        def ack(self, *_):
            raise AssertionError("acked after a failure")

    queue, desk.scheduler._queue = desk.scheduler._queue, Failing()
    assert not desk.push("b")
    assert desk.closed_with == "seenset_error" and "No space" in caplog.text
    assert not desk.push("c") and desk.pop() is None
    assert not desk.scheduler.has_pending_requests()
    desk.slot.remove_request(request)  # not acked: its link was lost
    desk.scheduler._queue = queue
    desk.close()
    assert Desk(job).open().pop_all() == ["a"]


def test_a_disk_that_fails_at_the_end(job, caplog):
    """close does not raise: Scrapy would not close what comes after it."""
    desk = Desk(job).open()
    desk.push("a")
    desk.pop()
    queue = desk.scheduler._queue

    class Failing:
        def __getattr__(self, name):
            raise OSError(28, "No space left on device")

    desk.scheduler._queue = Failing()
    desk.close()
    assert caplog.text.count("No space") == 1
    queue.close()
    desk = Desk(job).open()
    assert desk.pop_all() == ["a"]
    assert desk.close()["seenset/redelivered"] == 1


def test_in_memory(caplog):
    desk = Desk().open()
    assert "set JOBDIR" in caplog.text
    assert desk.push("a") and not desk.push("a")
    assert desk.pop_all() == ["a"]
    desk.close()


def test_a_filter_alone(job):
    for _ in range(2):
        filter, desk = lone_filter(job)
        new = not _
        for path in "abab":
            seen = filter.request_seen(scrapy.Request(f"http://a/{path}"))
            assert seen is not new or path in "ab"
        answers = [filter.request_seen(scrapy.Request(f"http://a/{path}"))
                   for path in "abc"]
        assert answers == [True, True, not new]
        filter.close("finished")
        assert desk.crawler.stats.get_value(
            "seenset/expected_wrongly_dropped") < 1e-9


def test_a_filter_shares_the_set(job):
    desk = Desk(job).open()
    desk.push("a")
    request = scrapy.Request("http://a/a")
    assert desk.scheduler.df.request_seen(request)
    assert not desk.scheduler.df.request_seen(scrapy.Request("http://a/b"))
    assert not desk.push("b")
    desk.close()
    assert not (job / "seenset/seen").exists()


class Odd:
    """A filter of somebody's own: drops what ends with x."""

    def request_seen(self, request):
        return request.url.endswith("x")

    def open(self):
        pass

    def close(self, reason):
        pass

    def log(self, request, spider):
        spider.crawler.stats.inc_value("odd")


def test_another_filter(job):
    desk = Desk(job, DUPEFILTER_CLASS=Odd).open()
    assert desk.push("a") and desk.push("a") and not desk.push("x")
    assert desk.close()["odd"] == 1


@pytest.mark.parametrize("settings", [
    {"SEENSET_EXACT": True}, {"SEENSET_CAPACITY": "1e4"},
    {"SEENSET_SECRET": "0f" * 16}, {"SEENSET_WINDOW": 3600},
    {"SEENSET_DURABILITY": "each"}, {"SEENSET_FP_RATE": 1e-9,
                                     "SEENSET_INTERVAL": 0.5}])
def test_settings(job, settings):
    desk = Desk(job, **settings).open()
    assert desk.push("a") and not desk.push("a")
    desk.close()
    desk = Desk(job, **settings).open()
    assert not desk.push("a") and desk.pop_all() == ["a"]
    desk.close()


def test_logging_of_duplicates(job, caplog):
    caplog.set_level(logging.DEBUG)
    for debug, count in ((False, 1), (True, 3)):
        caplog.clear()
        desk = Desk(None, DUPEFILTER_DEBUG=debug).open()
        for _ in range(4):
            desk.push("a")
        found = [record for record in caplog.records
                 if record.getMessage().startswith("Filtered duplicate")]
        assert len(found) == count
        assert {record.name for record in found} == {"scrapy.dupefilters"}
        assert desk.scheduler.df.debug == debug
        assert desk.close()["dupefilter/filtered"] == 3


def test_logging_of_duplicates_names_the_referer(caplog):
    caplog.set_level(logging.DEBUG)
    desk = Desk(None, DUPEFILTER_DEBUG=True).open()
    for _ in range(2):
        desk.push("a", headers={"Referer": "http://a/from"})
    assert "http://a/a> (referer: http://a/from)" in caplog.text
    desk.close()


def test_it_is_not_seen_and_lost(job):
    """What a set that is kept apart from its queue does: the planted fault
    that the other tests would find."""
    desk = Desk(job).open()
    assert not desk.scheduler.df.request_seen(scrapy.Request("http://a/a"))
    desk.kill()
    desk = Desk(job).open()
    assert not desk.push("a") and desk.pop() is None
    assert seenset.Queue.look(job / "seenset/queue").pending == 0
    desk.close()

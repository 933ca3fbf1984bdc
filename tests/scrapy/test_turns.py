"""Hosts take turns in a folder: none fills the downloader, none is asked more
often than the settings say."""

import pytest
import scrapy
import seenset
from crawls import crawl_killed
from desk import Desk
from scrapy.utils.request import RequestFingerprinter
from seenset.scrapy import StartError, turns

YEAR = 366 * 86400


@pytest.fixture
def job(tmp_path):
    return tmp_path / "job"


def push(desk, *urls, **kwargs):
    for url in urls:
        assert desk.scheduler.enqueue_request(
            scrapy.Request(f"http://{url}", **kwargs))


def pop(desk, count=100):
    """The URLs that are handed out now, all of them under way."""
    found = [request for _ in range(count)
             if (request := desk.pop()) is not None]
    return [request.url.removeprefix("http://") for request in found], found


def figures(job):
    return seenset.Queue.look(job / "seenset/queue")


def test_a_host_does_not_fill_the_downloader(job):
    desk = Desk(job, CONCURRENT_REQUESTS_PER_DOMAIN=2).open()
    push(desk, *(f"a/{number}" for number in range(100)))
    push(desk, "B/1", "c/1", "c/2", "c/3")
    urls, requests = pop(desk)
    assert sorted(urls[:3]) == ["a/0", "b/1", "c/1"]  # each once, then again
    assert sorted(urls[3:]) == ["a/1", "c/2"]
    assert desk.scheduler.has_pending_requests() and len(desk.scheduler) == 99
    desk.slot.remove_request(requests[urls.index("a/0")])
    push(desk, "d/1")
    assert sorted(pop(desk)[0]) == ["a/2", "d/1"]
    assert desk.scheduler.has_pending_requests()
    desk.close()


def test_delays_go_on_in_the_next_process(job):
    desk = Desk(job, DOWNLOAD_DELAY=1000).open()
    push(desk, "a/1", "a/2", "b/1")
    urls, requests = pop(desk)
    assert sorted(urls) == ["a/1", "b/1"]
    for request in requests:
        desk.slot.remove_request(request)
    assert desk.pop() is None and desk.scheduler.has_pending_requests()
    desk.close()
    desk = Desk(job, DOWNLOAD_DELAY=1000).open()
    push(desk, "c/1")
    assert pop(desk)[0] == ["c/1"] and desk.scheduler.has_pending_requests()
    desk.close()
    assert figures(job).host_delay_seconds == 1000
    assert figures(job).is_delay_from_start


def test_the_engine_is_woken_when_a_delay_is_over(job):
    """By a call of the reactor, which does not run here."""
    desk = Desk(job, DOWNLOAD_DELAY=1000).open()
    push(desk, "a/1", "a/2")
    desk.slot.remove_request(pop(desk)[1][0])
    wake = desk.scheduler._place._wake
    assert wake.active() and 990 < wake.getTime() - wake.seconds() <= 1001
    desk.close()
    assert not wake.active()


def test_nothing_is_waited_for_that_will_not_come(job):
    desk = Desk(job, DOWNLOAD_DELAY=1000).open()
    push(desk, "a/1")
    desk.slot.remove_request(pop(desk)[1][0])
    assert desk.pop() is None and not desk.scheduler.has_pending_requests()
    desk.scheduler._pending = 1  # as if it had been counted wrong
    assert desk.pop() is None and not desk.scheduler.has_pending_requests()
    desk.close()


def test_what_cannot_be_read_takes_no_place(job, monkeypatch):
    desk = Desk(job, CONCURRENT_REQUESTS_PER_DOMAIN=1).open()
    push(desk, "a/old", callback=desk.spider.other)
    push(desk, "a/new")
    desk.close()
    with monkeypatch.context() as patch:
        patch.delattr(type(desk.spider), "other")
        desk = Desk(job, CONCURRENT_REQUESTS_PER_DOMAIN=1).open()
        urls, requests = pop(desk)
        assert urls == ["a/new"]
        desk.slot.remove_request(requests[0])
        assert desk.pop() is None
        assert not desk.scheduler.has_pending_requests()
        assert desk.close()["seenset/unreadable"] == 1
    desk = Desk(job, CONCURRENT_REQUESTS_PER_DOMAIN=1).open()
    assert pop(desk)[0] == ["a/old"]
    desk.close()


def test_what_passes_the_filter_has_a_host_too(job):
    desk = Desk(job, CONCURRENT_REQUESTS_PER_DOMAIN=1).open()
    push(desk, "a/1", "a/1", "b/1", dont_filter=True)
    assert sorted(pop(desk)[0]) == ["a/1", "b/1"]
    desk.close()


def test_priorities_come_before_turns(job):
    desk = Desk(job, CONCURRENT_REQUESTS_PER_DOMAIN=1).open()
    push(desk, "a/1", "b/1")
    push(desk, "c/1", "b/2", priority=5)
    urls = pop(desk)[0]
    assert sorted(urls[:2]) == ["b/2", "c/1"] and urls[2:] == ["a/1"]
    desk.close()


@pytest.mark.parametrize("url, key", [
    ("http://A.example:81/x", "scrapy://a.example/k"),
    ("http://u:p@a/", "scrapy://a/k"), ("http://[::1]:81/", "scrapy://[::1]/k"),
    ("data:,x", "scrapy:///k"), ("file:///x", "scrapy:///k"),
    ("http://[x", "scrapy:///k")])
def test_the_host_of_a_request(url, key):
    assert turns.key_of(url, "k") == key


def test_hosts_with_settings_of_their_own(job):
    settings = {"DOWNLOAD_DELAY": 5, "DOWNLOAD_SLOTS": {
        "a": {"delay": 1000, "concurrency": 3}, "b": {"concurrency": 20}}}
    desk = Desk(job, **settings).open()
    queue = desk.scheduler._queue
    assert queue.get_host("a").delay_seconds == 1000
    assert queue.get_host("b").delay_seconds == 5
    assert queue.stats().host_leases == 20
    desk.close()
    before = figures(job).log_bytes
    Desk(job, **settings).open().close()
    assert figures(job).log_bytes == before


def test_what_a_spider_says_of_itself(job):
    desk = Desk(job)
    desk.spider.download_delay, desk.spider.max_concurrent_requests = 0.5, 3
    desk.open().close()
    assert figures(job).host_delay_seconds == 0.5
    assert figures(job).host_leases == 3


@pytest.mark.parametrize("settings, leases", [
    ({}, 8), ({"CONCURRENT_REQUESTS_PER_IP": 5}, 5),
    ({"SEENSET_PER_HOST": 30}, 30),
    ({"CONCURRENT_REQUESTS_PER_DOMAIN": 100_000}, 65535),
    ({"SEENSET_TURNS": False}, 0)])
def test_how_many_of_a_host(job, settings, leases):
    Desk(job, **settings).open().close()
    assert figures(job).host_leases == leases


def test_a_folder_without_turns_goes_on(job, caplog):
    desk = Desk(job, SEENSET_TURNS=False).open()
    push(desk, *(f"a/{number}" for number in range(20)))
    push(desk, "b/1")
    desk.close()
    assert not caplog.records
    desk = Desk(job).open()
    assert "was made without turns of hosts" in caplog.text
    assert not desk.scheduler.enqueue_request(scrapy.Request("http://a/0"))
    assert pop(desk)[0][-2:] == ["a/19", "b/1"]
    assert not desk.scheduler.has_pending_requests()
    desk.close()


def test_other_settings_than_it_was_made_with(job, caplog):
    Desk(job, DOWNLOAD_DELAY=2).open().close()
    assert not caplog.records
    Desk(job, DOWNLOAD_DELAY=3).open().close()
    assert "made with a delay of 2 seconds and 8 requests" in caplog.text
    assert "new JOBDIR has 3 seconds and 8." in caplog.text
    assert figures(job).host_delay_seconds == 2


class Own(RequestFingerprinter):
    """One page under all hosts."""

    def fingerprint(self, request):
        return request.url.rpartition("/")[2].encode()


def test_fingerprints_of_the_user_s_own(job):
    """They may be the same for two hosts, and then are one request."""
    own = {"REQUEST_FINGERPRINTER_CLASS": Own}
    desk = Desk(job, **own)
    desk.crawler.request_fingerprinter = Own(desk.crawler)
    desk.open()
    push(desk, "a/1")
    assert not desk.scheduler.enqueue_request(scrapy.Request("http://b/1"))
    desk.close()
    assert figures(job).host_leases == 0
    Desk(job.parent / "other", SEENSET_TURNS=True, **own).open().close()
    assert figures(job.parent / "other").host_leases == 8


@pytest.mark.parametrize("name, value", [
    ("DOWNLOAD_DELAY", -1), ("DOWNLOAD_DELAY", float("nan")),
    ("DOWNLOAD_DELAY", YEAR + 1), ("DOWNLOAD_DELAY", "soon"),
    ("DOWNLOAD_SLOTS", {"a": {"delay": -1}}), ("SEENSET_PER_HOST", 0),
    ("SEENSET_PER_HOST", 65536), ("SEENSET_PER_HOST", 1.5),
    ("SEENSET_TURNS", "perhaps")])
def test_settings_that_are_none(job, name, value):
    with pytest.raises(StartError, match=name):
        Desk(job, **{name: value}).open()
    assert not job.exists()


def test_in_redis_they_are_not_read():
    for name in ("SEENSET_TURNS", "SEENSET_PER_HOST"):
        with pytest.raises(StartError, match=name):
            Desk(SEENSET_REDIS="redis://127.0.0.1:1/crawl", **{name: 1})


# ---- real crawls ----

BIG, HOSTS, EACH = 120, 8, 3


def crawl(site, jobdir, **settings):
    """How many pages of the big host came before the last of the others."""
    before = len(site.hits)
    result = site.crawl(
        "hosts", jobdir, CONCURRENT_REQUESTS_PER_DOMAIN=1,
        spider={"pages": BIG, "hosts": HOSTS, "each": EACH}, **settings)
    assert result.status == 0, result.log
    assert result.stats["finish_reason"] == "finished"
    hits = site.hits[before:]
    assert len(hits) == len(set(hits)) == 1 + BIG + HOSTS * EACH
    last = max(place for place, hit in enumerate(hits) if "small" in hit)
    return sum("big" in hit for hit in hits[:last])


def test_a_late_host_does_not_wait_for_the_backlog(site):
    """And the judge sees it where hosts take no turns."""
    assert crawl(site, "job", DOWNLOAD_DELAY=0.02) < BIG / 2
    assert crawl(site, "other", DOWNLOAD_DELAY=0.02,
                 SEENSET_TURNS=False) > BIG / 2


def test_an_idle_crawl_goes_on_when_a_delay_is_over(site):
    """Five seconds, as the engine looks by itself, would be longer than the
    test may take: 30 of them."""
    result = site.crawl("hosts", DOWNLOAD_DELAY=0.1,
                        spider={"pages": 30, "hosts": 0, "each": 0})
    assert result.status == 0 and len(set(site.hits)) == 31, result.log
    assert result.stats["elapsed_time_seconds"] < 100


def test_kills(site):
    killed = crawl_killed(site, "hosts", site.settings(
        SEENSET_DURABILITY="each", DOWNLOAD_DELAY=0.01,
        spider={"pages": BIG, "hosts": HOSTS, "each": EACH}), [30, 80])
    assert killed.kills == 2 and killed.end.status == 0
    assert killed.pages == 1 + BIG + HOSTS * EACH
    assert killed.again <= killed.in_flight

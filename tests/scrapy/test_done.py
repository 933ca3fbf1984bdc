"""When a request is done: a crawl that is killed in the middle of one fetches
that one again, and no other. And crawls that are stopped by what is outside of
the spider: memory, the disk, a kill of Scrapy's own scheduler."""

import signal
from collections import Counter

import pytest
from scrapy.settings import Settings
from seenset.scrapy import rescue

# Where the crawl is killed: the page, and how often each is asked for in all.
# A retry is a page's next try, whichever process makes it.
PLACES = {
    "callback": ("/callback", {"/callback": 2, "/child/2": 1}),
    "pipeline": ("/pipeline", {"/pipeline": 2}),
    "errback": ("/missing", {"/missing": 2}),
    "redirect": ("/moved/1", {"/moved/1": 2, "/target/1": 1}),
    "retry": ("/flaky/1", {"/flaky/1": 3})}


def killed_at(site, place, **settings):
    """The result of the crawl that goes on."""
    settings |= {"SEENSET_DURABILITY": "each", "spider": {
        "page": PLACES[place][0], "die": place}}
    result = site.crawl("dies", **settings)
    assert result.status == -signal.SIGKILL, result.log
    del settings["spider"]["die"]
    return site.crawl("dies", **settings)


@pytest.mark.parametrize("place", PLACES)
def test_killed_in_the_middle(site, place):
    result = killed_at(site, place)
    assert result.status == 0, result.log
    assert result.stats["seenset/redelivered"] >= 1
    assert result.stats["seenset/pending"] == 0
    counts = Counter(site.hits)
    # It was enqueued before the kill, and may have been handed out by then.
    assert counts.pop("/child/1", 1) in (1, 2)
    assert counts == PLACES[place][1] | {"/root": 1}


def test_killed_in_the_middle_is_tested(site):
    """Where requests are done too early the page is lost, and found so."""
    result = killed_at(site, "callback", SCHEDULER="spiders.AcksEarly")
    assert result.stats["seenset/pending"] == 0
    assert site.hits.count("/callback") == 1
    assert "/child/2" not in site.hits


def test_too_much_memory(site):
    """Scrapy's extension stops the crawl; the next one goes on. The first is
    slow enough that its memory is looked at before the last page."""
    settings = {"MEMUSAGE_ENABLED": True, "MEMUSAGE_LIMIT_MB": 300,
                "MEMUSAGE_CHECK_INTERVAL_SECONDS": 0.02}
    result = site.crawl("eats", spider={"after": 20, "pages": 80},
                        DOWNLOAD_DELAY=0.02, **settings)
    assert result.stats["finish_reason"] == "memusage_exceeded", result.log
    assert result.stats["seenset/pending"] > 0
    result = site.crawl("eats", spider={"after": -1, "pages": 80}, **settings)
    assert result.stats["finish_reason"] == "finished"
    assert len(site.hits) == len(set(site.hits)) == 80


def test_a_disk_that_is_full(site):
    """It stops with a reason of its own, and goes on when there is room."""
    result = site.crawl("pages", spider={"pages": 150, "file_bytes": 20_000})
    assert result.stats["finish_reason"] == "seenset_error", result.log
    assert "The queue has failed" in result.log
    assert "Traceback" not in result.log, result.log
    assert 0 < len(set(site.hits)) < 150
    result = site.crawl("pages", spider={"pages": 150})
    assert result.stats["finish_reason"] == "finished", result.log
    assert len(set(site.hits)) == 150


def test_rescue_of_a_crawl_that_was_killed(site):
    """Scrapy's own scheduler would end with a part of the pages."""
    theirs = {"JOBDIR": str(site.folder / "job"), "spider": {"pages": 200},
              "SCHEDULER_DISK_QUEUE": "scrapy.squeues.PickleFifoDiskQueue"}
    process = site.start("pages", theirs)
    site.wait_for_hits(70, process)
    process.kill()
    process.wait()
    rescue.rescue(site.folder / "job", Settings(
        {"REQUEST_FINGERPRINTER_IMPLEMENTATION": "2.7"}), keep_seen=False)
    result = site.crawl("pages", spider={"pages": 200})
    assert "Resuming crawl" in result.log and result.status == 0
    assert len(set(site.hits)) == 200

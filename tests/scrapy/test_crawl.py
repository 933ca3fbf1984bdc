"""Real crawls of a site on loopback: what Scrapy does, it still does, and a
crawl that is killed goes on.

SEENSET_LONG=1 makes them long: 10,000 pages, killed 20 times.
"""

import os
import random
import signal

import pytest
from crawls import crawl_killed

IS_LONG = "SEENSET_LONG" in os.environ
PAGES = 10_000 if IS_LONG else 200
KILLS = 20 if IS_LONG else 3


def test_kinds_of_requests(site):
    """Redirects, retries, errbacks, items, the filter and what passes it."""
    result = site.crawl("kinds")
    assert result.status == 0, result.log
    assert sorted(map(str, result.notes)) == sorted(map(str, [
        "/target/1", "/target/2", "/flaky/1", "/a", "/again", "/again",
        "failed /missing", "failed /broken",
        ["arguments", 7, [1, 2], "POST", 100, "yes"]]))
    assert site.hits.count("/flaky/1") == 3
    # Once and RETRY_TIMES; Twisted itself tries again on a kept connection.
    assert site.hits.count("/broken") >= 4
    stats = result.stats
    assert stats["finish_reason"] == "finished"
    assert stats["item_scraped_count"] == 1
    assert stats["dupefilter/filtered"] == 1
    assert stats["retry/count"] == 5 and stats["retry/max_reached"] == 1
    assert stats["seenset/leases"] == stats["seenset/pending"] == 0
    assert stats["scheduler/enqueued"] == stats["scheduler/dequeued"] == 16
    # Done for good: the next run fetches what passes the filter only.
    before = len(site.hits)
    result = site.crawl("kinds")
    assert site.hits[before:] == ["/again", "/again"]
    assert "seenset/redelivered" not in result.stats


def test_priorities(site):
    result = site.crawl("order", CONCURRENT_REQUESTS=1,
                        spider={"priorities": [0, -5, 7, 0, 2000]})
    assert result.status == 0, result.log
    # The first child may be on its way before there is another.
    assert site.hits[0] == "/root" and len(site.hits) == 6
    expected = [f"/child/{number}" for number in (4, 2, 0, 3, 1)]
    expected.remove(site.hits[1])
    assert site.hits[2:] == expected


def test_odd_requests(site):
    result = site.crawl("odd")
    assert sorted(result.notes) == ["/large", "/lock", "/plain", "lambda",
                                    "root"], result.log
    assert result.stats["seenset/large"] == 1
    assert result.stats["scheduler/unserializable"] == 2
    assert not list((site.folder / "job/seenset/large").iterdir())


def test_a_close_reason_and_on(site):
    """CloseSpider stops in the middle; the next run fetches the others."""
    settings = {"spider": {"after": 20, "pages": 100}}
    result = site.crawl("stop", **settings)
    assert result.stats["finish_reason"] == "enough", result.log
    first = site.hits
    assert 20 <= len(first) < 60 and result.stats["seenset/pending"] > 0
    settings["spider"]["after"] = 10**9
    result = site.crawl("stop", **settings)
    assert result.stats["finish_reason"] == "finished"
    assert "Resuming crawl" in result.log
    assert sorted(site.hits) == sorted(set(site.hits))
    assert len(site.hits) == 100


def test_a_signal_and_on(site):
    process = site.start("pages", site.settings(spider={"pages": 100}))
    site.wait_for_hits(30, process)
    process.send_signal(signal.SIGTERM)
    assert process.wait(300) == 0
    assert len(site.hits) < 100
    assert site.crawl("pages", spider={"pages": 100}).status == 0
    assert sorted(site.hits) == sorted(set(site.hits))
    assert len(site.hits) == 100


@pytest.mark.parametrize("durability", ["each", "interval"])
def test_kills(site, capsys, durability):
    """All pages; none more than once more for each kill, and with "each" only
    what was being fetched at the kill. With "interval" also what was done in
    the tenth of a second before it, which is not on the disk."""
    places = sorted(random.Random(7).sample(range(20, PAGES - 20), KILLS))
    killed = crawl_killed(site, "pages", site.settings(
        SEENSET_DURABILITY=durability, spider={"pages": PAGES}), places)
    assert killed.kills == KILLS and killed.end is not None
    assert killed.end.stats["finish_reason"] == "finished", killed.end.log
    assert killed.pages == PAGES
    assert killed.most <= 1 + KILLS
    if durability == "each":
        assert killed.again <= killed.in_flight
    with capsys.disabled():
        print(f"\n{durability}: {PAGES} pages, {KILLS} kills, "
              f"{killed.in_flight} in flight at these: {killed.again} fetched "
              f"again, one of them {killed.most} times")


def test_a_folder_in_use(site):
    """A crawl that cannot start does not start, and says why."""
    process = site.start("pages", site.settings(spider={"pages": 10**6}))
    site.wait_for_hits(1, process)
    result = site.crawl("pages")
    process.kill()
    process.wait()
    assert result.notes is None and "is in use" in result.log
    assert result.status == 1


def test_a_filter_alone(site):
    settings = {"SCHEDULER": "scrapy.core.scheduler.Scheduler"}
    result = site.crawl("pages", **settings)
    assert result.status == 0, result.log
    assert len(site.hits) == len(set(site.hits)) == 50
    assert result.stats["dupefilter/filtered"] > 50
    assert site.crawl("pages", **settings).stats["dupefilter/filtered"] == 1
    assert len(site.hits) == 50

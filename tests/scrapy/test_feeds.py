"""Items in a feed: each is in the file before its page is done."""

import json
import logging
import random
import resource

import pytest
from crawls import crawl_killed
from desk import Desk
from scrapy import exporters
from scrapy.settings import Settings
from seenset.scrapy import FileFeedStorage
from seenset.scrapy.feeds import buffered_feeds
from test_crawl import KILLS, PAGES

OURS = "seenset.scrapy.FileFeedStorage"
THEIRS = "scrapy.extensions.feedexport.FileFeedStorage"


def storages(name):
    return {"": name, "file": name}


def feeds(path, format="jsonlines"):
    return {str(path): {"format": format}}


def opened(path, format="jsonlines", **options):
    storage = FileFeedStorage(str(path),
                              feed_options={"format": format, **options})
    return storage.open(None)


@pytest.mark.parametrize("storage", [OURS, THEIRS])
def test_kills(site, storage):
    """Every page has its item; with Scrapy's own storage they are missing."""
    feed = site.folder / "pages.jl"
    places = sorted(random.Random(8).sample(range(20, PAGES - 20), KILLS))
    killed = crawl_killed(site, "items", site.settings(
        FEEDS=feeds(feed), FEED_STORAGES=storages(storage),
        spider={"pages": PAGES}), places)
    assert killed.kills == KILLS and killed.pages == PAGES
    assert killed.end.stats["finish_reason"] == "finished", killed.end.log
    found = {json.loads(line)["page"] for line in feed.open()}
    if storage == OURS:
        assert len(found) == PAGES
        assert "A kill can lose items" not in killed.end.log
    else:
        assert len(found) < PAGES
        assert f"items of the feed {feed}" in killed.end.log


def test_a_feed_that_cannot_be_written(site):
    result = site.crawl("items", FEEDS=feeds("/dev/full"),
                        FEED_STORAGES=storages(OURS))
    assert result.stats["finish_reason"] == "seenset_error", result.log
    assert "The feed /dev/full has failed, so the crawl stops" in result.log
    assert "No space left on device" in result.log
    # Its pages are not done: the next run fetches them.
    feed = site.folder / "pages.jl"
    result = site.crawl("items", FEEDS=feeds(feed),
                        FEED_STORAGES=storages(OURS))
    assert result.status == 0, result.log
    assert len({json.loads(line)["page"] for line in feed.open()}) == 50


@pytest.mark.parametrize("format, kind", [
    ("jsonlines", exporters.JsonLinesItemExporter),
    ("csv", exporters.CsvItemExporter), ("xml", exporters.XmlItemExporter)])
def test_each_item_at_once(tmp_path, format, kind):
    path = tmp_path / "feed"
    file = opened(path, format)
    exporter = kind(file)
    exporter.start_exporting()
    for number in range(50):
        exporter.export_item({"name": f"item{number}"})
        assert f"item{number}" in path.read_text()
    exporter.finish_exporting()


@pytest.mark.parametrize("before, after", [
    (b"", b""), (b'{"a": 1}\n', b'{"a": 1}\n'),
    (b'{"a": 1}\n{"b": ', b'{"a": 1}\n'), (b'{"b', b""),
    (b'{"a": 1}\n{"b": 2}', b'{"a": 1}\n{"b": 2}\n'),
    (b'{"a": 1}\n{"b": "' + b"x" * 200_000, b'{"a": 1}\n'),
    (b'{"a": "' + b"x" * 200_000 + b'"}',
     b'{"a": "' + b"x" * 200_000 + b'"}\n')])
def test_what_a_kill_cut_off(tmp_path, caplog, before, after):
    path = tmp_path / "feed"
    path.write_bytes(before)
    opened(path).close()
    assert path.read_bytes() == after
    assert ("fetched again" in caplog.text) == (len(after) < len(before))


def test_other_formats_and_a_new_file(tmp_path):
    path = tmp_path / "new" / "feed"
    with opened(path, "csv") as file:
        file.write(b"a,")
    opened(path, "csv").close()
    assert path.read_bytes() == b"a,"
    opened(path, "csv", overwrite=True).close()
    assert path.read_bytes() == b""


def test_a_write_that_is_cut(tmp_path, monkeypatch):
    """By a full disk: nothing of it stays, and the crawl is told."""
    told = []
    path = tmp_path / "feed"
    storage = FileFeedStorage(str(path), feed_options={"format": "jsonlines"})
    monkeypatch.setattr(storage, "_fail", told.append)
    file = storage.open(None)
    file.write(b"whole\n")
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (8, limits[1]))
    try:
        with pytest.raises(OSError, match="too large"):
            file.write(b"torn\n")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert path.read_bytes() == b"whole\n" and len(told) == 1


def test_which_feeds_can_lose_items(tmp_path, caplog):
    settings = Settings({
        "FEED_STORAGES": storages(OURS),
        "FEEDS": {"a.jl": {"format": "jl"}, "file:///b.csv": {"format": "csv"},
                  "stdout:": {"format": "jl"},
                  "c.jl.gz": {"format": "jl", "postprocessing": ["x.Gzip"]}}})
    assert buffered_feeds(settings) == ["stdout:", "c.jl.gz"]
    settings.set("FEED_STORAGES", {})
    assert len(buffered_feeds(settings)) == 4
    with caplog.at_level(logging.WARNING):
        Desk(tmp_path / "job", FEEDS=feeds("d.jl")).open().close()
    assert "items of the feed d.jl" in caplog.text

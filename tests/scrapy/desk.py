"""A scheduler without a crawl: Scrapy's settings, stats and requests, and an
engine of a few lines."""

from types import SimpleNamespace

import scrapy
from scrapy.settings import Settings
from scrapy.signalmanager import SignalManager
from scrapy.statscollectors import MemoryStatsCollector
from scrapy.utils.request import RequestFingerprinter
from seenset.scrapy import DupeFilter, Scheduler

MODERN = {"REQUEST_FINGERPRINTER_IMPLEMENTATION": "2.7",
          "DUPEFILTER_CLASS": "seenset.scrapy.DupeFilter"}


class Spider(scrapy.Spider):
    name = "desk"

    def other(self, response):
        pass

    def failed(self, failure):
        pass


class Slot:
    def __init__(self):
        self.inprogress = set()

    def remove_request(self, request):
        self.inprogress.remove(request)


class Desk:
    def __init__(self, folder=None, slot=None, **settings):
        if folder is not None:
            settings["JOBDIR"] = str(folder)
        self.closed_with = None
        self.slot = slot or Slot()
        self.crawler = SimpleNamespace(
            settings=Settings(MODERN | settings), spider=None,
            signals=SignalManager(),
            engine=SimpleNamespace(slot=self.slot, close_spider=self._close))
        self.crawler.stats = MemoryStatsCollector(
            SimpleNamespace(settings=Settings()))
        self.crawler.request_fingerprinter = RequestFingerprinter.from_crawler(
            self.crawler)
        self.spider = Spider()
        self.spider.crawler = self.crawler
        self.scheduler = Scheduler.from_crawler(self.crawler)

    def _close(self, spider, reason):
        self.closed_with = reason

    def open(self):
        self.scheduler.open(self.spider)
        return self

    def push(self, path, **kwargs):
        return self.scheduler.enqueue_request(
            scrapy.Request(f"http://a/{path}", **kwargs))

    def pop(self):
        """As the engine does: it is in progress."""
        request = self.scheduler.next_request()
        if request is not None:
            self.slot.inprogress.add(request)
        return request

    def pop_all(self):
        """The paths, each done before the next."""
        found = []
        while (request := self.pop()) is not None:
            found.append(request.url.removeprefix("http://a/"))
            self.slot.remove_request(request)
        return found

    def close(self):
        self.scheduler.close("finished")
        return dict(self.crawler.stats.get_stats())

    def kill(self):
        """What a killed process leaves: its queue is synced, and no more."""
        self.scheduler._queue.sync()
        self.scheduler._leases.clear()
        self.scheduler._queue.close()
        self.scheduler._queue = None


def lone_filter(folder=None, **settings):
    desk = Desk(folder, **settings)
    filter = DupeFilter.from_crawler(desk.crawler)
    filter.open()
    return filter, desk

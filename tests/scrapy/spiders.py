"""Spiders of the tests, and a program that runs one:

    python spiders.py SPIDER SITE RESULT SETTINGS

SETTINGS is JSON. RESULT becomes JSON: the spider's notes, the stats, and the
seconds that the crawl kept its processor busy. The exit status is 1 if the
crawl did not start.
"""

import json
import os
import resource
import signal
import sys
import time

import scrapy
from scrapy.crawler import CrawlerProcess
from seenset.scrapy import Scheduler


class Base(scrapy.Spider):
    """What the newer Scrapy calls start() is start_requests() in 2.8."""

    site = ""
    args = {}

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.notes = []

    async def start(self):
        for request in self.start_requests():
            yield request

    def first(self):
        yield self.ask("/page/0?of=%d" % self.args.get("pages", 50),
                       dont_filter=self.args.get("dont_filter", False))

    def start_requests(self):
        yield from self.first()

    def ask(self, path, **kwargs):
        return scrapy.Request(self.site + path, **kwargs)

    def parse(self, response):
        self.notes.append(response.url[len(self.site):])
        for link in response.css("a::attr(href)").getall():
            yield response.follow(link)

    def failed(self, failure):
        self.notes.append("failed " + failure.request.url[len(self.site):])


class Pages(Base):
    name = "pages"


class Items(Base):
    """An item of each page."""

    name = "items"

    def parse(self, response):
        yield {"page": response.url[len(self.site):]}
        yield from super().parse(response)


class Kinds(Base):
    """Redirects, retries, errors, items, requests that pass the filter."""

    name = "kinds"

    def first(self):
        for path in ("/moved/1", "/moved/2", "/flaky/1", "/a", "/a"):
            yield self.ask(path)
        yield self.ask("/again", dont_filter=True)
        yield self.ask("/again", dont_filter=True)
        yield self.ask("/missing", errback=self.failed)
        yield self.ask("/broken", errback=self.failed)
        yield self.ask("/post", method="POST", body=b"x" * 100,
                       callback=self.with_arguments,
                       cb_kwargs={"number": 7}, meta={"own": [1, 2]},
                       headers={"X-Own": "yes"})

    def with_arguments(self, response, number):
        sent = response.request
        self.notes.append(["arguments", number, response.meta["own"],
                           sent.method, len(sent.body),
                           sent.headers["X-Own"].decode()])
        yield {"item": number}


class Order(Base):
    """Children in an order of priorities and depths."""

    name = "order"

    def first(self):
        yield self.ask("/root", callback=self.root)

    def root(self, response):
        for number, priority in enumerate(self.args["priorities"]):
            yield self.ask(f"/child/{number}", priority=priority)


class Odd(Base):
    """Requests that do not fit into an item, or cannot be pickled."""

    name = "odd"

    def first(self):
        yield self.ask("/root", callback=self.root, dont_filter=True)

    def root(self, response):
        self.notes.append("root")
        yield self.ask("/large", method="POST", body=b"z" * (1 << 20))
        yield self.ask("/lambda", callback=lambda response:
                       self.notes.append("lambda"))
        yield self.ask("/lock", meta={"stderr": sys.stderr})
        yield self.ask("/plain")


class Hosts(Base):
    """Many pages of one host, then a few of each of many others."""

    name = "hosts"

    def first(self):
        yield self.ask("/root", callback=self.root)

    def root(self, response):
        for page in range(self.args["pages"]):
            yield self.ask(f"/big/{page}")
        for host in range(2, self.args["hosts"] + 2):
            site = self.site.replace("127.0.0.1", f"127.0.0.{host}")
            for page in range(self.args["each"]):
                yield scrapy.Request(f"{site}/small/{host}/{page}")

    def parse(self, response):
        pass


class Renamed(Base):
    name = "renamed"

    def first(self):
        yield self.ask("/old", callback=self.old)
        yield self.ask("/new", callback=self.parse)

    def old(self, response):
        self.notes.append("old")


class Stop(Base):
    """Stops in the middle, with a reason of its own."""

    name = "stop"

    def parse(self, response):
        yield from super().parse(response)
        if len(self.notes) >= self.args["after"]:
            raise scrapy.exceptions.CloseSpider("enough")


class Eats(Base):
    """Needs more memory than it is allowed to, after some pages."""

    name = "eats"

    def parse(self, response):
        yield from super().parse(response)
        if len(self.notes) == self.args["after"]:
            self.eaten = b"x" * (300 << 20)


class Dies(Base):
    """Is killed in the middle of one of its pages, which args["die"] names."""

    name = "dies"
    custom_settings = {
        "ITEM_PIPELINES": {"spiders.Pipeline": 1},
        # Nearer to the site than what redirects and retries.
        "DOWNLOADER_MIDDLEWARES": {"spiders.Middleware": 999}}

    def die(self, where):
        if self.args.get("die") == where:
            os.kill(os.getpid(), signal.SIGKILL)

    def first(self):
        yield self.ask("/root", callback=self.root)

    def root(self, response):
        """Only one page, so that no other is in progress."""
        kinds = {"/callback": {"callback": self.half},
                 "/pipeline": {"callback": self.scrape},
                 "/missing": {"errback": self.failed}}
        page = self.args["page"]
        yield self.ask(page, **kinds.get(page, {}))

    def half(self, response):
        yield self.ask("/child/1")
        self.die("callback")
        yield self.ask("/child/2")

    def scrape(self, response):
        self.notes.append("/pipeline")
        yield {"url": response.url}

    def failed(self, failure):
        self.die("errback")
        super().failed(failure)


class Pipeline:
    def __init__(self, crawler):
        self.crawler = crawler

    @classmethod
    def from_crawler(cls, crawler):
        return cls(crawler)

    def process_item(self, item, spider=None):
        """Takes a while, in which the engine does other things."""
        from twisted.internet import reactor, task
        return task.deferLater(reactor, 0.1, self.process, item)

    def process(self, item):
        self.crawler.spider.die("pipeline")
        return item


class Middleware(Pipeline):
    def process_response(self, request, response, spider=None):
        self.crawler.spider.die({302: "redirect", 503: "retry"}.get(
            response.status, ""))
        return response


class AcksEarly(Scheduler):
    """The planted fault: a request is done when it is handed out."""

    def next_request(self):
        request = super().next_request()
        if request is not None:
            self._done(request)
        return request


def run(kind, site, result, settings):
    arguments = settings.pop("spider", {})
    limit = arguments.pop("file_bytes", None)
    if limit is not None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
    process = CrawlerProcess({
        "REQUEST_FINGERPRINTER_IMPLEMENTATION": "2.7",
        "TELNETCONSOLE_ENABLED": False, "LOG_LEVEL": "INFO",
        "RETRY_TIMES": 3, "ROBOTSTXT_OBEY": False} | settings)
    crawler = process.create_crawler(kind)
    process.crawl(crawler, site=site, args=arguments)
    before = time.process_time()
    process.start()
    own_seconds = time.process_time() - before
    if crawler.spider is None or "finish_reason" not in \
            crawler.stats.get_stats():
        return 1
    with open(result, "w") as file:
        json.dump({"notes": crawler.spider.notes,
                   "stats": crawler.stats.get_stats(),
                   "own_seconds": own_seconds}, file, default=str)
    return 0


if __name__ == "__main__":
    KINDS = {kind.name: kind for kind in Base.__subclasses__()}
    sys.exit(run(KINDS[sys.argv[1]], sys.argv[2], sys.argv[3],
                 json.loads(sys.argv[4])))

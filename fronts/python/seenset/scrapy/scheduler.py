"""SCHEDULER = "seenset.scrapy.Scheduler"

A request is in the queue from the moment it is enqueued until the engine is
done with it. "Seen" and "enqueued" are one step, so nothing is ever marked as
seen and then lost. A process that is killed leaves what it was fetching in the
queue, and the next one fetches that again.

The queue is in a folder, or with SEENSET_REDIS in Redis or Valkey, where many
processes share it (places.py).
"""

import logging
from bisect import bisect_right
from typing import Any, Self

import seenset
from scrapy import signals  # type: ignore[import]
from scrapy.dupefilters import RFPDupeFilter  # type: ignore[import]
from scrapy.http import Request  # type: ignore[import]
from scrapy.utils.misc import load_object  # type: ignore[import]

from . import codec, engine
from .codec import Codec
from .dupefilter import DupeFilter
from .feeds import buffered_feeds
from .folder import explain, refuse_other_crawl
from .options import Options
from .places import InFolder, InRedis
from .shared import SharedQueue
from .turns import Turns

logger = logging.getLogger(__name__)

# The key of every request that is to pass the filter: it has none of its own,
# as the request is not to be remembered.
PAST_FILTER = "dont_filter"


class Scheduler:
    def __init__(self, crawler: Any) -> None:
        self.crawler = crawler
        self.stats = crawler.stats
        self.options = Options.of(crawler.settings)
        self.df = _make_filter(crawler)
        self._leases: dict[Any, seenset.Item] = {}
        self._queue: seenset.Queue | SharedQueue | None = None
        self._pending = 0
        self._is_stopped = False
        self._is_parked_said = self._is_large_said = False

    @classmethod
    def from_crawler(cls, crawler: Any) -> Self:
        return cls(crawler)

    # ---- its life ----

    def open(self, spider: Any) -> Any:
        self.spider = spider
        refuse_other_crawl(self.options)
        place = self._open_place()
        try:
            self._said = place.claim(spider.name)
            engine.watch(self.crawler, self._done)
            self._codec = Codec(spider, place.large)
            self._inflight = place.open_inflight()
            if isinstance(self.df, DupeFilter):
                self.df.share(place.queue, place.url_of)
            opened = self.df.open()
        except BaseException:
            place.queue.close()
            raise
        self._place, self._queue = place, place.queue
        self._say_what_is_there(place.queue)
        place.start(self.crawler, self._stop)
        return opened

    def _open_place(self) -> InFolder | InRedis:
        if self.options.redis:
            return InRedis(self.options, self._was_seen)
        return InFolder(self.options, Turns.of(
            self.options, self.crawler.settings, self.spider))

    def _say_what_is_there(self, queue: seenset.Queue | SharedQueue) -> None:
        counts = queue.counts()
        self._pending = counts.pending
        said = {"spider": self.spider}
        for sentence in (*self.options.not_read, *self._said):
            logger.warning("%s", sentence, extra=said)
        if self.options.place is None:
            logger.warning("The queue is in memory, and ends with this process:"
                           " set JOBDIR to keep it.", extra=said)
        else:
            for feed in buffered_feeds(self.crawler.settings):
                logger.warning("A kill can lose items of the feed %s, whose "
                               "pages are done but which are not written yet: "
                               "set FEED_STORAGES as docs/scrapy.md does.",
                               feed, extra=said)
        if not counts.pending:
            self._codec.large.sweep(())
        elif counts.pushed:
            logger.info("Resuming crawl (%d requests scheduled)",
                        counts.pending, extra=said)
        if self._inflight.before:
            logger.info("The last process ended without closing its queue: %d "
                        "requests that it was fetching are fetched again",
                        len(self._inflight.before), extra=said)

    def close(self, reason: str) -> Any:
        queue, self._queue = self._queue, None
        if queue is None:  # open has failed
            return None
        self._place.stop()
        self._give_back(queue)
        closed = self.df.close(reason)
        try:
            queue.close()
        except (seenset.SeensetError, OSError) as error:
            self._report("The queue", explain(error, self.options.place))
        self._inflight.close()
        return closed

    def _give_back(self, queue: seenset.Queue | SharedQueue) -> None:
        """What is still being fetched."""
        try:
            for item in self._leases.values():
                queue.nack(item)
                self._inflight.end(item.number)
            self._set_stats(queue)
        except (seenset.SeensetError, OSError) as error:
            self._report("The queue", explain(error, self.options.place))
        self._leases.clear()

    def _set_stats(self, queue: seenset.Queue | SharedQueue) -> None:
        figures = queue.stats()
        self.stats.set_value("seenset/expected_wrongly_dropped",
                             figures.wrong_items)
        self.stats.set_value("seenset/leases", len(self._leases))
        self.stats.set_value("seenset/pending", figures.pending)

    # ---- in ----

    def enqueue_request(self, request: Any) -> bool:
        """False: it was seen before, or the crawl is being stopped."""
        key = self._key_of(request)
        if key is None or self._queue is None or self._is_stopped:
            return False
        data = self._codec.pack(request)
        try:
            is_new = self._queue.push(
                self._place.url_of(request, key), data,
                priority=level_of(request, self.options),
                again=key == PAST_FILTER)
        except (seenset.SeensetError, OSError) as error:
            self._stop(error)
            is_new = False
        else:
            if not is_new:
                self.df.log(request, self.spider)
        if not is_new:
            self._codec.drop(data)
            return False
        self._pending += 1
        self._count_in(request, data)
        return True

    def _was_seen(self, data: bytes) -> None:
        """A push to Redis that is answered later. Now the engine's signal."""
        self._pending -= 1
        self.stats.inc_value("scheduler/enqueued", -1)
        request = self._codec.unpack(data)
        self.df.log(request, self.spider)
        self._codec.drop(data)
        self.crawler.signals.send_catch_log(
            signals.request_dropped, request=request, spider=self.spider)

    def _key_of(self, request: Any) -> str | None:
        """None: a filter of the user's own has seen it."""
        if request.dont_filter:
            return PAST_FILTER
        if isinstance(self.df, DupeFilter):
            return self.df.key_of(request)
        if self.df.request_seen(request):
            self.df.log(request, self.spider)
            return None
        return PAST_FILTER

    def _count_in(self, request: Any, data: bytes) -> None:
        self.stats.inc_value("scheduler/enqueued")
        if data[:1] == b"p":
            return
        said = {"spider": self.spider}
        if data[:1] == b"f":
            self.stats.inc_value("seenset/large")
            if not self._is_large_said:
                logger.info("Too long for the queue, so it is in a file of its "
                            "own: %s - others are counted only", request,
                            extra=said)
            self._is_large_said = True
        else:
            self.stats.inc_value("scheduler/unserializable")
            if not self._is_parked_said:
                logger.warning(
                    "Kept in memory only, as it cannot be pickled (is its "
                    "callback a method of the spider?): %s - others are "
                    "counted only", request, extra=said)
            self._is_parked_said = True

    # ---- out ----

    def has_pending_requests(self) -> bool:
        if self._queue is None or self._is_stopped:
            return False
        try:
            return self._place.has_more(self._pending)
        except OSError as error:
            self._stop(error)
            return False

    def __len__(self) -> int:
        """Where it is shared, about."""
        return max(self._pending, 0)

    def next_request(self) -> Any:
        while self._queue is not None and not self._is_stopped:
            try:
                item = self._queue.pop()
            except (seenset.SeensetError, OSError) as error:
                self._stop(error)
                return None
            if item is None:
                self._pending = self._place.left(
                    self._pending, bool(self._leases))
                return None
            self._pending -= 1
            request = self._revive(item)
            if request is not None:
                self._count_out(request, item)
                return request
        return None

    def _revive(self, item: seenset.Item) -> Any:
        """None: the request is lost, or cannot be made of what was kept."""
        said = {"spider": self.spider}
        try:
            if not item.data:
                return self._adopt(item)
            return self._codec.unpack(item.data)
        except codec.Gone as gone:
            assert self._queue is not None
            if item.url.rpartition("/")[2] != PAST_FILTER:
                self._place.forget(item)
            self._queue.ack(item)
            self.stats.inc_value("seenset/lost_unserializable")
            logger.warning("Lost with the process that had it in memory: %s",
                           gone, extra=said)
        except codec.Unreadable as error:
            self._place.leave(item)
            self.stats.inc_value("seenset/unreadable")
            logger.error("A request cannot be read, and stays in the queue "
                         "(was a callback renamed?): %s", error, extra=said)
        return None

    def _adopt(self, item: seenset.Item) -> None:
        """A URL that the command pushed: it becomes a request, which may have
        been seen. Its push is sent before the ack."""
        try:
            request = Request(item.url)
        except ValueError as error:
            raise codec.Unreadable(str(error)) from error
        self.enqueue_request(request)
        if self._queue is None or self._is_stopped:
            return
        try:
            self._queue.ack(item)
        except OSError as error:
            self._stop(error)

    def _count_out(self, request: Any, item: seenset.Item) -> None:
        self._leases[request] = item
        self.stats.inc_value("scheduler/dequeued")
        if self._inflight.begin(item.number) or item.deliveries > 1:
            self.stats.inc_value("seenset/redelivered")

    def _done(self, request: Any) -> None:
        """The engine is done with it."""
        item = self._leases.get(request)
        if item is None or self._queue is None or self._is_stopped:
            return
        try:
            self._queue.ack(item)
            if item.data[:1] == b"f":
                self._queue.sync()  # the file goes after the item
        except (seenset.SeensetError, OSError) as error:
            self._stop(error)
            return
        del self._leases[request]
        self._inflight.end(item.number)
        self._codec.drop(item.data)

    # ---- when the disk fails ----

    def _stop(self, error: Exception) -> None:
        self.fail("The queue", explain(error, self.options.place))

    def fail(self, what: str, why: str) -> None:
        """Nothing is acked from now on: what was lost is fetched again."""
        if not self._is_stopped:
            self._place.stop()
            self._report(what, why)
            self.crawler.engine.close_spider(self.spider,
                                             reason="seenset_error")

    def _report(self, what: str, why: str) -> None:
        """Once: what fails after it has the same cause."""
        if self._is_stopped:
            return
        self._is_stopped = True
        logger.critical(
            "%s has failed, so the crawl stops; nothing that was enqueued "
            "before is lost. When the cause is gone, start it again. %s",
            what, why, extra={"spider": self.spider})


def level_of(request: Any, options: Options) -> int:
    """The queue's priority, 0 to 9."""
    if options.order == "depth":
        return min(int(request.meta.get("depth", 0)), 9)
    return bisect_right(options.levels, request.priority)


def _make_filter(crawler: Any) -> Any:
    """The DUPEFILTER_CLASS; in place of Scrapy's default, the queue's set."""
    kind = load_object(crawler.settings["DUPEFILTER_CLASS"])
    if kind is RFPDupeFilter:
        return DupeFilter(crawler)
    if hasattr(kind, "from_crawler"):
        return kind.from_crawler(crawler)
    if hasattr(kind, "from_settings"):
        return kind.from_settings(crawler.settings)
    return kind()

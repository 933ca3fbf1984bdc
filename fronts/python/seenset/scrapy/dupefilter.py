"""DUPEFILTER_CLASS = "seenset.scrapy.DupeFilter"

With seenset's Scheduler it asks the queue's set. Alone it has a set of its own,
in the JOBDIR if there is one: a few bytes for each request, where Scrapy's own
filter takes some 150 and reads them all at start.
"""

import logging
from collections.abc import Callable
from typing import Any, Self

import seenset
from scrapy.utils.request import referer_str  # type: ignore[import]

from .folder import open_queue
from .options import Options, StartError
from .shared import SharedQueue

# Scrapy's own name, which log filters know.
logger = logging.getLogger("scrapy.dupefilters")


class DupeFilter:
    def __init__(self, crawler: Any) -> None:
        self._crawler = crawler
        self._options = Options.of(crawler.settings)
        self.debug: bool = crawler.settings.getbool("DUPEFILTER_DEBUG")
        self._is_logged = False
        self._queue: seenset.Queue | SharedQueue | None = None
        self._is_shared = False
        self._url_of: Callable[[Any, str], str] = lambda _, key: key

    @classmethod
    def from_crawler(cls, crawler: Any) -> Self:
        return cls(crawler)

    def share(self, queue: seenset.Queue | SharedQueue,
              url_of: Callable[[Any, str], str]) -> None:
        """What the Scheduler calls, before open."""
        self._queue, self._url_of = queue, url_of
        self._is_shared = True

    def key_of(self, request: Any) -> str:
        """As a line of Scrapy's own requests.seen."""
        key: bytes = self._crawler.request_fingerprinter.fingerprint(request)
        return key.hex()

    def open(self) -> None:
        if self._queue is None and self._options.redis:
            raise StartError("SEENSET_REDIS needs SCHEDULER = "
                             "'seenset.scrapy.Scheduler', too: the filter "
                             "alone has its set in a folder")
        if self._queue is None:
            self._queue = open_queue(self._options, "seen")

    def request_seen(self, request: Any) -> bool:
        assert isinstance(self._queue, seenset.Queue), "it is not open"
        url = self._url_of(request, self.key_of(request))
        answers = self._queue.push_many([url], seen_only=True)
        return answers[0] == seenset.Answer.SEEN

    def close(self, reason: str) -> None:
        queue, self._queue = self._queue, None
        if not isinstance(queue, seenset.Queue) or self._is_shared:
            return
        self._crawler.stats.set_value("seenset/expected_wrongly_dropped",
                                      queue.stats().wrong_items)
        queue.close()

    def log(self, request: Any, spider: Any) -> None:
        """As Scrapy's own: the first one, or all with DUPEFILTER_DEBUG."""
        if self.debug or not self._is_logged:
            more = (f" (referer: {referer_str(request)})" if self.debug else
                    " - no more duplicates will be shown"
                    " (see DUPEFILTER_DEBUG to show all duplicates)")
            logger.debug("Filtered duplicate request: %(request)s%(more)s",
                         {"request": request, "more": more},
                         extra={"spider": spider})
            self._is_logged = True
        self._crawler.stats.inc_value("dupefilter/filtered")

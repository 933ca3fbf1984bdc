"""Where a crawl is kept, and what the Scheduler has to do differently there.

    InFolder    in a folder, or in memory: this process is the only one
    InRedis     in Redis or Valkey: other processes work on it, too

Both have the same methods. `queue` is what is pushed into and popped from, and
`large` has the requests that are too long for it.
"""

from collections.abc import Callable
from typing import Any

import seenset
from twisted.internet.task import LoopingCall

from . import engine, turns
from .folder import FOR_EVER, open_queue, refuse_other_spider
from .inflight import InFlight
from .large import LargeFiles
from .options import Options
from .partitions import key_of
from .shared import LargeKeys, open_shared
from .turns import Turns

_TICK_SECONDS = 0.1  # unless SEENSET_INTERVAL says otherwise
_WAKE_SECONDS = 1.0
_UNREADABLE_SECONDS = 3600.0
_NEVER_SECONDS = FOR_EVER / 2  # what is due later waits for another process


class InFolder:
    def __init__(self, options: Options, rules: Turns | None) -> None:
        self._folder = options.folder
        self.queue = open_queue(options, "queue", rules)
        self._is_polite = turns.is_polite(self.queue)
        self._rules = rules
        self.large = LargeFiles(self._folder and self._folder / "large")
        self._crawler: Any = None
        self._wake: Any = None  # the call that is due when a host may be asked

    def claim(self, spider: str) -> list[str]:
        """No other spider's. Returns what is to be said of it."""
        refuse_other_spider(self._folder, spider)
        return turns.apply(self._rules, self.queue)

    def open_inflight(self) -> InFlight:
        return InFlight(self._folder and self._folder / "inflight")

    def start(self, crawler: Any, failed: Callable[[Exception], None]) -> None:
        """Nothing changes in it without this process, but the time."""
        self._crawler = crawler

    def stop(self) -> None:
        self._crawler = None
        if self._wake is not None and self._wake.active():
            self._wake.cancel()

    def url_of(self, request: Any, key: str) -> str:
        """What a request is pushed as."""
        return turns.key_of(request.url, key) if self._is_polite else key

    def left(self, pending: int, is_fetching: bool) -> int:
        """How many there are when nothing was handed out. The engine asks
        again when a page is done, or when a host's delay is over."""
        if not self._is_polite or pending <= 0:
            return 0
        seconds = self.queue.stats().seconds_to_next
        if seconds < _NEVER_SECONDS:
            self._ask_again(seconds)
            return pending
        return pending if is_fetching else 0

    def _ask_again(self, seconds: float) -> None:
        from twisted.internet import reactor
        if self._crawler is None:
            return
        if self._wake is not None and self._wake.active():
            self._wake.cancel()
        self._wake = reactor.callLater(  # type: ignore[attr-defined]
            max(seconds, 0.001), engine.wake, self._crawler)

    def has_more(self, pending: int) -> bool:
        return pending > 0

    def forget(self, item: seenset.Item) -> None:
        """Where a page links to it, it is found again."""
        self.queue.forget(item.url)

    def leave(self, item: seenset.Item) -> None:
        """What cannot be read stays under its lease, or where its host would
        have a place less, is given back for ever: the next process tries
        again."""
        if self._is_polite:
            self.queue.nack(item, FOR_EVER, untried=True)


class InRedis:
    def __init__(self, options: Options,
                 on_seen: Callable[[bytes], None]) -> None:
        assert options.redis is not None
        self.queue = open_shared(options, on_seen)
        self.large = LargeKeys(self.queue, options.redis.name)
        self._interval = options.interval or _TICK_SECONDS
        self._ticks: LoopingCall | None = None
        self._count = 0

    def claim(self, spider: str) -> list[str]:
        """Many processes have it, each with a spider of that name or not."""
        return []

    def open_inflight(self) -> InFlight:
        """Of this process: it does not outlive it."""
        return InFlight(None)

    def start(self, crawler: Any, failed: Callable[[Exception], None]) -> None:
        """What waits is sent in time, leases are extended, and the engine asks
        for what others pushed."""
        self._ticks = LoopingCall(self._tick, crawler, failed)
        self._ticks.start(self._interval, now=False)

    def _tick(self, crawler: Any, failed: Callable[[Exception], None]) -> None:
        try:
            self.queue.tick()
        except OSError as error:
            failed(error)
            return
        self._count += 1
        if self._count % max(1, round(_WAKE_SECONDS / self._interval)) == 0:
            engine.wake(crawler)

    def stop(self) -> None:
        ticks, self._ticks = self._ticks, None
        if ticks is not None:
            ticks.stop()

    def url_of(self, request: Any, key: str) -> str:
        return key_of(request.url, key)

    def left(self, pending: int, is_fetching: bool) -> int:
        return 0

    def has_more(self, pending: int) -> bool:
        """Anybody's: its links may come back to this process."""
        return not self.queue.is_over()

    def forget(self, item: seenset.Item) -> None:
        """What is in a process's memory only, nobody else is handed."""

    def leave(self, item: seenset.Item) -> None:
        """It is tried again later, and not waited for."""
        self.queue.nack(item, _UNREADABLE_SECONDS)

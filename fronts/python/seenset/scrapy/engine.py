"""When the engine is done with a request.

It is done when the engine drops it from the requests in progress: its response
was downloaded, the callback is exhausted, its items are through the pipelines,
and a retry or redirect of it is enqueued. Scrapy has no signal for that moment,
so the engine's slot is asked to report it. The names are private ones of
Scrapy, and are checked when a crawl starts.
"""

from collections.abc import Callable
from typing import Any

from .options import StartError


def watch(crawler: Any, done: Callable[[Any], None]) -> None:
    """Calls done(request) whenever the engine drops a request."""
    slot = _slot_of(crawler)
    remove = slot.remove_request

    def remove_request(request: Any) -> None:
        # First: the last request that is dropped closes the scheduler.
        done(request)
        remove(request)

    slot.remove_request = remove_request


def wake(crawler: Any) -> None:
    """The engine asks for a request now. Without it an idle one does so every
    five seconds."""
    schedule = getattr(getattr(_slot_of(crawler), "nextcall", None),
                       "schedule", None)
    if schedule is not None:
        schedule()


def fail(crawler: Any, what: str, why: str) -> None:
    """Stops the crawl if the scheduler is ours: nothing is acked any more."""
    slot = _find_slot(crawler)
    stop = getattr(getattr(slot, "scheduler", None), "fail", None)
    if stop is not None:
        stop(what, why)


def _find_slot(crawler: Any) -> Any:
    """`slot` up to Scrapy 2.13, `_slot` in later ones."""
    engine = crawler.engine
    return getattr(engine, "_slot", None) or getattr(engine, "slot", None)


def _slot_of(crawler: Any) -> Any:
    if crawler.engine is None:
        raise StartError(
            "this crawler has no engine, which tells seenset when a request is "
            "done: start the crawl by Crawler.crawl() or a CrawlerProcess. "
            "Where a test makes an ExecutionEngine itself, set crawler.engine "
            "to it before open_spider()")
    slot = _find_slot(crawler)
    if slot is None or not callable(getattr(slot, "remove_request", None)) or \
            not isinstance(getattr(slot, "inprogress", None), set):
        import scrapy  # type: ignore[import]
        raise StartError(
            f"Scrapy {scrapy.__version__} has changed inside: seenset cannot "
            "find out when a request is done (ExecutionEngine._slot."
            "remove_request). Please use a Scrapy that docs/scrapy.md names, "
            "or a newer seenset.")
    return slot

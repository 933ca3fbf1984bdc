"""Turns of hosts in the queue of a folder.

Scrapy's downloader waits for each host by itself: DOWNLOAD_DELAY between two
requests, CONCURRENT_REQUESTS_PER_DOMAIN at once. But it does so with requests
that it was handed already, and CONCURRENT_REQUESTS are all that it takes. A
hundred requests of one host in a row fill it, and all others wait for that
host. So the queue hands out no more of a host than the downloader can begin:

    downloader                                queue
    CONCURRENT_REQUESTS_PER_DOMAIN            leases of a host at a time
    DOWNLOAD_DELAY, from start to start       delay from hand-out to hand-out
    DOWNLOAD_SLOTS {host: {"delay": ...}}     delay of that host

Hosts whose time has come take turns. The queue finds the host in the key that
a request is pushed as, scrapy://HOST/FINGERPRINT. That is one key for each
fingerprint as long as requests with the same one have the same host, as
Scrapy's own have. Of a REQUEST_FINGERPRINTER_CLASS of the user's nobody knows
that, so there hosts take turns only if SEENSET_TURNS asks for it.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

import seenset

from .options import Options, StartError

MOST_DELAY = 366 * 86400.0
_MOST_PER_HOST = 65535


@dataclass(frozen=True)
class Turns:
    delay: float
    per_host: int
    delays: dict[str, float] = field(default_factory=dict)  # of hosts

    @classmethod
    def of(cls, options: Options, settings: Any,
           spider: Any) -> "Turns | None":
        """What a new folder is to have; None: hosts take no turns."""
        is_own = settings.getpriority("REQUEST_FINGERPRINTER_CLASS") or 0
        wanted = options.turns if options.turns is not None else not is_own
        if not wanted:
            return None
        slots = dict(_slots(settings))
        delay = _delay(getattr(spider, "download_delay",
                               settings.get("DOWNLOAD_DELAY")),
                       "DOWNLOAD_DELAY")
        delays = {host: _delay(slot["delay"], f"DOWNLOAD_SLOTS of {host}")
                  for host, slot in slots.items() if "delay" in slot}
        return cls(delay, options.per_host or _per_host(
            settings, spider, slots.values()), delays)


def _slots(settings: Any) -> Iterator[tuple[str, dict[str, Any]]]:
    for name, slot in settings.getdict("DOWNLOAD_SLOTS").items():
        if isinstance(name, str) and isinstance(slot, dict):
            yield name, slot


def _delay(given: Any, what: str) -> float:
    try:
        delay = float(given or 0)
    except (TypeError, ValueError):
        delay = -1.0
    if not 0 <= delay <= MOST_DELAY:
        raise StartError(f"{what} is a number of seconds from 0 to "
                         f"{MOST_DELAY:.0f}, not {given!r}")
    return math.ceil(round(delay * 1000, 6)) / 1000  # as the queue keeps it


def _per_host(settings: Any, spider: Any, slots: Any) -> int:
    """As many as the downloader may have under way of some host."""
    counts = [getattr(spider, "max_concurrent_requests", None) or
              settings.getint("CONCURRENT_REQUESTS_PER_IP") or
              settings.getint("CONCURRENT_REQUESTS_PER_DOMAIN")]
    counts += [slot.get("concurrency") or 1 for slot in slots]
    return min(max(1, *map(int, counts)), _MOST_PER_HOST)


def key_of(url: str, key: str) -> str:
    """What a request is pushed as: the queue finds its host there."""
    try:
        host = urlsplit(url).hostname or ""
    except ValueError:
        host = ""
    return f"scrapy://[{host}]/{key}" if ":" in host else \
        f"scrapy://{host}/{key}"


def is_polite(queue: seenset.Queue) -> bool:
    return queue.stats().host_leases > 0


def apply(turns: Turns | None, queue: seenset.Queue) -> list[str]:
    """Gives hosts the delays of their own. Returns what is to be said of a
    folder that was made otherwise."""
    made = queue.stats()
    if turns is None:
        return []
    if made.host_leases == 0:
        return ["This folder was made without turns of hosts, and goes on so: "
                "many requests of one host in a row make the others wait. A "
                "crawl with a new JOBDIR has them."]
    for host, delay in turns.delays.items():
        if queue.get_host(host).delay_seconds != delay:
            queue.set_host(host, delay=delay)
    if (made.host_delay_seconds, made.host_leases) == (
            turns.delay, turns.per_host):
        return []
    return [f"This folder was made with a delay of {made.host_delay_seconds:g} "
            f"seconds and {made.host_leases} requests of a host at a time. Its "
            "queue goes on so; the downloader keeps to the settings of now. A "
            f"crawl with a new JOBDIR has {turns.delay:g} seconds and "
            f"{turns.per_host}."]

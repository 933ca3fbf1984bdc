"""The settings, read and checked before a crawl starts."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .address import Address, read_address

# Each of the ten levels but the lowest, by the priority that it begins at.
# Scrapy's 0 is level 4, a retry's -1 level 3, a redirect's 2 level 6.
LEVELS = (-100, -10, -1, 0, 1, 2, 10, 100, 1000)
ORDERS = ("breadth", "depth")
DURABILITIES = ("each", "interval", "none")
# What a crawl in Redis does not have.
FOLDER_ONLY = ("SEENSET_EXACT", "SEENSET_WINDOW", "SEENSET_SECRET",
               "SEENSET_LEVELS", "SEENSET_TURNS", "SEENSET_PER_HOST")
LEASE_SECONDS = 60.0
# What Scrapy's own scheduler reads and this one does not, and what holds here.
_ORDER = ("hosts take turns, and the oldest request of the highest of ten "
          "levels comes first")
_QUEUE = "all requests are in one queue"
_NOT_READ = {
    "SCHEDULER_PRIORITY_QUEUE": _ORDER,
    "SCHEDULER_DISK_QUEUE": _QUEUE,
    "SCHEDULER_MEMORY_QUEUE": _QUEUE,
    "SCHEDULER_START_DISK_QUEUE": _QUEUE,
    "SCHEDULER_START_MEMORY_QUEUE": _QUEUE,
    "SCHEDULER_DEBUG": "the first request that cannot be pickled is logged, "
                       "the others are counted"}


class StartError(RuntimeError):
    """A crawl cannot start. The message has what to do."""


@dataclass(frozen=True)
class Options:
    folder: Path | None  # None: in memory
    jobdir: Path | None
    capacity: float | None
    fp_rate: float | None
    exact: bool
    window: float | None
    secret: bytes | None
    durability: str
    interval: float | None
    order: str
    levels: tuple[int, ...]
    verify: bool  # every byte, before a crawl starts
    redis: Address | None = None  # many processes share the crawl
    lease: float = LEASE_SECONDS  # there
    turns: bool | None = None  # of hosts, in a new folder; None: if they can
    per_host: int | None = None  # None: as many as the downloader takes
    not_read: tuple[str, ...] = ()  # a sentence for each setting that is not

    @property
    def place(self) -> Path | Address | None:
        """Where the queue is, for messages."""
        return self.redis or self.folder

    @classmethod
    def of(cls, settings: Any) -> "Options":
        jobdir = settings.get("JOBDIR")
        folder = settings.get("SEENSET_DIR")
        if not folder and jobdir:
            folder = Path(jobdir, "seenset")
        return cls(
            folder=Path(folder) if folder else None,
            jobdir=Path(jobdir) if jobdir else None,
            capacity=_number(settings, "SEENSET_CAPACITY"),
            fp_rate=_number(settings, "SEENSET_FP_RATE"),
            exact=settings.getbool("SEENSET_EXACT"),
            window=_number(settings, "SEENSET_WINDOW"),
            secret=_secret(settings),
            durability=_word(settings, "SEENSET_DURABILITY", DURABILITIES,
                             "interval"),
            interval=_number(settings, "SEENSET_INTERVAL"),
            order=_word(settings, "SEENSET_ORDER", ORDERS, "breadth"),
            levels=_levels(settings),
            verify=settings.getbool("SEENSET_VERIFY", True),
            redis=_redis(settings),
            lease=_number(settings, "SEENSET_LEASE") or LEASE_SECONDS,
            turns=_is_on(settings, "SEENSET_TURNS"),
            per_host=_per_host(settings),
            not_read=tuple(_given_for_nothing(settings)))


def _given_for_nothing(settings: Any) -> Iterator[str]:
    """A sentence for each. What Scrapy itself has as default does not count."""
    for name, instead in _NOT_READ.items():
        if settings.getpriority(name):
            yield f"{name} has no effect with seenset.scrapy: {instead}"


def _number(settings: Any, name: str) -> float | None:
    """A number over 0, or None where the setting is not given."""
    given = settings.get(name)
    if given is None:
        return None
    try:
        number = float(given)
    except (TypeError, ValueError):
        number = 0.0
    if not number > 0:
        raise StartError(f"{name} is a number over 0, not {given!r}")
    return number


def _is_on(settings: Any, name: str) -> bool | None:
    if settings.get(name) is None:
        return None
    try:
        return bool(settings.getbool(name))
    except ValueError:
        raise StartError(f"{name} is True or False, not "
                         f"{settings.get(name)!r}") from None


def _per_host(settings: Any) -> int | None:
    number = _number(settings, "SEENSET_PER_HOST")
    if number is None:
        return None
    if number != int(number) or not 1 <= number <= 65535:
        raise StartError("SEENSET_PER_HOST is 1 to 65535, not "
                         f"{settings.get('SEENSET_PER_HOST')!r}")
    return int(number)


def _word(settings: Any, name: str, words: tuple[str, ...],
          default: str) -> str:
    given = settings.get(name, default)
    if given not in words:
        raise StartError(f"{name} is one of {', '.join(words)}, not {given!r}")
    return str(given)


def _redis(settings: Any) -> Address | None:
    given = settings.get("SEENSET_REDIS")
    if not given:
        return None
    address = read_address(given)
    if address is None:
        raise StartError("SEENSET_REDIS is redis://HOST:PORT/NAME, with a name "
                         "for the crawl that has none of {}/?#")
    for name in FOLDER_ONLY:
        if settings.get(name):
            raise StartError(f"{name} is for a crawl in a folder: leave it "
                             "out, or leave out SEENSET_REDIS")
    if settings.get("SEENSET_ORDER", "breadth") != "breadth":
        raise StartError("with SEENSET_REDIS the SEENSET_ORDER is 'breadth'")
    return address


def _secret(settings: Any) -> bytes | None:
    given = settings.get("SEENSET_SECRET")
    if not given:
        return None
    try:
        secret = bytes.fromhex(given)
    except (TypeError, ValueError):
        secret = b""
    if len(secret) != 16:
        raise StartError("SEENSET_SECRET is 32 hexadecimal digits, for 16 "
                         "bytes; `openssl rand -hex 16` makes them")
    return secret


def _levels(settings: Any) -> tuple[int, ...]:
    given = settings.get("SEENSET_LEVELS")
    if given is None:
        return LEVELS
    try:
        levels = tuple(int(level) for level in settings.getlist(
            "SEENSET_LEVELS"))
    except (TypeError, ValueError):
        levels = ()
    if not 0 < len(levels) < 10 or list(levels) != sorted(set(levels)):
        raise StartError("SEENSET_LEVELS is a list of 1 to 9 priorities, the "
                         f"lowest first, not {given!r}")
    return levels

"""The partitions of a crawl in Redis: which of them has a URL, and its key.

The command has the same (docs/redis.md, "A crawl of many machines"), so both
can work on one crawl:

    partition   hash of the host, in lower case and without its port, mod P
    slot        of partition i: floor((2 i + 1) * 16384 / (2 P))
    key         NAME:{TAG}, TAG the smallest number that is in the slot

P is in the crawl's own key, NAME, which the client that begins it writes:

    seenset-crawl 1 partitions 1024 capacity 1000 rate 1e-06 normalise off
"""

import re
from binascii import crc_hqx
from dataclasses import dataclass
from functools import cache

import seenset

SLOTS = 16384
PARTITIONS = 1024  # of a new crawl
_MOST_PARTITIONS = 16384
_LONGEST_HOST = 256  # what is longer is not one
_RECORD = re.compile(
    rb"seenset-crawl 1 partitions ([0-9]{1,5}) capacity ([0-9]{1,20}) "
    rb"rate ([-+.0-9e]{1,30}) normalise (?:off|url)")


def slot_of(key: bytes) -> int:
    return crc_hqx(key, 0) % SLOTS


@cache
def _tags() -> list[int]:
    """The tag of each slot."""
    tags: dict[int, int] = {}
    number = 0
    while len(tags) < SLOTS:
        tags.setdefault(slot_of(b"%d" % number), number)
        number += 1
    return [tags[slot] for slot in range(SLOTS)]


def host_of(url: bytes) -> bytes:
    """What is between "//", a name and "@", and a port or a path. Of what is
    not a URL: all of it."""
    before, colon, rest = url.partition(b":")
    if not colon or not rest.startswith(b"//"):
        return url
    place = re.split(rb"[/?#\\\0]", rest[2:], maxsplit=1)[0]
    host = place.rpartition(b"@")[2]
    return re.sub(rb":[0-9]*\Z", b"", host)


def key_of(url: str, key: str) -> str:
    """The URL that a request is pushed as: of the same host, so in the same
    partition, and as unique as its key."""
    has_host = url.partition(":")[2].startswith("//")
    host = host_of(url.encode()) if has_host else b""
    return f"scrapy://{host.decode()}/{key}"


@dataclass(frozen=True)
class Record:
    """What is in the crawl's own key."""

    partitions: int
    capacity: int  # of a partition; 0: the module's default
    rate: float  # likewise

    @classmethod
    def read(cls, text: bytes) -> "Record | None":
        found = _RECORD.fullmatch(text)
        if found is None:
            return None
        try:
            record = cls(int(found[1]), int(found[2]), float(found[3]))
        except ValueError:
            return None
        is_sound = 1 <= record.partitions <= _MOST_PARTITIONS and \
            0 <= record.rate < 1
        return record if is_sound else None

    def text(self) -> str:
        return (f"seenset-crawl 1 partitions {self.partitions} capacity "
                f"{self.capacity} rate {self.rate:.17g} normalise off")


def new_record(capacity: float | None, fp_rate: float | None) -> Record:
    """`capacity` is that of all partitions."""
    each = -(-int(capacity or 0) // PARTITIONS)
    return Record(PARTITIONS, each, fp_rate or 0.0)


class Partitions:
    def __init__(self, name: str, count: int) -> None:
        self.count = count
        self._slots = [(2 * i + 1) * SLOTS // (2 * count)
                       for i in range(count)]
        self._keys = [f"{name}:{{{_tags()[slot]}}}" for slot in self._slots]

    def of(self, url: str) -> int:
        host = host_of(url.encode("utf-8", "surrogateescape"))
        if len(host) <= _LONGEST_HOST:
            host = host.lower()  # of bytes: A to Z only
        return seenset.hash_key(host) % self.count

    def slot(self, partition: int) -> int:
        return self._slots[partition]

    def key(self, partition: int) -> str:
        return self._keys[partition]

"""Have I seen this before?

A SeenSet answers that for millions of keys in little memory, and a Queue is a
to-visit queue on top of it that survives crashes.

    import seenset

    seen = seenset.SeenSet(1_000_000, 1e-6)
    if seen.add(url):           # True: new
        fetch(url)

A SeenSet never forgets a key. A key that was never added is called seen with a
probability of at most fp_rate, which you choose.

    SeenSet       a set: add, in, add_many, save, open, |, &, pickle
    Queue         push, pop, ack: a crawler's queue, in a folder
    Foreign       a file of another system: Parquet, DCSO, Guava, Bitcoin
    seal(keys)    the smallest kind of set, which never changes
    plan(n, p)    how large a set has to be
    key(object)   the bytes of a key: of an int, a UUID, a str
    shard(key, n)  which of n sets, threads or machines a key belongs to
    stats().plot  of a set: fill and rate as a picture, with matplotlib
    progress(keys)  the keys, and a line that shows how far a long build is
    compat        the classes of rbloom and pybloom-live, for those who move

Errors are a SeensetError, or one of Python's own: MemoryError, OSError,
TypeError and ValueError.
"""

import enum

from ._native import (
    MAX_ITEM_BYTES,
    BudgetError,
    Counts,
    DamagedError,
    Estimate,
    Foreign,
    FormatError,
    FullError,
    HashError,
    Host,
    InUseError,
    Info,
    InvalidError,
    Item,
    JournalError,
    LeaseError,
    MismatchError,
    Overlap,
    Plan,
    PoisonedError,
    Queue,
    QueueStats,
    RateError,
    ReadOnlyError,
    Report,
    SecretError,
    SeenSet,
    SeensetError,
    Stats,
    Table,
    TooBigError,
    TruncatedError,
    Uniformity,
    UnsupportedError,
    UrlError,
    VersionError,
    __version__,
    hash_key,
    key,
    plan,
    seal,
    shard,
)
from ._plot import plot as _plot
from ._progress import progress

# A named tuple of C has no place for a method of Python's.
setattr(Stats, "plot", _plot)


class Answer(enum.IntEnum):
    """What Queue.push_many() says of each URL."""

    SEEN = 0
    NEW = 1
    REFUSED = 2
    NOT_A_URL = 3
    OVER_BUDGET = 4


__all__ = [
    "MAX_ITEM_BYTES",
    "Answer",
    "BudgetError",
    "Counts",
    "DamagedError",
    "Estimate",
    "Foreign",
    "FormatError",
    "FullError",
    "HashError",
    "Host",
    "InUseError",
    "Info",
    "InvalidError",
    "Item",
    "JournalError",
    "LeaseError",
    "MismatchError",
    "Overlap",
    "Plan",
    "PoisonedError",
    "Queue",
    "QueueStats",
    "RateError",
    "ReadOnlyError",
    "Report",
    "SecretError",
    "SeenSet",
    "SeensetError",
    "Stats",
    "Table",
    "TooBigError",
    "TruncatedError",
    "Uniformity",
    "UnsupportedError",
    "UrlError",
    "VersionError",
    "__version__",
    "hash_key",
    "key",
    "plan",
    "progress",
    "seal",
    "shard",
]

"""The classes of the package pybloom-live, on a SeenSet."""

from __future__ import annotations

import struct
from typing import Any, BinaryIO, ClassVar, Self

from .. import SeenSet

__all__ = ["BloomFilter", "ScalableBloomFilter"]


def _key(key: Any) -> str | bytes:
    """As theirs: text as UTF-8, bytes as they are, and str() of the rest."""
    return key if isinstance(key, (str, bytes)) else str(key)


class _Filter:
    """What both classes have: a set, and its place in a file."""

    _FORMAT: ClassVar[str]
    error_rate: float
    _seen: SeenSet

    def __contains__(self, key: Any) -> bool:
        return _key(key) in self._seen

    def _figures(self) -> tuple[Any, ...]:
        raise NotImplementedError

    def _set_figures(self, *figures: Any) -> None:
        raise NotImplementedError

    def tofile(self, f: BinaryIO) -> None:
        """Write the filter to a file that is open for bytes."""
        data = self._seen.to_bytes()
        f.write(struct.pack(self._FORMAT, *self._figures(), len(data)) + data)

    @classmethod
    def fromfile(cls, f: BinaryIO, n: int = -1) -> Self:
        """Read what tofile() wrote, and no byte more; of n bytes at most."""
        start = struct.calcsize(cls._FORMAT)
        if 0 < n < start:
            raise ValueError("n too small!")
        head = f.read(start)
        if len(head) < start:
            raise ValueError("the file ends inside a filter")
        *figures, size = struct.unpack(cls._FORMAT, head)
        if 0 < n < start + size:
            raise ValueError("n too small!")
        made = cls.__new__(cls)
        made._set_figures(*figures)
        made._seen = SeenSet.from_bytes(f.read(size))
        return made


class BloomFilter(_Filter):
    """A Bloom filter of a fixed capacity, as pybloom-live has it.

    add() returns True if a key was there before, and an IndexError says that
    `capacity` keys were added.
    """

    _FORMAT = "<dQQQ"
    capacity: int
    count: int

    def __init__(self, capacity: int, error_rate: float = 0.001) -> None:
        if not 0 < error_rate < 1:
            raise ValueError("Error_Rate must be between 0 and 1.")
        if not capacity > 0:
            raise ValueError("Capacity must be > 0")
        self._set_figures(error_rate, capacity, 0)
        self._seen = SeenSet(capacity, error_rate, on_full="degrade")

    def _figures(self) -> tuple[Any, ...]:
        return self.error_rate, self.capacity, self.count

    def _set_figures(self, *figures: Any) -> None:
        self.error_rate, self.capacity, self.count = figures

    @property
    def num_bits(self) -> int:
        return self._seen.stats().size_bits

    @property
    def num_slices(self) -> int:
        return self._seen.stats().hash_count

    @property
    def bits_per_slice(self) -> int:
        return self.num_bits // self.num_slices

    def __len__(self) -> int:
        return self.count

    def add(self, key: Any, skip_check: bool = False) -> bool:
        if self.count >= self.capacity:
            raise IndexError("BloomFilter is at capacity")
        is_new = self._seen.add(_key(key))
        self.count += is_new or skip_check
        return not (is_new or skip_check)

    def copy(self) -> Self:
        made = type(self).__new__(type(self))
        made._set_figures(*self._figures())
        made._seen = self._seen.copy()
        return made

    def _check_alike(self, other: BloomFilter, what: str) -> None:
        if (self.capacity, self.error_rate) != (other.capacity,
                                                other.error_rate):
            raise ValueError(f"{what} filters requires both filters to have "
                             "equal capacity and error rate")

    def union(self, other: BloomFilter) -> Self:
        self._check_alike(other, "Unioning")
        made = self.copy()
        made._seen |= other._seen
        return made

    def intersection(self, other: BloomFilter) -> Self:
        self._check_alike(other, "Intersecting")
        made = self.copy()
        made._seen &= other._seen
        return made

    def __or__(self, other: BloomFilter) -> Self:
        return self.union(other)

    def __and__(self, other: BloomFilter) -> Self:
        return self.intersection(other)


class ScalableBloomFilter(_Filter):
    """A Bloom filter that grows, as pybloom-live has it.

    error_rate is that of the whole filter, however large it gets. Each table is
    twice as large as the one before, in both modes.
    """

    SMALL_SET_GROWTH: ClassVar[int] = 2
    LARGE_SET_GROWTH: ClassVar[int] = 4
    _FORMAT = "<QdQdQ"
    scale: int
    ratio: float = 0.9
    initial_capacity: int

    def __init__(self, initial_capacity: int = 100, error_rate: float = 0.001,
                 mode: int = LARGE_SET_GROWTH) -> None:
        if not 0 < error_rate < 1:
            raise ValueError("Error_Rate must be between 0 and 1.")
        self._set_figures(mode, self.ratio, initial_capacity, error_rate)
        self._seen = SeenSet(initial_capacity, error_rate, on_full="grow")

    def _figures(self) -> tuple[Any, ...]:
        return self.scale, self.ratio, self.initial_capacity, self.error_rate

    def _set_figures(self, *figures: Any) -> None:
        self.scale, self.ratio, self.initial_capacity, self.error_rate = figures

    def add(self, key: Any) -> bool:
        return not self._seen.add(_key(key))

    @property
    def capacity(self) -> int:
        return self._seen.info().capacity

    @property
    def count(self) -> int:
        return self._seen.info().added

    def __len__(self) -> int:
        return self.count

    def union(self, other: ScalableBloomFilter) -> Self:
        if self._figures() != other._figures():
            raise ValueError("Unioning two scalable bloom filters requires "
                             "both filters to have both the same mode, initial "
                             "capacity and error rate")
        made = type(self).__new__(type(self))
        made._set_figures(*self._figures())
        made._seen = self._seen | other._seen
        return made

    def __or__(self, other: ScalableBloomFilter) -> Self:
        return self.union(other)

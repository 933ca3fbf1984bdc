"""The class of the package rbloom, on a SeenSet."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from os import PathLike
from typing import Any, Self

from .. import MismatchError, SeenSet

__all__ = ["Bloom"]

_BYTES = (bytes, bytearray, memoryview)
# Whose keys are what a SeenSet takes of them, many at a time.
_TEXTS = frozenset((str, bytes))
_CHUNK_ITEMS = 8192
# Before the hash of any other object, so that it is not some text's bytes.
_HASHED = b"\0hash\0"


class Bloom:
    """A Bloom filter with the methods of Python's set, as rbloom has it.

    An object is hashed by hash_func, which returns an int from -2**127 to
    2**127 - 1. Without one, str and bytes are taken as they are, so such a
    filter can be saved, and any other object by Python's own hash(). That one
    differs from process to process, so save() refuses it.
    """

    def __init__(self, expected_items: int, false_positive_rate: float,
                 hash_func: Callable[[Any], int] = hash) -> None:
        self._start(SeenSet(expected_items, false_positive_rate,
                            on_full="degrade"), hash_func)

    def _start(self, seen: SeenSet, hash_func: Callable[[Any], int]) -> None:
        if not callable(hash_func):
            raise TypeError("hash_func is a function")
        self._seen = seen
        self._hash_func = hash_func
        self._takes_text = hash_func is hash
        self._is_salted = False

    @classmethod
    def _made(cls, seen: SeenSet, hash_func: Callable[[Any], int]) -> Self:
        made = cls.__new__(cls)
        made._start(seen, hash_func)
        return made

    # ---- what it is ----

    @property
    def size_in_bits(self) -> int:
        return self._seen.stats().size_bits

    @property
    def hash_func(self) -> Callable[[Any], int]:
        return self._hash_func

    @property
    def approx_items(self) -> float:
        return self._seen.stats().estimated_items

    def __bool__(self) -> bool:
        return self._seen.stats().set_bits > 0

    def __repr__(self) -> str:
        return (f"<Bloom size_in_bits={self.size_in_bits} "
                f"approx_items={self.approx_items:.1f}>")

    # ---- items ----

    def _key(self, obj: Any) -> bytes | str | bytearray | memoryview:
        if self._hash_func is not hash:
            return self._hash_func(obj).to_bytes(16, "little", signed=True)
        if isinstance(obj, str) or isinstance(obj, _BYTES):
            return obj
        return _HASHED + hash(obj).to_bytes(8, "little", signed=True)

    def _note(self, obj: Any) -> None:
        if self._hash_func is hash and not isinstance(obj, (str, *_BYTES)):
            self._is_salted = True

    def add(self, obj: Any, /) -> None:
        if obj.__class__ is str and self._takes_text:
            self._seen.add(obj)
        else:
            self._seen.add(self._key(obj))
            self._note(obj)

    def _add_many(self, objects: list[Any]) -> None:
        if self._takes_text and _TEXTS.issuperset(map(type, objects)):
            self._seen.update(objects)
        else:
            for obj in objects:
                self.add(obj)

    def _add_some(self, left: Iterator[Any]) -> bool:
        some: list[Any] = []
        try:
            some.extend(islice(left, _CHUNK_ITEMS))
        finally:
            self._add_many(some)
        return len(some) > 0

    def _add_all(self, objects: Iterable[Any]) -> None:
        """Add them, some at a time; if one fails, those before it are in."""
        left = iter(objects)
        while self._add_some(left):
            pass

    def __contains__(self, obj: Any) -> bool:
        return self._key(obj) in self._seen

    def clear(self) -> None:
        self._seen.clear()
        self._is_salted = False

    def copy(self) -> Self:
        made = self._made(self._seen.copy(), self._hash_func)
        made._is_salted = self._is_salted
        return made

    # ---- together with others ----

    def _alike(self, other: Bloom) -> Bloom:
        if self._hash_func is not other._hash_func:
            raise ValueError("these filters have different hash functions")
        return other

    def _bloom_of(self, other: Bloom | Iterable[Any]) -> Bloom:
        """The other filter, or one like this with the items of an iterable."""
        if isinstance(other, Bloom):
            return self._alike(other)
        made = self.copy()
        made.clear()
        made._add_all(other)
        return made

    def update(self, *others: Bloom | Iterable[Any]) -> None:
        for other in others:
            if isinstance(other, Bloom):
                self._merge(self._alike(other))
            else:
                self._add_all(other)

    def _merge(self, other: Bloom) -> None:
        try:
            self._seen |= other._seen
        except MismatchError as error:
            raise ValueError("these filters have different sizes") from error
        self._is_salted |= other._is_salted

    def intersection_update(self, *others: Bloom | Iterable[Any]) -> None:
        for other in others:
            found = self._bloom_of(other)
            try:
                self._seen &= found._seen
            except MismatchError as error:
                raise ValueError(
                    "these filters have different sizes") from error

    def union(self, *others: Bloom | Iterable[Any]) -> Self:
        made = self.copy()
        made.update(*others)
        return made

    def intersection(self, *others: Bloom | Iterable[Any]) -> Self:
        made = self.copy()
        made.intersection_update(*others)
        return made

    def __or__(self, other: Bloom) -> Self:
        if not isinstance(other, Bloom):
            return NotImplemented
        return self.union(other)

    def __ior__(self, other: Bloom) -> Self:
        if not isinstance(other, Bloom):
            return NotImplemented
        self.update(other)
        return self

    def __and__(self, other: Bloom) -> Self:
        if not isinstance(other, Bloom):
            return NotImplemented
        return self.intersection(other)

    def __iand__(self, other: Bloom) -> Self:
        if not isinstance(other, Bloom):
            return NotImplemented
        self.intersection_update(other)
        return self

    def issuperset(self, other: Bloom, /) -> bool:
        try:
            return self._seen.issuperset(self._bloom_of(other)._seen)
        except MismatchError as error:
            raise ValueError("these filters have different sizes") from error

    def issubset(self, other: Bloom, /) -> bool:
        return self._bloom_of(other).issuperset(self)

    def __le__(self, other: Bloom) -> bool:
        return self.issubset(other)

    def __ge__(self, other: Bloom) -> bool:
        return self.issuperset(other)

    def __lt__(self, other: Bloom) -> bool:
        return self.issubset(other) and not self.issuperset(other)

    def __gt__(self, other: Bloom) -> bool:
        return self.issuperset(other) and not self.issubset(other)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Bloom):
            return NotImplemented
        try:
            return self <= other and self >= other
        except ValueError:
            return False

    __hash__ = None  # type: ignore[assignment]

    # ---- kept ----

    def _check_saved(self) -> None:
        if self._is_salted:
            raise ValueError("objects other than str and bytes were added by "
                             "Python's own hash(), which differs from process "
                             "to process: give a hash_func of your own")

    def save(self, filepath: str | PathLike[str]) -> None:
        self._check_saved()
        self._seen.save(filepath)

    def save_bytes(self) -> bytes:
        self._check_saved()
        return self._seen.to_bytes()

    @classmethod
    def load(cls, filepath: str | PathLike[str],
             hash_func: Callable[[Any], int] = hash) -> Self:
        return cls._made(SeenSet.open(filepath, copy=True), hash_func)

    @classmethod
    def load_bytes(cls, data: bytes,
                   hash_func: Callable[[Any], int] = hash) -> Self:
        return cls._made(SeenSet.from_bytes(data), hash_func)

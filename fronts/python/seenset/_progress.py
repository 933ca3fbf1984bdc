"""How far a long build is, as a line on the terminal."""

import sys
from collections.abc import Iterable, Iterator, Sized
from time import monotonic
from typing import TextIO, TypeVar

_T = TypeVar("_T")
_SECONDS = 0.2  # between two lines


def progress(keys: Iterable[_T], total: int | None = None, *,
             file: TextIO | None = None) -> Iterator[_T]:
    """The keys as they are, with a line that shows how many there were:

        seen.update(seenset.progress(open(path, "rb"), 50_000_000))
        12,300,000 of 50,000,000 keys (24 %), 4,100,000/s, 9 s to go

    total is how many there will be; without it, the keys' own length if they
    have one. The line goes to file, or to the standard error stream, five times
    a second, and only to a terminal.
    """
    out = sys.stderr if file is None else file
    if not out.isatty():
        yield from keys
        return
    if total is None and isinstance(keys, Sized):
        total = len(keys)
    began = shown = monotonic()
    count = due = 0
    try:
        for key in keys:
            if count >= due:
                now = monotonic()
                if now - shown >= _SECONDS:
                    out.write("\r" + _line(count, total, now - began))
                    out.flush()
                    shown = now
                # The clock is asked some four times for each line.
                due = count + 1 + int(
                    count / max(now - began, _SECONDS) * _SECONDS / 4)
            yield key
            count += 1
    finally:
        out.write("\r" + _line(count, total, monotonic() - began) + "\n")
        out.flush()


def _line(count: int, total: int | None, seconds: float) -> str:
    """As wide as the last one at least, so nothing of that is left."""
    line = f"{count:,}"
    rate = count / seconds if seconds > 0 else 0.0
    if total:
        line += f" of {total:,} keys ({min(100, 100 * count // total)} %)"
    else:
        line += " key" if count == 1 else " keys"
    line += f", {rate:,.0f}/s"
    if total and 0 < count < total and rate > 0:
        line += f", {(total - count) / rate:,.0f} s to go"
    return f"{line:<70}"

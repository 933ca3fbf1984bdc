"""What is in a JOBDIR of Scrapy's own scheduler, however it was left.

    requests.queue/active.json     the priorities; only of a crawl that ended
    requests.queue/-1              a file for each priority (LIFO), or
    requests.queue/-1/q00000 ...   a folder (FIFO), with info.json at the end
    requests.queue/HOST/-1         the same for each host
    requests.seen                  a fingerprint in each line

The index files are not needed: a LIFO file is data and then its size, a FIFO
file size and then data, and the data is a pickle, which has an end of its own.
So what is sound on both sides of a damaged place is found.
"""

import io
import json
import marshal
import pickle
import re
import struct
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

_SIZE = struct.Struct(">L")
_PICKLE = re.compile(rb"\x80[\x02-\x05]")  # how one begins
_CHUNK = re.compile(r"q\d{5,}")
_PRIORITY = re.compile(r"-?\d+s?")

Fields = dict[str, Any]


@dataclass
class Found:
    """What was got, and what was not: places, with a reason each."""

    requests: list[Fields] = field(default_factory=list)
    seen: list[str] = field(default_factory=list)
    lost: list[str] = field(default_factory=list)
    maybe_done: int = 0  # of the requests: before the end of a FIFO file
    is_torn: bool = False  # a crash left no index


def read(jobdir: Path) -> Found:
    found = Found()
    folder = jobdir / "requests.queue"
    if not folder.is_dir() and not (jobdir / "requests.seen").exists():
        raise FileNotFoundError(
            f"{jobdir} is not a JOBDIR: it has no requests.queue and no "
            "requests.seen")
    if folder.is_dir():
        found.is_torn = not (folder / "active.json").exists()
        _read_folder(folder, found)
    _read_seen(jobdir / "requests.seen", found)
    # The highest priority first, as it would be handed out.
    found.requests.sort(key=lambda fields: -_priority(fields))
    return found


def _priority(fields: Fields) -> int:
    priority = fields.get("priority", 0)
    return priority if isinstance(priority, int) else 0


def _read_folder(folder: Path, found: Found) -> None:
    """A folder of queues, or one of hosts that have such folders."""
    for path in sorted(folder.iterdir()):
        if path.is_dir():
            chunks = sorted(file for file in path.iterdir()
                            if _CHUNK.fullmatch(file.name))
            if chunks:
                _read_fifo(path, chunks, found)
            else:
                _read_folder(path, found)
        elif _PRIORITY.fullmatch(path.name):
            _read_lifo(path, found)


# ---- a queue that hands out the newest first ----


def _read_lifo(path: Path, found: Found) -> None:
    data = path.read_bytes()
    if data.startswith(b"SQLite format 3\0"):
        found.lost.append(f"{path}: an SQLite file, which keeps itself sound; "
                          "Scrapy can resume it")
        return
    end = len(data)
    while end > _SIZE.size:
        start = _start_before(data, end)
        fields = None if start is None else _decode(
            data[start:end - _SIZE.size])
        if start is None or fields is None:
            break
        found.requests.append(fields)
        end = start
    if end > _SIZE.size:
        older = list(_search(data, _SIZE.size, end, path, found))
        found.requests.extend(reversed(older))


def _start_before(data: bytes, end: int) -> int | None:
    size = _SIZE.unpack_from(data, end - _SIZE.size)[0]
    start: int = end - _SIZE.size - size
    return start if size > 0 and start >= _SIZE.size else None


# ---- one that hands out the oldest first ----


def _read_fifo(folder: Path, chunks: list[Path], found: Found) -> None:
    name, offset = _tail_of(folder)
    for chunk in chunks:
        data = chunk.read_bytes()
        begin = offset if chunk.name == name and offset <= len(data) else 0
        count = len(found.requests)
        end = begin
        while (piece := _piece_after(data, end)) is not None:
            fields = _decode(piece)
            if fields is None:
                break
            found.requests.append(fields)
            end += _SIZE.size + len(piece)
        if end < len(data):
            found.requests.extend(_search(data, end, len(data), chunk, found))
        if chunk is chunks[0] and begin == 0 and name is None:
            found.maybe_done += len(found.requests) - count


def _tail_of(folder: Path) -> tuple[str | None, int]:
    """The file and the place in it that the next request is at."""
    try:
        number, _, offset = json.loads(
            (folder / "info.json").read_text())["tail"]
        return f"q{number:05d}", int(offset)
    except (OSError, ValueError, KeyError, TypeError):
        return None, 0


def _piece_after(data: bytes, start: int) -> bytes | None:
    begin = start + _SIZE.size
    if begin > len(data):
        return None
    size = _SIZE.unpack_from(data, start)[0]
    return data[begin:begin + size] if begin + size <= len(data) else None


# ---- one request ----


_LOADS: tuple[Callable[[bytes], Any], ...] = (pickle.loads, marshal.loads)


def _decode(data: bytes) -> Fields | None:
    for loads in _LOADS:
        try:
            fields = loads(data)
        except Exception:  # of what is not one, anything
            continue
        if _is_request(fields):
            return dict(fields)
    return None


def _is_request(fields: object) -> bool:
    return isinstance(fields, dict) and isinstance(fields.get("url"), str)


def _search(data: bytes, start: int, end: int, path: Path,
            found: Found) -> Iterator[Fields]:
    """The pickles between start and end; what is between them is lost."""
    position = lost_from = start
    while (match := _PICKLE.search(data, position, end)) is not None:
        taken = _pickle_at(data, match.start(), end)
        if taken is None:
            position = match.start() + 1
            continue
        fields, after = taken
        # A size is before it or after it.
        _report(found, path, lost_from, match.start())
        yield fields
        position = lost_from = after
    _report(found, path, lost_from, end)


def _pickle_at(data: bytes, start: int, end: int) -> tuple[Fields, int] | None:
    file = io.BytesIO(data[start:end])
    try:
        fields = pickle.load(file)
    except Exception:  # of what is not one, anything
        return None
    if not _is_request(fields):
        return None
    return dict(fields), start + file.tell()


def _report(found: Found, path: Path, start: int, end: int) -> None:
    if end - start > _SIZE.size:
        found.lost.append(f"{path}: {end - start:,} bytes at {start:,} are not "
                          "a request")


# ---- what was seen ----


def _read_seen(path: Path, found: Found) -> None:
    if not path.exists():
        found.lost.append(f"{path}: not there, so what was fetched before is "
                          "fetched again where a page links to it")
        return
    text = path.read_text("utf-8", "replace")
    lines = text.split("\n")
    width = max(map(len, lines[:1000]))
    good = re.compile(f"[0-9a-f]{{{width}}}")
    found.seen = [line for line in map(str.strip, lines)
                  if width and good.fullmatch(line)]
    bad = sum(1 for line in lines if line.strip()) - len(found.seen)
    if bad:
        found.lost.append(f"{path}: {bad:,} lines are not fingerprints")

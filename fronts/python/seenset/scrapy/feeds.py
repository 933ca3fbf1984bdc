"""FEED_STORAGES: a feed whose items are in the file before their page is done.

Scrapy's own storage of files keeps up to 8 KiB of items in memory. The page
that they are of is acked meanwhile, so after a kill they are lost, and the page
is not fetched again. Here each item is written at once: a kill can only cut the
item off that is being written, and its page is not acked.

What a kill cut off is removed when the feed is opened again, where the format
shows it: in lines of JSON.
"""

import io
import json
import logging
from collections.abc import Callable
from pathlib import Path
from typing import Any, Self
from urllib.parse import urlparse

from scrapy.extensions import feedexport  # type: ignore[import]

from . import engine

logger = logging.getLogger(__name__)

OURS = "seenset.scrapy.FileFeedStorage"
LINES = ("jsonlines", "jsonl", "jl")  # formats
_TAIL_BYTES = 1 << 16  # read at a time to find the last line


class FileFeedStorage(feedexport.FileFeedStorage):  # type: ignore[misc]
    def __init__(self, uri: str, *, feed_options: dict[str, Any] | None = None,
                 crawler: Any = None) -> None:
        super().__init__(uri, feed_options=feed_options)
        self._format = (feed_options or {}).get("format")
        self._crawler = crawler

    @classmethod
    def from_crawler(cls, crawler: Any, uri: str, *,
                     feed_options: dict[str, Any] | None = None) -> Self:
        return cls(uri, feed_options=feed_options, crawler=crawler)

    def open(self, spider: Any) -> io.FileIO:
        super().open(spider).close()  # its folder, and whether it begins anew
        path = Path(self.path)
        if self._format in LINES and path.is_file():
            _mend_end(path)
        return Unbuffered(path, self._fail)

    def _fail(self, error: OSError) -> None:
        """The item is not in the file, so its page must not be done."""
        if self._crawler is not None:
            engine.fail(self._crawler, f"The feed {self.path}", str(error))


class Unbuffered(io.FileIO):
    """Each write is in the file, whole, or it is an error and nothing is."""

    def __init__(self, path: Path, fail: Callable[[OSError], None]) -> None:
        super().__init__(path, "ab")
        self._fail = fail

    def write(self, data: Any) -> int:
        left = memoryview(data).cast("B")
        size = len(left)
        end = self.seek(0, io.SEEK_END) if self.seekable() else 0
        try:
            while left:
                left = left[super().write(left):]
        except OSError as error:
            if len(left) < size:
                self.truncate(end)
            self._fail(error)
            raise
        return size


def _mend_end(path: Path) -> None:
    """The last line ends with a newline, and if it has none it is removed,
    unless it is whole."""
    with path.open("rb+") as file:
        size = file.seek(0, io.SEEK_END)
        line = _last_line(file, size)
        if not line:
            return
        if _is_json(line):
            file.seek(0, io.SEEK_END)
            file.write(b"\n")
            return
        file.truncate(size - len(line))
    logger.warning("%s ended in the middle of an item, as a kill leaves it: "
                   "its %d bytes are removed, and its page is fetched again",
                   path, len(line))


def _last_line(file: io.BufferedRandom, size: int) -> bytes:
    """What is behind the last newline."""
    found = b""
    while size > 0 and b"\n" not in found:
        count = min(size, _TAIL_BYTES)
        size -= count
        file.seek(size)
        found = file.read(count) + found
    return found[found.rfind(b"\n") + 1:]


def _is_json(line: bytes) -> bool:
    try:
        json.loads(line)
    except ValueError:
        return False
    return True


def buffered_feeds(settings: Any) -> list[str]:
    """The feeds whose items a kill can lose."""
    storages = settings.getwithbase("FEED_STORAGES")
    feeds = settings.getdict("FEEDS")
    return [str(uri) for uri in feeds
            if storages.get(urlparse(str(uri)).scheme) not in (OURS,
                                                               FileFeedStorage)
            or feeds[uri].get("postprocessing")]

"""Requests as the bytes of an item, and back.

The first byte says what the others are:

    p   the pickle of a dict, as Scrapy's own disk queues have it
    f   the name of a file that has that pickle, as it is too long
    m   the pickle of (process, number, url) of a request that cannot be
        pickled, and so is in the memory of that process only
"""

import pickle
import uuid
from typing import Any

import seenset
from scrapy.http import Request  # type: ignore[import]
from scrapy.utils.request import (  # type: ignore[import]
    request_from_dict,
)

from .large import LargeFiles
from .shared import LargeKeys

# Room for the key: an item's limit is that of key and data together.
LIMIT = seenset.MAX_ITEM_BYTES - 4096
# What a Request has anyway; these are left out if they are false.
_DEFAULTS = {"method": "GET", "encoding": "utf-8"}


class Unreadable(Exception):
    """The request cannot be made again; it stays in the queue."""


class Gone(Exception):
    """It was in the memory of a process that has ended."""


class Codec:
    def __init__(self, spider: Any,
                 large: LargeFiles | LargeKeys) -> None:
        self.spider = spider
        self.large = large
        self._process = uuid.uuid4().bytes
        self._parked: dict[int, Request] = {}
        self._count = 0

    def pack(self, request: Request) -> bytes:
        try:
            data = b"p" + dump(to_dict(request, self.spider))
        except ValueError:
            return self._park(request)
        if len(data) <= LIMIT:
            return data
        return b"f" + self.large.write(data[1:]).encode()

    def _park(self, request: Request) -> bytes:
        self._count += 1
        self._parked[self._count] = request
        return b"m" + pickle.dumps(
            (self._process, self._count, request.url[:4096]))

    def unpack(self, data: bytes) -> Request:
        if data[:1] == b"m":
            return self._unpark(data)
        try:
            return request_from_dict(read(data, self.large),
                                     spider=self.spider)
        except Exception as error:  # a pickle may raise anything
            raise Unreadable(f"{type(error).__name__}: {error}") from error

    def _unpark(self, data: bytes) -> Request:
        process, number, url = pickle.loads(data[1:])
        if process != self._process:
            raise Gone(url)
        return self._parked[number]

    def drop(self, data: bytes) -> None:
        """The item is done, or was never pushed."""
        if data[:1] == b"f":
            self.large.remove(data[1:].decode())
        elif data[:1] == b"m":
            process, number, _ = pickle.loads(data[1:])
            if process == self._process:
                self._parked.pop(number, None)


def read(data: bytes, large: LargeFiles | LargeKeys) -> dict[str, Any]:
    """The dict of an item."""
    if data[:1] == b"p":
        found = pickle.loads(memoryview(data)[1:])
    elif data[:1] == b"f":
        found = pickle.loads(large.read(data[1:].decode()))
    else:
        raise ValueError("not a request of this scheduler")
    return dict(found)


def dump(fields: dict[str, Any]) -> bytes:
    try:
        return pickle.dumps(fields, protocol=4)
    except Exception as error:  # what an object raises that has no pickle
        raise ValueError(str(error)) from error


def to_dict(request: Request, spider: Any) -> dict[str, Any]:
    """As Request.to_dict, without what a new Request has anyway. Scrapy looks
    through all members of a spider for the name of a callback; here the
    callback is asked for it first."""
    if type(request) is not Request:
        return dict(request.to_dict(spider=spider))
    found = {"url": request.url}
    for name in request.attributes:
        value = getattr(request, name)
        if not value or _DEFAULTS.get(name) == value:
            continue
        if name in ("callback", "errback"):
            value = _method_name(request, name, value, spider)
        found[name] = dict(value) if name == "headers" else value
    return found


def _method_name(request: Request, name: str, method: Any, spider: Any) -> Any:
    """ValueError if it is not a method of the spider."""
    if not callable(method):
        return method
    function = getattr(method, "__func__", None)
    known = getattr(spider, getattr(function, "__name__", ""), None)
    if function is not None and getattr(known, "__func__", None) is function:
        return function.__name__
    return request.to_dict(spider=spider)[name]

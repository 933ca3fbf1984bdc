"""Replies of a server that is not trusted, checked against what was asked: the
kind, how many rows there are, the ranges of numbers. Nothing of a reply is used
before that."""

from typing import Any

_MOST_TEXT_BYTES = 1 << 20  # a URL, or its data
_MOST_NUMBER = (1 << 63) - 1
_FIGURES = (b"pending", b"leased", b"given-back", b"seen", b"next-due-ms")


class Unexpected(OSError):
    def __init__(self, what: str) -> None:
        super().__init__(f"the server answered what a crawl does not: {what}")


def _is_number(value: Any, least: int, most: int) -> bool:
    return type(value) is int and least <= value <= most


def _is_text(value: Any) -> bool:
    return isinstance(value, bytes) and len(value) <= _MOST_TEXT_BYTES


def number(reply: Any) -> int:
    if not _is_number(reply, 0, _MOST_NUMBER):
        raise Unexpected("no number")
    return int(reply)


def bits(reply: Any, count: int) -> list[Any]:
    """As many as were asked for, each 0, 1 or an error."""
    if not isinstance(reply, list) or len(reply) != count or not all(
            _is_number(one, 0, 1) or isinstance(one, Exception)
            for one in reply):
        raise Unexpected(f"not 0 or 1 for each of {count}")
    return reply


def items(reply: Any, most: int) -> list[Any]:
    """At most so many rows of a lease's number, a URL, its data or None, and
    how often it was handed out."""
    if not isinstance(reply, list):
        raise Unexpected("no list of items")
    if len(reply) > most:
        raise Unexpected("more items than were asked for")
    for row in reply:
        if not (isinstance(row, list) and len(row) == 4 and
                _is_number(row[0], 1, _MOST_NUMBER) and _is_text(row[1]) and
                (row[2] is None or _is_text(row[2])) and
                _is_number(row[3], 1, (1 << 32) - 1)):
            raise Unexpected("a row that is not an item of a crawl")
    return reply


def figures(reply: Any) -> dict[bytes, Any]:
    """Those of a partition that are used."""
    found: dict[bytes, Any] = {}
    if isinstance(reply, list) and len(reply) % 2 == 0 and all(
            isinstance(name, bytes) for name in reply[::2]):
        found = dict(zip(reply[::2], reply[1::2]))
    try:
        rate = float(found.get(b"rate", b""))
    except (TypeError, ValueError):
        rate = 0.0
    if not 0 < rate < 1 or not all(
            _is_number(found.get(name), 0, _MOST_NUMBER)
            for name in _FIGURES):
        raise Unexpected("no figures of a partition")
    return found


def milliseconds(reply: Any) -> int:
    """Of TIME: seconds and microseconds, as texts."""
    if not (isinstance(reply, (list, tuple)) and len(reply) == 2):
        raise Unexpected("no time")
    try:
        seconds, micros = int(reply[0]), int(reply[1])
    except (TypeError, ValueError):
        raise Unexpected("no time") from None
    return seconds * 1000 + micros // 1000


def slots(reply: Any, asked: str) -> list[tuple[int, int, tuple[str, int]]]:
    """First and last slot and the place of each row of CLUSTER SLOTS. A server
    that has not been told its own address is the one that was asked."""
    found = []
    for row in reply if isinstance(reply, list) else [None]:
        master = row[2] if isinstance(row, list) and len(row) > 2 else None
        if not (isinstance(master, list) and len(master) > 1 and
                _is_number(row[0], 0, 16383) and
                _is_number(row[1], row[0], 16383) and
                _is_number(master[1], 1, 65535) and
                (master[0] is None or isinstance(master[0], (bytes, str)))):
            raise Unexpected("a damaged map of slots")
        name = master[0]
        host = name.decode("latin-1") if isinstance(name, bytes) else name
        where = asked if host in ("", "?", None) else str(host)
        found.append((row[0], row[1], (where, master[1])))
    return found


def redirection(text: str, asked: str) -> tuple[str, int]:
    """The place of ASK: "7 host:port", with or without its first word."""
    host, colon, port = text.split()[-1].rpartition(":") if text.split() \
        else ("", "", "")
    if not colon or not port.isdecimal() or not 0 < int(port[:9]) < 65536:
        raise Unexpected(f"a redirection that leads nowhere: {text!r}")
    return (asked if host in ("", "?") else host), int(port)

"""One Redis or Valkey, or a cluster of them: commands go to the masters of
their slots, in pipelines, and again where that is to be done.

A cluster answers that a slot is elsewhere (MOVED), is on its way (ASK,
TRYAGAIN) or has no master now (CLUSTERDOWN); servers start, and connections
break. All of that is tried again, with a new map of the slots, until the time
is over. A command whose connection broke may have been done, so it has to be
one that can be done twice: `is_repeated` marks it.
"""

import time
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from . import answers
from .address import Address

# It is needed for SEENSET_REDIS only. Some systems have its types, so that mypy
# would find it, and others have not.
redis: Any = None
try:
    NoBackoff = import_module("redis.backoff").NoBackoff
    Retry = import_module("redis.retry").Retry
    redis = import_module("redis")
except ImportError:
    pass

WAIT_SECONDS = 30.0  # while servers are away
ANSWER_SECONDS = 10.0
_PAUSE, _LONGEST_PAUSE = 0.01, 0.5

Place = tuple[str, int]


class Failure(OSError):
    """The message has what to do."""


@dataclass
class Command:
    slot: int
    words: tuple[Any, ...]
    reply: Any = None  # or the error that the server answered
    is_repeated: bool = False
    ask: Place | None = None  # a slot on its way is to be asked for there

    def value(self) -> Any:
        if isinstance(self.reply, Exception):
            raise Failure(_explain(str(self.reply)))
        return self.reply


class _Silent:
    """A reply that is nothing: not None, which is that there is none yet."""


class Servers:
    def __init__(self, address: Address) -> None:
        if redis is None:
            raise Failure("the package redis is not there: pip install redis, "
                          "or apt install python3-redis")
        self._address = address
        self._clients: dict[Place, Any] = {}
        self._first: Place = (address.host, address.port)
        self._ranges: list[tuple[int, int, Place]] | None = None
        self._trouble = ""
        self.wait = 0.0  # while a crawl starts: an error is said at once

    def run(self, commands: list[Command]) -> list[Command]:
        """Each has its reply then, which may be an error of its own."""
        end, pause = time.monotonic() + self.wait, _PAUSE
        left = commands
        while left:
            self._run_once(left)
            left = [command for command in left if command.reply is None]
            # A slot that has moved is asked for in its place at least.
            if left and time.monotonic() > end + 20 * _PAUSE:
                raise Failure(f"{self._trouble} (for {self.wait:g} seconds). "
                              "Is the server there?")
            if left:
                time.sleep(pause)
                pause = min(2 * pause, _LONGEST_PAUSE)
        return commands

    def ask(self, slot: int, *words: Any) -> Any:
        return self.run([Command(slot, words)])[0].value()

    def close(self) -> None:
        for client in self._clients.values():
            client.close()
        self._clients.clear()

    # ---- one round ----

    def _run_once(self, commands: list[Command]) -> None:
        try:
            self._find_ranges()
        except redis.RedisError as error:
            self._note(error)
            return
        groups: dict[Place, list[Command]] = {}
        for command in commands:
            place = command.ask or self._place_of(command.slot)
            groups.setdefault(place, []).append(command)
        for place, group in groups.items():
            self._send(place, group)

    def _send(self, place: Place, group: list[Command]) -> None:
        pipeline = self._client(place).pipeline(transaction=False)
        for command in group:
            if command.ask:
                pipeline.execute_command("ASKING")
            pipeline.execute_command(*command.words)
        try:
            replies = pipeline.execute(raise_on_error=False)
        except redis.RedisError as error:
            self._note(error)
            for command in group:
                command.is_repeated, command.ask = True, None
            return
        at = 0
        for command in group:
            at += command.ask is not None
            self._take(command, replies[at], place)
            at += 1

    def _take(self, command: Command, reply: Any, place: Place) -> None:
        command.ask = None
        if _code(reply) == "ASK":
            command.ask = answers.redirection(str(reply), place[0])
        elif _passes(reply):
            self._note(reply)
        else:
            command.reply = _Silent() if reply is None else reply

    def _note(self, error: Exception) -> None:
        """It is tried again, with a new map."""
        if not _passes(error):
            raise Failure(_explain(str(error))) from error
        self._trouble = str(error)
        self._ranges = None

    # ---- the map ----

    def _client(self, place: Place) -> Any:
        client = self._clients.get(place)
        if client is None:
            client = self._clients[place] = redis.Redis(
                place[0], place[1], username=self._address.user,
                password=self._address.password,
                socket_timeout=ANSWER_SECONDS,
                socket_connect_timeout=ANSWER_SECONDS,
                retry=Retry(NoBackoff(), 0))
        return client

    def _find_ranges(self) -> None:
        if self._ranges is not None:
            return
        trouble: Exception | None = None
        for place in dict.fromkeys([self._first, *self._clients]):
            try:
                self._ranges = self._ask_ranges(place)
                return
            except redis.RedisError as error:
                trouble = error
        assert trouble is not None
        raise trouble

    def _ask_ranges(self, place: Place) -> list[tuple[int, int, Place]]:
        """Of one server that is not in a cluster: all to it."""
        client = self._client(place)
        try:
            rows = client.execute_command("CLUSTER", "SLOTS")
        except redis.ResponseError as error:
            if "cluster support disabled" in str(error):
                return [(0, 16383, place)]
            raise
        ranges = answers.slots(rows, place[0])
        for _, _, where in ranges:
            self._client(where)
        return ranges

    def _place_of(self, slot: int) -> Place:
        for begin, end, place in self._ranges or ():
            if begin <= slot <= end:
                return place
        return self._first  # which answers CLUSTERDOWN


def _passes(error: Any) -> bool:
    """What is over some time later; a wrong password is not."""
    if isinstance(error, redis.AuthenticationError):
        return False
    return _code(error) in ("MOVED", "TRYAGAIN", "CLUSTERDOWN") or isinstance(
        error, (redis.ConnectionError, redis.TimeoutError))


def _code(reply: Any) -> str:
    """The first word of an error. Some versions of the package take it off, and
    have a class for it."""
    if not isinstance(reply, redis.ResponseError):
        return ""
    kinds = redis.exceptions
    for kind, code in ((kinds.MovedError, "MOVED"), (kinds.AskError, "ASK"),
                       (kinds.TryAgainError, "TRYAGAIN"),
                       (kinds.ClusterDownError, "CLUSTERDOWN")):
        if isinstance(reply, kind):
            return code
    return str(reply).partition(" ")[0]


def _explain(text: str) -> str:
    if "WRONGPASS" in text or "uthentication" in text or "password" in text:
        return (f"{text}. Put the password into SEENSET_REDIS: "
                "redis://:PASSWORD@HOST:PORT/NAME")
    if "unknown command" in text:
        return (f"{text}. Load the module seenset-redis.so into each server: "
                "docs/redis.md")
    if text.startswith("WRONGTYPE"):
        return (f"{text}. The key is not a crawl: choose another NAME in "
                "SEENSET_REDIS")
    if text.startswith("FULL"):
        return f"{text}. VISIT.LIMIT gives a partition more: docs/redis.md"
    return text

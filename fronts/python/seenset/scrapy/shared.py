"""The queue of a crawl that many processes share, in Redis or Valkey: what
folder.py opens for one process, with the same methods.

Pushes and acks are kept for a moment and sent together, all pushes before the
first ack. So a page is done when its links are in the queue, and a process that
is killed leaves nothing half done: what it had under leases is handed out
again when they end. `tick` sends what waits, and extends the leases.

A push that is sent later answers later. `push` says "new" then, and what turns
out to be seen is given to `on_seen`.

    "m"     the data of a request in the memory of its own process. It is in
            the queue so that it is seen, and whoever pops it acks it.
    none    the data of what the command pushed: a URL.
"""

import time
import uuid
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import seenset

from . import answers
from .address import Address
from .options import Options, StartError
from .partitions import Partitions, Record, new_record, slot_of
from .servers import WAIT_SECONDS, Command, Failure, Servers

AT_ONCE = 64  # pushes that are sent together
_BYTES_AT_ONCE = 1 << 20
_AHEAD = 16  # items that are popped at once
_POLL_SECONDS = 1.0  # all partitions are not asked more often
_OWN_NUMBERS = 1 << 62  # of requests without a lease
# What is given back for later than this is not waited for.
_AWAITED_MS = 60_000


@dataclass(frozen=True)
class Figures:
    pending: int  # not acked
    pushed: int
    wrong_items: float  # at most


def open_shared(options: Options,
                on_seen: Callable[[bytes], None]) -> "SharedQueue":
    assert options.redis is not None
    try:
        return SharedQueue(options, options.redis, on_seen)
    except OSError as error:
        raise StartError(f"{options.redis} cannot be used: {error}") from error


class SharedQueue:
    def __init__(self, options: Options, address: Address,
                 on_seen: Callable[[bytes], None]) -> None:
        self._lease_ms = int(options.lease * 1000)
        self._on_seen = on_seen
        self.servers = Servers(address)
        self._record = self._open_record(address, new_record(
            options.capacity, options.fp_rate))
        self._parts = Partitions(address.name, self._record.partitions)
        self._made: set[int] = set()  # with their own capacity and rate
        self._some: dict[int, None] = {}  # may have items, in turn
        self._swept = self._extended = float("-inf")
        self._pushes: list[tuple[str, bytes]] = []
        self._push_bytes = 0
        self._acks: list[int] = []
        self._nacks: list[tuple[int, int]] = []
        self._ready: deque[seenset.Item] = deque()  # popped, and not asked for
        self._own_count = 0
        self._has_failed = False
        self._held: set[int] = set()  # leases
        # A server that cannot be asked, or has no module, is said at start.
        self._value(0, "VISIT.LEN")
        self.servers.wait = WAIT_SECONDS

    def _open_record(self, address: Address, new: Record) -> Record:
        """Of several processes that begin a crawl at once, one wins."""
        slot = slot_of(address.name.encode())
        self.servers.ask(slot, "SET", address.name, new.text(), "NX")
        text = self.servers.ask(slot, "GET", address.name)
        record = Record.read(text) if isinstance(text, bytes) else None
        if record is None:
            raise Failure(f"the key {address.name} is not a crawl, or of a "
                          "newer seenset: choose another NAME")
        return record

    # ---- commands ----

    def _command(self, partition: int, name: str, *words: Any) -> Command:
        key = self._parts.key(partition)
        return Command(self._parts.slot(partition), (name, key, *words))

    def _value(self, partition: int, name: str) -> Any:
        return self.servers.run([self._command(partition, name)])[0].value()

    def _by_partition(self, leases: Iterable[int]) -> dict[int, list[int]]:
        """A lease is the number of the partition's lease, times their number,
        and the partition."""
        found: dict[int, list[int]] = {}
        for lease in leases:
            number, partition = divmod(lease, self._record.partitions)
            found.setdefault(partition, []).append(number)
        return found

    # ---- in ----

    def push(self, key: str, data: bytes, priority: int = 0,
             again: bool = False) -> bool:
        """`again`: it is not to be remembered, so each has a key of its own."""
        if again:
            key = f"{key}/{uuid.uuid4().hex}"
        self._pushes.append((key, data))
        self._push_bytes += len(data)
        if len(self._pushes) >= AT_ONCE or self._push_bytes > _BYTES_AT_ONCE:
            self._send_pushes()
        return True

    def _send_pushes(self) -> None:
        """If it fails, no page is acked any more: its links may be lost."""
        try:
            self._send_all_pushes()
        except OSError:
            self._has_failed, self.servers.wait = True, 0.0
            self._acks.clear()
            raise

    def _send_all_pushes(self) -> None:
        pushes, self._pushes, self._push_bytes = self._pushes, [], 0
        groups: dict[int, list[tuple[str, bytes]]] = {}
        for key, data in pushes:
            groups.setdefault(self._parts.of(key), []).append((key, data))
        self._make(groups)
        commands = []
        for partition, group in groups.items():
            words: list[Any] = []
            for key, data in group:
                words += key, "DATA", b"m" if data[:1] == b"m" else data
            commands.append(self._command(partition, "VISIT.PUSH", *words))
        self.servers.run(commands)
        for (partition, group), command in zip(groups.items(), commands):
            self._some.setdefault(partition)
            self._take_answers(group, command)

    def _take_answers(self, group: list[tuple[str, bytes]],
                      command: Command) -> None:
        replies = answers.bits(command.value(), len(group))
        for (key, data), answer in zip(group, replies):
            if isinstance(answer, Exception):
                raise Failure(str(answer))
            # Of one whose reply was lost, "seen" may be from that first time.
            if not answer and not command.is_repeated:
                self._on_seen(data)
            elif data[:1] == b"m":
                self._own_count += 1
                self._ready.append(seenset.Item((
                    key, data, 0, _OWN_NUMBERS + self._own_count, 1, 0)))

    def _make(self, partitions: Iterable[int]) -> None:
        """Those with a capacity or a rate of their own, the first time."""
        words: list[Any] = []
        if self._record.capacity:
            words += "CAPACITY", self._record.capacity
        if self._record.rate:
            words += "RATE", f"{self._record.rate:.17g}"
        new = [partition for partition in partitions
               if words and partition not in self._made]
        commands = self.servers.run([
            self._command(partition, "VISIT.NEW", *words)
            for partition in new])
        for command in commands:
            if "exists" not in str(command.reply):
                command.value()
        self._made.update(new)

    # ---- out ----

    def pop(self) -> seenset.Item | None:
        while True:
            if not self._ready:
                self.sync()
            if not self._ready:
                self._fill()
            if not self._ready:
                return None
            item = self._ready.popleft()
            if item.lease and item.data == b"m":
                self.ack(item)
            else:
                return item

    def _fill(self) -> None:
        """A few items of as many partitions, each time of the next ones."""
        is_swept = False
        while not self._ready:
            if not self._some:
                now = time.monotonic()
                if is_swept or now < self._swept + _POLL_SECONDS:
                    return
                is_swept, self._swept = True, now
                self._some = dict.fromkeys(self._left())
            if self._some:
                self._pop_some(list(self._some)[:_AHEAD])

    def _pop_some(self, partitions: list[int]) -> None:
        each = -(-_AHEAD // len(partitions))
        commands = self.servers.run([
            self._command(partition, "VISIT.POP", "COUNT", each, "LEASE",
                          self._lease_ms) for partition in partitions])
        for partition, command in zip(partitions, commands):
            rows = answers.items(command.value(), each)
            del self._some[partition]
            if len(rows) == each:
                self._some[partition] = None  # the last one in turn
            for number, url, data, deliveries in rows:
                lease = number * self._record.partitions + partition
                self._held.add(lease)
                text = url.decode("utf-8", "surrogateescape")
                self._ready.append(seenset.Item((
                    text, data or b"", lease, lease, deliveries, 0)))

    def ack(self, item: seenset.Item) -> None:
        if item.lease and not self._has_failed:
            self._acks.append(item.lease)
        if len(self._acks) >= AT_ONCE:
            self.sync()

    def nack(self, item: seenset.Item, delay: float = 0) -> None:
        if item.lease:
            self._nacks.append((item.lease, int(delay * 1000)))

    def sync(self) -> None:
        """Sends what waits. Pushes are there before the first ack is sent."""
        if self._pushes:
            self._send_pushes()
        acks, self._acks = self._acks, []
        nacks, self._nacks = self._nacks, []
        groups = list(self._by_partition(acks).items())
        commands = [self._command(partition, "VISIT.ACK", *numbers)
                    for partition, numbers in groups]
        for delay_ms in {delay_ms for _, delay_ms in nacks}:
            leases = [lease for lease, delay in nacks if delay == delay_ms]
            given = list(self._by_partition(leases).items())
            commands += [
                self._command(partition, "VISIT.NACK", *numbers, "DELAY",
                              delay_ms) for partition, numbers in given]
            groups += given
        self._held.difference_update(acks, (lease for lease, _ in nacks))
        self.servers.run(commands)
        for (_, numbers), command in zip(groups, commands):
            answers.bits(command.value(), len(numbers))

    # ---- time ----

    def tick(self) -> None:
        """Sends what waits, and extends the leases in time."""
        self.sync()
        now = time.monotonic()
        if now >= self._extended + self._lease_ms / 3000:
            self._extended = now
            self.extend()

    def extend(self) -> None:
        """A lease that ended before is another process's by now, or free."""
        groups = self._by_partition(self._held)
        commands = self.servers.run([
            self._command(partition, "VISIT.EXTEND", *numbers, "LEASE",
                          self._lease_ms)
            for partition, numbers in groups.items()])
        for (partition, numbers), command in zip(groups.items(), commands):
            replies = answers.bits(command.value(), len(numbers))
            for number, is_held in zip(numbers, replies):
                if is_held != 1:
                    self._held.discard(
                        number * self._record.partitions + partition)

    # ---- how far it is ----

    def _lengths(self) -> list[int]:
        commands = self.servers.run([
            self._command(partition, "VISIT.LEN")
            for partition in range(self._parts.count)])
        return [answers.number(command.value()) for command in commands]

    def _left(self) -> list[int]:
        """The partitions that have what is not acked."""
        return [partition for partition, count in enumerate(self._lengths())
                if count]

    def _infos(self, partitions: Iterable[int]) -> list[dict[bytes, Any]]:
        """Empty of a partition that was never pushed into."""
        found: list[dict[bytes, Any]] = []
        for command in self.servers.run([
                self._command(partition, "VISIT.INFO")
                for partition in partitions]):
            if "not found" in str(command.reply):
                found.append({})
            else:
                found.append(answers.figures(command.value()))
        return found

    def is_over(self) -> bool:
        """Nobody has anything to do. All partitions are asked twice: if nothing
        was pushed between, all were empty at one moment."""
        self.sync()
        if self._ready:
            return False
        left = self._left()
        if left and self._is_awaited(self._infos(left)):
            return False
        every = range(self._parts.count)
        before, after = self._infos(every), self._infos(every)
        if self._is_awaited(before) or self._is_awaited(after):
            return False
        return [info.get(b"seen") for info in before] == [
            info.get(b"seen") for info in after]

    def _is_awaited(self, infos: list[dict[bytes, Any]]) -> bool:
        if any(info and info[b"pending"] + info[b"leased"] for info in infos):
            return True
        due = [info[b"next-due-ms"] for info in infos
               if info and info[b"given-back"]]
        if not due:
            return False
        now_ms = answers.milliseconds(
            self.servers.ask(self._parts.slot(0), "TIME"))
        return bool(min(due) < now_ms + _AWAITED_MS)

    def counts(self) -> Figures:
        pending = sum(self._lengths())
        return Figures(pending, pending, 0)

    def stats(self) -> Figures:
        self.sync()
        infos = [info for info in self._infos(range(self._parts.count))
                 if info]
        pending = sum(info[b"pending"] + info[b"leased"] + info[b"given-back"]
                      for info in infos)
        seen = sum(info[b"seen"] for info in infos)
        wrong = sum(info[b"seen"] * float(info[b"rate"]) for info in infos)
        return Figures(pending, seen, wrong)

    def close(self) -> None:
        """Gives back what was popped and not asked for."""
        for item in self._ready:
            self.nack(item)
        self._ready.clear()
        self.sync()
        self.servers.close()


class LargeKeys:
    """Requests that are too long for an item: a key each, as LargeFiles."""

    def __init__(self, queue: SharedQueue, name: str) -> None:
        self._servers, self._name = queue.servers, name

    def _ask(self, command: str, name: str, *words: Any) -> Any:
        key = f"{self._name}:large:{name}"
        return self._servers.ask(slot_of(key.encode()), command, key, *words)

    def write(self, data: bytes) -> str:
        name = uuid.uuid4().hex
        self._ask("SET", name, data)
        return name

    def read(self, name: str) -> bytes:
        found = self._ask("GET", name)
        if not isinstance(found, bytes):
            raise KeyError(f"its key {self._name}:large:{name} is not there")
        return found

    def remove(self, name: str) -> None:
        self._ask("DEL", name)

    def sweep(self, known: object) -> int:
        """Other processes may be about to push theirs."""
        return 0

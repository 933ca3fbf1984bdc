"""Which items are being fetched, in a file that outlives a kill.

It is a table of 8-byte numbers, mapped into memory: an item's number and 1
while it is fetched, else 0. Nobody waits for the disk, so after a power cut it
may be old. Only statistics depend on it: the queue itself hands every item out
again that was not acked.
"""

import mmap
import os
import struct
from pathlib import Path

_ROW = struct.Struct("<Q")
_STEP = 4096  # the file grows by a page


class InFlight:
    def __init__(self, path: Path | None) -> None:
        self.before: set[int] = set()  # of the last process, if it was killed
        self._rows: dict[int, int] = {}
        self._free: list[int] = []
        self._map = mmap.mmap(-1, _STEP) if path is None else self._open(path)
        self._free.extend(range(0, len(self._map), _ROW.size))

    def _open(self, path: Path) -> mmap.mmap:
        if path.exists():
            data = path.read_bytes()
            whole = len(data) - len(data) % _ROW.size
            self.before = {number - 1 for number, in
                           _ROW.iter_unpack(data[:whole]) if number}
        with open(path, "wb+") as file:
            os.ftruncate(file.fileno(), _STEP)
            return mmap.mmap(file.fileno(), _STEP)

    def begin(self, number: int) -> bool:
        """True if it was being fetched when the last process ended."""
        if not self._free:
            size = len(self._map)
            self._map.resize(size + _STEP)
            self._free.extend(range(size, size + _STEP, _ROW.size))
        row = self._rows[number] = self._free.pop()
        _ROW.pack_into(self._map, row, number + 1)
        if number not in self.before:
            return False
        self.before.discard(number)
        return True

    def end(self, number: int) -> None:
        row = self._rows.pop(number)
        _ROW.pack_into(self._map, row, 0)
        self._free.append(row)

    def close(self) -> None:
        self._map.close()

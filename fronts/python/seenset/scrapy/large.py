"""Requests that are too long for an item of the queue: a file each.

A file is on the disk before its name is pushed, so a name never outlives its
file. A file whose name was lost in a crash is never read; `sweep` removes it.
"""

import os
import uuid
from collections.abc import Container
from pathlib import Path


class LargeFiles:
    def __init__(self, folder: Path | None) -> None:
        self._folder = folder
        self._memory: dict[str, bytes] = {}  # where there is no folder

    def write(self, data: bytes) -> str:
        name = uuid.uuid4().hex
        if self._folder is None:
            self._memory[name] = data
            return name
        self._folder.mkdir(exist_ok=True)
        with open(self._folder / name, "xb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        folder = os.open(self._folder, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
        return name

    def read(self, name: str) -> bytes:
        if self._folder is None:
            return self._memory[name]
        return (self._folder / name).read_bytes()

    def remove(self, name: str) -> None:
        if self._folder is None:
            self._memory.pop(name, None)
        else:
            (self._folder / name).unlink(missing_ok=True)

    def names(self) -> list[str]:
        if self._folder is None or not self._folder.is_dir():
            return list(self._memory)
        return os.listdir(self._folder)

    def sweep(self, known: Container[str]) -> int:
        """Removes the files that no request has; returns how many."""
        lost = [name for name in self.names() if name not in known]
        for name in lost:
            self.remove(name)
        return len(lost)

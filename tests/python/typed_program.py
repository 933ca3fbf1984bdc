"""A program that mypy --strict has no complaint about."""

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

from seenset import (Answer, FullError, Item, Plan, Queue, SeenSet, Stats, plan,
                     seal)


class Urls(SeenSet):
    pass


def work(item: Item) -> list[str]:
    return [item.url + "/more", item.data.decode()]


def run(folder: Path) -> int:
    seen = SeenSet(1_000_000, 1e-6, on_full="refuse")
    urls = Urls(window=timedelta(days=7))
    new: bool = seen.add("a") and "b" not in seen
    answers: list[int] = seen.add_many(["a", b"b"]).tolist()
    both: SeenSet = seen | seen.copy()
    kind: Urls = urls.copy()
    kind |= urls
    stats: Stats = both.stats()
    draw: Callable[[Path], object] = stats.plot
    size: int = plan(1e6, p=0.01).size_bits
    sized: Plan = plan(m=size, n=1e6)
    both.save(folder / "typed.set")
    found: list[int] = SeenSet.open(folder / "typed.set").has_many([]).tolist()
    secret: bytes | None = seal(["a"], keyed=True).secret
    try:
        seen.update(iter(["a"]))
    except FullError as error:
        print(error.name, error.offset)
    with Queue(folder / "crawl", lease=60.0, durability="interval") as queue:
        queue.push("a", b"data", priority=5)
        for answer in queue.push_many(["b", ("c", b"data")]):
            assert answer == Answer.NEW
        item = queue.pop()
        if item is not None:
            queue.ack(item)
        done = [work(item) for item in queue]
    assert callable(draw) and stats.layout == "blocked"
    assert new and secret and sized.fp_rate < 1 and stats.added == 2
    return len(done) + len(answers) - 2 + len(found)

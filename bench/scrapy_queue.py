#!/usr/bin/env python3
"""What it costs to enqueue and dequeue a request in Scrapy: seenset's scheduler
beside Scrapy's own, with its filter, on disk and in memory.

    scripts/python.sh
    PYTHONPATH=$(echo build/python/venv/lib/python3*/site-packages) \\
        /usr/bin/python3 bench/scrapy_queue.py [COUNT]

All is measured in one run, each twice, and the better is printed: microseconds
a request, by the clock and of this process's own time, which other programs and
the disk do not change. Half of what is enqueued was seen before. No page is
fetched.
"""

import shutil
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests/scrapy"))

import queuelib.queue
import scrapy
from desk import Desk
from scrapy import squeues
from scrapy.utils.misc import load_object
from seenset.scrapy import Scheduler as Ours

COUNT = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
THEIRS = {"SCHEDULER": "scrapy.core.scheduler.Scheduler",
          "DUPEFILTER_CLASS": "scrapy.dupefilters.RFPDupeFilter"}


def queue_named(name):
    """A queue of queuelib's, as Scrapy makes its own of these."""
    raw = squeues._serializable_queue(
        squeues._with_mkdir(getattr(queuelib.queue, name)),
        squeues._pickle_serialize, squeues.pickle.loads)
    return squeues._scrapy_serialization_queue(raw)


ROWS = [
    ("seenset, interval", {}, True),
    ("seenset, none", {"SEENSET_DURABILITY": "none"}, True),
    ("seenset, in memory", {}, False),
    ("Scrapy, LIFO files", THEIRS, True),
    ("Scrapy, SQLite", THEIRS | {"SCHEDULER_DISK_QUEUE":
                                 queue_named("LifoSQLiteQueue")}, True),
    ("Scrapy, in memory", THEIRS, False),
]


def now():
    return time.perf_counter(), time.process_time()


def measure(settings, on_disk):
    folder = tempfile.mkdtemp(dir=".") if on_disk else None
    desk = Desk(folder, **settings)
    desk.crawler.spider = desk.spider
    kind = load_object(settings.get("SCHEDULER", Ours))
    desk.scheduler = kind.from_crawler(desk.crawler)
    desk.open()
    requests = [scrapy.Request(f"http://a.example/page/{number // 2}",
                               callback=desk.spider.other, meta={"depth": 3})
                for number in range(2 * COUNT)]
    marks = [now()]
    for request in requests:
        desk.scheduler.enqueue_request(request)
    marks.append(now())
    count = 0
    while (request := desk.scheduler.next_request()) is not None:
        desk.slot.inprogress.add(request)
        desk.slot.remove_request(request)
        count += 1
    marks.append(now())
    desk.scheduler.close("finished")
    assert count == COUNT, count
    if folder is not None:
        shutil.rmtree(folder)
    return [after - before for first, second in zip(marks, marks[1:])
            for before, after in zip(first, second)]


def main():
    print(f"Scrapy {scrapy.__version__}, Python {sys.version.split()[0]}, "
          f"{COUNT:,} requests and as many that were seen\n")
    print(f"{'microseconds a request':<24}{'in':>9}{'own':>9}{'out':>9}"
          f"{'own':>9}{'both':>9}{'own':>9}")
    for name, settings, on_disk in ROWS:
        best = [min(times) for times in zip(
            *(measure(settings, on_disk) for _ in range(2)))]
        best += [best[0] + best[2], best[1] + best[3]]
        print(f"{name:<24}" + "".join(f"{seconds * 1e6 / COUNT:9.1f}"
                                      for seconds in best), flush=True)


if __name__ == "__main__":
    main()

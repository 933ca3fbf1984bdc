#!/usr/bin/env python3
"""Whole crawls of a site on loopback, with seenset's scheduler and with
Scrapy's own: killed at random moments, and how many pages a second.

    scripts/python.sh
    PYTHONPATH=$(echo build/python/venv/lib/python3*/site-packages) \\
        /usr/bin/python3 bench/scrapy_crawl.py kills [PAGES [KILLS]]
    ... bench/scrapy_crawl.py speed [PAGES [ROUNDS]]

`kills`: 10,000 pages, killed -9 20 times at random moments, for each way to
keep the crawl. `speed`: each crawl runs once in a round, and a round's figures
are divided by those of Scrapy's memory queues in the same round; the medians
are printed, by the clock, and by the processor time of the crawl, which other
programs do not change. Nothing is fetched from outside of this machine.
"""

import random
import sys
import tempfile
from pathlib import Path
from statistics import median

sys.path.insert(0, str(Path(__file__).parents[1] / "tests/scrapy"))

import scrapy
from crawls import OURS, Site, crawl_killed

# Start URLs pass the filter in Scrapy; so does the first page here.
THEIRS = {"SCHEDULER": "scrapy.core.scheduler.Scheduler"}
EACH = OURS | {"SEENSET_DURABILITY": "each"}


def in_folder(call, *arguments):
    with tempfile.TemporaryDirectory(dir=".") as folder:
        site = Site(Path(folder).resolve())
        try:
            return call(site, *arguments)
        finally:
            site.close()


def kill(site, settings, pages, places):
    return crawl_killed(site, "pages", settings | {
        "JOBDIR": str(site.folder / "job"),
        "spider": {"pages": pages, "dont_filter": True}}, places)


def kills(pages=10_000, count=20):
    places = sorted(random.Random(7).sample(range(20, pages - 20), count))
    print(f"{pages:,} pages, to be killed {count} times; Scrapy "
          f"{scrapy.__version__}\n\n{'':<22}{'kills':>6}{'pages':>8}"
          f"{'in flight':>11}{'again':>7}{'most':>6}{'status':>8}")
    for name, settings in (("Scrapy, JOBDIR", THEIRS), ("seenset, interval", OURS),
                           ("seenset, each", EACH)):
        killed = in_folder(kill, settings, pages, places)
        print(f"{name:<22}{killed.kills:>6}{killed.pages:>8,}"
              f"{killed.in_flight:>11,}{killed.again:>7,}{killed.most:>6}"
              f"{killed.status:>8}",
              flush=True)


def crawl(site, settings, pages, is_kept):
    if is_kept:
        settings = settings | {"JOBDIR": str(site.folder / "job")}
    result = site.run("pages", settings | {"spider": {"pages": pages}})
    assert len(set(site.hits)) == pages, result.log
    return (pages / result.stats["elapsed_time_seconds"],
            pages / result.own_seconds)


def speed(pages=3000, rounds=5):
    ways = {"Scrapy, in memory": (THEIRS, False),
            "Scrapy, JOBDIR": (THEIRS, True),
            "seenset, in memory": (OURS, False),
            "seenset, interval": (OURS, True)}
    found = {name: [] for name in ways}
    for _ in range(rounds):
        for name, (settings, is_kept) in ways.items():
            found[name].append(in_folder(crawl, settings, pages, is_kept))
    print(f"{pages:,} pages, {rounds} rounds; Scrapy {scrapy.__version__}\n\n"
          f"{'':<22}{'pages/s':>9}{'ratio':>8}{'of own time':>14}{'ratio':>8}")
    base = found["Scrapy, in memory"]
    for name, rows in found.items():
        print(f"{name:<22}", end="")
        for place, width in ((0, 9), (1, 14)):
            ratios = [row[place] / first[place]
                      for row, first in zip(rows, base)]
            print(f"{median(row[place] for row in rows):>{width}.0f}"
                  f"{median(ratios):>8.2f}", end="")
        print()


if __name__ == "__main__":
    {"kills": kills, "speed": speed}[sys.argv[1]](*map(int, sys.argv[2:]))

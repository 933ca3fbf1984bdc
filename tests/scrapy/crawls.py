"""A site, and crawls of it in processes of their own, that may be killed."""

import json
import signal
import struct
import subprocess
import sys
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).parent
OURS = {"SCHEDULER": "seenset.scrapy.Scheduler",
        "DUPEFILTER_CLASS": "seenset.scrapy.DupeFilter"}


class Result:
    def __init__(self, done, path):
        self.log, self.status = done.stderr, done.returncode
        answer = json.loads(path.read_text()) if path.exists() else {}
        path.unlink(missing_ok=True)
        self.notes = answer.get("notes")
        self.stats = answer.get("stats", {})
        self.own_seconds = answer.get("own_seconds")


class Site:
    """hits: what was asked for, in order."""

    def __init__(self, folder):
        self.folder, self.log = folder, folder / "hits"
        self.process = subprocess.Popen(
            [sys.executable, str(HERE / "site.py"), str(self.log)],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.address = self.process.stdout.readline().strip()

    @property
    def hits(self):
        return self.log.read_text().split()

    def count(self):
        return self.log.read_bytes().count(b"\n")

    def command(self, spider, settings):
        return [sys.executable, str(HERE / "spiders.py"), spider, self.address,
                str(self.folder / "result"), json.dumps(settings)]

    def settings(self, jobdir="job", /, **settings):
        folder = {} if jobdir is None else {"JOBDIR": str(self.folder / jobdir)}
        return OURS | folder | settings

    def crawl(self, spider, jobdir="job", /, **settings):
        return self.run(spider, self.settings(jobdir, **settings))

    def run(self, spider, settings):
        done = subprocess.run(self.command(spider, settings),
                              capture_output=True, text=True, timeout=2000)
        return Result(done, self.folder / "result")

    def start(self, spider, settings):
        """For the test to kill."""
        return subprocess.Popen(self.command(spider, settings),
                                stdout=subprocess.DEVNULL,
                                stderr=subprocess.DEVNULL)

    def wait_for_hits(self, count, process):
        """Until it was asked so often; an end of the crawl is a failure."""
        while self.count() < count:
            assert process.poll() is None, "the crawl ended"
            time.sleep(0.002)

    def close(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()
        self.process.stdout.close()


@dataclass
class Killed:
    """What a crawl did that was killed again and again, and then ended."""

    kills: int = 0
    pages: int = 0  # different ones
    again: int = 0  # fetched once more
    most: int = 0  # how often one of them was fetched
    in_flight: int = 0  # being fetched at the kills, by seenset's count
    status: int = 0  # how it ended
    end: Result | None = None  # None: it ended before it could be killed


def crawl_killed(site, spider, settings, places):
    """Killed each time that the site was asked so often in all; then it runs to
    its end."""
    killed = Killed()
    in_flight = Path(settings["JOBDIR"], "seenset/inflight")
    for place in places:
        process = site.start(spider, settings)
        while site.count() < place and process.poll() is None:
            time.sleep(0.002)
        process.kill()
        killed.status = process.wait()
        if killed.status != -signal.SIGKILL:
            break
        killed.kills += 1
        if in_flight.exists():
            killed.in_flight += sum(
                number > 0 for number, in
                struct.iter_unpack("<Q", in_flight.read_bytes()))
    else:
        killed.end = site.run(spider, settings)
        killed.status = killed.end.status
    counts = Counter(site.hits)
    killed.pages, killed.most = len(counts), max(counts.values())
    killed.again = sum(counts.values()) - killed.pages
    return killed

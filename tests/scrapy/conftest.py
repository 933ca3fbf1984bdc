"""A site, and crawls of it in processes of their own."""

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

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

    def command(self, spider, settings):
        return [sys.executable, str(HERE / "spiders.py"), spider, self.address,
                str(self.folder / "result"), json.dumps(settings)]

    def settings(self, jobdir="job", /, **settings):
        folder = {} if jobdir is None else {"JOBDIR": str(self.folder / jobdir)}
        return OURS | folder | settings

    def crawl(self, name, jobdir="job", /, **settings):
        done = subprocess.run(
            self.command(name, self.settings(jobdir, **settings)),
            capture_output=True, text=True, timeout=300)
        return Result(done, self.folder / "result")

    def start(self, spider, settings):
        """For the test to kill."""
        return subprocess.Popen(self.command(spider, settings),
                                stdout=subprocess.DEVNULL,
                                stderr=subprocess.DEVNULL)

    def wait_for_hits(self, count, process):
        """Until it was asked so often; an end of the crawl is a failure."""
        while len(self.hits) < count:
            assert process.poll() is None, "the crawl ended"
            time.sleep(0.002)

    def close(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()
        self.process.stdout.close()


@pytest.fixture
def site(tmp_path):
    site = Site(tmp_path)
    yield site
    site.close()

"""python -m seenset.scrapy.rescue JOBDIR: go on with a crawl that a kill broke.

It reads the JOBDIR of Scrapy's own scheduler and makes JOBDIR/seenset of it,
for seenset.scrapy.Scheduler. Nothing that is there is changed. Run it in the
project's folder, since the project's settings say how requests are
fingerprinted.
"""

import argparse
import shutil
import sys
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple

import seenset
from scrapy.settings import Settings  # type: ignore[import]
from scrapy.spiderloader import SpiderLoader  # type: ignore[import]
from scrapy.utils.misc import load_object  # type: ignore[import]
from scrapy.utils.project import (  # type: ignore[import]
    get_project_settings,
)
from scrapy.utils.request import (  # type: ignore[import]
    request_from_dict,
)

from . import codec, jobdir
from .folder import open_queue
from .large import LargeFiles
from .options import Options, StartError
from .scheduler import PAST_FILTER, level_of

_BATCH = 10_000
_SAMPLE = 1000


class Rescue:
    """What a JOBDIR has, in a queue."""

    def __init__(self, settings: Settings, folder: Path) -> None:
        self.options = replace(Options.of(settings), folder=folder)
        self.pushed = self.joined = self.seen = self.unreadable = 0
        self._large = LargeFiles(folder / "large")
        kind = load_object(settings["REQUEST_FINGERPRINTER_CLASS"])
        crawler = SimpleNamespace(settings=settings, spider=None)
        self._fingerprinter = kind.from_crawler(crawler) if hasattr(
            kind, "from_crawler") else kind()

    def fill(self, found: jobdir.Found, keep_seen: bool) -> None:
        with open_queue(self.options, "queue") as queue:
            for fields in found.requests:
                try:
                    self._push(queue, fields)
                except (TypeError, ValueError) as error:
                    self.unreadable += 1
                    found.lost.append(f"{fields.get('url')}: {error}")
            for start in range(0, len(found.seen) if keep_seen else 0, _BATCH):
                answers = queue.push_many(found.seen[start:start + _BATCH],
                                          seen_only=True)
                self.seen += answers.count(seenset.Answer.NEW)

    def check(self, found: jobdir.Found) -> None:
        """What waits was seen, under its fingerprint; one way to make these is
        not another."""
        keys = set()
        for fields in found.requests[:_SAMPLE]:
            try:
                keys.add(self._key_of(_request_of(fields)))
            except (TypeError, ValueError):
                pass  # reported when it is pushed
        keys.discard(PAST_FILTER)
        known = len(keys.intersection(found.seen))
        if found.seen and known < len(keys) / 2:
            raise StartError(
                f"only {known:,} of {len(keys):,} fingerprints of requests "
                "that wait are in requests.seen, so it was written with other "
                "settings: run this in the project's folder, and name the "
                "spider with --spider. Or do not keep what was seen: "
                "--fetch-again")

    def _key_of(self, request: Any) -> str:
        if request.dont_filter:
            return PAST_FILTER
        key: bytes = self._fingerprinter.fingerprint(request)
        return key.hex()

    def _push(self, queue: seenset.Queue, fields: jobdir.Fields) -> None:
        request = _request_of(fields)
        key = self._key_of(request)
        data = b"p" + codec.dump(fields)
        if len(data) > codec.LIMIT:
            data = b"f" + self._large.write(data[1:]).encode()
        level = level_of(request, self.options)
        if queue.push(key, data, priority=level, again=key == PAST_FILTER):
            self.pushed += 1
        else:
            self.joined += 1


def _request_of(fields: jobdir.Fields) -> Any:
    """Without its spider's methods."""
    return request_from_dict({
        name: value for name, value in fields.items()
        if name not in ("callback", "errback")})


def settings_of(spider: str | None) -> Settings:
    settings = get_project_settings()
    if spider is not None:
        SpiderLoader.from_settings(settings).load(spider).update_settings(
            settings)
    return settings


class Outcome(NamedTuple):
    lost: list[str]  # a sentence each
    doubt: str  # which pages may be marked as seen and unfetched; "": none


def rescue(path: Path, settings: Settings, keep_seen: bool) -> Outcome:
    """The new folder is there whole or not at all."""
    target, work = path / "seenset", path / "seenset.rescue"
    if target.exists():
        raise StartError(f"{target} exists already, and is not changed; move "
                         "it away to rescue again")
    found = jobdir.read(path)
    made = Rescue(settings, work)
    if keep_seen:
        made.check(found)
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir()
    made.fill(found, keep_seen)
    work.rename(target)
    report(path, made, found)
    doubt = doubt_of(found, settings) if keep_seen else ""
    if doubt:
        print(f"{doubt} To find them, rescue with --fetch-again: all pages are "
              "fetched again, each once.")
    return Outcome(found.lost, doubt)


def doubt_of(found: jobdir.Found, settings: Any) -> str:
    if found.is_torn:
        count = settings.getint("CONCURRENT_REQUESTS")
        return ("It was killed. What it had in memory is not in the files: the "
                f"requests that it was fetching (about {count}) and the last "
                "few of each priority. Of what was seen and does not wait, "
                "most was fetched and those were not.")
    if found.seen and not found.requests:
        return ("Nothing waits. If that is the end of the whole crawl, all is "
                "well. But a crawl that was killed also ends like this when "
                "Scrapy starts it again: pages that it had in memory at the "
                "kill are marked as seen, and were never fetched.")
    return ""


def report(path: Path, made: Rescue, found: jobdir.Found) -> None:
    print(f"{path / 'seenset'}: {made.pushed:,} requests that waited, and "
          f"{made.seen:,} others that were seen")
    if made.joined:
        print(f"{made.joined:,} requests were there twice, and are once now")
    if found.maybe_done:
        print(f"{found.maybe_done:,} of them are in a file whose place to go "
              "on is lost: some may have been fetched before")
    for line in found.lost:
        print(f"lost: {line}")


def arguments() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m seenset.scrapy.rescue",
                                     description=__doc__)
    parser.add_argument("jobdir", type=Path)
    parser.add_argument("--spider", help="whose custom_settings are used, too")
    parser.add_argument("--fetch-again", action="store_true",
                        help="do not keep what was seen")
    return parser


def main(given: list[str] | None = None) -> int:
    """0: all is there; 1: something was lost, or may be; 2: nothing was done."""
    options = arguments().parse_args(given)
    try:
        outcome = rescue(options.jobdir, settings_of(options.spider),
                         not options.fetch_again)
    except (seenset.SeensetError, StartError, OSError, KeyError) as error:
        print(f"seenset: {error}", file=sys.stderr)
        return 2
    return 1 if outcome.lost or outcome.doubt else 0


if __name__ == "__main__":
    sys.exit(main())

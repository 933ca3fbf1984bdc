"""python -m seenset.scrapy: what is in the folder of a crawl."""

import argparse
import json
import sys
from pathlib import Path
from typing import Any

import seenset

from . import codec
from .folder import find
from .large import LargeFiles
from .options import LEVELS


def stat(path: Path, keyed: bytes | None) -> int:
    figures = seenset.Queue.look(path, keyed=keyed)
    rows = {"waiting": figures.pending, "being fetched": figures.leased,
            "enqueued": figures.pushed, "done": figures.acked,
            "filtered": figures.dropped,
            "wrongly dropped":
                f"unknown, at least {int(figures.wrong_items)}"
                if figures.is_wrong_at_least
                else f"{figures.wrong_items:.3g}, expected",
            "log": f"{figures.log_bytes:,} bytes",
            "set": f"{figures.memory_bytes:,} bytes of memory"}
    large = len(LargeFiles(path.parent / "large").names())
    if large:
        rows["in files"] = large
    for level, count in reversed(list(enumerate(figures.by_priority))):
        if count:
            rows[f"level {level}"] = count
    for name, value in rows.items():
        print(f"{name:<18}", f"{value:,}" if isinstance(value, int) else value)
    return 0


def verify(path: Path, keyed: bytes | None) -> int:
    report = seenset.Queue.verify(path, keyed=keyed)
    print(f"{path}: sound, {report.items:,} requests in "
          f"{report.log_bytes:,} bytes of log")
    return 0


def repair(path: Path, keyed: bytes | None) -> int:
    report = seenset.Queue.repair(path, keyed=keyed)
    if not report.reason:
        print(f"{path}: sound, nothing to repair")
        return 0
    print(f"{path}: repaired. {report.file} at byte {report.offset:,}: "
          f"{report.reason}. {report.lost_items:,} requests are lost.")
    return 0


def export(path: Path, keyed: bytes | None) -> int:
    """Each request that waits, as a line of JSON."""
    large = LargeFiles(path.parent / "large")

    def write(item: seenset.Item) -> None:
        print(json.dumps(describe(item, large), default=repr))

    seenset.Queue.look_items(path, write, keyed=keyed)
    return 0


def describe(item: seenset.Item, large: LargeFiles) -> dict[str, Any]:
    key = item.url.rpartition("/")[2] if item.url.startswith("scrapy:") \
        else item.url
    about: dict[str, Any] = {"key": key, "level": item.priority}
    try:
        fields = codec.read(item.data, large)
    except Exception as error:  # a pickle may raise anything
        return about | {"error": f"{type(error).__name__}: {error}"}
    return about | {
        "url": fields.get("url"), "method": fields.get("method", "GET"),
        "priority": fields.get("priority", 0),
        "depth": (fields.get("meta") or {}).get("depth", 0),
        "callback": fields.get("callback"),
        "dont_filter": bool(fields.get("dont_filter"))}


def arguments() -> argparse.ArgumentParser:
    levels = ", ".join(map(str, LEVELS))
    parser = argparse.ArgumentParser(
        prog="python -m seenset.scrapy", description=__doc__,
        epilog="stat and export work while the crawl runs; verify and repair "
        f"need it stopped. Level 1 to 9 begin at the priorities {levels}, "
        "unless SEENSET_LEVELS says otherwise. export reads pickles, which can "
        "run code: use it on folders of your own.")
    parser.add_argument("what", choices=["stat", "verify", "repair", "export"])
    parser.add_argument("folder", type=Path,
                        help="the JOBDIR, or SEENSET_DIR, of a crawl")
    parser.add_argument("--secret", type=bytes.fromhex,
                        help="its SEENSET_SECRET")
    return parser


def main(given: list[str] | None = None) -> int:
    options = arguments().parse_args(given)
    call = {"stat": stat, "verify": verify, "repair": repair,
            "export": export}[options.what]
    try:
        return call(find(options.folder), options.secret)
    except (seenset.SeensetError, OSError) as error:
        print(f"seenset: {error}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())

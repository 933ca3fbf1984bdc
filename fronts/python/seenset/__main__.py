"""What is installed, and what is in a file: python -m seenset."""

from __future__ import annotations

import argparse
import os
import sys

from . import Info, SeenSet, SeensetError, Stats, __version__

_HELP = """\
examples:
  python -m seenset                  the version, and where it is
  python -m seenset info seen.set    what the set is, and how full
  python -m seenset.scrapy stat DIR  a crawl of Scrapy
"""


def _print_figures(figures: Info | Stats) -> None:
    for name in figures.__match_args__:
        print(f"  {name:24}{getattr(figures, name)}")


def _print_set(path: str) -> None:
    seen = SeenSet.open(path)
    print(path)
    _print_figures(seen.info())
    _print_figures(seen.stats())


def _print_all(paths: list[str]) -> int:
    status = 0
    for path in paths:
        try:
            _print_set(path)
        except (SeensetError, OSError) as error:
            print(f"{path}: {error}", file=sys.stderr)
            status = 2
    return status


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python -m seenset", epilog=_HELP,
        description="Have I seen this before? The package seenset for Python.",
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--version", action="version",
                        version=f"seenset {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND")
    info = commands.add_parser("info", help="what sets are, and how full")
    info.add_argument("files", nargs="+", metavar="FILE")
    given = parser.parse_args()
    if given.command == "info":
        return _print_all(given.files)
    print(f"seenset {__version__}, {os.path.dirname(__file__)}")
    print("help(seenset.SeenSet) and help(seenset.Queue) have every method")
    return 0


if __name__ == "__main__":
    sys.exit(main())

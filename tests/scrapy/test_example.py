"""examples/scrapy, as docs/scrapy.md runs it; and what the page says."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import seenset.scrapy
from seenset.scrapy import codec, options
from seenset.scrapy.__main__ import main

SOURCE = Path(os.environ["SEENSET_SOURCE"])
PAGE = (SOURCE / "docs/scrapy.md").read_text()


def test_the_example(tmp_path):
    """Killed in the middle, then run to its end: each page is an item."""
    project = shutil.copytree(SOURCE / "examples/scrapy", tmp_path / "project")
    server = subprocess.Popen([sys.executable, "serve.py", "200", "0"],
                              cwd=project, stdout=subprocess.PIPE, text=True)
    site = server.stdout.readline().split()[0]
    command = [sys.executable, "-m", "scrapy", "crawl", "links", "-a",
               f"site={site}", "-s", "DOWNLOAD_DELAY=0", "-o", "pages.jl"]
    first = subprocess.Popen(command, cwd=project, stderr=subprocess.DEVNULL)
    while not (project / "job/seenset/queue/MANIFEST").exists() or \
            seenset.Queue.look(project / "job/seenset/queue").acked < 50:
        assert first.poll() is None
        time.sleep(0.01)
    first.send_signal(signal.SIGKILL)
    first.wait()
    done = subprocess.run(command, cwd=project, capture_output=True, text=True)
    server.kill()
    server.wait()
    server.stdout.close()
    assert done.returncode == 0 and "Resuming crawl" in done.stderr, done.stderr
    figures = seenset.Queue.look(project / "job/seenset/queue")
    assert figures.pending == 0 and figures.acked == figures.pushed
    # 200 pages; the robots.txt is not in the queue, 2.8 passes the first.
    assert 200 <= figures.pushed <= 202
    items = (project / "pages.jl").read_text().splitlines()
    assert len({json.loads(item)["url"] for item in items}) == 201  # and "/"
    [each_once] = re.findall(r"^    seenset (dedup .*) >once\.jl$", PAGE, re.M)
    once = subprocess.run([os.environ["SEENSET_COMMAND"],
                           *each_once.split()],
                          cwd=project, capture_output=True, text=True)
    urls = [json.loads(item)["url"] for item in once.stdout.splitlines()]
    assert len(urls) == len(set(urls)) == 201


def test_the_settings_of_the_page():
    """Each setting that is read has a row, and the default levels are there."""
    read = set(re.findall(r'"(SEENSET_[A-Z_]+)"',
                          Path(options.__file__).read_text()))
    rows = set(re.findall(r"^\| `(SEENSET_[A-Z_]+)`", PAGE, re.M))
    assert read == rows
    assert ", ".join(map(str, options.LEVELS)) in PAGE


def test_the_stats_of_the_page():
    package = Path(seenset.scrapy.__file__).parent
    for path in package.glob("*.py"):
        for name in re.findall(r'"((?:seenset|scheduler)/[a-z_]+)"',
                               path.read_text()):
            assert f"`{name}`" in PAGE, name


def test_the_command_of_the_page(tmp_path, capsys):
    seenset.Queue(tmp_path / "queue").close()
    assert main(["stat", str(tmp_path)]) == 0
    shown = re.search(r"stat job\n((?:    .*\n)*)", PAGE)[1]
    names = [line[4:22] for line in shown.splitlines()]
    said = capsys.readouterr().out.splitlines()
    assert [line[:18] for line in said[:len(names)]] == names


def test_an_item_has_room_for_its_key():
    assert codec.LIMIT < seenset.MAX_ITEM_BYTES

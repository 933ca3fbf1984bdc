"""JOBDIRs of Scrapy's own scheduler, broken in many ways, as queues."""

import json
import os
import subprocess
import sys
from types import SimpleNamespace

import pytest
import scrapy
import seenset
from desk import Desk
from scrapy import squeues
from scrapy.dupefilters import RFPDupeFilter
from scrapy.pqueues import DownloaderAwarePriorityQueue, ScrapyPriorityQueue
from scrapy.settings import Settings
from seenset.scrapy import StartError, jobdir, rescue

COUNT = 40
FIFO, LIFO = squeues.PickleFifoDiskQueue, squeues.PickleLifoDiskQueue
PATHS = {f"/{number}" for number in range(COUNT)}


def crawl(folder, kind=LIFO, is_closed=False, aware=False):
    """A JOBDIR of 40 requests of 2 priorities, 4 of which were handed out; of a
    process that was killed unless is_closed."""
    desk = Desk()
    downloader = SimpleNamespace(
        slots={}, _get_slot_key=lambda request, _: "a", active=[],
        get_slot_key=lambda request: "a")
    desk.crawler.engine.downloader = downloader
    desk.crawler.spider = desk.spider
    (folder / "requests.queue").mkdir(parents=True)
    kinds = DownloaderAwarePriorityQueue if aware else ScrapyPriorityQueue
    queue = kinds.from_crawler(desk.crawler, kind,
                               str(folder / "requests.queue"), ())
    filter = RFPDupeFilter(
        str(folder), fingerprinter=desk.crawler.request_fingerprinter)
    for number in range(COUNT):
        request = scrapy.Request(f"http://a/{number}", priority=number % 2,
                                 callback=desk.spider.other,
                                 meta={"depth": number})
        assert not filter.request_seen(request)
        queue.push(request)
    for _ in range(4):
        queue.pop()
    filter.close("")
    if is_closed:
        (folder / "requests.queue/active.json").write_text(
            json.dumps(queue.close()))
    else:
        for file in files_of(queue):
            os.fsync(file.fileno()) if file.fileno() >= 0 else None
    return folder / "requests.queue"


def files_of(queue):
    """What a process that is killed has written by then."""
    queues = getattr(queue, "pqueues", {"": queue}).values()
    for one in queues:
        for disk in one.queues.values():
            for name in ("f", "headf"):
                if hasattr(disk, name):
                    getattr(disk, name).flush()
                    yield getattr(disk, name)


def rescued(folder, keep_seen=True, handed_out=True):
    """What was lost, and the paths that a crawl goes on with, in order."""
    lost = rescue.rescue(folder, Settings(
        {"REQUEST_FINGERPRINTER_IMPLEMENTATION": "2.7"}), keep_seen).lost
    desk = Desk(folder).open()
    return lost, desk, desk.pop_all() if handed_out else []


def flip(path, at, count=1):
    data = bytearray(path.read_bytes())
    for place in range(at, at + count):
        data[place] ^= 0xff
    path.write_bytes(data)


@pytest.mark.parametrize("aware", [False, True])
@pytest.mark.parametrize("is_closed", [True, False])
@pytest.mark.parametrize("kind", [FIFO, LIFO])
def test_whole(tmp_path, kind, is_closed, aware, capsys):
    """1 to 4: no active.json, no info.json, LIFO and FIFO, folders of hosts."""
    crawl(tmp_path, kind, is_closed, aware)
    lost, desk, paths = rescued(tmp_path)
    got = [int(path) for path in paths]
    assert not lost
    # The first priority was handed out from: odd numbers.
    expected = set(range(COUNT)) - ({39, 37, 35, 33} if kind is LIFO else
                                    {1, 3, 5, 7} if is_closed else set())
    assert set(got) == expected
    odd = [number for number in got if number % 2]
    assert got[:len(odd)] == odd == sorted(odd, reverse=kind is LIFO)
    said = capsys.readouterr().out
    assert ("It was killed" in said) is not is_closed
    assert ("may have been fetched" in said) is (
        kind is FIFO and not is_closed)
    # What was seen stays seen, and a request is whole.
    assert not desk.push("39") and not desk.push("1") and desk.push("new")
    desk.close()


def test_callbacks_and_meta(tmp_path):
    crawl(tmp_path)
    _, desk, _ = rescued(tmp_path, handed_out=False)
    request = desk.pop()
    assert request.callback == desk.spider.other
    assert request.meta["depth"] == 31 and request.priority == 1


def test_a_torn_end(tmp_path):
    """5: the last request of a LIFO file is cut off."""
    queue = crawl(tmp_path)
    path = queue / "0"
    os.truncate(path, path.stat().st_size - 7)
    lost, _, paths = rescued(tmp_path)
    # All but its pickle's last three bytes are there; they are not a pickle.
    assert len(paths) == COUNT - 4 - 1 and "38" not in paths
    assert len(lost) == 1 and "requests.queue/0" in lost[0]


def test_a_torn_chunk(tmp_path):
    """6: the same of a FIFO file."""
    queue = crawl(tmp_path, FIFO)
    path = queue / "0/q00000"
    os.truncate(path, path.stat().st_size - 7)
    lost, _, paths = rescued(tmp_path)
    assert len(paths) == COUNT - 1 and "38" not in paths and len(lost) == 1


@pytest.mark.parametrize("kind", [FIFO, LIFO])
def test_garbage_in_the_middle(tmp_path, kind):
    """7: what is sound on both sides is found."""
    queue = crawl(tmp_path, kind)
    path = queue / "0/q00000" if kind is FIFO else queue / "0"
    flip(path, path.stat().st_size // 2, 60)
    lost, _, paths = rescued(tmp_path)
    whole = COUNT - (4 if kind is LIFO else 0)
    assert whole - 2 <= len(paths) < whole and lost
    assert {"0", "2", "36", "38"} <= set(paths)


def test_a_broken_index(tmp_path):
    """8: info.json and active.json are there, and are nonsense."""
    queue = crawl(tmp_path, FIFO, is_closed=True)
    for text in ("", "{", "[]", '{"tail": "x"}', '{"tail": [9, 9, 999999]}'):
        for path in [queue / "active.json", *queue.glob("*/info.json")]:
            path.write_text(text)
        assert len(jobdir.read(tmp_path).requests) == COUNT


def test_what_was_seen_is_damaged(tmp_path):
    """9: a torn last line, and one that is not a fingerprint."""
    crawl(tmp_path)
    path = tmp_path / "requests.seen"
    lines = path.read_text().splitlines()
    path.write_text("\n".join(lines[:5] + ["\0\0garbage"] + lines[5:])[:-10])
    lost, desk, paths = rescued(tmp_path)
    assert len(paths) == COUNT - 4 and "2 lines" in lost[0]
    assert desk.push("39") and not desk.push("37")


def test_what_was_seen_is_gone(tmp_path):
    """10."""
    crawl(tmp_path)
    (tmp_path / "requests.seen").unlink()
    lost, desk, paths = rescued(tmp_path)
    assert len(paths) == COUNT - 4 and "fetched again" in lost[0]
    assert desk.push("39") and not desk.push("38")


def test_the_queue_is_gone(tmp_path):
    """11: only what was seen is there."""
    for path in crawl(tmp_path).iterdir():
        path.unlink()
    lost, desk, paths = rescued(tmp_path)
    assert not lost and not paths and not desk.push("38")


def test_a_chunk_is_gone(tmp_path):
    """12: of a FIFO queue of several files."""
    queue = crawl(tmp_path, FIFO)
    (queue / "0/q00002").write_bytes((queue / "0/q00000").read_bytes())
    (queue / "0/q00000").unlink()
    _, _, paths = rescued(tmp_path)
    assert len(paths) == COUNT


def test_requests_that_are_none(tmp_path):
    """13: pickles of something else, and URLs that are not."""
    queue = crawl(tmp_path, FIFO)
    data = b""
    for thing in (7, {"a": 1}, {"url": "no scheme"}, {"url": "http://a/new"}):
        piece = seenset.scrapy.codec.dump(thing)
        data += len(piece).to_bytes(4, "big") + piece
    (queue / "5").mkdir()
    (queue / "5/q00000").write_bytes(data)
    lost, _, paths = rescued(tmp_path)
    assert len(paths) == COUNT + 1 and "new" in paths
    assert any("no scheme" in line for line in lost)


def test_fetch_again(tmp_path):
    crawl(tmp_path)
    _, desk, paths = rescued(tmp_path, keep_seen=False)
    assert len(paths) == COUNT - 4
    assert desk.push("39") and not desk.push("38")


class Other:
    """A fingerprinter that the JOBDIR was not made with."""

    def fingerprint(self, request):
        return request.url.encode()


def test_other_fingerprints(tmp_path):
    """14: rescued outside of its project, everything would be new again."""
    crawl(tmp_path)
    settings = Settings({"REQUEST_FINGERPRINTER_CLASS": Other})
    with pytest.raises(StartError, match="project's folder"):
        rescue.rescue(tmp_path, settings, True)
    assert not (tmp_path / "seenset").exists()
    rescue.rescue(tmp_path, settings, False)


def test_it_is_refused(tmp_path):
    with pytest.raises(FileNotFoundError, match="not a JOBDIR"):
        rescue.rescue(tmp_path, Settings(), True)
    crawl(tmp_path)
    (tmp_path / "seenset").mkdir()
    with pytest.raises(StartError, match="exists already"):
        rescue.rescue(tmp_path, Settings(), True)
    assert not (tmp_path / "seenset.rescue").exists()


def test_nothing_waits(tmp_path, capsys):
    """The end of a crawl, or what Scrapy makes of one that was killed."""
    queue = crawl(tmp_path, is_closed=True)
    for path in queue.iterdir():
        path.unlink()
    (queue / "active.json").write_text("[]")
    lost, desk, paths = rescued(tmp_path)
    assert lost == [] and paths == []
    assert "Nothing waits" in (said := capsys.readouterr().out)
    assert "with --fetch-again" in said
    desk.close()
    (tmp_path / "seenset").rename(tmp_path / "old")
    rescued(tmp_path, keep_seen=False)
    assert "Nothing waits" not in capsys.readouterr().out


def test_the_command(tmp_path):
    queue = crawl(tmp_path / "job")
    (tmp_path / "own.py").write_text(
        "REQUEST_FINGERPRINTER_IMPLEMENTATION = '2.7'")

    def run(*arguments):
        done = subprocess.run(
            [sys.executable, "-m", "seenset.scrapy.rescue", *arguments],
            capture_output=True, text=True, cwd=tmp_path,
            env=os.environ | {"SCRAPY_SETTINGS_MODULE": "own"})
        return done.returncode, done.stdout + done.stderr

    status, said = run("job")
    assert status == 1 and "36 requests that waited, and 4 others" in said
    assert "It was killed" in said and "with --fetch-again" in said
    status, said = run("job")
    assert status == 2 and "exists already" in said
    (tmp_path / "job/seenset").rename(tmp_path / "old")
    status, said = run("job", "--fetch-again")
    assert status == 0 and "--fetch-again" not in said
    (tmp_path / "job/seenset").rename(tmp_path / "older")
    crawl(tmp_path / "closed", is_closed=True)
    status, said = run("closed")
    assert status == 0 and "--fetch-again" not in said
    flip(queue / "0", 60, 9)
    status, said = run("job", "--fetch-again")
    assert status == 1 and "lost: job/requests.queue/0" in said

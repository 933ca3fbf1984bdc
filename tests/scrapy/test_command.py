"""python -m seenset.scrapy, on folders that are open and that are not."""

import json

import pytest
from desk import Desk
from seenset.scrapy.__main__ import main


@pytest.fixture
def job(tmp_path):
    return tmp_path / "job"


def filled(job, **settings):
    desk = Desk(job, **settings).open()
    desk.push("first", priority=5, meta={"depth": 2},
              callback=desk.spider.other)
    desk.push("second", dont_filter=True, method="POST", body=b"b" * (2 << 20))
    desk.push("third", callback=print)
    desk.push("first")
    desk.scheduler._queue.sync()
    return desk


def test_while_it_crawls(job, capsys):
    desk = filled(job)
    for folder in (job, job / "seenset", job / "seenset/queue"):
        assert main(["stat", str(folder)]) == 0
        said = dict(line.split(None, 1) for line
                    in capsys.readouterr().out.splitlines())
        assert said["waiting"] == said["enqueued"] == "3"
        assert said["in"].split() == ["files", "1"]
        assert "expected" in said["wrongly"]
    assert main(["export", str(job)]) == 0
    first, second, third = map(json.loads,
                               capsys.readouterr().out.splitlines())
    assert first == {
        "key": first["key"], "level": 6, "url": "http://a/first",
        "method": "GET", "priority": 5, "depth": 2, "callback": "other",
        "dont_filter": False}
    assert len(first["key"]) == 40
    assert second["url"] == "http://a/second" and second["dont_filter"]
    assert "not a request" in third["error"]
    assert main(["verify", str(job)]) == 1
    assert "open" in capsys.readouterr().err
    desk.close()


def test_verify_and_repair(job, capsys):
    secret = "0c" * 16
    desk = filled(job, SEENSET_SECRET=secret)
    for number in range(500):
        desk.push(number)
    desk.close()
    own = ["--secret", secret]
    assert main(["verify", str(job), *own]) == 0
    assert "sound, 503 requests" in capsys.readouterr().out
    assert main(["repair", str(job), *own]) == 0
    assert "nothing to repair" in capsys.readouterr().out
    assert main(["verify", str(job)]) == 1
    log = max((job / "seenset/queue").glob("log*"),
              key=lambda file: file.stat().st_size)
    data = bytearray(log.read_bytes())
    data[len(data) // 2] ^= 1
    log.write_bytes(data)
    capsys.readouterr()
    assert main(["verify", str(job), *own]) == 1
    assert main(["repair", str(job), *own]) == 0
    assert "requests are lost" in capsys.readouterr().out
    assert main(["verify", str(job), *own]) == 0


def test_what_is_not_a_crawl(tmp_path, capsys):
    for what in ("stat", "verify", "repair", "export"):
        assert main([what, str(tmp_path)]) == 1
        assert capsys.readouterr().err.startswith("seenset: ")

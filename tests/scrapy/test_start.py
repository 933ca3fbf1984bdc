"""What is wrong is said before a crawl starts, with what to do."""

import pytest
import seenset
from desk import Desk, Slot, lone_filter
from seenset.scrapy import StartError


@pytest.fixture
def job(tmp_path):
    return tmp_path / "job"


def refused(match, job=None, **settings):
    with pytest.raises(StartError, match=match):
        Desk(job, **settings).open()


@pytest.mark.parametrize("name, value, match", [
    ("SEENSET_CAPACITY", "many", "SEENSET_CAPACITY is a number"),
    ("SEENSET_CAPACITY", 0, "over 0"),
    ("SEENSET_FP_RATE", float("nan"), "SEENSET_FP_RATE is a number"),
    ("SEENSET_FP_RATE", 2, "cannot be used"),
    ("SEENSET_DURABILITY", "always", "each, interval, none"),
    ("SEENSET_ORDER", "random", "breadth, depth"),
    ("SEENSET_INTERVAL", "soon", "SEENSET_INTERVAL"),
    ("SEENSET_SECRET", "abc", "openssl rand -hex 16"),
    ("SEENSET_LEVELS", [3, 1], "the lowest first"),
    ("SEENSET_LEVELS", list(range(10)), "1 to 9"),
    ("SEENSET_LEVELS", ["x"], "1 to 9")])
def test_settings(job, name, value, match):
    refused(match, job, **{name: value})


def test_settings_of_the_other_scheduler(job, caplog):
    queue = "scrapy.pqueues.ScrapyPriorityQueue"
    Desk(job, SCHEDULER_PRIORITY_QUEUE=queue).open().close()
    said = [record.message for record in caplog.records]
    assert said == ["SCHEDULER_PRIORITY_QUEUE has no effect with "
                    "seenset.scrapy: hosts take turns, and the oldest request "
                    "of the highest of ten levels comes first"]
    caplog.clear()
    Desk(job).open().close()  # Scrapy's defaults are nobody's wish
    assert not caplog.records


def test_a_private_name_that_is_gone(job):
    for slot in (object(), type("S", (), {"inprogress": set()})(),
                 type("S", (Slot,), {"__init__": lambda self: None})()):
        with pytest.raises(StartError, match="changed inside"):
            Desk(job, slot=slot).open()
    # Nothing is left open.
    Desk(job).open().close()


def test_an_engine_that_the_crawler_does_not_know(job):
    desk = Desk(job)
    engine, desk.crawler.engine = desk.crawler.engine, None
    with pytest.raises(StartError, match="has no engine.*set crawler.engine"):
        desk.open()
    desk.crawler.engine = engine  # nothing is left open
    desk.open().close()


def test_a_folder_in_use(job):
    desk = Desk(job).open()
    refused("in use", job)
    desk.close()
    filter, _ = lone_filter(job)
    with pytest.raises(StartError, match="in use"):
        lone_filter(job)
    filter.close("finished")


def test_another_spider(job):
    desk = Desk(job).open()
    desk.push(1)
    desk.close()
    other = Desk(job)
    other.spider.name = "other"
    with pytest.raises(StartError, match="of the spider 'desk'"):
        other.open()
    # Nothing is left open, and nothing has changed.
    again = Desk(job).open()
    assert len(again.pop_all()) == 1
    again.close()
    (job / "seenset/spider").unlink()
    other = Desk(job)
    other.spider.name = "other"
    other.open().close()
    assert (job / "seenset/spider").read_text() == "other"


def test_other_settings_than_it_was_made_with(job):
    Desk(job, SEENSET_CAPACITY=1000).open().close()
    refused("as they were", job, SEENSET_CAPACITY=5_000_000)
    refused("SEENSET_SECRET", job, SEENSET_SECRET="ab" * 16)
    Desk(job).open().close()


@pytest.mark.parametrize("turns", [False, True])
def test_damage(job, turns):
    desk = Desk(job, SEENSET_TURNS=turns).open()
    for number in range(1000):
        desk.push(number)
    desk.scheduler._queue.checkpoint()  # so open need not read the log
    desk.close()
    queue = job / "seenset/queue"
    log = max(queue.glob("log*"), key=lambda file: file.stat().st_size)
    data = bytearray(log.read_bytes())
    data[len(data) // 2] ^= 1
    log.write_bytes(data)
    refused("python -m seenset.scrapy repair", job)
    # Without the check it is found in the middle, and the crawl stops. With
    # turns, opening reads all that is pending.
    if turns:
        refused("is damaged", job, SEENSET_VERIFY=False)
    else:
        desk = Desk(job, SEENSET_VERIFY=False).open()
        assert len(desk.pop_all()) < 999
        assert desk.closed_with == "seenset_error"
        desk.close()
    seenset.Queue.repair(queue)
    left = len(Desk(job).open().pop_all())
    assert left == 999 if turns else 0 < left < 999, (left, len(data), log)


def test_a_folder_that_cannot_be_made(tmp_path):
    (tmp_path / "file").write_text("")
    refused("cannot be used", tmp_path / "file")


def test_a_crawl_of_the_default_scheduler(job):
    (job / "requests.queue").mkdir(parents=True)
    Desk(job).open().close()
    for path in (job / "seenset/queue").iterdir():
        path.unlink()
    (job / "seenset/queue").rmdir()
    (job / "requests.queue/0").write_bytes(b"\0\0\0\0")
    refused("seenset.scrapy.rescue", job)


def test_close_after_open_failed(job):
    """As the engine does."""
    desk = Desk(job, SEENSET_FP_RATE=2)
    with pytest.raises(StartError):
        desk.open()
    desk.scheduler.close("shutdown")
    assert not desk.scheduler.has_pending_requests()
    assert desk.pop() is None and not desk.push("a")

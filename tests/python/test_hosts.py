"""A polite Queue: hosts are asked one at a time, and not too soon."""

import datetime
import math
import subprocess

import pytest
import seenset
from seenset import Queue
from support import command

YEAR = 366 * 86400


@pytest.fixture
def path(tmp_path):
    return tmp_path / "crawl"


def polite(path, **options):
    return Queue(path, 1000, **{"polite": 3600} | options)


def urls_of(queue):
    return [item.url for item in queue.pop_many(100)]


def test_hosts_take_turns(path):
    with polite(path, polite=0, per_host=2) as queue:
        queue.push_many(["http://a/1", "http://a/2", "http://a/3",
                         "http://B/1", "no url"])
        items = queue.pop_many(100)
        items[:3] = sorted(items[:3], key=lambda item: item.number)
        assert [item.url for item in items] == [
            "http://a/1", "http://B/1", "no url", "http://a/2"]
        assert [item.host for item in items] == ["a", "B", "no url", "a"]
        assert len(items[0]) == 6 and queue.peek() is None
        queue.ack(items[0])
        assert queue.peek().host == "a"


def test_one_that_is_not_polite_has_no_hosts(path):
    with Queue(path) as queue:
        queue.push("http://a/")
        assert queue.pop().host is None
        for call in (lambda: queue.set_host("a", delay=1),
                     lambda: queue.get_host("a"), queue.list_hosts):
            with pytest.raises(seenset.UnsupportedError):
                call()
    with pytest.raises(seenset.MismatchError):
        polite(path)
    assert Queue.look(path).host_leases == 0


def test_a_delay_holds_over_a_restart(path):
    with polite(path) as queue:
        queue.push_many(["http://a/1", "http://a/2"])
        item = queue.pop()
        queue.ack(item)
        assert queue.pop() is None
        assert 3500 < queue.stats().seconds_to_next <= 3601
    with Queue(path) as queue:
        assert queue.pop() is None and queue.counts().pending == 1
        assert 3500 < queue.get_host(b"A").seconds_to_ready <= 3601
        queue.set_host("a", delay=0)
        queue.set_host("a", block=0)
        assert queue.pop().url == "http://a/2"


def test_rules_are_decided_when_it_is_made(path):
    with polite(path, polite=datetime.timedelta(seconds=2), per_host=3,
                by="host-port", host_budget=7, from_start=True) as queue:
        queue.push("http://a:81/")
        assert queue.pop().host == "a:81"
        found = queue.stats()
        assert (found.host_delay_seconds, found.host_leases, found.hosts_by,
                found.host_budget, found.is_delay_from_start) == (
                    2, 3, "host-port", 7, True)
    rules = {"polite": 2, "per_host": 3, "by": "host-port", "host_budget": 7,
             "from_start": True}
    with Queue(path, **rules), pytest.raises(seenset.InUseError):
        Queue(path, **rules)
    for other in ({"polite": 1}, {"per_host": 2}, {"by": "host"},
                  {"host_budget": 8}, {"host_budget": math.inf},
                  {"from_start": False}):
        with pytest.raises(seenset.MismatchError):
            Queue(path, **rules | other)
    with Queue(path, polite=False) as queue:  # as it was made
        assert queue.stats().host_leases == 3
    with Queue(None, polite=True) as queue:
        assert queue.stats().host_delay_seconds == 1


@pytest.mark.parametrize("options", [
    {"polite": -1}, {"polite": math.nan}, {"polite": math.inf},
    {"polite": YEAR + 1}, {"polite": datetime.timedelta(seconds=-1)},
    {"per_host": 0}, {"per_host": 65536}, {"per_host": -1}, {"per_host": 1.5},
    {"by": "path"}, {"host_budget": 0}, {"host_budget": -1},
    {"host_budget": math.nan}, {"polite": None, "per_host": 2},
    {"polite": False, "by": "host"}, {"polite": None, "host_budget": 5},
    {"polite": None, "from_start": True}])
def test_rules_that_are_none(path, options):
    with pytest.raises(ValueError, match="polite|per_host|by|host_budget"):
        polite(path, **options)
    with pytest.raises(TypeError):
        polite(path, polite="1s")
    assert not path.exists()


def test_what_holds_for_one_host(path):
    with polite(path, polite=5) as queue:
        for settings in ({"delay": 0.25}, {"block": 100}, {"budget": 2},
                         {"delay": datetime.timedelta(days=366)}):
            queue.set_host("A.example", **settings)
        found = queue.get_host("a.EXAMPLE")
        assert found.delay_seconds == YEAR and found.has_settings
        assert found.budget == 2 and found.taken == 0
        assert 99 < found.seconds_to_ready <= 101
        assert queue.push("http://a.example/1") is True
        assert queue.push("http://a.example/2") is True
        with pytest.raises(seenset.BudgetError):
            queue.push("http://a.example/3")
        assert queue.pop() is None
        queue.set_host("a.example", budget=math.inf)
        assert queue.push("http://a.example/3") is True
    with Queue(path) as queue:
        found = queue.get_host("a.example")
        assert found[1:6] == (3, 0, 0, math.inf, YEAR)
        assert found.seconds_to_ready > 90
        new = queue.get_host("b")
        assert new[1:] == (0, 0, 0, math.inf, 5, 0, False)


@pytest.mark.parametrize("settings", [
    {}, {"delay": None}, {"delay": -1}, {"delay": math.nan},
    {"delay": YEAR + 1}, {"block": -1}, {"block": math.nan}, {"block": 1e9 + 1},
    {"budget": 0}, {"budget": -1}, {"budget": 1.5}, {"budget": math.nan},
    {"delay": 1, "budget": 0}])
def test_settings_that_are_none(path, settings):
    with polite(path) as queue:
        with pytest.raises(ValueError, match="delay|block|budget"):
            queue.set_host("a", **settings)
        assert queue.list_hosts() == []
        assert not queue.get_host("a").has_settings


def test_names_that_are_none(path):
    with polite(path) as queue:
        with pytest.raises(TypeError):
            queue.set_host(7, delay=1)
        with pytest.raises(TypeError):
            queue.get_host(None)
        with pytest.raises(seenset.InvalidError):
            queue.set_host("x" * ((1 << 20) + 1), delay=1)
        with pytest.raises(seenset.InvalidError):
            queue.get_host("x" * ((1 << 20) + 1))
    with pytest.raises(ValueError, match="closed"):
        queue.list_hosts()


def test_the_most_pending_first(path):
    with polite(path, polite=0) as queue:
        queue.push_many([f"http://h{host}/{page}" for host in range(5)
                         for page in range(host + 1)])
        found = queue.list_hosts(2)
        assert [(host.name, host.pending) for host in found] == [
            ("h4", 5), ("h3", 4)]
        assert len(queue.list_hosts()) == len(queue.list_hosts(None)) == 5
        assert queue.list_hosts(0) == []
        queue.pop_many(5)
        assert [host.leased for host in queue.list_hosts()] == [1] * 5
        with pytest.raises(ValueError):
            queue.list_hosts(-1)


def test_the_command_sees_the_same(path):
    with polite(path, polite=2.5) as queue:
        queue.push("http://a/")
        queue.set_host("a", delay=9)
    done = subprocess.run([command(), "queue", "hosts", path],
                          capture_output=True, text=True)
    assert done.returncode == 0 and "a" in done.stdout.split()

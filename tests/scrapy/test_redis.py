"""Crawls that many processes share, in Redis: servers of their own on free
ports of the loopback, with the built module."""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
import scrapy
from desk import Desk, Spider, lone_filter
from seenset.scrapy import StartError, partitions, servers

sys.path.append(str(Path(os.environ["SEENSET_SOURCE"], "tests/redis")))
from nodes import SLOTS, Node  # noqa: E402
from crawl import run as command  # noqa: E402
from crawl import stat  # noqa: E402
from harness import Server, free_port, until  # noqa: E402

HOUR = 3600


@pytest.fixture(scope="module")
def shared_server():
    server = Server()
    yield server
    server.stop()


@pytest.fixture
def server(shared_server):
    client = shared_server.client()
    client("FLUSHALL")
    client.close()
    return shared_server


@pytest.fixture
def nodes():
    """A cluster of three masters."""
    nodes = [Node() for _ in range(3)]
    for i, node in enumerate(nodes):
        node("CLUSTER", "ADDSLOTSRANGE", i * SLOTS // 3,
             (i + 1) * SLOTS // 3 - 1)
        node("CLUSTER", "SET-CONFIG-EPOCH", i + 1)
    for node in nodes[1:]:
        node("CLUSTER", "MEET", "127.0.0.1", nodes[0].port, nodes[0].bus)
    until(lambda: all(node.info("cluster_state") == "ok" and
                      node.info("cluster_known_nodes") == "3"
                      for node in nodes), "the cluster is whole")
    yield nodes
    for node in nodes:
        node.client.close()
        node.server.stop()


def address(port, name="crawl"):
    return f"redis://127.0.0.1:{port}/{name}"


def worker(server, **settings):
    settings.setdefault("SEENSET_LEASE", HOUR)
    return Desk(SEENSET_REDIS=address(server.port), **settings)


def die(desk):
    """As kill -9 of a process that had sent what waited."""
    desk.scheduler._queue.sync()
    desk.scheduler._queue = None


def refused(match, **settings):
    with pytest.raises(StartError, match=match):
        Desk(**settings).open()


# ---- what it does for one worker ----


def test_each_once(server):
    desk = worker(server).open()
    for path in "abac":
        desk.push(path)
    assert desk.scheduler.has_pending_requests()
    assert sorted(desk.pop_all()) == ["a", "b", "c"]
    assert not desk.scheduler.has_pending_requests()
    stats = desk.close()
    assert stats["scheduler/enqueued"] == stats["scheduler/dequeued"] == 3
    assert stats["dupefilter/filtered"] == 1
    assert stats["seenset/leases"] == stats["seenset/pending"] == 0
    assert 0 < stats["seenset/expected_wrongly_dropped"] < 1e-6
    # For good, and for all.
    desk = worker(server).open()
    desk.push("a")
    assert desk.pop_all() == []
    desk.close()


def test_a_host_keeps_its_order(server):
    desk = worker(server).open()
    for number in range(200):
        desk.push(number)
    assert desk.pop_all() == list(map(str, range(200)))
    desk.close()


def test_dont_filter_passes_and_leaves_no_trace(server):
    desk = worker(server).open()
    for _ in range(2):
        desk.push("a", dont_filter=True)
    desk.push("a")
    desk.push("a", dont_filter=True)
    assert desk.pop_all() == ["a"] * 4
    desk.close()


def test_odd_requests(server):
    """One in memory, and one in a key of its own, which goes after it."""
    desk = worker(server).open()
    desk.push("lambda", callback=lambda response: None)
    desk.push("lambda", callback=lambda response: None)
    desk.push("lock", meta={"own": sys.stderr})
    desk.push("large", method="POST", body=b"z" * (1 << 20))
    client = server.client()
    assert len(client("KEYS", "crawl:large:*")) == 2
    assert sorted(desk.pop_all()) == ["lambda", "large", "lock"]
    stats = desk.close()
    assert stats["seenset/large"] == 1
    assert stats["seenset/pending"] == 0
    assert client("KEYS", "crawl:large:*") == ["*"]
    client.close()


def test_unreadable_is_left_for_later(server, caplog, monkeypatch):
    desk = worker(server).open()
    desk.push("a", callback=desk.spider.other)
    monkeypatch.delattr(Spider, "other")
    assert desk.pop_all() == []
    assert "cannot be read" in caplog.text
    # Nobody waits for it, and it is not lost.
    assert not desk.scheduler.has_pending_requests()
    assert desk.close()["seenset/pending"] == 1


def test_capacity_and_rate_are_the_crawl_s(server):
    desk = worker(server, SEENSET_CAPACITY=5_000_000,
                  SEENSET_FP_RATE=1e-4).open()
    desk.push("a")
    desk.close()
    figures = stat(server.port)
    assert figures["promised_rate"] == 1e-4
    client = server.client()
    info = client("VISIT.INFO", client("KEYS", "crawl:*")[1])
    assert int(info[info.index("+capacity") + 1][1:]) >= 5_000_000 // 1024
    client.close()


# ---- several ----


def test_two_share(server):
    one, other = worker(server).open(), worker(server).open()
    for number in range(100):
        one.push(number)
        other.push(number)
    found = []
    while one.scheduler.has_pending_requests():
        found += [request.url for request in
                  filter(None, [one.pop(), other.pop()])]
        for desk in (one, other):
            for request in list(desk.slot.inprogress):
                desk.slot.remove_request(request)
    assert len(found) == len(set(found)) == 100
    stats = one.close(), other.close()
    assert sum(each["scheduler/enqueued"] for each in stats) == 100
    assert sum(each.get("dupefilter/filtered", 0) for each in stats) == 100


def test_one_waits_for_the_other(server):
    one, other = worker(server).open(), worker(server).open()
    one.push("a")
    request = one.pop()
    assert other.pop() is None and other.scheduler.has_pending_requests()
    one.push("b")  # a link of it
    one.slot.remove_request(request)
    assert not one.scheduler._queue.is_over()
    one.close()
    until(lambda: other.pop() is not None, "the other one gets it")
    other.close()


def test_a_dead_worker_s_leases_end(server):
    one = worker(server, SEENSET_LEASE=0.2).open()
    one.push("a")
    assert one.pop() is not None
    die(one)
    other = worker(server).open()
    until(lambda: other.pop() is not None, "its lease ends")
    assert other.close()["seenset/redelivered"] == 1


def test_a_worker_that_acks_early_is_found(server):
    """The planted fault: a page that its worker had is lost."""
    one = worker(server).open()
    one.push("a")
    one.scheduler._done(one.pop())
    die(one)
    other = worker(server).open()
    assert not other.scheduler.has_pending_requests()
    other.close()


def test_leases_are_extended(server):
    desk = worker(server).open()
    desk.push("a")
    desk.pop()
    client = server.client()
    key = client("KEYS", "crawl:*")[1]

    def due():
        info = client("VISIT.INFO", key)
        return int(info[info.index("+next-due-ms") + 1][1:])

    before = due()
    time.sleep(0.01)
    desk.scheduler._queue.extend()
    assert due() > before
    # One that another worker has by now is left to it.
    client("VISIT.NACK", key, 1)
    desk.scheduler._queue.extend()
    assert not desk.scheduler._queue._held
    client.close()
    desk.close()


def test_close_gives_back(server):
    one = worker(server).open()
    for number in range(50):
        one.push(number)
    assert one.pop() is not None
    assert one.close()["seenset/pending"] == 50
    other = worker(server).open()
    assert len(other.pop_all()) == 50
    other.close()


# ---- the command ----

URLS = ["http://a.example/1", "HTTP://A.Example:80/2", "https://u:p@b.c/x@y",
        "http://[::1]:8080/", "http://x.y?q=//z", "x:/y", "no url",
        "http:\\\\a", "http://h\\i", "data:,x", "http://\xe4.example/", "a://"]


def keys_of(server):
    client = server.client()
    client("DEL", "crawl")
    keys = client("KEYS", "crawl:*")[1:]
    client("FLUSHALL")
    client.close()
    return sorted(key.decode() for key in keys)


def differing(server):
    """URLs that the command puts elsewhere."""
    layout, found = partitions.Partitions("crawl", 1024), []
    for url in URLS:
        command(server.port, "push", [url])
        if keys_of(server) != [layout.key(layout.of(url))]:
            found.append(url)
    return found


def test_the_command_has_the_same_layout(server, monkeypatch):
    assert differing(server) == []
    monkeypatch.setattr(partitions, "host_of", lambda url: url)
    assert len(differing(server)) > 5  # the planted fault


def test_the_command_shows_a_crawl_and_pushes_into_it(server):
    desk = worker(server).open()
    desk.push("a")
    desk.push("b")
    assert desk.pop().url == "http://a/a"
    desk.scheduler._queue.sync()
    figures = stat(server.port)
    # Two are under leases, as some are popped ahead.
    assert (figures["pushed"], figures["leased"]) == (2, 2)
    assert command(server.port, "push", ["http://a/b", "http://c/d"])[0] == 0
    found = set()
    while desk.scheduler.has_pending_requests():
        for request in list(desk.slot.inprogress):
            desk.slot.remove_request(request)
        found.update(desk.pop_all())
    assert found == {"b", "http://c/d"}
    assert stat(server.port)["pending"] == 0
    assert desk.close()["dupefilter/filtered"] == 1


def test_a_crawl_that_the_command_began(server):
    command(server.port, "push --partitions 3", ["http://a/x"])
    desk = worker(server).open()
    assert desk.pop_all() == ["x"]
    desk.close()
    assert stat(server.port)["partitions"] == 3


# ---- what is wrong ----


@pytest.mark.parametrize("text", [
    "localhost", "redis://h:1", "redis://h:0/x", "redis://h:1/a{b}", 7])
def test_an_address(text):
    refused("redis://HOST:PORT/NAME", SEENSET_REDIS=text)


def test_settings_of_folders(server):
    for name, value in (("SEENSET_EXACT", True), ("SEENSET_WINDOW", 9),
                        ("SEENSET_SECRET", "ab" * 16),
                        ("SEENSET_LEVELS", [0])):
        refused(name, SEENSET_REDIS=address(server.port), **{name: value})
    refused("breadth", SEENSET_REDIS=address(server.port),
            SEENSET_ORDER="depth")
    refused("SEENSET_LEASE", SEENSET_REDIS=address(server.port),
            SEENSET_LEASE=0)
    with pytest.raises(StartError, match="SCHEDULER"):
        lone_filter(SEENSET_REDIS=address(server.port))


def test_no_server():
    refused("Is the server there", SEENSET_REDIS=address(free_port()))


def test_no_module():
    bare = Server(module=None)
    try:
        refused("Load the module", SEENSET_REDIS=address(bare.port))
    finally:
        bare.stop()


def test_no_package(server, monkeypatch):
    monkeypatch.setattr(servers, "redis", None)
    refused("pip install redis", SEENSET_REDIS=address(server.port))


def test_keys_of_something_else(server):
    client = server.client()
    client("SET", "text", "x")
    refused("not a crawl", SEENSET_REDIS=address(server.port, "text"))
    client("LPUSH", "list", "x")
    refused("choose another NAME", SEENSET_REDIS=address(server.port, "list"))
    client.close()


def test_a_password():
    server = Server()
    try:
        client = server.client()
        client("CONFIG", "SET", "requirepass", "pass:w@rd")
        client.close()
        where = f"127.0.0.1:{server.port}/crawl"
        refused("SEENSET_REDIS", SEENSET_REDIS=f"redis://{where}")
        refused("SEENSET_REDIS", SEENSET_REDIS=f"redis://:no@{where}")
        Desk(SEENSET_REDIS=f"redis://:pass:w@rd@{where}").open().close()
    finally:
        server.stop()


def test_a_full_partition_stops_the_crawl(server, caplog):
    """And the page whose links are lost is not done."""
    desk = worker(server).open()
    desk.push("a")
    page = desk.pop()
    client = server.client()
    key = client("KEYS", "crawl:*")[1]
    client("VISIT.LIMIT", key, 1024)
    desk.push("b")
    desk.slot.remove_request(page)
    assert desk.pop() is None and desk.closed_with == "seenset_error"
    assert "VISIT.LIMIT" in caplog.text
    desk.scheduler.close("seenset_error")
    assert client("VISIT.LEN", key) == ":1"
    client.close()


def test_a_server_that_comes_back():
    server = Server("--appendonly", "yes", "--appendfsync", "always")
    try:
        desk = worker(server).open()
        for number in range(10):
            desk.push(number)
        desk.scheduler._queue.sync()
        port = server.port
        server.kill()
        server.start(port)
        desk.push(10)
        assert len(desk.pop_all()) == 11
        desk.close()
    finally:
        server.stop()


# ---- real crawls ----


def test_two_workers_on_a_cluster_and_one_killed(site, nodes):
    pages = 120
    settings = site.settings(
        None, SEENSET_REDIS=address(nodes[0].port), SEENSET_LEASE=2,
        spider={"pages": pages})
    killed = site.start("pages", settings)
    site.wait_for_hits(20, killed)
    other = subprocess.Popen(site.command("pages", settings),
                             stderr=subprocess.PIPE, text=True)
    site.wait_for_hits(40, killed)
    killed.kill()
    killed.wait()
    _, said = other.communicate(timeout=120)
    assert other.returncode == 0, said
    assert {f"/page/{number}?of={pages}" for number in range(pages)} == set(
        site.hits)
    assert stat(nodes[1].port)["pending"] == stat(nodes[2].port)["leased"] == 0


def test_a_cluster_s_partitions_are_all_over_it(nodes):
    desk = worker(nodes[2]).open()
    for number in range(60):
        desk.scheduler.enqueue_request(scrapy.Request(f"http://h{number}/"))
    assert len(desk.pop_all()) == 60
    assert desk.close()["seenset/pending"] == 0
    assert all(len(node("KEYS", "crawl:*")) > 5 for node in nodes)


def test_a_slot_that_moves(nodes):
    """While it is on its way, and after it."""
    desk = worker(nodes[0]).open()
    for number in range(40):
        desk.push(number)
    desk.scheduler._queue.sync()
    layout = partitions.Partitions("crawl", 1024)
    partition = layout.of("http://a/")
    slot, key = layout.slot(partition), layout.key(partition)
    source = next(node for node in nodes if node("EXISTS", key) == ":1")
    target = next(node for node in nodes if node is not source)
    target("CLUSTER", "SETSLOT", slot, "IMPORTING", source.id)
    source("CLUSTER", "SETSLOT", slot, "MIGRATING", target.id)
    assert source("MIGRATE", "127.0.0.1", target.port, key, 0, 20000) == "+OK"
    assert source("VISIT.LEN", key).startswith("-ASK")
    assert desk.pop() is not None
    desk.push("more")
    desk.scheduler._queue.sync()
    for node in nodes:
        assert node("CLUSTER", "SETSLOT", slot, "NODE", target.id) == "+OK"
    assert source("VISIT.LEN", key).startswith("-MOVED")
    assert len(desk.pop_all()) == 40
    assert target("VISIT.LEN", key) == ":1"
    assert desk.close()["seenset/pending"] == 1
    assert desk.closed_with is None


def test_kinds_of_requests(site, server):
    """What Scrapy does, it still does."""
    result = site.crawl("kinds", None, SEENSET_REDIS=address(server.port))
    assert result.status == 0, result.log
    assert sorted(map(str, result.notes)) == sorted(map(str, [
        "/target/1", "/target/2", "/flaky/1", "/a", "/again", "/again",
        "failed /missing", "failed /broken",
        ["arguments", 7, [1, 2], "POST", 100, "yes"]]))
    assert result.stats["finish_reason"] == "finished"
    assert result.stats["dupefilter/filtered"] == 1
    assert result.stats["scheduler/enqueued"] == 16
    assert result.stats["seenset/leases"] == 0
    assert result.stats["seenset/pending"] == 0

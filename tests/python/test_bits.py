"""Sets of other systems: their bits, schemes and seeds; and every figure."""

import subprocess

import pytest
import seenset
from seenset import Queue, SeenSet
from support import command

KEYS = ["alpha", "beta", "\u00e9t\u00e9", "http://example.com/" + "x" * 300]
# What the command takes, and what Python takes. Two of the schemes set two bits
# for each key, the others seven.
SCHEMES = [
    ([], {}),
    (["--scheme", "murmur2a+fnv1a"], {"scheme": "murmur2a+fnv1a"}),
    (["--scheme", "murmur2a+fnv1a-signed"], {"scheme": "murmur2a+fnv1a-signed"}),
    (["--scheme", "murmur3-128"], {"scheme": "murmur3-128"}),
    (["--scheme", "murmur3-128", "--seed", "7"],
     {"scheme": "murmur3-128", "seed": 7}),
    (["--scheme", "md5-divmod"], {"scheme": "md5-divmod"}),
    (["--scheme", "enhanced-double"], {"scheme": "enhanced-double"}),
    (["--scheme", "murmur3-128", "--seed", str(2**32 - 1)],
     {"scheme": "murmur3-128", "seed": 2**32 - 1}),
    (["--scheme", "clickhouse-bloom"], {"scheme": "clickhouse-bloom"}),
    (["--scheme", "polynomial", "--seeds", "31,131,1313,5,9,11,17"],
     {"scheme": "polynomial", "seeds": [31, 131, 1313, 5, 9, 11, 17]}),
    (["--scheme", "polynomial", "--units", "16"],
     {"scheme": "polynomial", "unit_bits": 16}),
]


@pytest.mark.parametrize("given, options", SCHEMES)
def test_schemes_are_those_of_the_command(tmp_path, given, options):
    path = tmp_path / "a.set"
    k = 2 if "murmur2a" in options.get("scheme", "") else 7
    subprocess.run([command(), "new", "--layout", "bloom", "-m", "8192b", "-k",
                    str(k), *given, path], check=True)
    subprocess.run([command(), "add", path, *KEYS], check=True)
    ours = SeenSet(layout="bloom", size_bits=8192, hash_count=k, **options)
    ours.update(KEYS)
    theirs = SeenSet.open(path)
    assert ours.to_bits() == theirs.to_bits()
    info = ours.info()
    assert (info.scheme, info.seed, info.unit_bits) == (
        theirs.info().scheme, options.get("seed", 0), theirs.info().unit_bits)
    if "seeds" in options:
        assert info.seeds == tuple(options["seeds"])
    again = SeenSet.from_bits(ours.to_bits(), layout="bloom", size_bits=8192,
                              hash_count=k, **options)
    assert all(again.has_many(KEYS)) and "gamma" not in again
    assert again.to_bits() == ours.to_bits()


def test_bits_of_another_scheme_have_none_of_the_keys():
    ours = SeenSet(layout="bloom", size_bits=8000, hash_count=7)
    ours.update(KEYS)
    other = SeenSet.from_bits(ours.to_bits(), layout="bloom", hash_count=7,
                              scheme="murmur3-128")
    assert not any(other.has_many(KEYS))


@pytest.mark.parametrize("wrong, error", [
    ({"scheme": "murmur4"}, ValueError), ({"scheme": "caller"}, ValueError),
    ({"scheme": 3}, TypeError),
    ({"scheme": "murmur3-128", "seed": -1}, ValueError),
    ({"scheme": "murmur3-128", "seed": 2**64}, ValueError),
    ({"scheme": "polynomial", "seeds": [0]}, ValueError),
    ({"scheme": "polynomial", "seeds": [2**32]}, ValueError),
    ({"scheme": "polynomial", "seeds": ["31"]}, ValueError),
    ({"scheme": "polynomial", "seeds": [1] * 256}, ValueError),
    ({"scheme": "polynomial", "seeds": 31}, TypeError),
    ({"scheme": "polynomial", "unit_bits": 9}, seenset.InvalidError),
    ({"scheme": "murmur3-128", "keyed": True}, seenset.InvalidError),
])
def test_wrong_schemes_are_refused(wrong, error):
    with pytest.raises(error):
        SeenSet(**wrong)


def test_wrong_bits_are_refused():
    with pytest.raises(seenset.InvalidError, match="hash_count"):
        SeenSet.from_bits(b"\1\2", layout="bloom")
    with pytest.raises(seenset.InvalidError, match="that of the bits"):
        SeenSet.from_bits(b"\1\2", layout="bloom", hash_count=3, size_bits=99)
    with pytest.raises(TypeError):
        SeenSet.from_bits("12", layout="bloom", hash_count=3)
    with pytest.raises(seenset.UnsupportedError):
        seenset.seal(["a", "b"]).to_bits()


def test_counters_are_those_of_the_keys():
    seen = SeenSet(layout="counting", size_bits=4096, hash_count=7)
    assert seen.counters().format == "H" and not any(seen.counters())
    for key in KEYS * 2 + KEYS[:1]:
        seen.add(key)
    counters = list(seen.counters())
    assert len(counters) == 4096 == seen.tables()[0].cell_count
    assert sum(counters) == 7 * (2 * len(KEYS) + 1)
    assert sum(map(bool, counters)) == seen.stats().set_bits
    assert list(seen.counters(99, 300)) == counters[99:399]
    assert list(seen.counters(4000)) == counters[4000:]
    assert len(seen.counters(4096)) == len(seen.counters(5, 0)) == 0
    assert seen.remove(KEYS[0])
    less = list(seen.counters())
    assert sum(less) == 7 * 2 * len(KEYS)
    assert all(a >= b for a, b in zip(counters, less))
    full = SeenSet(layout="counting", size_bits=64, hash_count=1,
                   counter_bits=3, any_rate=True)
    for _ in range(9):
        full.add("a")
    assert sorted(full.counters())[-2:] == [0, 7]


@pytest.mark.parametrize("wrong, error", [
    ({"first": 4097}, seenset.InvalidError),
    ({"first": 4000, "count": 97}, seenset.InvalidError),
    ({"first": 1, "count": 2**64 - 1}, seenset.InvalidError),
    ({"first": -1}, ValueError), ({"count": "all"}, TypeError),
])
def test_wrong_stretches_of_counters_are_refused(wrong, error):
    seen = SeenSet(layout="counting", size_bits=4096, hash_count=7)
    with pytest.raises(error):
        seen.counters(**wrong)
    with pytest.raises(seenset.UnsupportedError):
        SeenSet(layout="bloom").counters()


def test_a_queue_has_a_scheme(tmp_path):
    path = tmp_path / "q"
    with Queue(path, 1000, scheme="murmur3-128", seed=7) as queue:
        assert queue.push("http://a.example/")
        assert queue.set_info().scheme == "murmur3-128"
    with Queue(path, must_exist=True) as queue:
        assert not queue.push("http://a.example/")
        assert queue.stats().seed == 7 and queue.set_info().seed == 7
    with pytest.raises(seenset.MismatchError):
        Queue(path, scheme="polynomial")


def test_compact_takes_in_the_journal(tmp_path):
    path = tmp_path / "a.set"
    subprocess.run([command(), "new", "-n", "4M", path], check=True)
    subprocess.run([command(), "add", path, "one"], check=True)
    journal = path.with_name("a.set.log")
    assert journal.exists()
    assert SeenSet.compact(path) is None
    assert not journal.exists() and "one" in SeenSet.open(path)
    assert SeenSet.open(path).info().journal_items == 0
    with pytest.raises(FileNotFoundError):
        SeenSet.compact(tmp_path / "none")
    subprocess.run([command(), "add", path, "two"], check=True)
    with pytest.raises(seenset.SecretError):
        SeenSet.compact(path, keyed=b"0" * 16)
    assert journal.exists() and "two" in SeenSet.open(path)


def test_figures_agree():
    seen = SeenSet(1000, 0.01)
    seen.update(str(i) for i in range(3000))
    info, stats, estimate = seen.info(), seen.stats(), seen.estimate()
    tables, uniformity = seen.tables(), seen.uniformity()
    assert estimate.is_counted
    for name in ("set_bits", "size_bits", "fill", "current_fp_rate",
                 "estimated_items", "wrong_items", "is_wrong_at_least"):
        assert getattr(stats, name) == getattr(estimate, name), name
    for name in ("capacity", "fp_rate", "added", "tables", "memory_bytes",
                 "layout", "on_full", "scheme", "is_keyed"):
        assert getattr(stats, name) == getattr(info, name), name
    assert len(tables) == info.tables > 1
    assert sum(table.added for table in tables) == info.added
    assert [table.layout for table in tables] == ["blocked", "expandable"]
    assert uniformity.slice_count > 0 and not uniformity.is_skewed
    assert 0 < uniformity.p_value <= 1
    assert not info.is_shared and not info.is_sliding
    assert SeenSet(9, window=60, sliding=True).info().is_sliding
    overlap = seen.overlap(seen)
    assert overlap.self_error >= 0 and overlap.other_only_items == 0

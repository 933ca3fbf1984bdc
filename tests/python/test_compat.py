"""The classes of rbloom and pybloom-live: what their own pages promise."""

import hashlib
import io
import pickle

import pytest
from seenset import SeenSet
from seenset.compat import Bloom, BloomFilter, ScalableBloomFilter


def digest(obj):
    found = hashlib.sha256(repr(obj).encode()).digest()[:16]
    return int.from_bytes(found, "big") - 2**127


# ---- rbloom ----


def test_bloom_is_like_a_set():
    bloom = Bloom(1000, 1e-4)
    assert not bloom and bloom.approx_items == 0
    assert bloom.add("a") is None
    bloom.update(["b", "c"], {"d"}, Bloom(1000, 1e-4))
    assert bloom and all(key in bloom for key in "abcd") and "e" not in bloom
    assert bloom.approx_items == pytest.approx(4, abs=0.1)
    assert bloom.size_in_bits > 1000 and bloom.hash_func is hash
    assert repr(bloom).startswith("<Bloom size_in_bits=")
    bloom.clear()
    assert not bloom and "a" not in bloom


def test_bloom_takes_any_object():
    for bloom in (Bloom(1000, 1e-6), Bloom(1000, 1e-6, digest)):
        for obj in (1, -1, (1, "a"), None, 1.5, frozenset("ab"), "x", b"y"):
            assert obj not in bloom
            bloom.add(obj)
            assert obj in bloom
    with pytest.raises(TypeError):
        Bloom(1000, 1e-6).add([])
    with pytest.raises(TypeError):
        Bloom(1000, 1e-6, "no function")
    with pytest.raises(OverflowError):
        Bloom(1000, 1e-6, lambda obj: 2**127).add("a")


def test_bloom_takes_an_iterable_some_at_a_time():
    texts = [f"key {i}" for i in range(20_000)]
    one, many = Bloom(100_000, 1e-3), Bloom(100_000, 1e-3)
    for text in texts:
        one.add(text)
    many.update(texts[:9000], iter(texts[9000:]), [])
    assert one._seen == many._seen
    mixed = Bloom(100_000, 1e-3)
    mixed.update(["a", 1, b"b"])
    assert "a" in mixed and 1 in mixed and b"b" in mixed
    assert (1).to_bytes(8, "little") not in mixed  # by hash(), as rbloom


def test_bloom_keeps_what_came_before_a_failure():
    def keys():
        yield from ("a", "b")
        raise RuntimeError("no more")

    bloom = Bloom(100, 1e-3)
    with pytest.raises(RuntimeError, match="no more"):
        bloom.update(keys())
    assert "a" in bloom and "b" in bloom


def test_bloom_operators():
    a, b = Bloom(1000, 1e-6), Bloom(1000, 1e-6)
    a.update("abc")
    b.update("bcd")
    assert a | b == a.union(b) == a.union("bcd") and "d" in a | b
    assert a & b == a.intersection(b) == a.intersection("bcd")
    assert "a" not in a & b and "b" in a & b
    assert (a & b) <= a <= (a | b) and (a & b) < a < (a | b)
    assert (a | b) >= a > (a & b) and not a < a and not a > a
    assert a.issubset(a | b) and a.issuperset(a & b)
    assert a.issuperset("ab") and not a.issubset("ab")
    assert a == a.copy() and a != b and a != "abc"
    both = a.copy()
    both |= b
    assert both == a | b
    both &= b
    assert both == b
    both.intersection_update("b", a)
    assert both == Bloom(1000, 1e-6).union("b")
    with pytest.raises(TypeError):
        hash(a)
    for wrong in (lambda: a | {"a"}, lambda: a & {"a"}):
        with pytest.raises(TypeError):
            wrong()


def test_blooms_that_are_not_alike():
    a = Bloom(1000, 1e-6)
    for other in (Bloom(5000, 1e-6), Bloom(1000, 1e-6, digest)):
        for call in (a.union, a.intersection, a.update, a.intersection_update,
                     a.issubset, a.issuperset, a.__le__):
            with pytest.raises(ValueError, match="different"):
                call(other)
        assert a != other


def test_bloom_is_saved(tmp_path):
    bloom = Bloom(1000, 1e-6, digest)
    bloom.update([1, "a", (2, 3)])
    bloom.save(str(tmp_path / "bloom"))
    again = Bloom.load(str(tmp_path / "bloom"), digest)
    assert again == bloom and (2, 3) in again
    assert Bloom.load_bytes(bloom.save_bytes(), digest) == bloom
    texts = Bloom(1000, 1e-6)
    texts.update(["a", b"b"])
    texts.save(str(tmp_path / "texts"))
    assert "a" in Bloom.load(str(tmp_path / "texts"), hash)
    assert "a" in SeenSet.open(tmp_path / "texts")
    texts.add(1)
    for call in (texts.save_bytes, lambda: texts.save(str(tmp_path / "x")),
                 texts.copy().save_bytes, (texts | texts).save_bytes):
        with pytest.raises(ValueError, match="hash_func of your own"):
            call()


# ---- pybloom-live ----


def test_bloom_filter():
    bloom = BloomFilter(capacity=1000, error_rate=0.001)
    assert [bloom.add(i) for i in range(10)] == [False] * 10
    assert bloom.add(3) is True and len(bloom) == bloom.count == 10
    assert 3 in bloom and "3" in bloom and 11 not in bloom
    assert bloom.add("new", skip_check=True) is False
    assert bloom.add("new", skip_check=True) is False and len(bloom) == 12
    assert bloom.capacity == 1000 and bloom.error_rate == 0.001
    assert bloom.num_bits >= bloom.num_slices * bloom.bits_per_slice > 0
    assert b"bytes" not in bloom
    bloom.add(b"bytes")
    assert "bytes" in bloom


def test_bloom_filter_at_capacity():
    bloom = BloomFilter(100)
    with pytest.raises(IndexError, match="BloomFilter is at capacity"):
        for i in range(1000):
            bloom.add(i)
    assert len(bloom) == 100
    with pytest.raises(IndexError):
        bloom.add(0)
    for wrong in ((0, 0.1), (10, 0), (10, 1), (10, -1), (-1, 0.1)):
        with pytest.raises(ValueError):
            BloomFilter(*wrong)


def test_bloom_filters_together():
    a, b = BloomFilter(100, 1e-6), BloomFilter(100, 1e-6)
    for key in "abc":
        a.add(key)
    for key in "bcd":
        b.add(key)
    either, both = a | b, a & b
    assert all(key in either for key in "abcd")
    assert "a" not in both and "b" in both and "d" not in a
    made = a.copy()
    made.add("z")
    assert "z" not in a and len(made) == 4 and len(a) == 3
    for other in (BloomFilter(200, 1e-6), BloomFilter(100, 1e-5)):
        with pytest.raises(ValueError, match="equal capacity"):
            a.union(other)
        with pytest.raises(ValueError, match="equal capacity"):
            a.intersection(other)


def test_scalable_bloom_filter():
    bloom = ScalableBloomFilter(
        mode=ScalableBloomFilter.SMALL_SET_GROWTH, error_rate=0.001)
    assert not any([bloom.add(f"{i}") for i in range(5)])
    for i in range(10_000):
        bloom.add(i)
    assert bloom.add(17) is True and all(i in bloom for i in range(10_000))
    assert 9_900 < len(bloom) <= 10_000 and bloom.count == len(bloom)
    assert bloom.capacity >= len(bloom)
    assert sum(f"no{i}" in bloom for i in range(20_000)) < 60
    other = ScalableBloomFilter(
        mode=ScalableBloomFilter.SMALL_SET_GROWTH, error_rate=0.001)
    other.add("only here")
    assert "only here" in bloom | other and "17" in bloom.union(other)
    assert "only here" not in bloom
    with pytest.raises(ValueError, match="same mode"):
        bloom.union(ScalableBloomFilter())
    with pytest.raises(ValueError):
        ScalableBloomFilter(error_rate=0)


@pytest.mark.parametrize("made", [lambda: BloomFilter(100),
                                  lambda: ScalableBloomFilter(10)])
def test_filters_in_files(made, tmp_path):
    bloom = made()
    for i in range(50):
        bloom.add(i)
    with open(tmp_path / "filter", "wb") as file:
        bloom.tofile(file)
        made().tofile(file)
        file.write(b"more")
    with open(tmp_path / "filter", "rb") as file:
        again = type(bloom).fromfile(file)
        assert len(type(bloom).fromfile(file)) == 0
        assert file.read() == b"more"
    assert len(again) == len(bloom) and all(i in again for i in range(50))
    assert vars(again).keys() == vars(bloom).keys()
    whole = io.BytesIO()
    bloom.tofile(whole)
    data = whole.getvalue()
    assert 7 in type(bloom).fromfile(io.BytesIO(data), len(data))
    for n in (1, 20, len(data) - 1):
        with pytest.raises(ValueError, match="n too small"):
            type(bloom).fromfile(io.BytesIO(data), n)
    with pytest.raises(ValueError, match="ends inside"):
        type(bloom).fromfile(io.BytesIO(data[:10]))


@pytest.mark.parametrize("made", [
    lambda: BloomFilter(100), lambda: ScalableBloomFilter(10),
    lambda: Bloom(100, 0.01), lambda: Bloom(100, 0.01, digest)])
def test_pickles(made):
    bloom = made()
    bloom.add("a")
    again = pickle.loads(pickle.dumps(bloom))
    assert "a" in again and "b" not in again
    assert vars(again).keys() == vars(bloom).keys()

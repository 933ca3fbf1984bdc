"""SeenSet, key by key: what people read in its help."""

import copy
import datetime

import pytest
import seenset
from seenset import SeenSet


def test_add_says_what_is_new():
    seen = SeenSet(1000, 1e-6)
    assert seen.add("a") is True
    assert seen.add("a") is False
    assert "a" in seen
    assert "b" not in seen


@pytest.mark.parametrize("shards", [0, -1, 2**32, 2**64])
def test_shards_are_as_many_as_32_bits_count(shards):
    with pytest.raises((ValueError, OverflowError)):
        seenset.shard("a", shards)


def test_shards_divide_keys_and_no_set_is_skewed():
    # the vectors of tests/vectors/shards.c, for the hash of ""
    assert [seenset.shard("", n) for n in (1, 2, 3, 16, 256, 1000003)] == [
        0, 0, 0, 0, 0, 3288]
    with pytest.raises(TypeError, match="a key is str, bytes, int or UUID"):
        seenset.shard(1.5, 16)
    keys = [f"key {i}" for i in range(100_000)]
    ours = SeenSet(20_000, 0.01)
    ours.add_many([key for key in keys if seenset.shard(key, 16) == 3])
    assert 5_500 < ours.info().added < 7_000
    assert not ours.stats().is_skewed
    upper = SeenSet(20_000, 0.01)  # planted: the upper bits
    upper.add_many([key for key in keys if seenset.hash_key(key) >> 60 == 3])
    assert upper.stats().is_skewed


def test_it_has_no_length_but_an_estimate():
    seen = SeenSet(10_000, 1e-3)
    seen.update(str(i) for i in range(5000))
    with pytest.raises(TypeError, match="estimated_items"):
        len(seen)
    assert bool(seen)
    assert bool(SeenSet())
    assert abs(seen.estimated_items - 5000) < 150


def test_growth_keeps_the_rate():
    seen = SeenSet(100, 1e-3)
    seen.update(str(i) for i in range(20_000))
    assert seen.info().tables > 1
    assert seen.info().on_full == "grow"
    assert all(seen.has_many([str(i) for i in range(20_000)]))
    assert seen.current_fp_rate <= 2e-3
    wrong = sum(seen.has_many([f"no{i}" for i in range(100_000)]))
    assert wrong < 300
    assert 0 < seen.wrong_items < 60


def test_a_set_that_refuses():
    seen = SeenSet(100, 1e-3, on_full="refuse")
    added = 0
    with pytest.raises(seenset.FullError) as caught:
        for i in range(1000):
            added += seen.add(str(i))
    assert added == 100
    assert caught.value.name == "EFULL"
    assert caught.value.code == -5
    assert seen.add("0") is False
    assert seen.info().is_at_capacity


def test_a_set_that_degrades_has_one_table():
    seen = SeenSet(100, 1e-3, on_full="degrade")
    seen.update(str(i) for i in range(1000))
    assert seen.info().tables == 1
    assert seen.current_fp_rate > 1e-2


def test_windows():
    seen = SeenSet(100, 1e-3, on_full="rotate")
    seen.update(str(i) for i in range(10_000))
    assert "9999" in seen
    assert sum(seen.has_many([str(i) for i in range(5000)])) < 100
    for window in (3600, 3600.0, datetime.timedelta(hours=1)):
        info = SeenSet(1000, 1e-3, window=window).info()
        assert info.window_seconds == 3600
        assert info.on_full == "rotate"
    assert SeenSet(1000, window=0.5).info().window_seconds == 1
    assert SeenSet(100, window=60, generations=10).info().generations == 10
    assert SeenSet(100, on_full="rotate", sliding=True).add("a")


@pytest.mark.parametrize("options", [
    {"layout": "counting", "counter_bits": 8}, {"layout": "fingerprint"}])
def test_counting(options):
    seen = SeenSet(1000, 1e-4, **options)
    for _ in range(3):
        seen.add("a")
    assert seen.count("a") == 3
    assert seen.count("b") == 0
    assert seen.remove("a") is True
    assert seen.count("a") == 2
    assert seen.remove("b") is False
    for ask in (SeenSet().remove, SeenSet().count):
        with pytest.raises(seenset.UnsupportedError,
                           match="kind of set.*layout='counting'"):
            ask("a")


def test_layouts_that_cannot_be_chosen():
    with pytest.raises(ValueError, match=r"seenset\.seal\(keys\)"):
        SeenSet(10, layout="sealed")
    with pytest.raises(ValueError, match="leave it out"):
        SeenSet(10, layout="expandable")


@pytest.mark.parametrize("layout", ["blocked", "bloom", "counting",
                                    "fingerprint",
                                    "split_block"])
def test_layouts(layout):
    seen = SeenSet(1000, 1e-2, layout=layout)
    seen.update(str(i) for i in range(1000))
    assert seen.info().layout == layout
    assert all(seen.has_many([str(i) for i in range(1000)]))


def test_keyed_sets():
    seen = SeenSet(1000, keyed=True)
    other = SeenSet(1000, keyed=True)
    assert len(seen.secret) == 16
    assert seen.secret != other.secret
    assert seen.info().is_keyed
    seen.add("a")
    same = SeenSet(1000, keyed=seen.secret)
    same.add("a")
    assert same.to_bytes() == seen.to_bytes()
    assert SeenSet(1000, keyed=False).secret is None
    assert SeenSet(1000).secret is None


def test_clear():
    seen = SeenSet(100)
    seen.update(str(i) for i in range(500))
    assert seen.clear() is None
    assert "1" not in seen
    assert seen.info().added == 0


def test_what_is_expected_has_a_table_of_its_own():
    told, untold = SeenSet(1000), SeenSet(1000)
    assert told.expect(100_000) is None
    keys = [str(i) for i in range(100_000)]
    told.update(keys)
    untold.update(keys)
    assert all(told.has_many(keys)) and all(untold.has_many(keys))
    assert told.stats().tables == untold.stats().tables == 2
    assert told.stats().size_bits < 1_400_000 < untold.stats().size_bits
    with pytest.raises(seenset.UnsupportedError):
        SeenSet(1000, on_full="refuse").expect(1)
    for wrong in (-1, 2**63, "many"):
        with pytest.raises((TypeError, ValueError, OverflowError,
                            seenset.InvalidError)):
            told.expect(wrong)


def test_size_may_be_given():
    seen = SeenSet(size_bits=1 << 16, hash_count=8)
    assert seen.stats().size_bits == 1 << 16
    assert seen.stats().hash_count == 8
    assert SeenSet(1e6, 1e-3).info().capacity == 1_000_000


@pytest.mark.parametrize("wrong", [
    {"capacity": 0}, {"capacity": -1}, {"capacity": 1.5}, {"capacity": 2**64},
    {"fp_rate": 0}, {"fp_rate": 1}, {"fp_rate": -1},
    {"fp_rate": float("nan")}, {"layout": "round"}, {"on_full": "explode"},
    {"window": 0}, {"window": -1}, {"window": float("inf")},
    {"window": 60, "on_full": "grow"}, {"sliding": True},
    {"keyed": b"short"}, {"counter_bits": 99, "layout": "counting"},
    {"window": 60, "generations": 1}, {"hash_count": 2**32},
])
def test_wrong_options_are_value_errors(wrong):
    with pytest.raises(ValueError):
        SeenSet(**wrong)


@pytest.mark.parametrize("wrong", [
    {"capacity": "many"}, {"fp_rate": "low"}, {"layout": 1},
    {"window": "a day"}, {"keyed": 5}, {"unknown": 1},
])
def test_options_of_another_type_are_type_errors(wrong):
    with pytest.raises(TypeError):
        SeenSet(**wrong)


def test_a_name_that_is_wrong_is_answered_with_those_there_are():
    with pytest.raises(ValueError, match="blocked, bloom, counting, "
                                         "fingerprint, split_block, not"):
        SeenSet(layout="round")


def test_rates_and_sizes_that_cannot_be():
    with pytest.raises(seenset.RateError):
        SeenSet(2**40, 1e-15)
    with pytest.raises(seenset.TooBigError):
        SeenSet(2**60)
    with pytest.raises(seenset.TooBigError):
        SeenSet(2**53, 1e-3, on_full="degrade")


def test_unions_and_intersections():
    a, b = (SeenSet(1000, 1e-6, on_full="degrade") for _ in range(2))
    a.update(str(i) for i in range(600))
    b.update(str(i) for i in range(400, 1000))
    both, either = a & b, a | b
    assert all(either.has_many([str(i) for i in range(1000)]))
    assert all(both.has_many([str(i) for i in range(400, 600)]))
    assert sum(both.has_many([str(i) for i in range(400)])) == 0
    assert either.issuperset(a) and a.issuperset(both)
    assert not a.issuperset(b)
    same = a
    a |= b
    assert a is same and "999" in a
    a &= b
    assert a is same and "0" not in a and "999" in a
    b.update(either)
    assert "0" in b
    a |= a
    assert "999" in a


def test_a_union_keeps_its_laws():
    a, b = SeenSet(1000), SeenSet(1000)
    a.update(str(i) for i in range(20_000))
    b.update(str(i) for i in range(10_000, 30_000))
    either, other = a | b, b | a
    once = either.to_bytes()
    for source in (a, b, a):
        either |= source
        assert either.to_bytes() == once
    assert all(either.has_many([str(i) for i in range(30_000)]))
    for union in (either, other):
        assert union.stats().estimated_items == pytest.approx(30_000, rel=0.03)
    same = a.copy()
    same |= a.copy()
    assert same.to_bytes() == a.to_bytes()
    assert either.info().fp_rate > 0.01  # what it promises now
    assert either.info().made_fp_rate == a.info().fp_rate == 0.01


def test_sets_that_are_not_alike():
    small = SeenSet(100, on_full="degrade")
    large = SeenSet(10_000, on_full="degrade")
    with pytest.raises(seenset.MismatchError):
        small |= large
    with pytest.raises(seenset.MismatchError):
        small & large
    with pytest.raises(seenset.MismatchError):
        small.issuperset(large)
    for operator in ("__or__", "__and__", "__ior__", "__iand__"):
        assert getattr(small, operator)({"a"}) is NotImplemented
    with pytest.raises(TypeError):
        small | {"a"}
    with pytest.raises(TypeError, match="the other set is a SeenSet"):
        small.overlap({"a"})
    with pytest.raises(TypeError, match="the other set is a SeenSet"):
        small.issuperset("a")


def test_overlap():
    a, b = SeenSet(20_000, 1e-4), SeenSet(10_000, 1e-4)
    a.update(str(i) for i in range(10_000))
    b.update(str(i) for i in range(5000, 15_000))
    found = a.overlap(b)
    assert abs(found.jaccard - 1 / 3) < 6 * found.jaccard_error + 0.02
    assert abs(found.union_items - 15_000) < 6 * found.union_error + 300
    assert abs(found.self_items - 10_000) < 300
    assert a.overlap(a).jaccard == pytest.approx(1, abs=0.05)


def test_copies_are_apart():
    seen = SeenSet(100)
    seen.add("a")
    for made in (seen.copy(), copy.copy(seen), copy.deepcopy(seen)):
        assert "a" in made
        made.add("b")
        assert "b" not in seen


def test_classes_of_ones_own():
    class Urls(SeenSet):
        def __init__(self, name):
            super().__init__(1000, 1e-6)
            self.name = name

        def add(self, url):
            return super().add(url.lower())

    urls = Urls("mine")
    assert urls.add("HTTP://A/") and not urls.add("http://a/")
    assert type(urls.copy()) is Urls
    assert type(urls | urls) is Urls
    assert type(Urls.from_bytes(urls.to_bytes())) is Urls


def test_a_class_that_forgets_its_base():
    class Forgetful(SeenSet):
        def __init__(self):
            pass

    empty = Forgetful()
    for call in (lambda: empty.add("a"), lambda: "a" in empty, empty.to_bytes,
                 empty.info, empty.stats, empty.copy, empty.clear,
                 lambda: empty.expect(1),
                 lambda: empty.add_many(["a"]), lambda: empty | SeenSet(),
                 lambda: SeenSet().overlap(empty),
                 lambda: empty.save("x"), lambda: empty.estimated_items):
        with pytest.raises(seenset.InvalidError, match="super"):
            call()
    assert repr(empty) == "<SeenSet without a set>"


def test_init_may_be_called_again():
    seen = SeenSet(100)
    seen.add("a")
    seen.__init__(200)
    assert "a" not in seen and seen.info().capacity == 200
    with pytest.raises(ValueError):
        seen.__init__(0)
    assert seen.info().capacity == 200


def test_what_it_says_of_itself():
    seen = SeenSet(1000, 1e-3)
    seen.add("a")
    assert repr(seen) == ("<SeenSet capacity=1000, fp_rate=0.001, "
                          "layout='blocked', on_full='grow', 1 added>")
    stats = seen.stats()
    assert stats.added == 1 and stats.capacity == 1000
    assert 0 < stats.fill < 0.1 and stats.set_bits > 0
    assert stats.estimated_items == pytest.approx(1, abs=0.1)
    assert not stats.is_skewed
    info = seen.info()
    assert info.layout == "blocked" and not info.is_read_only
    assert info.memory_bytes > 100


def test_plans():
    plan = seenset.plan(1e9, 0.01)
    assert plan.capacity == 10**9 and plan.fp_rate == 0.01
    assert 9.5e9 < plan.size_bits < 10.5e9
    assert plan.floor_bits < plan.size_bits
    assert seenset.plan(m=8e9, n=1e9).fp_rate < 0.03
    assert seenset.plan(1000, 1e-3, k=8).hash_count == 8
    assert seenset.plan(1000, 1e-3, layout="bloom").layout == "bloom"
    assert seenset.plan(n=1000, p=1e-3) == seenset.plan(1000, 1e-3)
    with pytest.raises(seenset.InvalidError, match="give n and p"):
        seenset.plan(1000)
    with pytest.raises(ValueError):
        seenset.plan(1000, 2)
    with pytest.raises(seenset.RateError):
        seenset.plan(1e9, 1e-18)
    with pytest.raises(TypeError):
        seenset.plan("many", 0.01)


def test_sealed_sets():
    keys = [f"https://example.com/{i}" for i in range(20_000)]
    sealed = seenset.seal(keys, 1 / 256)
    assert sealed.info().layout == "sealed"
    assert all(sealed.has_many(keys))
    wrong = sum(sealed.has_many([f"no{i}" for i in range(50_000)]))
    assert 100 < wrong < 300
    assert sealed.info().memory_bytes < 20_000 * 1.3
    with pytest.raises(seenset.UnsupportedError):
        sealed.add("a")
    again = seenset.seal(iter(keys), 1 / 256)
    assert again.to_bytes() == sealed.to_bytes()
    keyed = seenset.seal(keys, keyed=True)
    assert all(keyed.has_many(keys))
    opened = SeenSet.from_bytes(keyed.to_bytes(), keyed.secret)
    assert keys[0] in opened
    assert "a" not in seenset.seal([])
    assert seenset.seal([], keyed=True).info().is_keyed
    assert "" in seenset.seal([""], keyed=True)
    with pytest.raises(TypeError):
        seenset.seal([1.5])
    with pytest.raises(seenset.RateError):
        seenset.seal(keys, 1e-12)


def test_help_teaches():
    for thing in (seenset, SeenSet, seenset.Queue, seenset.seal, seenset.plan,
                  seenset.SeensetError):
        assert len(thing.__doc__) > 100
    for kind in (SeenSet, seenset.Queue):
        for name in dir(kind):
            if not name.startswith("_"):
                assert getattr(kind, name).__doc__, name
    assert "capacity" in SeenSet.__text_signature__
    assert seenset.__version__.count(".") == 2

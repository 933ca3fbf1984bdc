"""A SeenSet as an object of Python: copied, compared, referred to, sized."""

import copy
import gc
import sys
import weakref

import pytest
import seenset
from seenset import SeenSet


class Named(SeenSet):
    """A class of the user's own, with attributes."""


def test_attributes_go_with_each_copy():
    seen = Named(1000)
    seen.parts = ["a"]
    seen.itself = seen
    for made in (seen.copy(), copy.copy(seen), seen | SeenSet(1000)):
        assert type(made) is Named
        assert made.parts is seen.parts and made.itself is seen
    deep = copy.deepcopy(seen)
    assert deep.parts == ["a"] and deep.parts is not seen.parts
    assert deep.itself is deep
    assert vars(Named(1000).__deepcopy__(None)) == {}


def test_equal_is_bit_for_bit():
    seen = SeenSet(10_000, 1e-3)
    seen.update(str(i) for i in range(5000))
    assert seen == seen and seen == seen.copy()
    assert not seen != seen.copy()
    assert seen == SeenSet.from_bytes(seen.to_bytes())
    more = seen.copy()
    more.add("one more")
    assert seen != more and not seen == more
    assert seen <= more and seen < more and more >= seen and more > seen
    assert not more <= seen and not seen < seen.copy() and seen <= seen.copy()
    assert seen != SeenSet(20_000, 1e-3)
    assert seen != "a set" and not seen == None  # noqa: E711
    with pytest.raises(TypeError):
        seen <= {"a"}
    with pytest.raises(TypeError, match="unhashable"):
        hash(seen)
    with pytest.raises(seenset.MismatchError):
        seen <= SeenSet(20_000, 1e-3)


def test_a_difference_is_found_wherever_it_is():
    seen = SeenSet(4_000_000, 1e-3)  # several parts of a MiB
    for at in range(20):
        other = seen.copy()
        other.add(str(at))
        assert seen != other


def test_keyed_sets_are_equal_under_one_secret():
    seen = SeenSet(1000, keyed=b"0" * 16)
    assert seen == seen.copy()
    assert SeenSet(1000, keyed=True) != SeenSet(1000, keyed=True)
    assert seen != SeenSet(1000)


def test_discard_and_capacity():
    seen = SeenSet(1000, layout="counting", on_full="degrade")
    assert seen.capacity == seen.info().capacity >= 1000
    seen.update(["a", "a", "b"])
    assert seen.discard("a") is None and seen.count("a") == 1
    assert seen.discard("a") is None and "a" not in seen
    assert seen.discard("never added") is None and "b" in seen
    with pytest.raises(seenset.UnsupportedError, match="layout='counting'"):
        SeenSet(1000).discard("a")
    with pytest.raises(TypeError, match="a key is"):
        seen.discard(1.5)
    with pytest.raises(AttributeError):
        seen.capacity = 5


def test_weak_references_and_size():
    seen = SeenSet(1_000_000)
    held = weakref.ref(seen)
    assert held() is seen
    assert sys.getsizeof(seen) > seen.info().memory_bytes > 1_000_000
    del seen
    gc.collect()
    assert held() is None

"""Many keys in one call, in every shape."""

import array
import random

import numpy
import pytest
import seenset
from seenset import SeenSet


def new_set():
    return SeenSet(50_000, 1e-9)


KEYS = [f"key {i}" for i in range(20_000)]


@pytest.mark.parametrize("shape", [list, tuple, iter, dict.fromkeys, set,
                                   lambda keys: numpy.array(keys, object)])
def test_iterables(shape):
    seen = new_set()
    answers = seen.add_many(shape(KEYS))
    assert len(answers) == len(KEYS) and all(answers)
    assert not any(seen.add_many(shape(KEYS)))
    assert all(seen.has_many(shape(KEYS)))


def test_answers_are_bools_in_order():
    seen = new_set()
    answers = seen.add_many(["a", b"a", "b", bytearray(b"c"), "c"])
    assert list(answers) == [True, False, True, True, False]
    assert answers.format == "?"
    assert numpy.asarray(answers).dtype == bool
    assert list(seen.has_many(["a", "d"])) == [True, False]
    assert list(seen.add_many([])) == [] == list(seen.has_many(()))
    assert seen.has_many([]).format == "?"


def test_update_returns_nothing():
    seen = new_set()
    assert seen.update(KEYS) is None
    assert all(seen.has_many(KEYS))


@pytest.mark.parametrize("dtype", ["u8", "i8", "<u8", "=i8"])
@pytest.mark.parametrize("count", [0, 1, 2, 9000])
def test_integers_are_their_eight_bytes(dtype, count):
    seen = new_set()
    numbers = (numpy.arange(count, dtype="i8") * 2654435761 - 5).astype(dtype)
    assert all(seen.add_many(numbers))
    for number in map(int, numbers[:50]):
        key = (number % 2**64).to_bytes(8, "little")
        assert key in seen
    assert all(seen.has_many([int(n).to_bytes(8, "little", signed=True)
                              for n in numbers.astype("i8")]))


def test_arrays_without_numpy():
    seen = new_set()
    assert all(seen.add_many(array.array("Q", range(100))))
    assert all(seen.has_many(array.array("q", range(100))))
    view = memoryview(array.array("Q", range(100)))
    assert all(seen.has_many(view))


def test_arrays_of_several_dimensions_and_odd_addresses():
    numbers = numpy.arange(12_000, dtype="u8").reshape(100, 120)
    seen = new_set()
    assert len(seen.add_many(numbers)) == 12_000
    odd = bytearray(8 * 12_000 + 1)
    odd[1:] = numbers.tobytes()
    there = numpy.frombuffer(odd, dtype="u8", offset=1)
    assert all(seen.has_many(there))
    assert all(seen.has_many(there, hashed=False))


def test_hashes_are_those_of_keys():
    seen = new_set()
    hashes = array.array("Q", map(seenset.hash_key, KEYS))
    assert all(seen.add_many(hashes, hashed=True))
    assert all(seen.has_many(KEYS))
    assert all(seen.has_many(numpy.array(hashes), hashed=True))
    with pytest.raises(seenset.UnsupportedError):
        SeenSet(keyed=True).add_many(hashes, hashed=True)
    for wrong in (["a"], [1], iter(hashes), numpy.array([b"a"])):
        with pytest.raises(TypeError):
            seen.add_many(wrong, hashed=True)


def test_texts_of_one_width():
    texts = numpy.array([b"a", b"bcd", b"", b"ef\0g", b"h\0"])
    seen = new_set()
    assert list(seen.add_many(texts)) == [True] * 5
    for key in (b"a", b"bcd", b"", b"ef\0g", b"h"):
        assert key in seen
    assert b"h\0" not in seen and b"a\0\0\0" not in seen
    many = numpy.array([key.encode() for key in KEYS])
    assert all(seen.add_many(many)) and all(seen.has_many(KEYS))


@pytest.mark.parametrize("dtype", ["i4", "i8", "u4", "u8"])
def test_bytes_and_offsets(dtype):
    words = ["", "a", "", "bcd", "ä"] + KEYS
    data = "".join(words).encode()
    ends = numpy.cumsum([0] + [len(word.encode()) for word in words])
    seen = new_set()
    answers = seen.add_many(data, ends.astype(dtype))
    assert list(answers[:5]) == [True, True, False, True, True]
    assert len(answers) == len(words)
    assert all(seen.has_many(words))
    part = ends.astype(dtype)[4:10]
    assert len(seen.has_many(bytearray(data), offsets=part)) == 5
    assert list(seen.has_many(b"", numpy.array([], dtype))) == []
    assert list(seen.has_many(b"", numpy.array([0], dtype))) == []


@pytest.mark.parametrize("offsets", [[0, 5], [0, -1], [-1, 2], [2, 1],
                                     [0, 2**40], [4, 4, 5]])
def test_offsets_outside_are_refused(offsets):
    for shape in (numpy.array(offsets, "i8"), array.array("q", offsets)):
        with pytest.raises(ValueError, match="offsets"):
            SeenSet().add_many(b"abcd", shape)


@pytest.mark.parametrize("keys, offsets", [
    (b"abc", [0, 3]), (["a"], array.array("i", [0, 1])), ("abc", None),
    (b"abc", None), (bytearray(b"abc"), None), (5, None), (None, None),
    (b"abc", array.array("h", [0, 3])), (b"abc", array.array("d", [0, 3])),
    ([1.5, 2], None), (["a", None], None), (array.array("d", [1]), None),
    (array.array("i", [1]), None), (memoryview(b"abc"), None),
    (numpy.array(["text"]), None), (numpy.arange(3, dtype=">u8"), None),
    (numpy.zeros(3, bool), None), (numpy.zeros(2, "i4,i4"), None),
])
def test_other_shapes_are_type_errors(keys, offsets):
    seen = SeenSet()
    for call in (seen.add_many, seen.has_many, seen.update):
        with pytest.raises(TypeError):
            call(keys, offsets)
    with pytest.raises(TypeError):
        seenset.seal(keys, offsets=offsets)


def test_arrays_with_gaps_are_refused():
    with pytest.raises(BufferError, match="numpy.ascontiguousarray"):
        SeenSet().add_many(numpy.arange(10, dtype="u8")[::2])


def test_times_are_taken_as_integers():
    times = numpy.array(["2026-11-29", "2026-11-30"], "M8[s]")
    with pytest.raises(TypeError, match=r"keys.view\('int64'\)"):
        SeenSet().add_many(times)
    seen = SeenSet()
    assert list(seen.add_many(times.view("int64"))) == [True, True]
    assert int(times[0].astype("int64")) in seen


def test_a_table_is_refused_and_its_columns_are_not():
    class Frame(dict):
        """What pandas, Polars and Arrow have: it iterates over names."""

        def __dataframe__(self):
            raise NotImplementedError

    table = Frame(url=["http://a/", "http://b/"])
    seen = SeenSet()
    for call in (seen.add_many, seen.has_many, seen.update, seenset.seal):
        with pytest.raises(TypeError, match="give one column"):
            call(table)
    assert seen.info().added == 0
    assert seen.add_many(table["url"]).tolist() == [True, True]


class Column:
    """A Series of pandas: no buffer, but an array when asked."""

    def __init__(self, values, iterated=True):
        self.values, self.iterated = values, iterated
        self.dtype = values.dtype

    def __array__(self):
        return self.values

    def __iter__(self):
        assert self.iterated, "each key was made an object"
        return iter(self.values.tolist())


def test_columns():
    whole = numpy.arange(0, 20_000, dtype="i8") - 5
    seen = new_set()
    assert all(seen.add_many(Column(whole, iterated=False)))
    assert all(seen.has_many(whole)) and -5 in seen
    assert "-5" not in seen
    assert len(seen.has_many(Column(whole.view("u8"), iterated=False),
                             hashed=True)) == 20_000
    for column in (Column(whole[::2]), Column(whole.astype("i4"))):
        assert all(seen.has_many(column))
    texts = Column(numpy.array(KEYS, object))
    assert all(seen.add_many(texts)) and all(seen.has_many(KEYS))
    assert all(seenset.seal(Column(whole, iterated=False)).has_many(whole))


def test_no_array_is_made_of_texts():
    class Texts(Column):
        def __array__(self):
            raise AssertionError("an array of all texts was made")

    assert all(new_set().add_many(Texts(numpy.array(KEYS, object))))


def test_an_interrupt_of_a_column_is_one():
    class Interrupted(Column):
        def __array__(self):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        SeenSet().add_many(Interrupted(numpy.array([1])))


def test_other_columns_are_type_errors():
    class Failing:
        dtype = "int64"

        def __array__(self):
            raise RuntimeError("no array")

    class Square(Failing):
        def __array__(self):
            return numpy.array([[1, 2], [3, 4]])

    for column in (Column(numpy.array([1.5])), Failing(), Square(),
                   Column(numpy.array(["2026-11-29"], "M8[s]"))):
        with pytest.raises(TypeError):
            SeenSet().add_many(column)
    with pytest.raises(TypeError, match="hashed=True"):
        SeenSet().add_many(Column(numpy.array([1.5])), hashed=True)


def test_pandas():
    pandas = pytest.importorskip("pandas")
    table = pandas.DataFrame({"url": ["a", "b", "a"], "id": [1, 2, 1]})
    seen = SeenSet()
    table["new"] = seen.add_many(table["url"])
    assert table["new"].tolist() == [True, True, False]
    answers = seen.add_many(table["id"])
    assert table[numpy.asarray(answers)]["id"].tolist() == [1, 2]
    assert 2 in seen and "b" in seen
    with pytest.raises(TypeError, match="give one column"):
        seen.add_many(table)


def test_an_iterable_that_fails():
    def keys():
        yield "a"
        raise RuntimeError("no more")

    seen = SeenSet()
    for call in (seen.add_many, seen.has_many, seen.update, seenset.seal):
        with pytest.raises(RuntimeError, match="no more"):
            call(keys())


def test_a_set_that_is_full():
    seen = SeenSet(100, on_full="refuse")
    with pytest.raises(seenset.FullError):
        seen.add_many(KEYS)
    assert seen.info().added == 100
    assert sum(seen.has_many(KEYS)) >= 100


def test_a_list_that_changes_meanwhile():
    """The keys of a chunk are held, whatever becomes of the list."""
    keys = [f"{i}" * 3 for i in range(30_000)]
    chance = random.Random(1)

    class Trap:
        def __init__(self):
            self.given = iter(keys)

        def __iter__(self):
            return self

        def __next__(self):
            key = next(self.given)
            if chance.random() < 0.001:
                keys[:] = [None] * len(keys)
            return key if key is not None else "none"

    assert len(new_set().add_many(Trap())) == 30_000


def test_seal_takes_the_same_shapes():
    numbers = numpy.arange(5000, dtype="u8")
    sealed = seenset.seal(numbers)
    assert all(sealed.has_many(numbers))
    assert (77).to_bytes(8, "little") in sealed
    keyed = seenset.seal(numbers, keyed=True)
    assert all(keyed.has_many(numbers))
    hashed = seenset.seal(array.array("Q", map(seenset.hash_key, KEYS)),
                          hashed=True)
    assert all(hashed.has_many(KEYS))
    with pytest.raises(ValueError, match="keyed"):
        seenset.seal(numbers, hashed=True, keyed=True)
    texts = numpy.array([b"ab", b"c"])
    assert "ab" in seenset.seal(texts)
    parts = seenset.seal(b"abc", offsets=array.array("i", [0, 2, 3]))
    assert "ab" in parts and "c" in parts

"""What a key is: texts, bytes, integers and UUIDs, and what is refused."""

import datetime
import uuid

import numpy
import pytest
import seenset
from seenset import SeenSet


def test_a_str_is_its_utf8():
    seen = SeenSet()
    seen.add("grün")
    assert "grün".encode() in seen
    assert bytearray("grün".encode()) in seen
    assert memoryview("grün".encode()) in seen
    assert "grün".encode("latin-1") not in seen


def test_surrogates_of_file_names_are_their_bytes():
    seen = SeenSet()
    seen.add(b"caf\xe9")
    assert b"caf\xe9".decode("utf-8", "surrogateescape") in seen
    with pytest.raises(UnicodeEncodeError):
        seen.add("\ud800")


def test_the_empty_key_is_a_key():
    seen = SeenSet()
    assert "" not in seen
    assert seen.add(b"")
    assert "" in seen


@pytest.mark.parametrize("key", [
    1.5, None, ("a",), ["a"], object(), True, datetime.date(2026, 1, 1),
    numpy.float64(1.5), numpy.bool_(True), numpy.float32(1)])
def test_other_objects_are_refused_with_a_reason(key):
    seen = SeenSet()
    for call in (seen.add, seen.remove, seen.count, seen.__contains__,
                 seenset.hash_key):
        with pytest.raises(TypeError, match="a key is str, bytes, int or UUID"):
            call(key)


def test_a_buffer_that_is_not_contiguous_is_refused():
    with pytest.raises(BufferError):
        SeenSet().add(memoryview(b"abcdef")[::2])


@pytest.mark.parametrize("number", [0, 7, -7, 2**31 - 1, -2**31, 2**63])
def test_an_int_is_one_key_in_every_type(number):
    seen = SeenSet()
    assert seen.add(number)
    assert (number & 2**64 - 1).to_bytes(8, "little") in seen
    types = [numpy.int32, numpy.int64, numpy.uint64, numpy.int16, numpy.intp]
    kept = [t for t in types
            if numpy.iinfo(t).min <= number <= numpy.iinfo(t).max]
    assert kept
    for t in kept:
        assert t(number) in seen
        assert seenset.key(t(number)) == seenset.key(number)
    wide = numpy.array([number], "uint64" if number >= 0 else "int64")
    assert seen.has_many(wide).tolist() == [True]
    assert seen.has_many([number]).tolist() == [True]
    assert number + 1 not in seen


@pytest.mark.parametrize("number", [2**64, -2**63 - 1, 10**30])
def test_an_int_of_more_than_64_bits_is_refused(number):
    with pytest.raises(ValueError, match="from -2.*63 to 2.*64 - 1"):
        SeenSet().add(number)


def test_a_uuid_is_its_16_bytes():
    seen = SeenSet()
    url = uuid.UUID("8e3d6a51-4b7c-4f5e-9a0d-2f6b1c7e5d43")
    assert seen.add(url) and not seen.add(url)
    assert url.bytes in seen and str(url) not in seen
    assert seenset.key(url) == url.bytes


def test_key_is_what_a_set_takes():
    for key in ("grün", b"a\0b", bytearray(b"x"), 5, memoryview(b"y")):
        assert seenset.hash_key(seenset.key(key)) == seenset.hash_key(key)
    assert seenset.key(258) == b"\2\1\0\0\0\0\0\0"
    with pytest.raises(TypeError):
        seenset.key(1.0)


@pytest.mark.parametrize("url", [1, uuid.UUID(int=1), numpy.int64(1)])
def test_a_queue_takes_texts_alone(url):
    with seenset.Queue() as queue:
        for call in (queue.push, queue.forget,
                     lambda u: queue.push_many([u]),
                     lambda u: queue.push("http://a/", u)):
            with pytest.raises(TypeError, match="is str or bytes, not"):
                call(url)

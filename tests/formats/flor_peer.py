#!/usr/bin/python3
"""flor_peer.py - filters of DCSO's bloom, which python3-flor writes: seenset
must answer as flor does, for each key, plain and compressed.

    flor_peer.py SEENSET FOLDER LIBRARY

And the library writes what flor would: a filter to which both add the same keys
has the same bytes.
"""
import ctypes
import gzip
import io
import json
import os
import subprocess
import sys
from importlib.metadata import PackageNotFoundError, version

from flor import BloomFilter

SEENSET, FOLDER, LIBRARY = sys.argv[1:]
KEYS = [b'key %d' % i for i in range(20000)] + [b'', bytes(range(1, 10)),
                                               'Блум'.encode()]


def run(*words, text=b''):
    """What the command prints."""
    done = subprocess.run([SEENSET, *words], input=text, check=False,
                          capture_output=True)
    assert done.stderr == b'', done.stderr
    return done.stdout


def make(n, p, added):
    """A filter of that size, with so many keys."""
    made = BloomFilter(n=n, p=p, data=b'of the owner')
    for key in KEYS[:added]:
        try:
            made.add(key)
        except BloomFilter.CapacityError:
            pass  # it was added, and the filter is full
    return made


def bytes_of(made):
    """What flor writes."""
    out = io.BytesIO()
    made.write(out)
    return out.getvalue()


def add_by_library(data, keys):
    """The bytes of a filter after seenset has added the keys."""
    seenset = ctypes.CDLL(LIBRARY)
    file, made = ctypes.c_void_p(), ctypes.c_void_p()
    size = ctypes.c_size_t(len(data))
    out = ctypes.create_string_buffer(len(data))
    assert seenset.seenset_foreign_open_bytes(
        ctypes.byref(file), data, size, None) == 0
    assert seenset.seenset_foreign_set(ctypes.byref(made), file, 0) == 0
    for key in keys:
        assert seenset.seenset_add(made, key, ctypes.c_size_t(len(key))) >= 0
    assert seenset.seenset_foreign_write_bytes(
        file, made, out, ctypes.byref(size)) == 0
    seenset.seenset_free(made)
    seenset.seenset_foreign_free(file)
    return out.raw


def compare_writers():
    """Both add the same keys to the same filter, byte for byte."""
    for n, p, old, new in ((1000, 0.01, 300, 600), (5000, 1e-6, 0, 4000),
                           (64, 0.3, 10, 50)):
        made = make(n, p, old)
        written = add_by_library(bytes_of(made), KEYS[:new])
        assert written != bytes_of(made)  # planted: nothing was added
        for key in KEYS[:new]:
            made.add(key)
        assert written == bytes_of(made)
        print(f'n {n}, p {p}: the bytes of {new} keys are the same')


def compare_new():
    """A new file of the command is one of flor's without data."""
    path = os.path.join(FOLDER, 'new.bloom')
    for n, p in ((1, 0.5), (10, 0.3), (1000, 0.01), (12345, 1e-6),
                 (200000, 0.0003)):
        run('new', '--force', '--format', 'dcso', '-n', str(n), '-p', repr(p),
            path)
        with open(path, 'rb') as file:
            assert file.read() == bytes_of(BloomFilter(n=n, p=p)), (n, p)
        print(f'n {n}, p {p}: new files are the same')


def main():
    """Compares filters that are part full, full and over-full."""
    try:
        print('flor', version('flor'))
    except PackageNotFoundError:
        print('flor, of an unknown version')
    path = os.path.join(FOLDER, 'a.bloom')
    for n, p, added in ((1000, 0.01, 700), (5000, 1e-6, 5000), (64, 0.3, 64),
                        (500, 0.01, 3000)):
        made = make(n, p, added)
        with open(path, 'wb') as out:
            made.write(out)
        with open(path, 'rb') as file, gzip.open(path + '.gz', 'wb') as out:
            out.write(file.read())
        expected = [key for key in KEYS if key in made]
        lines = b''.join(key + b'\n' for key in KEYS)
        for name in (path, path + '.gz'):
            assert run('has', name, text=lines).split(b'\n')[:-1] == expected
        assert set(KEYS[:added]) <= set(expected)
        figures = json.loads(run('check', '--json', path))['filters'][0]
        assert figures['size_bits'] == made.m
        assert figures['hash_count'] == made.k
        assert figures['capacity_items'] == n
        assert figures['set_bits'] == sum(bin(b).count('1')
                                          for b in made._bytes)
        made._bytes[0] ^= 255  # planted: flor would answer otherwise
        assert [key for key in KEYS if key in made] != expected
        print(f'n {n}, p {p}, {added} added: {len(expected)} of '
              f'{len(KEYS)} seen by both')


main()
compare_writers()
compare_new()

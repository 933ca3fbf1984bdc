#!/usr/bin/python3
"""rocksdb_peer.py - tables of RocksDB, which librocksdb writes by its C
interface: seenset must answer as RocksDB does, whose counters say of each
lookup what its filter said.

    rocksdb_peer.py SEENSET FOLDER LIBRARY
"""
import ctypes
import ctypes.util
import os
import random
import re
import subprocess
import sys
from ctypes import c_char_p, c_double, c_size_t, c_uint64, c_void_p

SEENSET, FOLDER, LIBRARY = sys.argv[1:]
ROCKSDB = ctypes.CDLL(ctypes.util.find_library('rocksdb'))
HEADER = '/usr/include/rocksdb/c.h'
RANDOM = random.Random(35)
LEAST, MOST = b'\0', b'\xff' * 8


def call(name, *arguments):
    """A call of the C interface that returns a pointer or nothing."""
    function = getattr(ROCKSDB, 'rocksdb_' + name)
    function.restype = c_void_p
    return c_void_p(function(*arguments))


def call_or_fail(name, *arguments):
    """One that may fail."""
    error = c_char_p()
    out = call(name, *arguments, ctypes.byref(error))
    assert not error.value, error.value
    return out


def counter_numbers():
    """The counters of filters that may have a key, and that have not: their
    numbers differ from version to version."""
    with open(HEADER, encoding='utf-8') as header:
        names = re.search(r'{\s*(rocksdb_user_key_comparison_count = 0,.*?)}',
                          header.read(), re.S).group(1)
    numbers = re.findall(r'rocksdb_\w+', names)
    return [numbers.index('rocksdb_bloom_sst_hit_count'),
            numbers.index('rocksdb_bloom_sst_miss_count')]


def options_of(version, policy, change):
    """Those of a database with that filter."""
    options = call('options_create')
    call('options_set_create_if_missing', options, 1)
    table = call('block_based_options_create')
    call('block_based_options_set_filter_policy', table, policy)
    call('block_based_options_set_format_version', table, version)
    change(table, options)
    call('options_set_block_based_table_factory', options, table)
    return options


def write(name, options, keys):
    """A database with the keys in one table, and the path of that."""
    path = os.path.join(FOLDER, name)
    made = call_or_fail('open', options, path.encode())
    how = call('writeoptions_create')
    for key in keys:
        call_or_fail('put', made, how, key, c_size_t(len(key)), b'value',
                     c_size_t(5))
    call_or_fail('flush', made, call('flushoptions_create'))
    tables = [file for file in os.listdir(path) if file.endswith('.sst')]
    assert len(tables) == 1
    return made, os.path.join(path, tables[0])


def ask_rocksdb(made, keys):
    """What its filter answers."""
    metric = ROCKSDB.rocksdb_perfcontext_metric
    metric.restype = c_uint64
    hit, miss = counter_numbers()
    counters, how = call('perfcontext_create'), call('readoptions_create')
    out, length = [], c_size_t()
    ROCKSDB.rocksdb_set_perf_level(2)
    for key in keys:
        call('perfcontext_reset', counters)
        call_or_fail('get', made, how, key, c_size_t(len(key)),
                     ctypes.byref(length))
        answers = metric(counters, hit), metric(counters, miss)
        assert sum(answers) == 1
        out.append(answers[0])
    return out


def ask_seenset(table, keys):
    """What the library answers: any bytes are a key."""
    seenset, file = ctypes.CDLL(LIBRARY), c_void_p()
    assert seenset.seenset_foreign_open(ctypes.byref(file), table.encode(),
                                        None) == 0
    out = [seenset.seenset_foreign_has(file, 0, key, c_size_t(len(key)))
           for key in keys]
    seenset.seenset_foreign_free(file)
    return out


def bloom(bits):
    """A policy."""
    return call('filterpolicy_create_bloom', c_double(bits))


def compare(version, bits):
    """Keys of any bytes and of every length up to 1,200."""
    lengths = list(range(1, 300)) * 10 + list(range(300, 1200))
    there = [RANDOM.randbytes(length) for length in lengths]
    there = sorted({LEAST, MOST, *there})
    others = [RANDOM.randbytes(length) for length in lengths * 2]
    others = [key for key in others if LEAST < key < MOST]
    made, table = write(f'{version} {bits}',
                        options_of(version, bloom(bits), lambda *_: None),
                        there)
    theirs = ask_rocksdb(made, there + others)
    mine = ask_seenset(table, there + others)
    call('close', made)
    assert mine == theirs
    theirs[-1] ^= 1
    assert mine != theirs  # planted
    assert mine[:len(there)] == [1] * len(there)
    print(f'format_version {version}, {bits} bits a key: {len(there)} keys, '
          f'0 missed; {sum(mine[len(there):])} of {len(others)} others seen '
          'by both')


def refuse(name, options, reason):
    """A filter that seenset does not read."""
    made, table = write(name, options, [b'%05d' % i for i in range(5000)])
    call('close', made)
    done = subprocess.run([SEENSET, 'check', table], check=False,
                          capture_output=True, text=True)
    assert done.returncode == 2 and reason in done.stderr, done.stderr
    print(f'{name}: {reason}')


def partitions(table, _):
    """A filter for each part of the index."""
    call('block_based_options_set_index_type', table, 2)
    call('block_based_options_set_partition_filters', table, 1)


def prefixes(table, options):
    """A filter of prefixes alone."""
    call('block_based_options_set_whole_key_filtering', table, 0)
    call('options_set_prefix_extractor', options,
         call('slicetransform_create_fixed_prefix', c_size_t(1)))


for number, per_key in ((2, 10), (3, 3), (4, 20), (5, 1.5), (5, 10), (5, 24)):
    compare(number, per_key)
refuse('ribbon', options_of(5, call('filterpolicy_create_ribbon',
                                    c_double(10)), lambda *_: None),
       'a Ribbon filter')
refuse('partitioned', options_of(5, bloom(10), partitions),
       'a partitioned filter')
refuse('prefixes', options_of(5, bloom(10), prefixes),
       'it has prefixes of keys')

#!/usr/bin/python3
"""make_tables.py - the tables in this folder, each with the keys "key 0" to
"key 299": leveldb.ldb, by Debian's python3-plyvel 1.5.0 and LevelDB 1.23, and
rocksdb-2.sst and rocksdb-5.sst, by librocksdb 7.8.3, of those format_versions.

RocksDB writes the host's name into a table; run it where that is no secret:

    sudo unshare --uts sh -c 'hostname a-host && /usr/bin/python3 make_tables.py'
"""
import ctypes
import ctypes.util
import os
import shutil
import tempfile
from ctypes import c_char_p, c_double, c_size_t, c_void_p

import plyvel

HERE = os.path.dirname(os.path.abspath(__file__))
KEYS = sorted(b'key %d' % i for i in range(300))
ROCKSDB = ctypes.CDLL(ctypes.util.find_library('rocksdb'))


def make_leveldb():
    """A database of one table, of which each 2 KiB have a filter."""
    with tempfile.TemporaryDirectory() as folder:
        made = plyvel.DB(folder, create_if_missing=True, bloom_filter_bits=10,
                         compression=None)
        for key in KEYS:
            made.put(key, b'of ' + key * 3)
        made.compact_range()
        made.close()
        table, = (name for name in os.listdir(folder) if name.endswith('.ldb'))
        shutil.copyfile(os.path.join(folder, table),
                        os.path.join(HERE, 'leveldb.ldb'))


def call(name, *arguments):
    """A call of the C interface that returns a pointer or nothing."""
    function = getattr(ROCKSDB, 'rocksdb_' + name)
    function.restype = c_void_p
    return c_void_p(function(*arguments))


def make_rocksdb(version):
    """A table of that format_version."""
    error = c_char_p()
    options, table = call('options_create'), call('block_based_options_create')
    call('block_based_options_set_filter_policy', table,
         call('filterpolicy_create_bloom', c_double(10)))
    call('block_based_options_set_format_version', table, version)
    call('options_set_block_based_table_factory', options, table)
    made = call('sstfilewriter_create', call('envoptions_create'), options)
    path = os.path.join(HERE, f'rocksdb-{version}.sst')
    call('sstfilewriter_open', made, path.encode(), ctypes.byref(error))
    for key in KEYS:
        call('sstfilewriter_put', made, key, c_size_t(len(key)), b'', c_size_t(0),
             ctypes.byref(error))
    call('sstfilewriter_finish', made, ctypes.byref(error))
    assert not error.value, error.value


make_leveldb()
make_rocksdb(2)
make_rocksdb(5)

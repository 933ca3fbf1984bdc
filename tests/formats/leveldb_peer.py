#!/usr/bin/python3
"""leveldb_peer.py - databases of LevelDB, which python3-plyvel writes: seenset
must find each key in its part, and answer as LevelDB's own filters do.

    leveldb_peer.py SEENSET FOLDER ASK

ASK is leveldb_ask.cc, compiled.
"""
import json
import os
import random
import subprocess
import sys

import plyvel

SEENSET, FOLDER, ASK = sys.argv[1:]
RANDOM = random.Random(35)


def key_of(number):
    """A key of any length up to 40 bytes, without line ends."""
    text = b'%d ' % number + RANDOM.randbytes(RANDOM.randrange(36))
    return text.replace(b'\n', b'').replace(b'\r', b'').replace(b'\0', b'')


def run(*words, text=b''):
    """What a program prints."""
    done = subprocess.run(words, input=text, check=False, capture_output=True)
    assert done.stderr == b'' and done.returncode < 2, done.stderr
    return done.stdout


def write(name, bits, keys):
    """The tables of a database with the keys, in one level."""
    path = os.path.join(FOLDER, name)
    made = plyvel.DB(path, create_if_missing=True, bloom_filter_bits=bits,
                     write_buffer_size=1 << 16)
    for key in keys:
        made.put(key, b'a value of ' + key)
    made.compact_range()
    made.close()
    return [os.path.join(path, file) for file in sorted(os.listdir(path))
            if file.endswith(('.ldb', '.sst'))]


def answers_of_seenset(table, lines):
    """Of each key that may be there, the parts."""
    out = {}
    for line in run(SEENSET, 'has', '--row-groups', table,
                    text=lines).split(b'\n')[:-1]:
        parts, key = line.split(b'\t', 1)
        out[key] = [int(part) for part in parts.split(b',')]
    return out


def answers_of_leveldb(table, filters, keys, lines):
    """The same, by LevelDB."""
    places = []
    for one in filters:
        places += [str(one['bits_offset']), str(one['size_bits'] // 8 + 1)]
    out = {}
    for key, line in zip(keys, run(ASK, table, *places,
                                   text=lines).split(b'\n')):
        if line:
            out[key] = [filters[int(i)]['row_group'] for i in line.split(b',')]
    return out


def check(name, bits, count):
    """All tables of a database."""
    keys = list({key_of(i) for i in range(2 * count)})
    keys.sort()
    RANDOM.shuffle(keys)
    there, lines = keys[:count], b''.join(key + b'\n' for key in keys)
    found, wrong, parts = set(), 0, 0
    for table in write(name, bits, there):
        filters = json.loads(run(SEENSET, 'check', '--json',
                                 table))['filters']
        mine = answers_of_seenset(table, lines)
        theirs = answers_of_leveldb(table, filters, keys, lines)
        assert mine == theirs
        theirs.pop(next(iter(theirs)))
        assert mine != theirs  # planted
        parts += len(filters)
        found |= mine.keys()
        wrong += sum(len(mine.get(key, ())) for key in keys[count:])
    assert parts > 1 and found >= set(there)
    print(f'{bits} bits a key: {count} keys, 0 missed; {parts} filters, '
          f'{wrong} false positives, the same as LevelDB\'s')
    assert wrong > 0


check('ten', 10, 5000)
check('two', 2, 2000)
check('thirty', 30, 5000)

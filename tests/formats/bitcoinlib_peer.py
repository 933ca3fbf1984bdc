#!/usr/bin/python3
"""bitcoinlib_peer.py - Bitcoin's filters (BIP-37), which python3-bitcoinlib
writes and reads: seenset must answer as it does, for each key, and write what
it would.

    bitcoinlib_peer.py SEENSET FOLDER
"""
import json
import os
import random
import subprocess
import sys
from importlib.metadata import PackageNotFoundError, version

from bitcoin.bloom import CBloomFilter
from bitcoin.core import COutPoint, lx

SEENSET, FOLDER = sys.argv[1:]
RANDOM = random.Random(37)
# ids of transactions, keys and scripts, outputs, and lengths of all kinds
KEYS = [RANDOM.randbytes(RANDOM.choice((20, 32, 33, 36, 65)))
        for _ in range(3000)] + [RANDOM.randbytes(i) for i in range(1, 70)]
PATH = os.path.join(FOLDER, 'a.bip37')


def run(*words, keys=()):
    """What the command prints, with keys as lines of hexadecimal digits."""
    text = b''.join(key.hex().encode() + b'\n' for key in keys)
    done = subprocess.run([SEENSET, *words], input=text, check=False,
                          capture_output=True)
    assert done.stderr == b'' and done.returncode < 2, done.stderr
    return done.stdout


def read():
    """The file, and the filter that bitcoinlib sees in it."""
    with open(PATH, 'rb') as file:
        data = file.read()
    return data, CBloomFilter.deserialize(data)


def write(made):
    """Makes it the file."""
    with open(PATH, 'wb') as file:
        file.write(made.serialize())


def compare_answers(made):
    """Both are asked for all keys."""
    write(made)
    expected = [key for key in KEYS if made.contains(key)]
    lines = run('has', PATH, keys=KEYS).decode().split()
    assert [bytes.fromhex(line) for line in lines] == expected
    figures = json.loads(run('check', '--json', PATH))['filters'][0]
    assert figures['size_bits'] == 8 * len(made.vData)
    assert figures['hash_count'] == made.nHashFuncs
    assert figures['seed'] == made.nTweak
    assert figures['set_bits'] == sum(bin(b).count('1') for b in made.vData)
    made.nTweak ^= 1  # planted: another filter
    assert [key for key in KEYS if made.contains(key)] != expected
    made.nTweak ^= 1
    return len(expected)


def compare_readers():
    """Filters of bitcoinlib, part full, full and over-full."""
    for n, p, tweak, added in ((100, 0.01, 0, 50), (1000, 1e-4, 2 ** 32 - 1, 900),
                               (5000, 1e-6, 77, 3000), (20, 0.1, 5, 100),
                               (40000, 0.2, 1, 3000), (150, 0.001, 9, 150)):
        made = CBloomFilter(n, p, tweak, RANDOM.randrange(3))
        for key in KEYS[:added]:
            made.insert(key)
        seen = compare_answers(made)
        assert seen >= added
        print(f'n {n}, p {p}, {added} added: {seen} of {len(KEYS)} seen by '
              'both')


def compare_writers():
    """Both add the same keys to the same filter, and a new file of the command
    is bitcoinlib's."""
    for n, p, tweak, flags in ((400, 0.02, 1, 0), (1000, 0.01, 2 ** 31 + 1, 1),
                               (20000, 0.001, 3, 2), (500, 1e-9, 0, 0)):
        made = CBloomFilter(n, p, tweak, flags)
        write(made)
        run('add', PATH, keys=KEYS[:300])
        assert read()[0] != made.serialize()  # planted: nothing was added
        for key in KEYS[:300]:
            made.insert(key)
        assert read()[0] == made.serialize()
        assert all(read()[1].contains(key) for key in KEYS[:300])
        run('new', '--force', '--format', 'bip37', '-n', str(n), '-p', repr(p),
            '--seed', str(tweak), PATH)
        assert read()[0] == CBloomFilter(n, p, tweak, 0).serialize()
        print(f'n {n}, p {p}, tweak {tweak}: the bytes are the same')


def compare_ids():
    """An id as it is shown, and an output of it, are bitcoinlib's bytes."""
    shown = [RANDOM.randbytes(32).hex() for _ in range(200)]
    outputs = [COutPoint(lx(id), RANDOM.randrange(2 ** 32)) for id in shown]
    made = CBloomFilter(400, 1e-9, 6, 0)
    for id, output in zip(shown, outputs):
        made.insert(lx(id))
        made.insert(output)
    write(made)
    words = shown + [f'{id}:{output.n}' for id, output in zip(shown, outputs)]
    lines = run('has', '--funnel', 'txid', PATH, *words).decode().split()
    assert lines == words
    assert run('has', PATH, *shown) == b''  # planted: in another order
    print(f'{len(words)} ids and outputs are seen')


def main():
    """All of it."""
    try:
        print('bitcoinlib', version('python-bitcoinlib'))
    except PackageNotFoundError:
        print('bitcoinlib, of an unknown version')
    compare_readers()
    compare_writers()
    compare_ids()


main()

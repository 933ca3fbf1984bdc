#!/usr/bin/python3
"""check_by_hand.py - what `seenset check` says of twelve files by six systems,
computed again from their bytes.

    check_by_hand.py SEENSET FOLDER PAGE FILES

FILES has the files; those whose header can be read in a line (DCSO, Guava) are
read here, of the others seenset says where the bits are, which the tests
formats_... hold. PAGE (docs/formats/check.md) shows all twelve: its lines must
be what is printed.
"""
import gzip
import json
import math
import os
import shutil
import struct
import subprocess
import sys

SEENSET, FOLDER, PAGE, FILES = sys.argv[1:]

# The verdict of each filter, and how many keys its maker added.
TWELVE = {
    'people.parquet': [('sound', 2048), ('sound', 2048), ('sound', 952),
                       ('sound', 952)],
    'types.parquet': [('sound', 50)] * 11 + [('sound', 100)],
    'hyparquet.parquet': [('sound', 14), ('sound', 1000),
                          ('too full', 1000)] * 2,
    'flor.bloom': [('sound', 500)],
    'flor.bloom.gz': [('sound', 500)],
    'flor-full.bloom': [('too full', 300)],
    'guava.bloom': [('too large', 500)],
    'guava-32.bloom': [('too large', 500)],
    'guava-full.bloom': [('too full', 500)],
    'leveldb.ldb': [('sound', 116), ('sound', 116), ('sound', 68)],
    'rocksdb-2.sst': [('sound', 300)],
    'rocksdb-5.sst': [('sound', 300)],
}


def run(*words):
    """What the command prints, in FOLDER; a filter that is too full ends it
    with 1."""
    done = subprocess.run([SEENSET, *words], check=False, capture_output=True,
                          cwd=FOLDER)
    assert done.stderr == b'' and done.returncode < 2, done
    return done.stdout.decode()


def dcso(data):
    """m, k and the bits; and the n and p that it names."""
    _, n, p, k, m, _ = struct.unpack('<QQdQQQ', data[:48])
    return m, k, data[48:48 + (m + 63) // 64 * 8], (n, p)


def guava(data):
    """m, k and the bits, whose longs are big-endian."""
    longs, = struct.unpack('>I', data[2:6])
    words = struct.unpack(f'>{longs}Q', data[6:6 + 8 * longs])
    return 64 * longs, data[1], struct.pack(f'<{longs}Q', *words), None


def figures(said, data):
    """m, k and the bits of a filter."""
    if said['scheme'] == 'dcso':
        return dcso(data)
    if said['scheme'].startswith('guava'):
        return guava(data)
    first = said['bits_offset']
    m = said['size_bits']
    return m, said['hash_count'], data[first:first + m // 8], None


def ones_of(part):
    """Bits set."""
    return int.from_bytes(part, 'little').bit_count()


def rate_of(said, m, k, bits):
    """How probable it is that a key that was never added is seen."""
    if said['layout'] == 'split_block':  # a bit of each of eight words
        blocks = [math.prod(ones_of(bits[i + w:i + w + 4]) / 32
                            for w in range(0, 32, 4))
                  for i in range(0, len(bits), 32)]
        return sum(blocks) / len(blocks)
    if said['scheme'].startswith('rocksdb'):  # k bits of a line
        lines = [(ones_of(bits[i:i + 64]) / 512) ** k
                 for i in range(0, len(bits), 64)]
        return sum(lines) / len(lines)
    return (ones_of(bits) / m) ** k


def is_near(a, b, part):
    """But for a part of it."""
    return abs(a - b) <= part * abs(b)


def check_filter(said, data, verdict, keys):
    """The filter's figures, from its bytes."""
    m, k, bits, promise = figures(said, data)
    ones = ones_of(bits)
    assert (m, k, ones) == (said['size_bits'], said['hash_count'],
                            said['set_bits']), said
    if promise is not None:
        assert promise == (said['capacity_items'], said['fp_rate']), said
    # after n keys (1 - 1/m)^(k n) of the bits are 0: Swamidass and Baldi 2007
    estimate = math.log(1 - ones / m) / (k * math.log(1 - 1 / m))
    assert is_near(said['estimated_items'], estimate, 1e-3), (said, estimate)
    assert is_near(estimate, keys, 0.15), (said, estimate, keys)
    # a hash of 32 bits may be that of a key in the block: n of 2^32
    rate = rate_of(said, m, k, bits)
    same = estimate / 2 ** 32 if said['layout'] == 'split_block' else 0
    assert rate * (1 - 1e-9) <= said['current_fp_rate'] <= rate * (
        1 + 1e-9) + same, (said, rate)
    assert said['verdict'] == verdict, (said, verdict)


def check_file(name, wanted):
    """All filters of a file."""
    with open(os.path.join(FOLDER, name), 'rb') as file:
        data = file.read()
    if name.endswith('.gz'):
        data = gzip.decompress(data)
    said = json.loads(run('check', '--json', name))
    filters = [one for one in said['filters'] if one['size_bits']]
    assert len(filters) == len(wanted), (name, len(filters))
    for one, (verdict, keys) in zip(filters, wanted):
        check_filter(one, data, verdict, keys)
    return data, filters[0]


def must_fail(check, *words):
    """Planted: what is wrong must be noticed."""
    try:
        check(*words)
    except AssertionError:
        return
    raise SystemExit('a planted fault was not noticed')


def check_page():
    """The page's blocks: a command, and what it prints."""
    with open(PAGE, encoding='utf-8') as page:
        lines = [line[4:] for line in page.read().split('\n')
                 if line.startswith('    ') or line == '']
    shown = '\n'.join(lines)
    for name in TWELVE:
        assert f'$ seenset check {name}\n{run("check", name).rstrip()}' in (
            shown), f'{PAGE}: not what `seenset check {name}` prints'


for one_name in TWELVE:
    source = os.path.join(FILES, one_name.removesuffix('.gz'))
    if one_name.endswith('.gz'):
        with open(source, 'rb') as whole:
            packed = gzip.compress(whole.read(), mtime=0)
        with open(os.path.join(FOLDER, one_name), 'wb') as to:
            to.write(packed)
    else:
        shutil.copyfile(source, os.path.join(FOLDER, one_name))

for one_name, filters_of in TWELVE.items():
    content, first_filter = check_file(one_name, filters_of)
    print(f'{one_name}: {len(filters_of)} filter(s), as computed by hand')
    verdict_of, keys_of = filters_of[0]
    must_fail(check_filter, first_filter, content, verdict_of, 2 * keys_of)
    at = first_filter['bits_offset'] + 9
    changed = content[:at] + bytes([content[at] ^ 1]) + content[at + 1:]
    must_fail(check_filter, first_filter, changed, verdict_of, keys_of)
check_page()

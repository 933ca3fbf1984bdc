#!/usr/bin/python3
"""redisbloom_peer.py - filters as RedisBloom 8.2.0 dumped them: the command
must answer for each item as RedisBloom did, and name the same figures.

    redisbloom_peer.py SEENSET FOLDER PAYLOADS
"""
import json
import os
import struct
import subprocess
import sys

SEENSET, FOLDER, PAYLOADS = sys.argv[1:]
PATH = os.path.join(FOLDER, 'dump')


def run(*words, keys=()):
    """What the command prints, with keys as lines."""
    text = ''.join(key + '\n' for key in keys)
    done = subprocess.run([SEENSET, *words], input=text, check=False,
                          capture_output=True, text=True)
    assert done.stderr == '' and done.returncode < 2, done.stderr
    return done.stdout


def write(dump):
    """A file of the data of all replies. Returns the items of the header."""
    with open(PATH, 'wb') as file:
        for _, data in dump:
            file.write(bytes.fromhex(data))
    return struct.unpack_from('<Q', bytes.fromhex(dump[0][1]))[0]


def more_items(row):
    """What was added to it there (tests/redis/dumps.py)."""
    return [f'more-{i}' + ('x' * i if row['grow_longer'] else '')
            for i in range(row['more'])]


def check_answers(row):
    """Those after the items were added: none is lost, and of 200 others the
    same are seen."""
    items = write(row['after'])
    added = [f'item-{i}' for i in range(row['items'])]
    added += [item for item, reply in zip(more_items(row), row['new'])
              if reply != 'E']
    assert run('has', PATH, keys=added).split() == added
    others = [f'other-{i}' for i in range(200)]
    seen = set(run('has', PATH, keys=others).split())
    replies = ''.join('01'[other in seen] for other in others)
    assert replies == row['others']
    return items, len(seen)


def check_figures(row, items):
    """Each filter of the chain, as its header has it."""
    head = bytes.fromhex(row['after'][0][1])
    shown = json.loads(run('check', '--json', PATH))
    assert shown['format'] == 'redisbloom'
    assert len(shown['filters']) == struct.unpack_from('<I', head, 8)[0]
    assert sum(one['added_items'] for one in shown['filters']) == items
    for i, one in enumerate(shown['filters']):
        _, bits, size, error = struct.unpack_from('<QQQd', head, 20 + 53 * i)
        hashes, entries = struct.unpack_from('<IQ', head, 60 + 53 * i)
        assert (one['size_bits'], one['added_items'], one['fp_rate']) == (
            bits, size, error)
        assert (one['hash_count'], one['capacity_items']) == (hashes, entries)


def check_writing(row):
    """One filter, to which the items are added that RedisBloom took."""
    write(row['dump'])
    with open(PATH, 'rb') as file:
        before = file.read()
    wanted = b''.join(bytes.fromhex(data) for _, data in row['after'])
    taken = [item for item, reply in zip(more_items(row), row['new'])
             if reply == '1']
    run('add', PATH, keys=taken)
    with open(PATH, 'rb') as file:
        made = file.read()
    assert made == wanted
    assert not taken or made != before  # planted: nothing was added
    return len(taken)


def main():
    """All of it."""
    with open(PAYLOADS) as file:
        payloads = json.load(file)
    print(payloads['made_by'])
    wrong = 0
    for row in payloads['filters']:
        items, seen = check_answers(row)
        check_figures(row, items)
        wrong += seen
        print(f'{" ".join(row["reserved"])}: {items} items, {seen} of 200 '
              'others seen by both')
        if len(row['after']) == 2:
            print(f'  {check_writing(row)} items more: the bytes are the same')
    assert wrong > 0  # planted: a command that sees all, or none


main()

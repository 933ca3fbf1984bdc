#!/usr/bin/python3
"""make.py - flor.bloom and flor-full.bloom in this folder, by Debian's
python3-flor 1.1.3: 500 keys "key 0" to "key 499" in a filter for 1,000 at 1e-4,
with a text of the owner's; and 300 keys in one for 100 at 0.01."""
import os

from flor import BloomFilter

made = BloomFilter(n=1000, p=0.0001, data=b'the owner\'s data\n')
for i in range(500):
    made.add(b'key %d' % i)
here = os.path.dirname(os.path.abspath(__file__))
with open(os.path.join(here, 'flor.bloom'), 'wb') as out:
    made.write(out)

full = BloomFilter(n=100, p=0.01)
for i in range(300):
    try:
        full.add(b'key %d' % i)
    except BloomFilter.CapacityError:
        pass  # it was added, and the filter is full
with open(os.path.join(here, 'flor-full.bloom'), 'wb') as out:
    full.write(out)

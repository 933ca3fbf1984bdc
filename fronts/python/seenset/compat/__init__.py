"""The classes of other packages, on a SeenSet, for those who move.

    from seenset.compat import Bloom                 # rbloom's
    from seenset.compat import BloomFilter           # pybloom-live's
    from seenset.compat import ScalableBloomFilter   # pybloom-live's

Each method does what theirs does. Their files cannot be read: the bits are
others. docs/python.md lists what differs.
"""

from .pybloom_live import BloomFilter, ScalableBloomFilter
from .rbloom import Bloom

__all__ = ["Bloom", "BloomFilter", "ScalableBloomFilter"]

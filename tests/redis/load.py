"""A crawler that works while something fails, and the judge of what it was
answered.

By the command it pushes URLs, pops some and acknowledges them, in turns. Then
it says which URLs whose push was answered no server has any more, and which
came again after their acknowledgement was answered.
"""

import contextlib
import time
from concurrent.futures import ThreadPoolExecutor

from crawl import run, stat
from harness import until

PUSHED = 1000  # URLs in a turn
POPPED = 700   # so that some are pending when something fails
LEASE_SECONDS = 5  # drain waits for those that a failure left


def urls(first, count):
    return ["http://h%d.example/%d" % (i * 7919 % 4999, i)
            for i in range(first, first + count)]


def numbers(lines):
    """Of the URLs in lines of the command."""
    return {int(line.rsplit("/", 1)[1]) for line in lines}


class Load:
    """`port` is a function: a server that answers, at that moment. `words`
    are options of each command, as --replicas."""

    def __init__(self, port, name, words="", lease_seconds=LEASE_SECONDS):
        self.port, self.name, self.words = port, name, words
        self.lease_seconds = lease_seconds
        self.turns = self.next = self.failed = 0
        self.pushed, self.found = set(), set()
        self.acked, self.twice = set(), set()
        self.is_over = False

    def do(self, words, lines=()):
        return run(self.port(), words + self.words, lines, name=self.name)

    def batch(self, first, count):
        return urls(first, count)

    def push(self):
        batch = self.batch(self.next, PUSHED)
        self.next += PUSHED
        status, lines, _ = self.do("push -v", batch)
        self.failed += status != 0
        self.pushed |= numbers(lines)

    def pop(self, count):
        """Returns the lines. After an error there are none: the command says
        that what it printed comes again."""
        status, popped, _ = self.do("pop -n %d --lease %d" %
                                    (count, self.lease_seconds))
        if status != 0:
            self.failed += status != 1
            return []
        came = numbers(popped)
        self.twice |= came & self.acked
        self.found |= came
        return popped

    def ack(self, popped):
        if self.do("ack", popped)[0] == 0:
            self.acked |= numbers(popped)
        else:
            self.failed += 1

    def take(self, count=POPPED):
        """Returns how many URLs came."""
        popped = self.pop(count)
        if popped:
            self.ack(popped)
        return len(popped)

    def go(self):
        while not self.is_over:
            self.push()
            self.take()
            self.turns += 1

    def wait_for_a_turn(self):
        """For one that begins after this."""
        before = self.turns
        until(lambda: self.turns > before + 1, "the load goes on")

    @contextlib.contextmanager
    def at_work(self):
        """It works before, during and after what is done in this."""
        self.is_over = False
        with ThreadPoolExecutor(1) as pool:
            going = pool.submit(self.go)
            try:
                self.wait_for_a_turn()
                yield
                self.wait_for_a_turn()
            finally:
                self.is_over = True
        going.result()

    def lost(self):
        """Those whose push was answered and that are neither there nor were
        handed out. They are pushed again, and so are there after this."""
        left = sorted(self.pushed - self.found)
        lines = self.do("push -v", [self.batch(i, 1)[0] for i in left])[1]
        assert numbers(lines) == set(left), "a push was not answered"
        return numbers(line for line in lines if line.startswith("NEW"))

    def drain(self):
        """Until nothing is pending or handed out."""
        while True:
            if self.take(5000) > 0:
                continue
            figures = stat(self.port(), name=self.name)
            if figures["pending"] + figures["leased"] == 0:
                return
            time.sleep(0.1)

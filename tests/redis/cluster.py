"""A crawl in a cluster of three masters and three replicas on this machine:
slots move and masters are killed while URLs are pushed and popped.

    run.sh cluster SOURCE BUILD [KILLS]     KILLS masters are killed (1), and
                                            100 slots are moved for each
"""

import sys
import time
import unittest
from collections import Counter

from crawl import run, stat
from harness import needs_crawls
from load import PUSHED, Load, urls
from nodes import SHARDS, ClusterTest

KILLS = int(sys.argv.pop()) if sys.argv[-1].isdigit() else 1


class Crawl(ClusterTest):
    def port(self):
        return self.cluster.port()

    def drain(self):
        """All that is pending, popped and acknowledged in parts."""
        found = Counter()
        while True:
            status, popped, said = run(self.port(), "pop -n 5000")
            self.assertIn(status, (0, 1), said)
            if status == 1:
                return found
            found.update(line.split("\t")[1] for line in popped)
            self.assertEqual(run(self.port(), "ack", popped)[::2], (0, ""))

    def test_partitions_are_spread_evenly(self):
        wanted = urls(0, 20000)
        self.assertEqual(run(self.port(), "push", wanted), (0, [], ""))
        counts = [len(node("KEYS", "crawl:*")) - 1
                  for node in self.cluster.masters()]
        figures = stat(self.port())
        self.assertEqual(sum(counts), figures["with_urls"])
        self.assertLessEqual(max(counts) - min(counts), 40)
        self.assertEqual(figures["pushed"], len(wanted))
        self.assertEqual(self.drain(), Counter(wanted))
        self.assertEqual(stat(self.port())["acked"], len(wanted))

    def test_slots_move_under_load(self):
        source, target = self.cluster.masters()[:2]
        slots = self.cluster.slots(source)[:100]
        load = Load(self.port, "crawl", lease_seconds=3600)
        with load.at_work():
            for _ in range(KILLS):
                for slot in slots:
                    self.cluster.move(source, target, slot)
                source, target = target, source
        self.assertEqual(load.lost(), set())
        load.drain()
        self.assertEqual(load.found, load.pushed)
        self.assertEqual((load.twice, load.failed), (set(), 0))

    def test_masters_are_killed_under_load(self):
        """With --replicas 1 what was answered is there after that, and no URL
        comes after an acknowledgement that was answered."""
        waited = Load(self.port, "waited", " --replicas 1")
        bare = Load(self.port, "bare")
        losses = []
        for kill in range(KILLS):
            with waited.at_work(), bare.at_work():
                time.sleep(kill % 10 / 40)  # now in a push, now in a pop
                self.cluster.fail_over(self.cluster.masters()[kill % SHARDS])
            self.cluster.settle()
            self.assertEqual(waited.lost(), set())
            losses.append(len(bare.lost()))
        for load in waited, bare:
            load.drain()
            self.assertLessEqual(load.pushed, load.found)
        self.assertEqual(waited.twice, set())
        self.tell(losses, waited, bare)

    def tell(self, losses, waited, bare):
        print("%d kills; --replicas 1: of %d URLs 0 lost, 0 twice; without: "
              "of %d URLs lost %d in %d kills, most %d, twice %d; a kill: %s" %
              (len(losses), len(waited.pushed), len(bare.pushed), sum(losses),
               sum(lost > 0 for lost in losses), max(losses), len(bare.twice),
               " ".join(map(str, losses))))

    def test_the_judge_sees_a_partition_that_is_lost(self):
        """Planted: its URLs are neither there nor drained."""
        load = Load(self.port, "crawl")
        load.push()
        master = self.cluster.masters()[0]
        name = next(name for name in master("KEYS", "crawl:*")[1:])
        self.assertEqual(master("DEL", name), ":1")
        load.take(PUSHED)
        self.assertNotEqual(load.found, load.pushed)
        self.assertNotEqual(load.lost(), set())

    def test_the_judge_sees_an_acknowledgement_that_is_undone(self):
        """Planted: a master has what it had before it."""
        load = Load(self.port, "crawl")
        load.push()
        master = self.cluster.masters()[0]
        saved = {name: master("DUMP", name)
                 for name in master("KEYS", "crawl:*")[1:]}
        load.take(PUSHED)
        self.assertEqual(load.twice, set())
        for name, value in saved.items():
            self.assertEqual(master("RESTORE", name, 0, value, "REPLACE"),
                             "+OK")
        load.take(PUSHED)
        self.assertNotEqual(load.twice, set())


if __name__ == "__main__":
    needs_crawls("cluster")
    unittest.main(verbosity=2)

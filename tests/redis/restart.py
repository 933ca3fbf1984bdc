"""What is left of a crawl when servers are killed and start again from their
own files: all at once, as after a power cut, and one master so soon that its
replica does not take over.

    run.sh restart SOURCE BUILD [TIMES]     each so often (1)

A server that has answered has written its log but, with everysec, not synced
it. So this shows what a kill undoes; a power cut takes what was not synced too.
"""

import sys
import unittest

from harness import needs_crawls
from load import Load
from nodes import Cluster, new_nodes

TIMES = int(sys.argv.pop()) if sys.argv[-1].isdigit() else 1
LOGS = {
    "no": ("--appendonly", "no"),
    "everysec": ("--appendonly", "yes", "--appendfsync", "everysec"),
    "always": ("--appendonly", "yes", "--appendfsync", "always"),
}


class Restart(unittest.TestCase):
    def undone(self, log, choose):
        """Kills the nodes of a cluster that `choose` takes, and starts them.
        Returns what was lost of a crawl with --replicas 1 and of one without.
        """
        cluster = Cluster(new_nodes(*LOGS[log]))
        self.addCleanup(cluster.stop)
        loads = [Load(lambda: cluster.nodes[-1].port, name, words)
                 for name, words in (("waited", " --replicas 1"), ("bare", ""))]
        lost = [0, 0]
        for _ in range(TIMES):
            with loads[0].at_work(), loads[1].at_work():
                killed = choose(cluster)
                for node in killed:
                    node.server.process.kill()
                for node in killed:
                    node.kill()
                    node.revive()
            cluster.settle()
            for i, load in enumerate(loads):
                lost[i] += len(load.lost())
        for load in loads:
            load.drain()
            self.assertLessEqual(load.pushed, load.found)
        twice = [len(load.twice) for load in loads]
        print("appendonly %s, %d times %d killed: lost with --replicas 1 %d of "
              "%d, twice %d; without %d of %d, twice %d" %
              (log, TIMES, len(killed), lost[0], len(loads[0].pushed),
               twice[0], lost[1], len(loads[1].pushed), twice[1]))
        return lost, twice

    def test_all_at_once(self):
        nothing = ([0, 0], [0, 0])
        self.assertGreater(min(self.undone("no", all_nodes)[0]), 0)
        self.undone("everysec", all_nodes)  # as the disk was just then
        self.assertEqual(self.undone("always", all_nodes), nothing)

    def test_a_master_before_its_replica_takes_over(self):
        """Without a log: as soon as it answers its replica copies nothing."""
        self.undone("no", first_master)  # or the replica was sooner
        self.undone("everysec", first_master)
        self.assertEqual(self.undone("always", first_master), ([0, 0], [0, 0]))


def all_nodes(cluster):
    return cluster.nodes


def first_master(cluster):
    return cluster.masters()[:1]


if __name__ == "__main__":
    needs_crawls("restart")
    unittest.main(verbosity=2)

"""node-redis's own calls for filters, unchanged, of the version that
package.json names: the files of the folder node_redis, in Node."""

import os
import subprocess
import unittest

from harness import PATIENCE, Server

HERE = os.path.dirname(os.path.abspath(__file__))
NODE = os.environ.get("NODE", "node")


def calls(name, **options):
    """A file's status and what it printed, against a server of its own."""
    server = Server(**options)
    environment = dict(os.environ, SEENSET_REDIS_PORT=str(server.port))
    try:
        done = subprocess.run(
            [NODE, "--test-reporter=tap",
             os.path.join(HERE, "node_redis", name)],
            env=environment, capture_output=True, text=True,
            timeout=2 * PATIENCE)
        if server.process.poll() is not None:
            raise AssertionError("the server ended:\n" + server.tail())
    finally:
        server.stop()
    return done.returncode, done.stdout + done.stderr


class NodeRedis(unittest.TestCase):
    def check(self, name):
        status, said = calls(name)
        self.assertEqual(status, 0, said)
        self.assertRegex(said, r"(?m)^# pass [1-9]\d")
        self.assertRegex(said, r"(?m)^# skipped 0$")

    def test_bloom_filters(self):
        self.check("bf.mjs")

    def test_cuckoo_filters(self):
        self.check("cf.mjs")

    def test_a_server_without_the_module_fails_each_of_them(self):
        for name in "bf.mjs", "cf.mjs":
            status, said = calls(name, module=None)
            self.assertNotEqual(status, 0, said)
            self.assertRegex(said, r"(?m)^# pass 0$")
            self.assertIn("unknown command", said)


if __name__ == "__main__":
    unittest.main(verbosity=2)

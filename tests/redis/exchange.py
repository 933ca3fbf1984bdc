"""A file of the command loads in a server, and the reverse."""

import os
import subprocess
import tempfile
import unittest

from harness import COMMAND, Test, dump, keys, load


def run(*words, lines=()):
    """The command's standard output, as lines."""
    done = subprocess.run([COMMAND, *words], input="\n".join(lines),
                          capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1):
        raise AssertionError(done.stderr)
    return done.stdout.splitlines()


class Exchange(Test):
    def setUp(self):
        super().setUp()
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.path = os.path.join(self.folder.name, "set")

    def test_the_command_opens_what_was_dumped(self):
        for options in ("", "LAYOUT bloom", "LAYOUT counting CAPACITY 3000",
                        "WINDOW KEYS 9000"):
            self.c("FLUSHALL")
            self.c("SEEN.NEW", "a", *options.split())
            self.c("SEEN.ADD", "a", *keys(3000))
            with open(self.path, "wb") as file:
                file.write(dump(self.c, "a"))
            run("verify", self.path)
            wanted = keys(3000) + ["not-there"]
            self.assertEqual(run("has", self.path, lines=wanted), keys(3000))

    def test_a_server_loads_what_the_command_saved(self):
        for options in ([], ["--layout", "bloom"], ["--layout", "counting"],
                        ["--window", "9000"]):
            run("new", "--force", *options, self.path)
            run("add", self.path, lines=keys(3000))
            run("compact", self.path)
            with open(self.path, "rb") as file:
                data = file.read()
            self.assertEqual(load(self.c, "a", data), "+OK")
            self.all_seen(self.c, "a", keys(3000))
            self.assertEqual(self.c("BF.EXISTS", "a", "not-there"), ":0")
            self.assertEqual(dump(self.c, "a"), data)


    def test_a_sealed_set_is_asked(self):
        """Nothing can be added to one, and BF.INFO says so."""
        run("seal", self.path, lines=keys(3000))
        with open(self.path, "rb") as file:
            self.assertEqual(load(self.c, "a", file.read()), "+OK")
        self.all_seen(self.c, "a", keys(3000))
        refused = "-ERR this kind of set, or this machine, cannot do that"
        self.assertEqual(self.c("SEEN.ADD", "a", "x"), refused)
        self.assertTrue(self.c("BF.ADD", "a", "x").startswith("-ERR problem"))
        self.assertTrue(self.c("BF.MADD", "a", "x").startswith("-ERR problem"))
        self.assertIsNone(self.c("BF.INFO", "a", "EXPANSION")[1])


if __name__ == "__main__":
    unittest.main(verbosity=2)

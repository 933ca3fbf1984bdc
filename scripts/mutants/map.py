#!/usr/bin/env python3
"""Which test kills which mutants: the map that says what may be deleted.

mutate.py stops at the first test that kills a mutant. Here each mutant of some
files meets every test of the named programs, one function of a program at a
time, so that a test can be found that kills nothing alone. Tests that take
longer than --dear are run only on the mutants that no other test kills: if
they kill none of these, the others do their work.

    map.py --file src/ROOM/NAME... --program NAME... [--dear SECONDS]
           [--seed N] [--minutes N] [--out LIST]

Prints, for each test, its seconds, how many mutants it killed, and how many of
these no other test did. A test is proved to be superfluous only for the files
that were broken: look at what else it runs before it is deleted. --out gets a
line of JSON for each mutant: where, what, and which tests killed it.

Nothing of the working tree is changed; it happens in build/mutants.
"""
import argparse
import collections
import glob
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
import judges
import mutate
import mutations
import tested
from tested import BUILD, ROOT, shell

RESULT = re.compile(rb"^\[ +(RUN|OK|FAILED|SKIPPED) +\] (\w+)$", re.M)
MARGIN = 4  # times what a test takes on the library as it is
LEAST_SECONDS = 2


def build(programs):
    folder = os.path.join(BUILD, "plain")
    shell(["cmake", *tested.BUILDS["plain"], "-B", folder,
           "-DCMAKE_C_COMPILER=gcc"])
    shell(["cmake", "--build", folder, "--target",
           *(f"test_{name}" for name in programs)])
    return folder


def sources_of(folder):
    """{file: the sources that are compiled with it}, of src/."""
    users = collections.defaultdict(set)
    made = os.path.join(folder, "CMakeFiles")
    for path in glob.glob(os.path.join(made, "*.dir", "src", "**", "*.c.o.d"),
                          recursive=True):
        source = re.search(r"\.dir/(src/.*\.c)\.o\.d$", path).group(1)
        with open(path) as file:
            for word in file.read().split():
                name = os.path.relpath(os.path.join(folder, word), ROOT)
                if name.startswith("src/"):
                    users[name].add(source)
    return users


class Runner:
    """Runs programs with some of their tests left out."""

    def __init__(self, work):
        self.preload = os.path.join(work, "only.so")
        shell(["cc", "-shared", "-fPIC", "-o", self.preload,
               os.path.join(ROOT, "scripts", "mutants", "only_preload.c"),
               "-lcmocka", "-ldl"])

    def once(self, program, variables, seconds):
        """The output, and whether the program came to its end."""
        scratch = tempfile.mkdtemp(prefix="map-")
        command = tested.limited([program], int(seconds) + 1, False)
        try:
            done = subprocess.run(
                command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT, timeout=30 * seconds + 30,
                env={**os.environ, **variables, "TMPDIR": scratch,
                     "LD_PRELOAD": self.preload})
            return done.stdout, done.returncode >= 0
        except subprocess.TimeoutExpired as late:
            return late.stdout or b"", False
        finally:
            shutil.rmtree(scratch, ignore_errors=True)

    def failing(self, program, but, only, seconds):
        """The tests that fail; one that ends the program is left out, and the
        others run again."""
        failed, but = set(), set(but)
        while True:
            variables = {"SEENSET_BUT": " " + "  ".join(but) + " "}
            if only is not None:
                variables["SEENSET_ONLY"] = " " + "  ".join(only) + " "
            output, ended = self.once(program, variables, seconds)
            state = {}
            for word, name in RESULT.findall(output):
                state[name.decode()] = word
            failed |= {name for name, word in state.items()
                       if word == b"FAILED"}
            stuck = {name for name, word in state.items() if word == b"RUN"}
            if ended or not stuck:
                return failed
            failed |= stuck
            but |= stuck


def times(program, runner):
    """{test: seconds}, of a program as it is."""
    output, _ = runner.once(program, {"CMOCKA_MESSAGE_OUTPUT": "XML"}, 200)
    found = collections.Counter()
    for name, seconds in re.findall(
            rb'<testcase name="(\w+)" time="([\d.]+)"', output):
        found[name.decode()] += float(seconds)
    return found


class Map:
    def __init__(self, wish, work):
        self.folder = build(wish.program)
        self.users = sources_of(self.folder)
        self.workshop = judges.Workshop(self.folder, work)
        self.runner = Runner(work)
        self.experience = judges.Experience()
        self.seconds = {name: times(self.original(name), self.runner)
                        for name in wish.program}
        self.dear = {(program, test)
                     for program, each in self.seconds.items()
                     for test, seconds in each.items() if seconds > wish.dear}
        self.killed = collections.defaultdict(set)  # mutant: tests

    def original(self, name):
        return os.path.join(self.folder, "tests", f"test_{name}")

    def killers(self, objects, is_dear):
        found = set()
        for name, tests in self.seconds.items():
            chosen = {test for test in tests
                      if ((name, test) in self.dear) == is_dear}
            if not chosen:
                continue
            limit = MARGIN * sum(tests[test] for test in chosen)
            program = self.workshop.link(name, objects)
            found |= {(name, test) for test in self.runner.failing(
                program, (), chosen, limit + LEAST_SECONDS)}
        return found

    def judge(self, mutation, text):
        """The tests that kill it; None: it is not a mutant."""
        sources = self.users[mutation.file]
        if mutation.file not in self.experience.is_read:
            self.experience.is_new(self.workshop.compile(sources))
            self.experience.is_read.add(mutation.file)
        objects = self.workshop.compile_mutant(mutation, text, sources)
        if objects is None or not self.experience.is_new(objects):
            return None
        return self.killers(objects, False) or self.killers(objects, True)


def report(the_map, verdicts):
    kills, alone = collections.Counter(), collections.Counter()
    for found in verdicts:
        for test in found:
            kills[test] += 1
            alone[test] += len(found) == 1
    print(f"\n{'test':<64}{'seconds':>8}{'kills':>7}{'alone':>7}")
    for program, tests in the_map.seconds.items():
        for test, seconds in tests.items():
            at = program, test
            mark = " dear" if at in the_map.dear else ""
            print(f"{program + '/' + test:<64}{seconds:>8.2f}{kills[at]:>7}"
                  f"{alone[at]:>7}{mark}")
    dead = sum(map(bool, verdicts))
    print(f"{len(verdicts)} mutants, {dead} killed; by a dear test only: "
          f"{sum(bool(found) and found <= the_map.dear for found in verdicts)}")


def read_wishes():
    parser = argparse.ArgumentParser()
    parser.add_argument("--file", nargs="+", required=True)
    parser.add_argument("--program", nargs="+", required=True)
    parser.add_argument("--dear", type=float, default=0.3)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--minutes", type=float, default=600)
    parser.add_argument("--out")
    return parser.parse_args()


def main():
    wish = read_wishes()
    work = os.path.join(BUILD, f"map-{os.getpid()}")
    files = {}
    for name in wish.file:
        with open(os.path.join(ROOT, name)) as file:
            files[name] = file.read()
    the_map = Map(wish, work)
    end = time.monotonic() + 60 * wish.minutes
    verdicts = []
    with open(wish.out or os.devnull, "w") as out:
        for mutation in mutate.draw(mutate.name_all(files), wish.seed):
            if time.monotonic() > end:
                break
            found = the_map.judge(mutation, files[mutation.file])
            if found is None:
                continue
            verdicts.append(found)
            before, after = mutations.describe(mutation, files[mutation.file])
            json.dump([mutation.file, mutation.line, before, after,
                       sorted("/".join(each) for each in found)], out)
            out.write("\n")
            out.flush()
    report(the_map, verdicts)
    shutil.rmtree(work)


if __name__ == "__main__":
    main()

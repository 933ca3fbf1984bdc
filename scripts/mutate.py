#!/usr/bin/env python3
"""Do the tests bite? Breaks the library on purpose and counts who notices.

Every test program runs once as it is (tested.py), which tells which lines it
runs. Then mutants (mutations.py) are drawn at random, by a seed, from each
file in proportion to what it has and from the kinds in turn. Each is compiled
apart, linked with the tests that run its line, one after the other, and is
killed by the first that fails or doesn't end. What all of them let live is
compiled again under the address and undefined sanitizers, as `make asan` does,
and meets the cheaper tests once more. One that doesn't compile, or whose object
code is that of the original or of an earlier mutant, is none. Survivors are
printed; one without a reason in mutate-survivors.txt makes this fail. Those
that have one are not tried again, but by --again.

    mutate.py [--seed N] [--count N] [--jobs N] [--again LIST]
              [--file src/NAME[:LINE]]...

--again: only what is in a list of survivors, such as an earlier output.

Nothing of the working tree is changed; it all happens in build/mutants.
"""
import argparse
import collections
import concurrent.futures
import fnmatch
import glob
import hashlib
import json
import os
import queue
import random
import shlex
import shutil
import signal
import subprocess
import sys
import threading

sys.dont_write_bytecode = True
import mutations
import tested
from tested import BUILD, ROOT, shell

WORK = os.path.join(BUILD, f"work-{os.getpid()}")
REASONS = os.path.join(ROOT, "scripts", "mutate-survivors.txt")
# A comparison that is always true stops every build of ours; what else the
# compiler warns of is for the tests to find.
WARNINGS = ["-Wno-error", "-Werror=type-limits"]
LINK_SECONDS = 0.2
MOST_SECONDS_CHECKED = 2  # of a test that runs under the sanitizers too
SUBJECTS = """
    plan rate table bloom counting counter sealed fuse fuse_build bits wide
    set add generations algebra build stats
    io header header_fields header_write save file
    url url_host url_text crc32c queue queue_*""".split()


# ---- one mutant ----

class Workshop:
    """Compiles mutants as one build does, in a copy of src/ where one file at
    a time differs, and links each with one test after the other."""

    def __init__(self, folder, work):
        self.folder = folder
        self.work = work
        self.tree = os.path.join(work, "src")
        shutil.copytree(os.path.join(ROOT, "src"), self.tree)
        with open(os.path.join(folder, "compile_commands.json")) as file:
            self.commands = {
                os.path.basename(each["file"]): shlex.split(each["command"])
                for each in json.load(file) if f"{ROOT}/src/" in each["file"]
                and "seenset_objects" in each["command"]}

    def compile(self, sources):
        """The objects, or None if the compiler refuses."""
        objects = []
        for source in sorted(sources):
            command = self.commands[source][:]
            objects.append(os.path.join(self.work, source[:-2] + ".o"))
            command[command.index("-o") + 1] = objects[-1]
            command[command.index("-c") + 1] = os.path.join(self.tree, source)
            if subprocess.run([*command, *WARNINGS], cwd=self.folder,
                              stderr=subprocess.DEVNULL).returncode != 0:
                return None
        return objects

    def compile_mutant(self, mutation, text, sources):
        path = os.path.join(self.tree, mutation.file)
        with open(path, "w") as file:
            file.write(mutations.apply(mutation, text))
        objects = self.compile(sources)
        with open(path, "w") as file:
            file.write(text)
        return objects

    def link(self, name, objects):
        """The test program; what the objects define isn't taken from the
        library that follows them."""
        folder = os.path.join(self.folder, "tests")
        with open(os.path.join(folder, "CMakeFiles", f"test_{name}.dir",
                               "link.txt")) as file:
            command = shlex.split(file.read())
        program = os.path.join(self.work, "mutant")
        at = command.index("-o")
        command[at:at + 2] = ["-o", program, *objects]
        shell(command, folder)
        return program


class Experience:
    """What all judges know: which object code there was, and which test
    killed how many mutants of a file."""

    def __init__(self):
        self.lock = threading.Lock()
        self.seen = set()
        self.is_read = set()  # the files whose originals are in seen
        self.kills = collections.Counter()

    def is_new(self, objects):
        digest = hashlib.sha256()
        for path in objects:
            with open(path, "rb") as file:
                digest.update(file.read())
        with self.lock:
            known = digest.digest() in self.seen
            self.seen.add(digest.digest())
        return not known

    def order(self, tests, file):
        """Those first that cost the least for each mutant they kill."""
        with self.lock:
            return sorted(tests, key=lambda test: (test.seconds + LINK_SECONDS)
                          / (1 + self.kills[test.name, file]))

    def learn(self, test, file):
        with self.lock:
            self.kills[test.name, file] += 1


class Judge:
    """One of those who work side by side."""

    def __init__(self, work, builds, experience, coverage, tests):
        self.plain, self.checked = (
            Workshop(folder, os.path.join(work, os.path.basename(folder)))
            for folder in builds)
        self.experience, self.coverage = experience, coverage
        self.tests = tests

    def know_original(self, file, sources):
        with self.experience.lock:
            is_read = file in self.experience.is_read
            self.experience.is_read.add(file)
        if not is_read:
            self.experience.is_new(self.plain.compile(sources))

    def killer(self, workshop, objects, mutation, most_seconds):
        tests = [test for test in self.tests if test.seconds <= most_seconds
                 and self.coverage.runs(test, mutation)]
        for test in self.experience.order(tests, mutation.file):
            program = workshop.link(test.name, objects)
            if not tested.run_test(program, test,
                                   workshop is self.checked)[0]:
                self.experience.learn(test, mutation.file)
                return "test_" + test.name
        return ""

    def judge(self, mutation, text):
        """None: not a mutant; "": it survived; else what killed it."""
        sources = self.coverage.sources[mutation.file]
        self.know_original(mutation.file, sources)
        objects = self.plain.compile_mutant(mutation, text, sources)
        if objects is None or not self.experience.is_new(objects):
            return None
        killer = self.killer(self.plain, objects, mutation, float("inf"))
        if killer == "":
            objects = self.checked.compile_mutant(mutation, text, sources)
            killer = self.killer(self.checked, objects, mutation,
                                 MOST_SECONDS_CHECKED)
            killer += killer and ", sanitized"
        return killer


# ---- many ----

def draw(files, seed):
    """All mutations in random order: from each file in proportion to how
    many it has, and from its kinds in turn, one of each after the other."""
    chance = random.Random(seed)
    order = []
    for file, text in files.items():
        kinds = collections.defaultdict(list)
        for mutation in mutations.mutations(file, text):
            kinds[mutation.kind].append(mutation)
        for each in kinds.values():
            chance.shuffle(each)
        turns = [(turn, chance.random(), mutation)
                 for each in kinds.values()
                 for turn, mutation in enumerate(each)]
        turns.sort(key=lambda turn: turn[:2])
        order += [((at + chance.random()) / len(turns), mutation)
                  for at, (_, _, mutation) in enumerate(turns)]
    order.sort(key=lambda each: each[0])
    return [mutation for _, mutation in order]


def read_subjects():
    files = {}
    for path in sorted(glob.glob(os.path.join(ROOT, "src", "*.[ch]"))):
        name = os.path.basename(path)
        if any(fnmatch.fnmatch(name[:-2], subject) for subject in SUBJECTS):
            with open(path) as file:
                files[name] = file.read()
    return files


def read_survivors(path):
    """{(file and function, line before, line after): reason}, of paragraphs
    of "@ file function", "- before", "+ after" and "= reason"."""
    survivors, key = {}, {}
    with open(path) as file:
        for line in file:
            sign, _, rest = line.strip().partition(" ")
            key[sign] = rest
            if sign == "=":
                survivors[key["@"], key["-"], key["+"]] = rest
    return survivors


def name_all(files):
    """{mutation: key}, a key as in read_survivors; where a function has the
    same line more than once, the second is "@ file function 2"."""
    keys = {}
    for file, text in files.items():
        met = collections.Counter()
        for mutation in mutations.mutations(file, text):
            place = f"{file} {mutations.owner(mutation, text)}"
            before, after = mutations.describe(mutation, text)
            met[place, before, after] += 1
            number = met[place, before, after]
            keys[mutation] = (f"{place} {number}" if number > 1 else place,
                              before, after)
    return keys


def check_reasons(keys, reasons):
    """A reason for what can't be drawn is one for a line that was changed."""
    old = reasons.keys() - keys.values()
    for place, before, after in sorted(old):
        print(f"mutate: {place} has no mutant\n- {before}\n+ {after}")
    if old:
        sys.exit(f"mutate: take that out of {os.path.relpath(REASONS, ROOT)}")


def wanted(wish, files, keys):
    """What is to be judged, in this order."""
    names = {os.path.basename(each) for each in wish.file}
    again = read_survivors(wish.again) if wish.again else None
    for mutation in draw(files, wish.seed):
        if names.isdisjoint({mutation.file,
                             f"{mutation.file}:{mutation.line}"}) and names:
            continue
        if again is None or keys[mutation] in again:
            yield mutation


def survive(mutation, key, reasons):
    """Prints a survivor in the form of the reasons' file."""
    place, before, after = key
    reason = reasons.get(key)
    print(f"# {mutation.file}:{mutation.line}: {mutation.kind}, survives\n"
          f"@ {place}\n- {before}\n+ {after}\n= {reason or '?'}",
          flush=True)
    return reason


def print_table(killed, survived, explained):
    print(f"\n{'file':<22}{'killed':>8}{'survived':>10}{'explained':>11}")
    for file in sorted(set(killed) | set(survived)):
        print(f"{file:<22}{killed[file]:>8}{survived[file]:>10}"
              f"{explained[file]:>11}")
    dead, alive = sum(killed.values()), sum(survived.values())
    same = sum(explained.values())
    print(f"{'all':<22}{dead:>8}{alive:>10}{same:>11}")
    print(f"killed: {100 * dead / max(1, dead + alive):.1f} % of all, "
          f"{100 * dead / max(1, dead + alive - same):.1f} % of those that "
          "change something")


def read_wishes():
    parser = argparse.ArgumentParser(description="Breaks the library; counts"
                                     " which faults the tests notice.")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=500)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--again")
    parser.add_argument("--file", action="append", default=[])
    return parser.parse_args()


class Court:
    """Judges side by side; verdicts in the order of the cases."""

    def __init__(self, wish, files, explained):
        self.files = files
        self.explained = explained  # what isn't tried again
        coverage, tests = tested.cover()
        builds = [tested.build(kind) for kind in ("plain", "checked")]
        experience = Experience()
        self.judges = queue.SimpleQueue()
        for number in range(wish.jobs):
            self.judges.put(Judge(os.path.join(WORK, str(number)), builds,
                                  experience, coverage, tests))
        self.jobs = wish.jobs
        self.pool = concurrent.futures.ThreadPoolExecutor(wish.jobs)

    def hear(self, mutation):
        if mutation in self.explained:
            return ""
        judge = self.judges.get()
        try:
            return judge.judge(mutation, self.files[mutation.file])
        finally:
            self.judges.put(judge)

    def verdicts(self, wanted_mutations):
        """(mutation, what judge() says) of each."""
        under_way = collections.deque()
        try:
            for mutation in wanted_mutations:
                under_way.append(
                    (mutation, self.pool.submit(self.hear, mutation)))
                if len(under_way) > 4 * self.jobs:
                    mutation, verdict = under_way.popleft()
                    yield mutation, verdict.result()
            for mutation, verdict in under_way:
                yield mutation, verdict.result()
        finally:
            self.pool.shutdown(cancel_futures=True)


def main():
    wish = read_wishes()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    files, reasons = read_subjects(), read_survivors(REASONS)
    keys = name_all(files)
    check_reasons(keys, reasons)
    court = Court(wish, files, set() if wish.again else {
        mutation for mutation, key in keys.items() if key in reasons})
    killed, survived, explained = (collections.Counter() for _ in range(3))
    verdicts = court.verdicts(wanted(wish, files, keys))
    for mutation, killer in verdicts:
        if killer:
            killed[mutation.file] += 1
            print(f"# {mutation.file}:{mutation.line}: {mutation.kind}, "
                  f"killed by {killer}", flush=True)
        elif killer == "":
            survived[mutation.file] += 1
            explained[mutation.file] += bool(
                survive(mutation, keys[mutation], reasons))
        if sum(killed.values()) + sum(survived.values()) >= wish.count:
            break
    verdicts.close()
    shutil.rmtree(WORK)
    print_table(killed, survived, explained)
    sys.exit(survived != explained)


if __name__ == "__main__":
    main()

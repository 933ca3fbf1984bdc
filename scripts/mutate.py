#!/usr/bin/env python3
"""Do the tests bite? Breaks the library on purpose and counts who notices.

Every test program runs once as it is (tested.py), which tells which lines it
runs. Then mutants (mutations.py) are drawn at random, by a seed, from each
file in proportion to what it has and from the kinds in turn. Each is compiled
apart, linked with the tests that run its line, cheapest first, and is killed by
the first that fails or doesn't end. One that doesn't compile, or whose object
code is that of the original or of an earlier mutant, is none. Survivors are
printed; one without a reason in mutate-survivors.txt makes this fail.

    mutate.py [--seed N] [--count N] [--seconds N] [--again LIST]
              [--file src/NAME[:LINE]]...

--seconds: of tests, for one mutant; what goes unnoticed that long survives.
--again: only what is in a list of survivors, such as an earlier output.

Nothing of the working tree is changed; it all happens in build/mutants.
"""
import argparse
import collections
import fnmatch
import glob
import hashlib
import json
import os
import random
import shlex
import shutil
import signal
import subprocess
import sys

sys.dont_write_bytecode = True
import mutations
import tested
from tested import BUILD, ROOT, shell

WORK = os.path.join(BUILD, f"work-{os.getpid()}")
REASONS = os.path.join(ROOT, "scripts", "mutate-survivors.txt")
SUBJECTS = """
    plan rate table bloom counting counter sealed fuse fuse_build bits wide
    set add generations algebra build stats
    io header header_fields header_write save file
    url url_host url_text crc32c queue queue_*""".split()


# ---- one mutant ----

class Workshop:
    """Compiles mutants, in a copy of src/ where one file at a time differs,
    and links each with one test after the other."""

    def __init__(self, folder, most_seconds):
        self.folder = folder
        self.most_seconds = most_seconds
        self.tree = os.path.join(WORK, "src")
        shutil.copytree(os.path.join(ROOT, "src"), self.tree)
        with open(os.path.join(folder, "compile_commands.json")) as file:
            self.commands = {
                os.path.basename(each["file"]): shlex.split(each["command"])
                for each in json.load(file) if f"{ROOT}/src/" in each["file"]
                and "seenset_objects" in each["command"]}
        self.seen = set()
        self.is_read = set()  # the files whose originals are in seen

    def compile(self, sources):
        """The objects, or None if the compiler refuses."""
        objects = []
        for source in sorted(sources):
            command = self.commands[source][:]
            objects.append(os.path.join(WORK, source[:-2] + ".o"))
            command[command.index("-o") + 1] = objects[-1]
            command[command.index("-c") + 1] = os.path.join(self.tree, source)
            if subprocess.run([*command, "-w"], cwd=self.folder,
                              stderr=subprocess.DEVNULL).returncode != 0:
                return None
        return objects

    def is_new(self, objects):
        digest = hashlib.sha256()
        for path in objects:
            with open(path, "rb") as file:
                digest.update(file.read())
        known = digest.digest() in self.seen
        self.seen.add(digest.digest())
        return not known

    def link(self, name, objects):
        """The test program; what the objects define isn't taken from the
        library that follows them."""
        folder = os.path.join(self.folder, "tests")
        with open(os.path.join(folder, "CMakeFiles", f"test_{name}.dir",
                               "link.txt")) as file:
            command = shlex.split(file.read())
        program = os.path.join(WORK, "mutant")
        at = command.index("-o")
        command[at:at + 2] = ["-o", program, *objects]
        shell(command, folder)
        return program

    def judge(self, mutation, text, coverage, tests):
        """None: not a mutant; "": it survived; else what killed it."""
        sources = coverage.sources[mutation.file]
        path = os.path.join(self.tree, mutation.file)
        if mutation.file not in self.is_read:
            self.is_read.add(mutation.file)
            self.is_new(self.compile(sources))
        with open(path, "w") as file:
            file.write(mutations.apply(mutation, text))
        objects = self.compile(sources)
        with open(path, "w") as file:
            file.write(text)
        if objects is None or not self.is_new(objects):
            return None
        spent = 0
        for test in tests:
            if spent + test.seconds > self.most_seconds:
                break
            if not coverage.runs(test, mutation):
                continue
            program = self.link(test.name, objects)
            if not tested.run_test(program, test.name, test.seconds)[0]:
                return test.name
            spent += test.seconds
        return ""


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
    """{(file, line before, line after): reason}, from paragraphs of lines
    that begin with "@ file", "- before", "+ after" and "= reason"."""
    survivors, key = {}, {}
    with open(path) as file:
        for line in file:
            sign, _, rest = line.strip().partition(" ")
            key[sign] = rest
            if sign == "=":
                survivors[key["@"], key["-"], key["+"]] = rest
    return survivors


def key_of(mutation, text):
    return (mutation.file, *mutations.describe(mutation, text))


def wanted(wish, files):
    """What is to be judged, in this order."""
    names = {os.path.basename(each) for each in wish.file}
    again = read_survivors(wish.again) if wish.again else None
    for mutation in draw(files, wish.seed):
        if names.isdisjoint({mutation.file,
                             f"{mutation.file}:{mutation.line}"}) and names:
            continue
        if again is None or key_of(mutation, files[mutation.file]) in again:
            yield mutation


def survive(mutation, text, reasons):
    """Prints a survivor in the form of the reasons' file."""
    _, before, after = key = key_of(mutation, text)
    reason = reasons.get(key)
    print(f"# {mutation.file}:{mutation.line}: {mutation.kind}, survives\n"
          f"@ {mutation.file}\n- {before}\n+ {after}\n= {reason or '?'}",
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
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--again")
    parser.add_argument("--file", action="append", default=[])
    return parser.parse_args()


def main():
    wish = read_wishes()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    files, reasons = read_subjects(), read_survivors(REASONS)
    coverage, tests = tested.cover()
    workshop = Workshop(tested.build("plain", ""), wish.seconds)
    killed, survived, explained = (collections.Counter() for _ in range(3))
    for mutation in wanted(wish, files):
        if sum(killed.values()) + sum(survived.values()) >= wish.count:
            break
        killer = workshop.judge(mutation, files[mutation.file], coverage, tests)
        if killer:
            killed[mutation.file] += 1
            print(f"# {mutation.file}:{mutation.line}: {mutation.kind}, "
                  f"killed by test_{killer}", flush=True)
        elif killer == "":
            survived[mutation.file] += 1
            explained[mutation.file] += bool(
                survive(mutation, files[mutation.file], reasons))
    shutil.rmtree(WORK)
    print_table(killed, survived, explained)
    sys.exit(survived != explained)


if __name__ == "__main__":
    main()

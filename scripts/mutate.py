#!/usr/bin/env python3
"""Do the tests bite? Breaks the library on purpose and counts who notices.

First every test program runs under coverage, which tells what it costs and
which lines it runs. Then mutants (mutations.py) are drawn at random, by a
seed: each is compiled apart, linked with the tests that run its line, cheapest
first, and is killed by the first that fails or doesn't end. One that doesn't
compile, or whose object code is that of the original or of an earlier mutant,
is none. Survivors are printed; one without a reason in mutate-survivors.txt
makes this fail.

    mutate.py [--seed N] [--count N] [--file src/NAME[:LINE]]...

Nothing of the working tree is changed; it all happens in build/mutants.
"""
import argparse
import collections
import fnmatch
import glob
import hashlib
import json
import os
import pickle
import random
import re
import resource
import shlex
import shutil
import signal
import subprocess
import sys
import threading

import mutations

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
BUILD = os.path.join(ROOT, "build", "mutants")
TREE = os.path.join(BUILD, "tree")  # a copy of src/, for one mutant at a time
REASONS = os.path.join(ROOT, "scripts", "mutate-survivors.txt")
SUBJECTS = """
    plan rate table bloom counting counter sealed fuse fuse_build bits wide
    set add generations algebra build stats
    io header header_fields header_write save file
    url url_host url_text crc32c queue queue_*""".split()
# Programs that cost too much for what they add, and short forms of others.
LEFT_OUT = {"big", "large", "measured", "split", "lines", "pipeline"}
ARGUMENTS = {"queue_power": ["1000"], "queue_kill": ["20"],
             "model": ["1", "200000"]}
MUTANT_SECONDS = 40  # of tests; what goes unnoticed that long survives
MOST_BYTES = 8 << 30  # of a test's memory, and of a file

Test = collections.namedtuple("Test", "name seconds lines")


def shell(command, cwd=ROOT):
    return subprocess.run(command, cwd=cwd, check=True, text=True,
                          stdout=subprocess.PIPE).stdout


# ---- one test, within limits ----

def limit(seconds):
    os.setsid()
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
    resource.setrlimit(resource.RLIMIT_AS, (MOST_BYTES, MOST_BYTES))
    resource.setrlimit(resource.RLIMIT_FSIZE, (MOST_BYTES, MOST_BYTES))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def kill_group(leader):
    try:
        os.killpg(leader, signal.SIGKILL)
    except ProcessLookupError:
        pass


def run_test(program, name, expected_seconds):
    """Did it pass, and how many seconds of the processor did it take?"""
    scratch = os.path.join(os.environ.get("TMPDIR", "/tmp"),
                           f"mutate-{os.getpid()}")
    os.makedirs(scratch)
    child = subprocess.Popen(
        [program, *ARGUMENTS.get(name, [])], stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        env={**os.environ, "TMPDIR": scratch, "CMOCKA_TEST_ABORT": "1"},
        preexec_fn=lambda: limit(int(4 * expected_seconds) + 3))
    overdue = threading.Timer(20 * expected_seconds + 30, kill_group,
                              [child.pid])
    overdue.start()
    try:
        _, child.returncode, usage = os.wait4(child.pid, 0)
    finally:
        overdue.cancel()
        kill_group(child.pid)  # what it left running
        shutil.rmtree(scratch)
    return child.returncode == 0, usage.ru_utime + usage.ru_stime


# ---- which test runs which line ----

def build(kind, flags):
    """A build of all tests, from one compiler's command line to the other."""
    folder = os.path.join(BUILD, kind)
    shell(["cmake", "--preset", "debug", "-B", folder,
           "-DCMAKE_C_COMPILER=gcc", f"-DCMAKE_C_FLAGS_DEBUG=-O1 {flags}"])
    shell(["cmake", "--build", folder, "--target",
           *(f"test_{name}" for name in test_names())])
    return folder


def test_names():
    with open(os.path.join(ROOT, "tests", "CMakeLists.txt")) as file:
        names = re.findall(r"^seenset_test\((\w+)", file.read(), re.M)
    return [name for name in names if name not in LEFT_OUT]


class Coverage:
    """What lines there are, by file, and which sources they are part of."""

    def __init__(self, folder):
        self.objects = os.path.join(folder, "CMakeFiles",
                                    "seenset_objects.dir", "src")
        self.counted = collections.defaultdict(set)
        self.inside = collections.defaultdict(set)  # of functions
        self.sources = collections.defaultdict(set)

    def data(self):
        return glob.glob(os.path.join(self.objects, "*.gcda"))

    def forget(self):
        for path in self.data():
            os.remove(path)

    def read(self):
        """The (file, line) pairs that ran since forget()."""
        ran = set()
        for text in shell(["gcov", "--json-format", "--stdout", *self.data()],
                          self.objects).splitlines():
            unit = json.loads(text)
            source = os.path.basename(unit["data_file"]).split(".c.gc")[0]
            for file in unit["files"]:
                name = os.path.basename(file["file"])
                self.sources[name].add(source + ".c")
                for function in file["functions"]:
                    self.inside[name].update(range(
                        function["start_line"], function["end_line"] + 1))
                for line in file["lines"]:
                    self.counted[name].add(line["line_number"])
                    if line["count"] > 0:
                        ran.add((name, line["line_number"]))
        return ran

    def runs(self, test, mutation):
        """Does the test run the line? Outside of functions: the file?"""
        if mutation.line not in self.inside[mutation.file]:
            return any(file == mutation.file for file, _ in test.lines)
        line = max(number for number in self.counted[mutation.file]
                   if number <= mutation.line)
        return (mutation.file, line) in test.lines


def fingerprint():
    """Of all that a test program is made of."""
    digest = hashlib.sha256()
    for path in sorted(glob.glob(os.path.join(ROOT, "*", "*.[ch]")) +
                       glob.glob(os.path.join(ROOT, "*", "CMakeLists.txt"))):
        with open(path, "rb") as file:
            digest.update(path.encode() + file.read())
    return digest.hexdigest()


def cover():
    """Runs all tests as they are, unless none has changed since the last
    time: what lines there are, and the tests, the cheapest first."""
    kept = os.path.join(BUILD, "coverage.pickle")
    now = fingerprint()
    if os.path.exists(kept):
        with open(kept, "rb") as file:
            then, coverage, tests = pickle.load(file)
        if then == now:
            return coverage, tests
    folder = build("coverage", "--coverage")
    coverage, tests = Coverage(folder), []
    for name in test_names():
        coverage.forget()
        passed, seconds = run_test(os.path.join(folder, "tests",
                                                f"test_{name}"), name, 100)
        if passed:
            tests.append(Test(name, seconds, coverage.read()))
        else:
            print(f"mutate: test_{name} fails as it is, and is left out")
    tests.sort(key=lambda test: test.seconds)
    with open(kept, "wb") as file:
        pickle.dump((now, coverage, tests), file)
    return coverage, tests


# ---- one mutant ----

class Workshop:
    """Compiles mutants, and links each with one test after the other."""

    def __init__(self, folder):
        self.folder = folder
        shutil.rmtree(TREE, ignore_errors=True)
        shutil.copytree(os.path.join(ROOT, "src"), TREE)
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
            objects.append(os.path.join(BUILD, source[:-2] + ".o"))
            command[command.index("-o") + 1] = objects[-1]
            command[command.index("-c") + 1] = os.path.join(TREE, source)
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
        program = os.path.join(BUILD, "mutant")
        at = command.index("-o")
        command[at:at + 2] = ["-o", program, *objects]
        shell(command, folder)
        return program

    def judge(self, mutation, text, coverage, tests):
        """None: not a mutant; "": it survived; else what killed it."""
        sources = coverage.sources[mutation.file]
        path = os.path.join(TREE, mutation.file)
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
            if spent > MUTANT_SECONDS or not coverage.runs(test, mutation):
                continue
            program = self.link(test.name, objects)
            if not run_test(program, test.name, test.seconds)[0]:
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


def read_reasons():
    """{(file, line before, line after): reason}, from paragraphs of lines
    that begin with "@ file", "- before", "+ after" and "= reason"."""
    reasons, key = {}, {}
    if os.path.exists(REASONS):
        with open(REASONS) as file:
            for line in file:
                sign, _, rest = line.strip().partition(" ")
                key[sign] = rest
                if sign == "=":
                    reasons[key["@"], key["-"], key["+"]] = rest
    return reasons


def is_wanted(mutation, wanted):
    names = {mutation.file, f"{mutation.file}:{mutation.line}"}
    return not wanted or any(os.path.basename(each) in names
                             for each in wanted)


def survive(mutation, text, reasons):
    """Prints a survivor in the form of the reasons' file."""
    before, after = mutations.describe(mutation, text)
    reason = reasons.get((mutation.file, before, after))
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
    print(f"{'all':<22}{dead:>8}{alive:>10}{sum(explained.values()):>11}"
          f"   {100 * dead / max(1, dead + alive):.1f} % killed")


def main():
    parser = argparse.ArgumentParser(description="Breaks the library; counts"
                                     " which faults the tests notice.")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--file", action="append", default=[])
    wish = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    files, reasons = read_subjects(), read_reasons()
    coverage, tests = cover()
    workshop = Workshop(build("plain", ""))
    killed, survived, explained = (collections.Counter() for _ in range(3))
    for mutation in draw(files, wish.seed):
        if sum(killed.values()) + sum(survived.values()) >= wish.count:
            break
        if not is_wanted(mutation, wish.file):
            continue
        killer = workshop.judge(mutation, files[mutation.file], coverage, tests)
        if killer:
            killed[mutation.file] += 1
            print(f"# {mutation.file}:{mutation.line}: {mutation.kind}, "
                  f"killed by test_{killer}", flush=True)
        elif killer == "":
            survived[mutation.file] += 1
            explained[mutation.file] += bool(
                survive(mutation, files[mutation.file], reasons))
    print_table(killed, survived, explained)
    sys.exit(survived != explained)


if __name__ == "__main__":
    main()

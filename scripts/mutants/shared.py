"""The tests, each linked once with the library as one shared object.

A mutant is then one more shared object, found in the folder that
LD_LIBRARY_PATH names, and no test is linked again.
"""
import collections
import glob
import json
import os
import re
import resource
import shlex
import shutil
import subprocess
import tempfile

import judges
import tested
from tested import BUILD, ROOT, shell

HERE = os.path.join(ROOT, "scripts", "mutants")
LIBRARY = "libseenset-mutant.so"
SHARED = ["-fvisibility=default", "-O1"]  # how it is compiled
RESULT = re.compile(rb"^\[ +(RUN|OK|FAILED|SKIPPED) +\] (\w+)$", re.M)
MARGIN = 4  # times what a test takes on the library as it is
LEAST_SECONDS = 1
MOST_STUCK = 2  # tests of a program that a mutant ends or stops


def configure():
    """A build of the tests; the library's objects in it are not used."""
    folder = os.path.join(BUILD, "plain")
    shell(["cmake", *tested.BUILDS["plain"], "-B", folder,
           "-DCMAKE_C_COMPILER=gcc"])
    return folder


def sources_of(folder):
    """{file: the sources that are compiled with it}, of src/."""
    users = collections.defaultdict(set)
    for path in glob.glob(os.path.join(folder, "**", "*.o.d"),
                          recursive=True):
        with open(path) as file:
            words = file.read().replace("\\\n", " ").split()[1:]
        names = [os.path.relpath(os.path.join(folder, word), ROOT)
                 for word in words]
        source = next((name for name in names if name.startswith("src/")), "")
        for name in names:
            if name.startswith("src/") and source.endswith(".c"):
                users[name].add(source)
    return users


class Workshop(judges.Workshop):
    """Compiles in a copy of src/, all names to be seen from outside, and links
    what it made in front of the objects of the library as it is."""

    def __init__(self, folder, work):
        super().__init__(folder, work)
        self.users = sources_of(folder)

    def compile_all(self, jobs):
        """Every source; the objects stay in the work folder."""
        steps = [self.step(source) for source in self.commands]
        running = []
        for step in steps:
            running.append(subprocess.Popen(step, cwd=self.folder,
                                            stderr=subprocess.DEVNULL))
            if len(running) >= jobs:
                running.pop(0).wait()
        for each in running:
            each.wait()

    def object_of(self, source, folder=None):
        return os.path.join(folder or self.work,
                            source[:-2].replace("/", "-") + ".o")

    def step(self, source):
        command = self.commands[source][:]
        command[command.index("-o") + 1] = self.object_of(source)
        command[command.index("-c") + 1] = os.path.join(self.work, source)
        return [*command, *SHARED, *judges.WARNINGS]

    def compile(self, sources):
        """The objects, or None if the compiler refuses."""
        for source in sorted(sources):
            if subprocess.run(self.step(source), cwd=self.folder,
                              stderr=subprocess.DEVNULL).returncode != 0:
                return None
        return [self.object_of(source) for source in sorted(sources)]

    def compile_mutant(self, mutation, text, experience):
        """The sources whose objects are changed, or None: no mutant."""
        sources = self.users[mutation.file]
        with experience.lock:
            if mutation.file not in experience.is_read:
                experience.is_new(self.compile(sources))
                experience.is_read.add(mutation.file)
        objects = super().compile_mutant(mutation, text, sources)
        if objects is None or not experience.is_new(objects):
            return None
        return sources

    def link(self, changed):
        original = os.path.join(BUILD, "shared")
        objects = [self.object_of(source, None if source in changed
                                  else original)
                   for source in sorted(self.commands)]
        shell(["gcc", "-shared", "-fPIC", "-fuse-ld=gold",
               f"-Wl,-soname,{LIBRARY}", "-o",
               os.path.join(self.work, LIBRARY), *objects])


def make_library(folder, work, jobs):
    """The library of all objects in a folder, unless it is there and what it
    is made of has not changed."""
    stamp, now = os.path.join(work, "stamp"), tested.fingerprint()
    if os.path.exists(stamp):
        with open(stamp) as file:
            if file.read() == now:
                return
    shutil.rmtree(work, ignore_errors=True)
    workshop = Workshop(folder, work)
    workshop.compile_all(jobs)
    workshop.link(workshop.commands)
    with open(stamp, "w") as file:
        file.write(now)


class Tests:
    """The programs, and what each of their tests takes."""

    def __init__(self, programs, jobs, folder=None):
        self.folder = os.path.abspath(folder) if folder else configure()
        self.programs = programs
        if not folder:
            shell(["cmake", "--build", self.folder, "--parallel", str(jobs),
                   "--target", *(f"test_{name}" for name in self.programs)])
        self.plain = os.path.join(BUILD, "shared")
        make_library(self.folder, self.plain, jobs)
        self.preload = os.path.join(self.plain, "only.so")
        shell(["gcc", "-shared", "-fPIC", "-o", self.preload,
               os.path.join(HERE, "only_preload.c"), "-lcmocka", "-ldl"])
        for name in self.programs:
            self.link(name)
        self.seconds = {(name, test): seconds for name in self.programs
                        for test, seconds in self.times(name).items()}

    def program(self, name):
        return os.path.join(self.plain, f"test_{name}")

    def link(self, name):
        folder = os.path.join(self.folder, "tests")
        with open(os.path.join(folder, "CMakeFiles", f"test_{name}.dir",
                               "link.txt")) as file:
            command = shlex.split(file.read())
        command[command.index("-o") + 1] = self.program(name)
        at = command.index("../libseenset-queue.a")  # what it needs follows
        command[at:at + 2] = [os.path.join(self.plain, LIBRARY)]
        shell(command, folder)

    def once(self, name, variables, seconds, library):
        """The output, and whether the program came to its end."""
        scratch = tempfile.mkdtemp(prefix="map-")
        command = tested.limited([self.program(name)], int(seconds) + 1, False)
        try:
            done = subprocess.run(
                command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT, timeout=30 * seconds + 30,
                env={**os.environ, **variables, "TMPDIR": scratch,
                     "LD_LIBRARY_PATH": library, "LD_PRELOAD": self.preload})
            return done.stdout, done.returncode >= 0
        except subprocess.TimeoutExpired as late:
            return late.stdout or b"", False
        finally:
            shutil.rmtree(scratch, ignore_errors=True)

    def failing(self, name, chosen, library):
        """The tests that fail; one that ends the program is left out, and the
        others run again. After two such, the others are not asked."""
        failed, left, stuck_count = set(), set(chosen), 0
        while left and stuck_count < MOST_STUCK:
            limit = MARGIN * sum(self.seconds[name, test] for test in left)
            output, ended = self.once(
                name, {"SEENSET_ONLY": " " + "  ".join(left) + " "},
                limit + LEAST_SECONDS, library)
            state = {}
            for word, test in RESULT.findall(output):
                state[test.decode()] = word
            failed |= {test for test, word in state.items()
                       if word == b"FAILED"}
            stuck = {test for test, word in state.items() if word == b"RUN"}
            if ended or not stuck:
                return failed & set(chosen)
            failed |= stuck
            left -= stuck
            stuck_count += 1
        return failed & set(chosen)

    def times(self, name):
        """{test: seconds of the processor}, of a program as it is. What fails
        so is left out."""
        output, _ = self.once(name, {}, 200, self.plain)
        found = {}
        for word, test in RESULT.findall(output):
            if word == b"OK":
                before = resource.getrusage(resource.RUSAGE_CHILDREN)
                self.once(name, {"SEENSET_ONLY": f" {test.decode()} "}, 200,
                          self.plain)
                after = resource.getrusage(resource.RUSAGE_CHILDREN)
                found[test.decode()] = (after.ru_utime + after.ru_stime -
                                        before.ru_utime - before.ru_stime)
        return found

    def named(self, wishes):
        """The tests of a list of PROGRAM or PROGRAM/TEST."""
        return {each for each in self.seconds
                if each[0] in wishes or "/".join(each) in wishes}

"""Who kills a mutant, if anybody.

A mutant is compiled apart, linked with the tests that run its line (tested.py),
one after the other, and killed by the first that fails or doesn't end. What all
of them let live is compiled again as `make asan` does, and meets the cheaper
tests once more; then as `make tsan` does, for those with threads. One that
doesn't compile, or whose object code is that of the original or of an earlier
mutant, is none.
"""
import collections
import concurrent.futures
import hashlib
import json
import os
import queue
import shlex
import shutil
import subprocess
import threading

import mutations
import tested
from tested import BUILD, ROOT, shell

WORK = os.path.join(BUILD, f"work-{os.getpid()}")
# A comparison that is always true stops every build of ours; what else the
# compiler warns of is for the tests to find.
WARNINGS = ["-Wno-error", "-Werror=type-limits"]
LINK_SECONDS = 0.2
STAGES = [  # a build, and which tests go with it
    ("plain", lambda test: True),
    ("asan", lambda test: test.seconds <= 2),
    ("tsan", lambda test: test.name in tested.THREADED),
]


class Workshop:
    """Compiles mutants as one build does, in a copy of src/ where one file at
    a time differs, and links each with one test after the other. Files have
    their names from the project's folder on."""

    def __init__(self, folder, work):
        self.folder = folder
        self.work = work
        shutil.copytree(os.path.join(ROOT, "src"), os.path.join(work, "src"))
        with open(os.path.join(folder, "compile_commands.json")) as file:
            self.commands = dict(filter(None, map(self.command,
                                                  json.load(file))))

    def command(self, entry):
        """How a source of the library is compiled, in the copy; None for what
        is compiled elsewhere, as a test may do with a source of its own."""
        source = os.path.relpath(entry["file"], ROOT)
        if not source.startswith("src/") or entry["directory"] != self.folder:
            return None
        copied = f"-I{self.work}/src"
        return source, [copied if word == f"-I{ROOT}/src" else word
                        for word in shlex.split(entry["command"])]

    def compile(self, sources):
        """The objects, or None if the compiler refuses."""
        objects = []
        for source in sorted(sources):
            command = self.commands[source][:]
            objects.append(os.path.join(
                self.work, source[:-2].replace("/", "-") + ".o"))
            command[command.index("-o") + 1] = objects[-1]
            command[command.index("-c") + 1] = os.path.join(self.work, source)
            if subprocess.run([*command, *WARNINGS], cwd=self.folder,
                              stderr=subprocess.DEVNULL).returncode != 0:
                return None
        return objects

    def compile_mutant(self, mutation, text, sources):
        path = os.path.join(self.work, mutation.file)
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
        self.lock = threading.RLock()
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

    def __init__(self, work, experience, coverage, tests):
        self.workshops = {kind: Workshop(tested.build(kind),
                                         os.path.join(work, kind))
                          for kind, _ in STAGES}
        self.experience, self.coverage = experience, coverage
        self.tests = tests

    def know_original(self, file, sources):
        with self.experience.lock:
            if file not in self.experience.is_read:
                original = self.workshops["plain"].compile(sources)
                self.experience.is_new(original)
                self.experience.is_read.add(file)

    def killer(self, kind, objects, mutation, tests):
        for test in self.experience.order(tests, mutation.file):
            program = self.workshops[kind].link(test.name, objects)
            if not tested.run_test(program, test, kind != "plain")[0]:
                self.experience.learn(test, mutation.file)
                return f"test_{test.name}, {kind}"
        return ""

    def judge(self, mutation, text):
        """None: not a mutant; "": it survived; else what killed it."""
        sources = self.coverage.sources[mutation.file]
        self.know_original(mutation.file, sources)
        tests = [test for test in self.tests
                 if self.coverage.runs(test, mutation)]
        for kind, is_wanted in STAGES:
            objects = self.workshops[kind].compile_mutant(mutation, text,
                                                          sources)
            if objects is None or (kind == "plain" and
                                   not self.experience.is_new(objects)):
                return None
            killer = self.killer(kind, objects, mutation,
                                 filter(is_wanted, tests))
            if killer:
                return killer
        return ""


class Court:
    """Judges side by side; verdicts in the order of the cases."""

    def __init__(self, jobs, files, explained):
        self.files = files
        self.explained = explained  # what isn't tried again
        coverage, tests = tested.cover()
        experience = Experience()
        self.judges = queue.SimpleQueue()
        for number in range(jobs):
            self.judges.put(Judge(os.path.join(WORK, str(number)),
                                  experience, coverage, tests))
        self.jobs = jobs
        self.pool = concurrent.futures.ThreadPoolExecutor(jobs)

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

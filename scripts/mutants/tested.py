"""Which test program runs which line, and what it costs.

Every program runs once under coverage. What comes of it is kept, and made
anew when a source, a test or a list of either has changed.
"""
import collections
import glob
import hashlib
import json
import os
import pickle
import re
import shutil
import signal
import subprocess
import tempfile
import threading

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))
BUILD = os.path.join(ROOT, "build", "mutants")
# Programs that cost too much for what they add, and short forms of others.
LEFT_OUT = {"big", "large", "split", "lines", "pipeline"}
ARGUMENTS = {"queue_power": ["4000"], "queue_kill": ["20"],
             "queue_honest": ["2"]}
# Programs with several threads at work, for the thread sanitizer.
THREADED = {"shared", "threads", "queue", "queue_during_sync",
            "queue_waiters"}
MOST_BYTES = 8 << 30  # of a test's memory
SLOWER = 5  # under the sanitizers
BUILDS = {
    "coverage": ["--preset", "debug", "-DCMAKE_C_FLAGS_DEBUG=-O1 --coverage"],
    "plain": ["--preset", "debug", "-DCMAKE_C_FLAGS_DEBUG=-O1"],
    "asan": ["--preset", "asan"],
    "tsan": ["--preset", "tsan"],
}

Test = collections.namedtuple("Test", "name seconds lines")


def shell(command, cwd=ROOT):
    return subprocess.run(command, cwd=cwd, check=True, text=True,
                          stdout=subprocess.PIPE).stdout


# ---- one test, within limits ----

def limited(command, seconds, has_sanitizers):
    """The command, with an end to its time and to its memory."""
    # A sanitizer's map of all memory takes no memory, but much of the space.
    space = [] if has_sanitizers else [f"--as={MOST_BYTES}"]
    return ["prlimit", f"--cpu={seconds}", "--core=0", *space, *command]


def kill_group(leader):
    try:
        os.killpg(leader, signal.SIGKILL)
    except ProcessLookupError:
        pass


def run_test(program, test, has_sanitizers=False):
    """Did it pass, and how many seconds of the processor did it take?"""
    expected = test.seconds * (SLOWER if has_sanitizers else 1)
    scratch = tempfile.mkdtemp(prefix="mutate-")
    child = subprocess.Popen(
        limited([program, *ARGUMENTS.get(test.name, [])],
                int(4 * expected) + 3, has_sanitizers),
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL, start_new_session=True,
        env={**os.environ, "TMPDIR": scratch, "CMOCKA_TEST_ABORT": "1"})
    overdue = threading.Timer(20 * expected + 30, kill_group, [child.pid])
    overdue.start()
    try:
        _, child.returncode, usage = os.wait4(child.pid, 0)
    finally:
        overdue.cancel()
        kill_group(child.pid)  # what it left running
        shutil.rmtree(scratch, ignore_errors=True)
    return child.returncode == 0, usage.ru_utime + usage.ru_stime


# ---- which test runs which line ----

def build(kind):
    """A build of all tests, from one compiler's command line to the other."""
    folder = os.path.join(BUILD, kind)
    shell(["cmake", *BUILDS[kind], "-B", folder, "-DCMAKE_C_COMPILER=gcc"])
    shell(["cmake", "--build", folder, "--target",
           *(f"test_{name}" for name in test_names())])
    return folder


def test_names():
    """Of every room; test_NAME is made of ROOM/NAME.c."""
    with open(os.path.join(ROOT, "tests", "CMakeLists.txt")) as file:
        rooms = re.findall(r"^seenset_room\(\S+\s([^)]*)\)", file.read(), re.M)
    return [name for room in rooms for name in room.split()
            if name not in LEFT_OUT]


def of_project(path, folder):
    """A path in a compiler's report, from the project's folder on."""
    return os.path.relpath(os.path.join(folder, path), ROOT)


class Coverage:
    """What lines there are, by file, and which sources they are part of."""

    def __init__(self, folder):
        self.objects = os.path.join(folder, "CMakeFiles")
        self.counted = collections.defaultdict(set)
        self.inside = collections.defaultdict(set)  # of functions
        self.sources = collections.defaultdict(set)

    def data(self):
        return glob.glob(os.path.join(self.objects, "*.dir", "src", "**",
                                      "*.gcda"), recursive=True)

    def forget(self):
        for path in self.data():
            os.remove(path)

    def read(self):
        """The (file, line) pairs that ran since forget()."""
        ran = set()
        data = self.data()
        report = data and shell(["gcov", "--json-format", "--stdout", *data],
                                self.objects)
        for text in (report or "").splitlines():
            unit = json.loads(text)
            source = re.search(r"\.dir/(src/.*\.c)\.gc",
                               os.path.join(self.objects, unit["data_file"]))
            for file in unit["files"]:
                name = of_project(file["file"],
                                  unit["current_working_directory"])
                if not name.startswith("src/"):
                    continue
                self.sources[name].add(source.group(1))
                for function in file["functions"]:
                    self.inside[name].update(range(
                        function["start_line"], function["end_line"] + 1))
                for line in file["lines"]:
                    self.counted[name].add(line["line_number"])
                    if line["count"] > 0:
                        ran.add((name, line["line_number"]))
        return ran

    def runs(self, test, mutation):
        """Does the test run the line, or the one that its statement begins
        in? Outside of functions: the file?"""
        line = max((number for number in self.counted[mutation.file]
                    if number <= mutation.line), default=0)
        if line < mutation.line not in self.inside[mutation.file]:
            return any(file == mutation.file for file, _ in test.lines)
        return (mutation.file, line) in test.lines


def fingerprint():
    """Of all that the programs and their runs depend on."""
    digest = hashlib.sha256()
    for folder in ("src", "tests", "include/seenset"):
        paths = glob.glob(os.path.join(ROOT, folder, "**", "*.[ch]"),
                          recursive=True)
        for path in sorted(paths) + [os.path.join(ROOT, "CMakeLists.txt"),
                                     os.path.join(ROOT, "tests",
                                                  "CMakeLists.txt"), __file__]:
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
    folder = build("coverage")
    coverage, tests = Coverage(folder), []
    for name in test_names():
        coverage.forget()
        program = os.path.join(folder, "tests", f"test_{name}")
        passed, seconds = run_test(program, Test(name, 100, ()))
        if passed:
            tests.append(Test(name, seconds, coverage.read()))
        else:
            print(f"mutate: test_{name} fails as it is, and is left out")
    tests.sort(key=lambda test: test.seconds)
    with open(kept, "wb") as file:
        pickle.dump((now, coverage, tests), file)
    return coverage, tests

#!/usr/bin/env python3
"""How long a key takes in filters of other systems: here, and in the system
that made them, in turns and for the same keys.

    /usr/bin/python3 bench/foreign/foreign.py BUILD [--quick]

Guava on a warm JVM and DCSO's `bloom` are asked if they are installed
(Debian's libguava-java, default-jdk-headless and golang-github-dcso-bloom-cli),
and both sides must see the same number of keys. A filter of a Parquet file is
asked beside a set of the layout that it has. All is processor time; of several
rounds the median is printed.
"""

import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).parent
JAR = "/usr/share/java/guava.jar"
BUILD = Path(sys.argv[1])
IS_QUICK = "--quick" in sys.argv[2:]
ROUNDS = 3 if IS_QUICK else 9
WARM = 3  # rounds that are not counted


class Side:
    """A program that answers each line with nanoseconds and keys seen."""

    def __init__(self, *words):
        self.program = subprocess.Popen(
            [str(word) for word in words], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, text=True)

    def answer(self):
        line = self.program.stdout.readline()
        if not line:
            sys.exit(f"foreign: {self.program.args[0]} ended")
        return line.split()

    def ask(self):
        self.program.stdin.write("go\n")
        self.program.stdin.flush()
        ns, seen = self.answer()
        return float(ns), int(seen)

    def end(self):
        self.program.stdin.close()
        self.program.wait()


def guava(folder, added, keys, lookups):
    """Guava and seenset in turns, on the file that Guava wrote."""
    numbers = [added, keys, lookups]
    path = folder / "a.guava"
    java = Side("java", "-cp", JAR, HERE / "Guava.java", path, *numbers)
    java.answer()  # ready
    ours = Side(BUILD / "bench/bench_foreign", "ask", path, *numbers)
    rounds = [(ours.ask(), java.ask()) for _ in range(WARM + ROUNDS)][WARM:]
    ours.end()
    java.end()
    if any(a[1] != b[1] for a, b in rounds):
        sys.exit("foreign: Guava and seenset see other keys")
    mine, theirs = (statistics.median(side[i][0] for side in rounds)
                    for i in range(2))
    ratios = sorted(b[0] / a[0] for a, b in rounds)
    print(f"Guava, {added:,} added, {keys:,} asked: here {mine:.1f} ns a key, "
          f"Guava {theirs:.1f}: {statistics.median(ratios):.1f} times "
          f"({ratios[0]:.1f} to {ratios[-1]:.1f})", flush=True)


def seconds_of(words, stdin, stdout):
    """Processor seconds of a program, which must succeed."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    with open(stdin, "rb") as lines, open(stdout, "wb") as out:
        subprocess.run([str(word) for word in words], stdin=lines, stdout=out,
                       check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return (after.ru_utime + after.ru_stime
            - before.ru_utime - before.ru_stime)


def dcso(folder, added, asked):
    """DCSO's command and ours, on the file that DCSO's made."""
    path, new, lines = (folder / name for name in ("a.bloom", "new", "asked"))
    new.write_text("".join(f"key{i:022}\n" for i in range(added)))
    lines.write_text("".join(
        f"key{i // 2 * 7919 % added if i % 2 == 0 else added + i:022}\n"
        for i in range(asked)))
    subprocess.run(["bloom", "create", "-p", "0.01", "-n", str(added), path],
                   check=True)
    seconds_of(["bloom", "insert", path], new, folder / "log")
    ours, theirs = [], []
    for _ in range(ROUNDS):
        ours.append(seconds_of([BUILD / "seenset", "has", path], lines,
                               folder / "ours"))
        theirs.append(seconds_of(["bloom", "check", path], lines,
                                 folder / "theirs"))
        if (folder / "ours").read_bytes() != (folder / "theirs").read_bytes():
            sys.exit("foreign: DCSO's command and seenset see other keys")
    mine, its = statistics.median(ours), statistics.median(theirs)
    print(f"DCSO, {added:,} added, {asked:,} asked, by the command: here "
          f"{mine:.2f} s, DCSO's {its:.2f} s: {its / mine:.1f} times",
          flush=True)


def main():
    tenth = 10 if IS_QUICK else 1
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        if Path(JAR).exists() and shutil.which("java"):
            guava(folder, 100_000, 5_000, 2_000_000 // tenth)
            guava(folder, 10_000_000 // tenth, 2_000_000 // tenth,
                  2_000_000 // tenth)
        else:
            print("foreign: Guava is left out: it is not installed")
        if shutil.which("bloom"):
            dcso(folder, 10_000_000 // tenth, 4_000_000 // tenth)
        else:
            print("foreign: DCSO's bloom is left out: it is not installed")
    for added in (10 ** 6, 10 ** 7, 10 ** 8)[:1 if IS_QUICK else 3]:
        subprocess.run([BUILD / "bench/bench_foreign", "parquet", str(added),
                        str(ROUNDS)], check=True)


main()

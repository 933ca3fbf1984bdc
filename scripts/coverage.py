#!/usr/bin/env python3
"""What the tests run, as a table, from gcc's counts in a coverage build.

    coverage.py BUILD_FOLDER [--missing]

Files, the queue's recovery and the planner must be tested in every branch: one
that is not must be named in scripts/coverage_known.txt, with its reason. Of the
rest so many lines in a hundred. --missing lists what no test runs.

Fails when a branch is missing that is not known, or too little is run. It
judges itself first, on counts that are made up.
"""

import collections
import json
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
OURS = {ROOT / "src", ROOT / "fronts"}
KNOWN = ROOT / "scripts" / "coverage_known.txt"

GROUPS = [  # name, files (a folder ends in "/"), every branch?, % of lines
    ("file", ["src/file/", "src/base/io.c", "src/base/posix/io.c"], True, 100),
    ("plan", ["src/plan/"], True, 100),
    ("recovery", ["src/queue/recover/recover.c", "src/queue/recover/set.c",
                  "src/queue/recover/agreement.c",
                  "src/queue/recover/leases.c", "src/queue/recover/replay.c",
                  "src/queue/verify/resync.c",
                  "src/queue/folder/manifest.c",
                  "src/queue/folder/manifest_bytes.c",
                  "src/seen/arguments.c", "src/log/record.c",
                  "src/log/log_reader.c", "src/items/state.c",
                  "src/items/state_read.c",
                  "src/log/folder.c", "src/queue/verify/verify.c",
                  "src/queue/verify/log.c", "src/queue/verify/repair.c"],
     True, 99),
    ("library", ["src/"], False, 95),
    ("command", ["fronts/cli/"], False, 95),
]

Line = collections.namedtuple("Line",
                              "file function number text runs branches")


def gcov(objects):
    """What gcov says of each source file, for each object file."""
    said = subprocess.run(["gcov", "--json-format", "--branch-probabilities",
                           "--stdout", *objects],
                          check=False, capture_output=True, text=True)
    if said.returncode != 0:
        print("coverage: counts of another build are left out",
              file=sys.stderr)
    for object_file in said.stdout.splitlines():
        yield from json.loads(object_file)["files"]


def merge(old, new):
    """The branches of a line that is compiled into several objects."""
    if len(old) == len(new):
        return [a + b for a, b in zip(old, new)]
    return max(old, new, key=len)


def read_counts(folder):
    """Every line of ours that has code."""
    found = {}
    objects = sorted(str(path.resolve())
                     for path in pathlib.Path(folder).rglob("*.gcda"))
    for source in gcov(objects):
        path = pathlib.Path(source["file"])
        if not OURS.intersection(path.parents):
            continue
        for line in source["lines"]:
            key = str(path.relative_to(ROOT)), line["line_number"]
            _, runs, branches = found.get(key, ("", 0, []))
            new = [branch["count"] for branch in line["branches"]]
            function = line.get("function_name", "").split(".")[0]
            found[key] = (function, runs + line["count"], merge(branches, new))
    texts = {file: (ROOT / file).read_text().splitlines()
             for file, _ in found}
    return [Line(file, function, number, texts[file][number - 1].strip(), *runs)
            for (file, number), (function, *runs) in sorted(found.items())]


def read_known():
    """file function | line | why no test can take one of its branches"""
    known = {}
    for line in KNOWN.read_text().splitlines():
        if line and not line.startswith("#"):
            place, text, reason = (part.strip() for part in line.split(" | "))
            known[place, text] = reason
    return known


def key_of(line):
    return f"{line.file} {line.function}", line.text


def group_of(file):
    for group in GROUPS:
        for name in group[1]:
            if file == name or (name.endswith("/") and file.startswith(name)):
                return group
    raise SystemExit(f"coverage: {file} is in no group")


def percent(part, whole):
    return 100.0 * part / whole if whole else 100.0


def judge(lines, known):
    """The rows of the table, and what is wrong."""
    rows, wrong, used = [], [], set()
    for group in GROUPS:
        mine = [line for line in lines if group_of(line.file) is group]
        ran = sum(line.runs > 0 for line in mine)
        branches = sum(len(line.branches) for line in mine)
        taken = sum(count > 0 for line in mine for count in line.branches)
        excused = 0
        for line in mine if group[2] else []:
            missing = line.branches.count(0)
            if missing and key_of(line) in known:
                used.add(key_of(line))
                excused += missing
            elif missing:
                wrong.append(f"{line.file}:{line.number}: a branch that no "
                             f"test takes: {line.function}: {line.text}")
        if percent(ran, len(mine)) < group[3]:
            wrong.append(f"{group[0]}: {percent(ran, len(mine)):.1f} % of its "
                         f"lines are run, not {group[3]} %")
        rows.append((group[0], ran, len(mine), taken, branches, excused))
    wrong += [f"{KNOWN.name}: not missing any more: {place}: {text}"
              for place, text in known.keys() - used]
    return rows, wrong


def judge_itself():
    """Planted: a missed branch, a missed line, a reason nobody needs."""
    sound = [Line(name, "f", 1, "if (a)", 1, [1, 1]) for name in
             ("src/base/io.c", "src/plan/solve.c", "src/log/record.c",
              "src/set/set.c", "fronts/cli/main.c")]
    missed = Line("src/base/io.c", "f", 2, "if (b)", 1, [1, 0])
    key = ("src/base/io.c f", "if (b)")
    cases = [(sound, {}, 0), (sound + [missed], {}, 1),
             (sound + [missed], {key: "why"}, 0), (sound, {key: "why"}, 1),
             (sound + [Line("fronts/cli/main.c", "f", 2, "g();", 0, [])], {}, 1),
             (sound + [missed._replace(file="src/log/record.c")], {}, 1),
             (sound + [missed._replace(file="src/plan/new.c")], {}, 1),
             (sound + [missed._replace(file="src/set/set.c")], {}, 0)]
    for lines, known, count in cases:
        if len(judge(lines, known)[1]) != count:
            raise SystemExit("coverage: it missed a planted fault")


def main():
    judge_itself()
    lines = read_counts(sys.argv[1])
    if "--missing" in sys.argv:
        for line in lines:
            missing = line.branches.count(0)
            if line.runs == 0 or missing:
                what = f"{missing} branches" if line.runs else "the line"
                print(f"{line.file}:{line.number}: {what}: {line.text}")
    rows, wrong = judge(lines, read_known())
    print(f"{'':10}{'lines':>18}{'branches':>20}{'known':>8}")
    for name, ran, all_lines, taken, branches, excused in rows:
        print(f"{name:10}{ran:6} of {all_lines:5}"
              f"{percent(ran, all_lines):6.1f} %{taken:6} of {branches:5}"
              f"{percent(taken, branches):6.1f} %{excused:6}")
    for line in wrong:
        print(f"coverage: {line}")
    return 1 if wrong else 0


sys.exit(main())

#!/usr/bin/env python3
"""What the tests of a label cost: each is run once, by itself, and the CPU time
of it and of all it started is added up. Other than the time on a clock, that
is about the same on a machine that does other things, too.

    budget.py BUILD_FOLDER [--label REGEX] [--exclude REGEX] [--limit SECONDS]
              [--most COUNT]

It prints the COUNT (10) that cost most and the sum, and fails if the sum is over
the limit, or if a test failed.
"""

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile


def listed(folder):
    """The tests of a build folder, as ctest knows them."""
    return json.loads(subprocess.run(
        ["ctest", "--test-dir", folder, "--show-only=json-v1"],
        check=True, capture_output=True, text=True).stdout)["tests"]


def properties(test):
    return {one["name"]: one["value"] for one in test.get("properties", ())}


def chosen(test, label, exclude):
    labels = properties(test).get("LABELS", [])
    return (any(re.search(label, one) for one in labels or [""])
            and not (exclude and any(re.search(exclude, one)
                                     for one in labels)))


def run(test, output):
    """The CPU time of a test in seconds, and its exit status."""
    known = properties(test)
    environment = dict(os.environ)
    environment.update(line.split("=", 1)
                       for line in known.get("ENVIRONMENT", ()))
    process = subprocess.Popen(
        test["command"], cwd=known["WORKING_DIRECTORY"], env=environment,
        stdin=subprocess.DEVNULL, stdout=output, stderr=output)
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    skipped = process.returncode == known.get("SKIP_RETURN_CODE")
    return used.ru_utime + used.ru_stime, 0 if skipped else process.returncode


def main():
    parser = argparse.ArgumentParser(
        description="the CPU time of the tests of a label")
    parser.add_argument("folder")
    parser.add_argument("--label", default="", help="regular expression")
    parser.add_argument("--exclude", default="", help="labels to leave out")
    parser.add_argument("--limit", type=float, help="seconds of CPU")
    parser.add_argument("--most", type=int, default=10)
    options = parser.parse_args()

    costs, failed = [], []
    for test in listed(options.folder):
        if not chosen(test, options.label, options.exclude):
            continue
        if not os.path.exists(test["command"][0]):
            sys.exit(f"budget: {test['name']} is not built")
        with tempfile.TemporaryFile() as output:
            seconds, status = run(test, output)
            costs.append((seconds, test["name"]))
            if status != 0:
                failed.append(test["name"])
                output.seek(0)
                sys.stdout.write(output.read().decode(errors="replace")[-2000:])
    for seconds, name in sorted(costs, reverse=True)[:options.most]:
        print(f"{seconds:7.2f} s  {name}")
    total = sum(seconds for seconds, _ in costs)
    print(f"{total:7.2f} s  {len(costs)} tests, {len(failed)} failed"
          + "".join(f" {name}" for name in failed))
    if not costs:
        sys.exit("budget: there is no such test")
    if options.limit is not None and total > options.limit:
        print(f"budget: over {options.limit:g} s of CPU; label what costs most "
              "slow, or make it cheaper")
        sys.exit(1)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()

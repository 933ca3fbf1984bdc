#!/usr/bin/env python3
"""Do the tests bite? Breaks the library on purpose and counts who notices.

Mutants (mutations.py) are drawn at random, by a seed, from each file in
proportion to what it has and from the kinds in turn, and are judged by all
tests that run their line (judges.py). Survivors are printed; one without a
reason in survivors.txt makes this fail. Those that have one are not
tried again, but by --again.

    mutate.py [--seed N] [--count N] [--jobs N] [--again LIST]
              [--file src/ROOM/NAME[:LINE]]... [--check [--reasons LIST]]

--again: only what is in a list of survivors, such as an earlier output.
--check: breaks nothing, and only looks whether each reason is for a line that
is there.

Nothing of the working tree is changed; it all happens in build/mutants.
"""
import argparse
import collections
import fnmatch
import glob
import os
import random
import shutil
import signal
import sys

sys.dont_write_bytecode = True
import judges
import mutations
from tested import ROOT

REASONS = os.path.join(ROOT, "scripts", "mutants", "survivors.txt")
# What is broken, by room. The lines that a vector unit does are left to the
# comparison with the portable ones.
SUBJECTS = """
    src/base/bits.* src/base/wide.* src/base/crc32c.* src/base/io*
    src/base/posix/io.c src/base/posix/path.c
    src/base/posix/map.c src/base/posix/team.c src/lines/*
    src/plan/* src/table/* src/expand/* src/set/* src/file/*
    src/foreign/* src/url/* src/log/* src/items/* src/frontier/* src/seen/*
    src/queue/*""".split()
SPARED = ["src/table/blocked/*", "src/table/kernel/*",
          "src/table/split_block/avx2.c", "src/table/split_block/neon.c",
          "src/table/split_block/wasm.c", "src/expand/kernel/avx2.c",
          "src/expand/kernel/vbmi.c"]


# ---- what is drawn ----

def draw(all_mutations, seed):
    """All mutations in random order: from each file in proportion to how
    many it has, and from its kinds in turn, one of each after the other."""
    chance = random.Random(seed)
    files = collections.defaultdict(lambda: collections.defaultdict(list))
    for mutation in all_mutations:
        files[mutation.file][mutation.kind].append(mutation)
    order = []
    for kinds in files.values():
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
    pattern = os.path.join(ROOT, "src", "**", "*.[ch]")
    for path in sorted(glob.glob(pattern, recursive=True)):
        name = os.path.relpath(path, ROOT)
        if is_in(name, SUBJECTS) and not is_in(name, SPARED):
            with open(path) as file:
                files[name] = file.read()
    return files


def is_in(name, patterns):
    return any(fnmatch.fnmatch(name, pattern) for pattern in patterns)


# ---- what survives ----

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
    """A reason for what can't be drawn is for a line that was changed, or
    that is in another place now."""
    known = set(keys.values())
    old = reasons.keys() - known
    for place, *lines in sorted(old):
        print(f"mutate: {place} has no mutant\n- {lines[0]}\n+ {lines[1]}")
        for key in sorted(known):
            if list(key[1:]) == lines:
                print(f"  but there is one in @ {key[0]}")
    if old:
        sys.exit(f"mutate: correct {os.path.relpath(REASONS, ROOT)}")


def wanted(wish, keys):
    """What is to be judged, in this order."""
    names = set(wish.file)
    again = read_survivors(wish.again) if wish.again else None
    for mutation in draw(keys, wish.seed):
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
    print(f"\n{'file':<32}{'killed':>8}{'survived':>10}{'explained':>11}")
    for file in sorted(set(killed) | set(survived)):
        print(f"{file:<32}{killed[file]:>8}{survived[file]:>10}"
              f"{explained[file]:>11}")
    dead, alive = sum(killed.values()), sum(survived.values())
    same = sum(explained.values())
    print(f"{'all':<32}{dead:>8}{alive:>10}{same:>11}")
    print(f"killed: {100 * dead / max(1, dead + alive):.1f} % of all, "
          f"{100 * dead / max(1, dead + alive - same):.1f} % of those that "
          "change something")


# ---- all together ----

def read_wishes():
    parser = argparse.ArgumentParser(description="Breaks the library; counts"
                                     " which faults the tests notice.")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--again")
    parser.add_argument("--file", action="append", default=[])
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--reasons", default=REASONS)
    return parser.parse_args()


def main():
    wish = read_wishes()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    files, reasons = read_subjects(), read_survivors(wish.reasons)
    keys = name_all(files)
    check_reasons(keys, reasons)
    if wish.check:
        return
    court = judges.Court(wish.jobs, files, set() if wish.again else {
        mutation for mutation, key in keys.items() if key in reasons})
    killed, survived, explained = (collections.Counter() for _ in range(3))
    verdicts = court.verdicts(wanted(wish, keys))
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
    shutil.rmtree(judges.WORK)
    print_table(killed, survived, explained)
    sys.exit(survived != explained)


if __name__ == "__main__":
    main()

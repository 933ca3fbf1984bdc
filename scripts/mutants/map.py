#!/usr/bin/env python3
"""Which test kills which mutants: the map that says what may be deleted.

mutate.py stops at the first test that kills a mutant. Here each mutant meets
every test function of some programs, so that a test can be found that kills
nothing alone. Tests that take longer than --dear are run only on the
mutants that no other test kills: if they kill none of these, the others do
their work.

    map.py --program NAME... [--room NAME]... [--file src/ROOM/NAME]...
           [--test PROGRAM[/TEST]]... [--count N] [--dear SECONDS] [--seed N]
           [--build FOLDER] [--jobs N] [--minutes N] [--out LIST]

--room, --file: what is broken; all that mutate.py breaks if neither is given.
--count: so many mutants of each room. --build: where the programs are built
already.

Prints, for each test, its seconds of the processor, how many mutants it killed,
and how many of these no other test did. A test is proved to be superfluous only
for what was broken: look at what else it runs. A mutant that ends a program, or
never comes to its end, meets no more than two tests of that program.

--test asks whether a test may be deleted: mutants that it kills meet the other
tests until one of them kills them, too, and others are not tried on.

--out gets a line of JSON for each mutant: where, what, and which tests killed
it. Nothing of the working tree is changed; it happens in build/mutants.
"""
import argparse
import collections
import concurrent.futures
import json
import os
import queue
import shutil
import sys
import time

sys.dont_write_bytecode = True
import judges
import mutate
import mutations
import shared
from tested import BUILD, ROOT


class Judge:
    """One of those who work side by side."""

    def __init__(self, tests, experience, work):
        self.tests, self.experience = tests, experience
        self.workshop = shared.Workshop(tests.folder, work)
        self.work = work

    def killers(self, chosen):
        """Which of these tests fail; each program once."""
        found = set()
        for program in sorted({program for program, _ in chosen}):
            names = {test for each, test in chosen if each == program}
            found |= {(program, test) for test in self.tests.failing(
                program, names, self.work)}
        return found

    def first_killer(self, chosen):
        """Program after program, until one has a test that fails."""
        kills = self.experience.kills
        for program in sorted({program for program, _ in chosen},
                              key=lambda each: (-kills[each], each)):
            found = self.killers({each for each in chosen
                                  if each[0] == program})
            if found:
                with self.experience.lock:
                    kills[program] += 1
                return found
        return set()

    def all_killers(self, chosen, dear):
        return (self.killers(chosen - dear) or
                self.killers(chosen & dear))

    def is_needed(self, chosen, asked):
        """The tests that are asked about, if they kill it, and one other that
        does."""
        found = self.killers(chosen & asked)
        return found and found | self.first_killer(chosen - asked)

    def judge(self, mutation, text, dear, asked):
        """The tests that kill it; None: it is not a mutant."""
        objects = self.workshop.compile_mutant(mutation, text,
                                               self.experience)
        if objects is None:
            return None
        self.workshop.link(objects)
        tests = set(self.tests.seconds)
        return (self.is_needed(tests, asked) if asked
                else self.all_killers(tests, dear))


def room_of(name):
    return name.split("/")[1]


def chosen_files(wish):
    return {name: text for name, text in mutate.read_subjects().items()
            if not (wish.file or wish.room) or name in wish.file or
            room_of(name) in wish.room}


def wanted(wish, files):
    """The mutants to be judged, in this order: --count of each room."""
    drawn = collections.Counter()
    for mutation in mutate.draw(mutate.name_all(files), wish.seed):
        room = room_of(mutation.file)
        if wish.count is None or drawn[room] < wish.count:
            drawn[room] += 1
            yield mutation


def verdicts(wish, files, tests, asked):
    """(mutation, the tests that kill it), in the order of wanted()."""
    experience = judges.Experience()
    work = os.path.join(BUILD, f"map-{os.getpid()}")
    judging = queue.SimpleQueue()
    for number in range(wish.jobs):
        judging.put(Judge(tests, experience, os.path.join(work, str(number))))
    dear = {test for test, seconds in tests.seconds.items()
            if seconds > wish.dear}
    end = time.monotonic() + 60 * wish.minutes

    def hear(mutation):
        if time.monotonic() > end:
            return None
        judge = judging.get()
        try:
            return judge.judge(mutation, files[mutation.file], dear, asked)
        finally:
            judging.put(judge)

    with concurrent.futures.ThreadPoolExecutor(wish.jobs) as pool:
        order = list(wanted(wish, files))
        for mutation, found in zip(order, pool.map(hear, order)):
            if found is not None:
                yield mutation, found
    shutil.rmtree(work)


def report(tests, judged, asked):
    kills, alone = collections.Counter(), collections.Counter()
    rooms = collections.defaultdict(lambda: [0, 0, 0])
    for mutation, found in judged:
        for test in found:
            kills[test] += 1
            alone[test] += found <= asked if asked else len(found) == 1
        room = rooms[room_of(mutation.file)]
        room[0] += 1
        room[1] += bool(found)
        room[2] += found <= asked if found and asked else len(found) == 1
    print(f"{'test':<64}{'seconds':>8}{'kills':>7}{'alone':>7}")
    for test, seconds in sorted(tests.seconds.items()):
        if not asked or test in asked:
            print(f"{'/'.join(test):<64}{seconds:>8.2f}{kills[test]:>7}"
                  f"{alone[test]:>7}")
    print(f"\n{'room':<16}{'mutants':>8}{'killed':>8}{'by one':>8}")
    rooms["all"] = [sum(each) for each in zip(*rooms.values())]
    for room, numbers in rooms.items():
        print(f"{room:<16}{numbers[0]:>8}{numbers[1]:>8}{numbers[2]:>8}")


def read_wishes():
    parser = argparse.ArgumentParser()
    for name in ("room", "file", "test"):
        parser.add_argument(f"--{name}", action="append", default=[])
    parser.add_argument("--program", action="append", required=True)
    parser.add_argument("--count", type=int)
    parser.add_argument("--dear", type=float, default=0.3)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--minutes", type=float, default=600)
    parser.add_argument("--build")
    parser.add_argument("--out")
    return parser.parse_args()


def write(out, mutation, text, found):
    before, after = mutations.describe(mutation, text)
    json.dump([mutation.file, mutation.line, before, after,
               sorted("/".join(each) for each in found)], out)
    out.write("\n")
    out.flush()


def main():
    wish = read_wishes()
    files = chosen_files(wish)
    tests = shared.Tests(wish.program, wish.jobs, wish.build)
    asked = tests.named(wish.test)
    judged = []
    with open(wish.out or os.devnull, "w") as out:
        for mutation, found in verdicts(wish, files, tests, asked):
            judged.append((mutation, found))
            write(out, mutation, files[mutation.file], found)
    report(tests, judged, asked)


if __name__ == "__main__":
    main()

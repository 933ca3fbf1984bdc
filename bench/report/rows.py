#!/usr/bin/env python3
"""Every layout, twin and operation in tables: of `bench --only rows`.

    rows.py ROWS.json                  prints all tables
    rows.py --into PAGE ROWS.json...   writes into a page, in place
    rows.py --fastest ROWS.json        prints the fastest twin that it ran

A page for users has the mark "rows", and gets a line for each layout and
operation, with a column for each file: a file is a machine, and the fastest
twin that it ran names the column. The lab's page has the mark "all rows", and
gets each twin and size of each file. What is between the marks is
replaced.

A row's target is a ratio of two medians of one run (TARGETS). A twin is
compared with rows of its own kind of processor: the portable one of a layout
with the portable one of the default layout.
"""
import argparse
import textwrap

from figures import Figures
from report import machine, ns, power, table

SIZES = (10000, 1000000, 10000000)
MIDDLE = 1000000
TWINS = {"avx512": "AVX-512", "avx2": "AVX2", "neon": "NEON",
         "portable": "portable"}

# What a row is measured by: an operation of another row, of the same twin, or
# of a peer; and at most how many times as long the row may take.
#
# The limit is a loop that fetches the line of each key ahead and reads a word
# of it, or writes it (limits/random.c). What inline.h promises is its header's
# own sentence, and that is of tables in a cache.
ONE, BATCH = ("has", "add"), ("has, batches", "add, batches")
TARGETS = {
    "blocked": {"has": ("libbloom", "has", 0.5),
                "add": ("libbloom", "add", 0.25),
                "has, batches": ("limit", "read", 1.6),
                "add, batches": ("limit", "read_write", 1.6),
                "inline has": ("blocked", "has", 0.8),
                "inline looker": ("blocked", "has", 0.6),
                "inline add": ("blocked", "add", 0.75),
                "inline adder": ("blocked", "add", 0.6)},
    "split_block": {"has": ("blocked", "has", 1.0),
                    "add": ("blocked", "add", 1.0),
                    "has, batches": ("blocked", "has, batches", 1.0),
                    "add, batches": ("blocked", "add, batches", 1.0),
                    "inline has": ("blocked", "inline has", 1.0),
                    "inline looker": ("blocked", "inline looker", 1.0),
                    "inline add": ("blocked", "inline add", 1.0),
                    "inline adder": ("blocked", "inline adder", 1.0)},
    "bloom": {"has": ("libbloom", "has", 0.67),
              "add": ("libbloom", "add", 0.67),
              "has, batches": ("libbloom", "has", 0.33),
              "add, batches": ("libbloom", "add", 0.33)},
    "counting": {"has": ("bloom", "has", 1.5),
                 "add": ("bloom", "add", 1.5),
                 "remove": ("counting", "add", 2.0),
                 "has, batches": ("bloom", "has, batches", 1.5),
                 "add, batches": ("bloom", "add, batches", 1.5)},
    "fingerprint": {"has": ("blocked", "has", 1.5),
                    "add": ("blocked", "add", 2.5),
                    "remove": ("blocked", "add", 2.5),
                    "has, batches": ("blocked", "has, batches", 2.5),
                    "add, batches": ("blocked", "add, batches", 4.0)},
    "sealed": {"has": ("blocked", "has", 1.5),
               "has, batches": ("blocked", "has, batches", 2.5),
               "build": ("blocked", "add, batches", 12.0)},
    "grown": {"has": ("blocked", "has", 3.5),
              "add": ("blocked", "add", 6.0),
              "has, batches": ("blocked", "has, batches", 3.5),
              "add, batches": ("blocked", "add, batches", 6.0)},
    "told late": {name: ("blocked", name, 1.5) for name in ONE + BATCH},
}
ANSWERS = {"has": ("seen", "never"), "add": ("new",), "remove": ("seen",),
           "has, batches": ("seen", "never"), "add, batches": ("new",),
           "inline has": ("seen", "never"), "inline add": ("new",),
           "inline looker": ("seen", "never"), "inline adder": ("new",),
           "build": ("new",)}


class Rows(Figures):
    """A file of rows."""

    def twins(self):
        """Those that ran, the fastest first."""
        found = {figure.get("twin") for figure in self.all}
        return [twin for twin in TWINS if twin in found]

    def peers(self):
        names = [figure["subject"] for figure in self.all
                 if figure.get("twin") == "peer"]
        return list(dict.fromkeys(names))

    def time(self, subject, twin, operation, answer, items):
        return self.median(subject=subject, twin=twin, operation=operation,
                           answer=answer, items=items, unit="ns")

    def fastest(self, subject, twins):
        """The first of these twins that the subject has."""
        have = {figure["twin"] for figure in self.find(subject=subject)}
        return next((twin for twin in twins if twin in have), None)

    def measure(self, subject, operation, answer, twin, items):
        """The time that a row is compared with. Where a subject lacks this
        twin, it is that of the one which the same processor would use; what is
        inlined has only the fastest."""
        if subject == "limit":
            return self.limit(operation, items)
        at = list(TWINS).index(twin)
        near = list(TWINS)[at:] + ["peer"] + list(TWINS)[:at]
        times = (self.time(subject, one, operation, answer, items)
                 for one in near)
        return next((one for one in times if one is not None), None)


def key_of(operation, answer):
    """The answers of two operations that are compared."""
    return answer if answer in ANSWERS.get(operation, ()) else \
        ANSWERS.get(operation, (None,))[0]


def ratio(rows, subject, twin, operation, answer, items):
    """ns; and how many times what the row is measured by."""
    value = rows.time(subject, twin, operation, answer, items)
    of, its, _ = TARGETS[subject][operation]
    measure = rows.measure(of, its, key_of(its, answer), twin, items)
    return value, value / measure if value and measure else None


def verdict(ratios, bound):
    known = [value for value in ratios if value is not None]
    if not known:
        return ""
    missed = [value for value in known if round(value, 2) > bound]
    if not missed:
        return "yes"
    return "**no**" if len(missed) == len(known) else "in part"


def cell(value, times):
    if value is None:
        return ""
    return ns(value) if times is None else f"{ns(value)} ({times:.2f})"


def bound_text(subject, operation):
    of, its, bound = TARGETS[subject][operation]
    name = its if of == "limit" else f"{of} {its}" if of != subject else its
    return f"{bound:g} of {name.replace('read_write', 'write')}"


# ---- all rows ----

def lines_of(rows, subject, sizes):
    """A line for each operation, answer and twin."""
    for operation in TARGETS[subject]:
        for answer in ANSWERS[operation]:
            for twin in rows.twins():
                cells = [ratio(rows, subject, twin, operation, answer, items)
                         for items in sizes]
                if any(value for value, _ in cells):
                    yield ([f"{operation}, {answer}", twin]
                           + [cell(*one) for one in cells]
                           + [bound_text(subject, operation),
                              verdict([times for _, times in cells],
                                      TARGETS[subject][operation][2])])


def peer_lines(rows, name, sizes):
    for operation, answers in ANSWERS.items():
        for answer in answers:
            cells = [rows.time(name, "peer", operation, answer, items)
                     for items in sizes]
            if any(cells):
                yield [f"{name}: {operation}, {answer}"] + [
                    cell(value, None) for value in cells]


def bits_lines(rows, sizes):
    for figure in rows.find(operation="memory", items=sizes[0]):
        if figure["twin"] in (rows.fastest(figure["subject"], TWINS), "peer"):
            yield [figure["subject"]] + [
                ns(rows.median(subject=figure["subject"], operation="memory",
                               twin=figure["twin"], items=items))
                for items in sizes]


def all_rows(rows):
    sizes = sorted({f["items"] for f in rows.find(operation="has")})
    head = [power(items) for items in sizes]
    parts = [machine(rows)]
    for subject in TARGETS:
        lines = list(lines_of(rows, subject, sizes))
        if lines:
            parts.append(table([f"{subject}: ns a key (times what it is "
                                "measured by)", "twin"] + head +
                               ["at most", "met"], lines))
    peers = [line for name in rows.peers()
             for line in peer_lines(rows, name, sizes)]
    if peers:
        parts.append(table(["peers: ns a key"] + head, peers))
    bits = list(bits_lines(rows, sizes))
    if bits:
        parts.append(table(["bits a key"] + head, bits))
    return "\n".join(parts)


# ---- a line for each layout and operation ----

def column(rows, subject, operation):
    """ns at a million keys, of each answer; and how many times its measure."""
    twin = rows.fastest(subject, TWINS)
    if twin is None:
        return "", []
    found = [ratio(rows, subject, twin, operation, answer, MIDDLE)
             for answer in ANSWERS[operation]]
    values = [ns(value) for value, _ in found if value]
    times = [times for _, times in found if times]
    if not values:
        return "", []
    return (" / ".join(values) + " (" +
            " / ".join(f"{one:.2f}" for one in times) + ")", times)


def for_users(files):
    lines = []
    for subject, targets in TARGETS.items():
        for operation, (_, _, bound) in targets.items():
            cells = [column(rows, subject, operation) for rows in files]
            times = [one for _, all_times in cells for one in all_times]
            lines.append([f"{subject}: {operation}"] +
                         [text or "not measured" for text, _ in cells] +
                         [bound_text(subject, operation),
                          verdict(times, bound)])
    head = [TWINS[rows.twins()[0]] for rows in files]
    machines = [f"{name}: {' '.join(machine(rows).split())}"
                for name, rows in zip(head, files)]
    return (table(["a million keys at 1 %, ns"] + head + ["at most", "met"],
                  lines) + "\n" +
            "\n\n".join(textwrap.fill(line, 80, break_on_hyphens=False)
                        for line in machines))


# ---- pages ----

FIRST_MARK = "<!-- {}: made by bench/report/rows.py, do not edit -->"
LAST_MARK = "<!-- end of {} -->"


def put_into(path, files):
    with open(path, encoding="utf-8") as file:
        page = file.read()
    parts = {"rows": lambda: for_users(files),
             "all rows": lambda: "\n\n".join(all_rows(rows) for rows in files)}
    for name, part in parts.items():
        first, last = FIRST_MARK.format(name), LAST_MARK.format(name)
        if first in page:
            before, rest = page.split(first)
            page = f"{before}{first}\n\n{part()}\n{last}{rest.split(last)[1]}"
    with open(path, "w", encoding="utf-8") as file:
        file.write(page)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--into", metavar="PAGE", action="append", default=[])
    parser.add_argument("--fastest", action="store_true")
    parser.add_argument("files", metavar="ROWS.json", nargs="+")
    given = parser.parse_args()
    files = [Rows(path) for path in given.files]
    if given.fastest:
        print(files[0].twins()[0])
        return
    for page in given.into:
        put_into(page, files)
    if not given.into:
        print("\n\n".join(all_rows(rows) for rows in files))


if __name__ == "__main__":
    main()

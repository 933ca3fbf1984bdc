#!/usr/bin/env python3
"""Turns results.json into Markdown.

    report.py RESULTS.json               prints all tables
    report.py RESULTS.json PAGE.md...    writes into the pages, in place

A page keeps what people wrote. This program replaces what is between the marks
of a page: all tables in a page with the mark "figures", the table for users in
one with the mark "summary". The first of all tables has every target that the
project set itself: asked, measured, met or not.
"""
import sys
import textwrap

from asked import asked_lines
from figures import Figures
from summary import summary_rows

FIRST_MARK = "<!-- {}: made by bench/report/report.py, do not edit -->"
LAST_MARK = "<!-- end of {} -->"


def ns(value):
    return "" if value is None else f"{value:.1f}"


def table(head, rows):
    lines = ["| " + " | ".join(head) + " |",
             "|" + "|".join("---" if i == 0 else "--:"
                            for i in range(len(head))) + "|"]
    lines += ["| " + " | ".join(row) + " |" for row in rows]
    return "\n".join(lines) + "\n"


def machine(figures):
    r = figures.results
    line = (f"{r['processor']} (family {r['family']}, model {r['model']}), "
            f"{r['cores']} cores, {r['l3']} of L3, {r['memory']} of memory; "
            f"{r['system']} {r['kernel']}, huge pages {r['huge_pages']}; "
            f"compiler {r['compiler']}; seenset {r['seenset']}; "
            f"`{r['command']}`, {r['date']}; load before: "
            f"{r['load_at_start']}.")
    return textwrap.fill(line, 80, break_on_hyphens=False) + "\n"


def asked(figures):
    rows = [[line.asked, line.measured, line.verdict]
            for line in asked_lines(figures)]
    return table(["asked", "measured", "met"], rows)


def power(items):
    return f"1e{len(str(items)) - 1}"


DEPTHS = (0, 16, 24, 32, 48, 64, 96, 128)


def limits(figures):
    rows = []
    for operation in ("read", "read_write"):
        for items in figures.sizes():
            for keys, of in ((None, ""), ("all", ", all hashes")):
                for level in ("L1", "L2"):
                    rings = figures.find(subject="limit", operation=operation,
                                         items=items, keys=keys, answer=level)
                    cells = {ring["batch"]: ring["median"] for ring in rings}
                    if cells:
                        rows.append(
                            [f"{operation}, {power(items)}{of}, into {level}"]
                            + [ns(cells.get(depth)) for depth in DEPTHS])
    return table(["random lines, ns", "no ring"] +
                 [f"{depth} ahead" for depth in DEPTHS[1:]], rows)


def name_of(figure):
    name = f"{figure['subject']} {figure['fp_rate']:g} {figure['operation']}"
    if figure["batch"] > 1:
        name += f" x{figure['batch']}"
    return f"{name}, {figure.get('keys', '')}"


def cell(figures, figure, items, answer):
    value = figures.median(**{name: figure.get(name) for name in (
        "subject", "operation", "keys", "fp_rate", "batch")},
        items=items, answer=answer)
    if value is None:
        return ""
    kind = "read_write" if answer == "new" else "read"
    limit = figures.limit(kind, items)
    return f"{value:.1f} ({value / limit:.2f})" if limit else f"{value:.1f}"


def tables(figures, subject):
    wanted = [f for f in figures.find(subject=subject)
              if f.get("answer") in ("new", "seen", "never")]
    rows, done = [], set()
    answers = {"add": ["new"], "has": ["seen", "never"]}
    for figure in wanted:
        name = name_of(figure).replace("url55", "url").replace("url56", "url")
        kind = figure["operation"].split("_")[0]
        for answer in answers[kind]:
            row = f"{name}, {answer}"
            if row in done:
                continue
            done.add(row)
            cells = []
            for items in figures.sizes():
                at = dict(figure)
                if figure.get("keys", "").startswith("url"):
                    at["keys"] = "url55" if items <= 1000000 else "url56"
                cells.append(cell(figures, at, items, answer))
            rows.append([row] + cells)
    head = ["ns a key (times the limit)"] + [power(n)
                                             for n in figures.sizes()]
    return table(head, rows) if rows else ""


def builds(figures):
    rows = []
    for figure in figures.find(subject="blocked", answer=None):
        limit = figures.limit("read_write", figure["items"], "all")
        rows.append([f"{figure['operation']}, {figure['keys']}, "
                     f"{power(figure['items'])}",
                     str(figure["threads"] or 1), ns(figure["median"]),
                     f"{figure['median'] / limit:.2f}"])
    return table(["whole sets", "threads", "ns a key", "times the limit"],
                 rows) if rows else ""


GROWN_COLUMNS = [("add_hash_many", "new"), ("add_hash", "new"),
                 ("has_hash_many", "seen"), ("has_hash_many", "never"),
                 ("has_hash", "seen"), ("has_hash", "never")]


def grown(figures):
    """ns, and how many times those of a set made for as many keys."""
    rows = []
    for memory in figures.find(operation="memory"):
        row = [memory["subject"], f"{memory['fp_rate']:g}",
               power(memory["items"]), f"{memory['median']:.1f}"]
        for operation, answer in GROWN_COLUMNS:
            at = {"items": memory["items"], "fp_rate": memory["fp_rate"],
                  "keys": "hash", "operation": operation, "answer": answer}
            own = figures.median(subject=memory["subject"], **at)
            sized = figures.median(subject="sized right", **at)
            row.append(ns(own) if own == sized
                       else f"{ns(own)} ({own / sized:.1f})")
        rows.append(row)
    return table(["the set was (ns a key, times sized right)", "rate", "keys",
                  "bits a key", "batch, new", "single, new", "batch, seen",
                  "batch, never", "single, seen", "single, never"],
                 rows) if rows else ""


def without_a_call(figures, operation, keys, answer, items):
    """ns of the call; and the parts of it that inline.h takes, compiled as the
    library is and with -march=native."""
    ours = [figures.median(subject=subject, operation=operation, keys=keys,
                           answer=answer, items=items)
            for subject in ("inline.h", "inline.h, -march=native")]
    call = figures.median(subject="call", keys=keys, answer=answer,
                          items=items,
                          operation=operation.replace(", in a run", ""))
    if not call or not all(ours):
        return ""
    return f"{call:.1f} ({ours[0] / call:.2f}, {ours[1] / call:.2f})"


def inlined(figures):
    found = figures.find(subject="inline.h")
    sizes = sorted({figure["items"] for figure in found})
    rows = []
    for figure in found:
        labels = [figure["operation"], figure["keys"], figure["answer"]]
        if figure["items"] == sizes[0]:
            rows.append([", ".join(labels)] +
                        [without_a_call(figures, *labels, items)
                         for items in sizes])
    return table(["call, ns (inline.h, -march=native: times that)"] +
                 [power(items) for items in sizes], rows) if rows else ""


def small(figures):
    rows = [[f["operation"], f["unit"], ns(f["median"])]
            for f in figures.find(subject="small sets")]
    return table(["a set of 1,000 keys among ten thousand", "unit", "each"],
                 rows) if rows else ""


def peers(figures):
    rows = []
    ours = {answer: figures.median(subject="blocked", operation=operation,
                                   keys="url55", answer=answer, batch=1,
                                   fp_rate=0.01, items=1000000)
            for operation, answer in (("add", "new"), ("has", "seen"),
                                      ("has", "never"))}
    for subject in ("libbloom", "khash", "GLib GHashTable", "Python set",
                    "Redis"):
        for keys in ("number", "url55"):
            cells = []
            for answer in ("new", "seen", "never"):
                value = figures.median(subject=subject, keys=keys,
                                       answer=answer, items=1000000)
                mine = ours[answer] if keys == "url55" else figures.median(
                    subject="blocked", keys="number", answer=answer, batch=1,
                    fp_rate=0.01, items=1000000)
                cells.append("" if value is None else
                             f"{value:.0f} ({value / mine:.1f})" if mine
                             else f"{value:.0f}")
            if any(cells):
                rows.append([f"{subject}, {keys}"] + cells)
    return table(["1e6 keys, ns (times ours, one key a call)", "new", "seen",
                  "never"], rows) if rows else ""


def pages(figures):
    rows = []
    for figure in figures.find(subject="huge pages", operation="read"):
        size = figure["items"]
        for kind in ("huge pages", "4 KiB pages"):
            cells = [ns(figures.median(subject=kind, operation=operation,
                                       items=size))
                     for operation in ("read", "chase", "touch", "packed",
                                       "spread")]
            kib = figures.find(subject=kind, operation="read",
                               items=size)[0]["peak_kib"]
            rows.append([f"{size >> 20} MiB, {kind}", f"{kib // 1024}"] +
                        cells)
    return table(["ns", "MiB on huge pages", "read ahead", "chase",
                  "first touch of a page", "packed in L2", "spread in L2"],
                 rows) if rows else ""


def streams(figures):
    rows = [[f["operation"], f"{f['median']:.1f}"]
            for f in figures.find(unit="GB/s")]
    rows += [[f"hash of a {f['keys']} ({power(f['items'])} keys), ns",
              ns(f["median"])]
             for f in figures.find(subject="limit", operation="hash")]
    return table(["other limits", "GB/s, ns"], rows) if rows else ""


def dedup(figures):
    found = figures.find(unit="s")
    if not found:
        return ""
    base = figures.median(operation="read + split by masks + hash")
    rows = []
    for f in found:
        name = f["operation"] if f["subject"] == "limit" else f["subject"]
        rows.append([f"`{name}`" if f["subject"] != "limit" else name,
                     f"{f['median']:.2f}", f"{f['min']:.2f}",
                     f"{f['max']:.2f}",
                     f"{f['median'] / base:.1f}" if base else "",
                     f"{f['peak_kib'] / 1024:.1f}" if f["peak_kib"] else ""])
    lines = found[0]["items"]
    return table([f"{lines / 1e6:.0f} million lines", "s", "least", "most",
                  "times split + hash", "MiB"], rows)


def report(figures):
    parts = [machine(figures), "### Asked and measured\n", asked(figures),
             "### Limits\n", limits(figures), streams(figures),
             "### Tables\n"]
    parts += [tables(figures, subject)
              for subject in ("blocked", "bloom", "libbloom")]
    parts += ["### Whole sets\n", builds(figures), grown(figures),
              inlined(figures), small(figures), "### Peers\n",
              peers(figures), "### Lines\n", dedup(figures),
              "### Pages\n", pages(figures)]
    return "\n".join(part for part in parts if part)


def summary(figures):
    rows = summary_rows(figures)
    head = ["what", "seenset", "peers", "times as long"]
    return table(head, rows) + "\n" + machine(figures).rstrip()


PARTS = {"figures": report, "summary": summary}


def put_into(path, figures):
    with open(path, encoding="utf-8") as file:
        page = file.read()
    for name, part in PARTS.items():
        first, last = FIRST_MARK.format(name), LAST_MARK.format(name)
        if first in page:
            before, rest = page.split(first)
            after = rest.split(last)[1]
            page = f"{before}{first}\n\n{part(figures)}\n{last}{after}"
    with open(path, "w", encoding="utf-8") as file:
        file.write(page)


def main():
    figures = Figures(sys.argv[1])
    if len(sys.argv) == 2:
        print(report(figures))
    for path in sys.argv[2:]:
        put_into(path, figures)


if __name__ == "__main__":
    main()

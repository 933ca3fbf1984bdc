#!/usr/bin/env python3
"""Draws what growth costs: growth_plot.py RESULTS.tsv growth.svg

RESULTS.tsv is the output of bench_growth (bench/ab/growth.c). Two panels: bits a
key, and nanoseconds of a lookup of a new key, by the number of keys.
"""
import math
import sys

from plot import INK, Picture, nice, spread_labels

KINDS = [("chain", "a list of tables", "#D55E00"),
         ("grown", "grown in place", "#0072B2"),
         ("sized", "sized right", "#009E73")]
COLUMNS = ["items", "kind", "tables", "bits", "add", "seen", "new",
           "seen_many", "new_many"]


def read(path):
    rows = []
    with open(path, encoding="utf-8") as file:
        for line in file:
            if line.startswith("#"):
                continue
            rows.append(dict(zip(COLUMNS, line.rstrip("\n").split("\t"))))
    return rows


def curve(rows, kind, column):
    return [(int(row["items"]), float(row[column])) for row in rows
            if row["kind"] == kind and row[column] != "-"]


def draw_panel(picture, left, title, curves, values, is_log):
    top, bottom, width = 80, 400, 330
    sizes = [items for _, _, _, points in curves for items, _ in points]
    first, last = math.log10(min(sizes)), math.log10(max(sizes))
    scale = math.log10 if is_log else float
    low, high = scale(values[0]), scale(values[-1])

    def x_of(items):
        return left + (math.log10(items) - first) / (last - first) * width

    def y_of(value):
        value = min(max(scale(value), low), high)
        return bottom - (value - low) / (high - low) * (bottom - top)
    picture.text(left, 62, title, size=14, weight="bold")
    for value in values:
        picture.line(left, y_of(value), left + width, y_of(value))
        picture.text(left - 8, y_of(value) + 4, str(value), anchor="end")
    for power in range(math.ceil(first), math.floor(last) + 1):
        picture.line(x_of(10**power), top, x_of(10**power), bottom)
        picture.text(x_of(10**power), bottom + 20, f"1e{power}",
                     anchor="middle")
    picture.text(left + width / 2, bottom + 38, "keys", anchor="middle")
    labels = []
    for name, colour, dash, points in curves:
        places = [(x_of(items), y_of(value)) for items, value in points]
        picture.path(places, colour, dash=dash)
        labels.append([places[-1][1] + 4, name, colour, points[-1][1]])
    spread_labels(labels)
    for y, name, colour, value in labels:
        picture.text(left + width + 8, y, f"{name}, {nice(value)}",
                     colour=colour)


def main():
    rows = read(sys.argv[1])
    picture = Picture(1200, 460, "What it costs not to know the number of "
                      "keys (1 %, planned for 1,000)")
    bits = [(name, colour, "", curve(rows, kind, "bits"))
            for kind, name, colour in KINDS]
    draw_panel(picture, 60, "bits a key, all memory", bits,
               [0, 10, 20, 30, 40, 50, 60], False)
    times = []
    for kind, name, colour in KINDS:
        times.append((name, colour, "", curve(rows, kind, "new")))
        times.append((f"{name}, batches", colour, "5 4",
                      curve(rows, kind, "new_many")))
    draw_panel(picture, 640, "lookup of a new key, ns", times,
               [1, 2, 5, 10, 20, 50, 100, 200, 400], True)
    picture.text(640, 445, "whole lines: one key a call; dashes: batches of "
                 "1,024", size=11, colour=INK)
    picture.save(sys.argv[2])


if __name__ == "__main__":
    main()

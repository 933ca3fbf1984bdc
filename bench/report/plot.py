#!/usr/bin/env python3
"""Draws results.json: plot.py RESULTS.json FOLDER

    speed.svg   size of the table against time a key; the limit is a line
    dedup.svg   the command beside its peers, time on a logarithmic scale

SVG is written by hand: a picture here is a few lines and words, and needs no
plotting program. Colours are safe for the colour-blind (Okabe and Ito); the
text has a background of its own, so it reads on dark pages too.
"""
import math
import os
import sys

from figures import Figures

INK, FAINT, PAPER = "#222222", "#dddddd", "#ffffff"
FONT = "font-family=\"DejaVu Sans, Helvetica, Arial, sans-serif\""


class Picture:
    def __init__(self, width, height, title):
        self.width, self.height = width, height
        self.parts = []
        self.text(20, 30, title, size=17, weight="bold")

    def text(self, x, y, words, size=12, colour=INK, anchor="start",
             weight="normal"):
        words = words.replace("&", "&amp;").replace("<", "&lt;")
        self.parts.append(
            f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" fill="{colour}"'
            f' text-anchor="{anchor}" font-weight="{weight}">{words}</text>')

    def line(self, x1, y1, x2, y2, colour=FAINT, width=1.0, dash=""):
        dashes = f' stroke-dasharray="{dash}"' if dash else ""
        self.parts.append(
            f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"'
            f' stroke="{colour}" stroke-width="{width}"{dashes}/>')

    def path(self, points, colour, width=2.5, dash=""):
        dashes = f' stroke-dasharray="{dash}"' if dash else ""
        where = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        self.parts.append(
            f'<polyline points="{where}" fill="none" stroke="{colour}"'
            f' stroke-width="{width}" stroke-linejoin="round"{dashes}/>')

    def dot(self, x, y, colour):
        self.parts.append(
            f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4" fill="{colour}"/>')

    def bar(self, x, y, width, height, colour):
        self.parts.append(
            f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" '
            f'height="{height:.1f}" rx="2" fill="{colour}"/>')

    def save(self, path):
        with open(path, "w", encoding="utf-8") as file:
            file.write(
                f'<svg xmlns="http://www.w3.org/2000/svg" '
                f'viewBox="0 0 {self.width} {self.height}" '
                f'width="{self.width}" height="{self.height}" {FONT}>\n'
                f'<rect width="100%" height="100%" fill="{PAPER}"/>\n')
            file.write("\n".join(self.parts) + "\n</svg>\n")


def nice(value):
    if value >= 100:
        return f"{value:.0f}"
    return f"{value:.1f}" if value >= 1 else f"{value:.2g}"


def series(figures, is_add):
    """Name, colour, dashes and the points (keys, ns) of each curve."""
    kind = "read_write" if is_add else "read"
    operation, answer = ("add", "new") if is_add else ("has", "seen")

    def curve(**labels):
        points = []
        for items in figures.sizes():
            value = figures.median(items=items, answer=answer, **labels)
            if value is not None:
                points.append((items, value))
        return points
    limit = [(items, figures.limit(kind, items)) for items in figures.sizes()]
    limit = [(items, value) for items, value in limit if value]
    one = {"keys": "number", "batch": 1, "operation": operation,
           "fp_rate": 0.01}
    return [
        ("libbloom", "#D55E00", "", curve(subject="libbloom", **one)),
        ("seenset classic", "#CC79A7", "", curve(subject="bloom", **one)),
        ("seenset, one key a call", "#0072B2", "",
         curve(subject="blocked", **one)),
        ("batches of ready hashes", "#009E73", "",
         curve(subject="blocked", keys="hash", batch=4096, fp_rate=0.01,
               operation=f"{operation}_hash_many")),
        ("limit: random lines", INK, "6 4", limit)]


def spread_labels(labels, gap=15):
    """Moves labels apart, so that none covers another."""
    labels.sort()
    for i in range(1, len(labels)):
        if labels[i][0] < labels[i - 1][0] + gap:
            labels[i][0] = labels[i - 1][0] + gap


def draw_panel(picture, left, curves, title, sizes):
    top, bottom, width = 80, 400, 300
    low, high = math.log10(1), math.log10(400)

    def x_of(items):
        first, last = math.log10(sizes[0]), math.log10(sizes[-1])
        return left + (math.log10(items) - first) / (last - first) * width

    def y_of(value):
        return bottom - (math.log10(value) - low) / (high - low) * (bottom -
                                                                    top)
    picture.text(left, 62, title, size=14, weight="bold")
    for value in (1, 2, 5, 10, 20, 50, 100, 200):
        picture.line(left, y_of(value), left + width, y_of(value))
        picture.text(left - 8, y_of(value) + 4, str(value), anchor="end")
    for items in sizes:
        picture.line(x_of(items), top, x_of(items), bottom)
        power = len(str(items)) - 1
        mib = items * 10.1 / 8 / 2**20
        picture.text(x_of(items), bottom + 20, f"1e{power} keys",
                     anchor="middle")
        picture.text(x_of(items), bottom + 36, f"{mib:.1f} MiB"
                     if mib < 10 else f"{mib:.0f} MiB", anchor="middle",
                     colour="#666666")
    labels = []
    for name, colour, dash, points in curves:
        if not points:
            continue
        places = [(x_of(items), y_of(value)) for items, value in points]
        picture.path(places, colour, dash=dash)
        for x, y in places if not dash else []:
            picture.dot(x, y, colour)
        labels.append([places[-1][1] + 4, name, colour, points[-1][1]])
    spread_labels(labels)
    for y, name, colour, value in labels:
        picture.text(left + width + 10, y, f"{name}, {nice(value)}",
                     colour=colour)


def draw_speed(figures, path):
    sizes = figures.sizes()
    if len(sizes) < 2:
        return
    picture = Picture(1130, 460, "One key, nanoseconds, by size of the table "
                      "(1 % false positives, 64-bit keys, one thread)")
    draw_panel(picture, 60, series(figures, True), "adding new keys", sizes)
    draw_panel(picture, 610, series(figures, False), "finding keys", sizes)
    picture.save(path)


def draw_dedup(figures, path):
    rows = [(f["operation"] if f["subject"] == "limit" else f["subject"],
             f["median"], f["peak_kib"] / 1024, f["subject"])
            for f in figures.find(unit="s")]
    if not rows:
        return
    lines = figures.find(unit="s")[0]["items"]
    rows.sort(key=lambda row: row[1])
    picture = Picture(940, 90 + 30 * len(rows),
                      f"{lines // 1000000} million URL lines, half of them "
                      "repeats: seconds")
    picture.text(20, 52, "wall clock, logarithmic scale; the most memory that "
                 "was resident", colour="#666666")
    left, width = 240, 480
    low = math.log10(rows[0][1] / 2)
    high = math.log10(rows[-1][1])
    for i, (name, seconds, mib, subject) in enumerate(rows):
        y = 75 + 30 * i
        colour = ("#009E73" if subject.startswith("dedup") else
                  "#999999" if subject in ("limit", "wc -l") else "#D55E00")
        length = (math.log10(seconds) - low) / (high - low) * width
        picture.text(left - 10, y + 14, name, anchor="end")
        picture.bar(left, y, length, 20, colour)
        words = f"{nice(seconds)} s" + (f", {mib:.0f} MiB" if mib else "")
        picture.text(left + length + 8, y + 14, words)
    picture.save(path)


def main():
    figures = Figures(sys.argv[1])
    draw_speed(figures, os.path.join(sys.argv[2], "speed.svg"))
    draw_dedup(figures, os.path.join(sys.argv[2], "dedup.svg"))


if __name__ == "__main__":
    main()

"""Reads Prometheus' text format, strictly, and holds it against JSON.

    prometheus_parser.py GAUGES OBJECTS

GAUGES is text format 0.0.4, as its specification has it: HELP and TYPE before
the samples of a metric, all samples of one together, none twice. OBJECTS has
an object on each line, as `info --json` prints several files. Prints what was
read; ends with an AssertionError or a ValueError where it is not right.
"""
import json
import re
import sys

NAME = re.compile(r"[a-zA-Z_:][a-zA-Z0-9_:]*")
LABEL = re.compile(r'([a-zA-Z_][a-zA-Z0-9_]*)="')
ESCAPES = {"\\": "\\", '"': '"', "n": "\n"}


def read_value(text, at):
    """The text of a label from `at`, and where its closing quote is."""
    value = ""
    while text[at] != '"':
        if text[at] == "\\":
            value += ESCAPES[text[at + 1]]
            at += 2
        else:
            value += text[at]
            at += 1
    return value, at


def read_labels(text, at):
    labels = {}
    while text[at] != "}":
        found = LABEL.match(text, at)
        assert found, "a label: " + text[at:]
        labels[found[1]], at = read_value(text, found.end())
        at += 1
        if text[at] == ",":
            at += 1
    return labels, at + 1


def read_samples(lines):
    types, samples, done, current = {}, {}, set(), None
    for line in lines:
        if line.startswith("# "):
            kind, name, rest = line[2:].split(" ", 2)
            if kind == "TYPE":
                assert rest == "gauge" and name not in types, line
                types[name] = rest
            else:
                assert kind == "HELP" and rest, line
            continue
        name = NAME.match(line)[0]
        assert types.get(name), "no TYPE before: " + line
        if name != current:
            assert name not in done, name + " is not together"
            done.add(name)
            current = name
        labels, at = read_labels(line, len(name) + 1)
        value = re.fullmatch(r" (NaN|[+-]Inf|[0-9.eE+-]+)", line[at:])
        assert line[len(name)] == "{" and value, line
        key = (name, labels["file"])
        assert key not in samples, line + ": twice"
        samples[key] = float(value[1])
    assert set(types) == done, "a TYPE without samples"
    return samples


def main():
    with open(sys.argv[1], encoding="utf-8", newline="") as file:
        text = file.read()
    assert text.endswith("\n")
    samples = read_samples(text[:-1].split("\n"))
    with open(sys.argv[2], encoding="utf-8") as file:
        objects = [json.loads(line) for line in file]
    compared = 0
    for found in objects:
        for (name, path), value in samples.items():
            plain = name.removeprefix("seenset_").removeprefix("queue_")
            figure = found.get(plain)
            if path != found["path"] or plain in (
                    "info", "is_sound", "is_readable", "oldest_key_seconds",
                    "seconds_to_due",
                    "seconds_to_next"):  # these go by the clock
                continue
            expected = float("inf") if figure is None else float(figure)
            assert value == expected, (name, path, value, figure)
            compared += 1
    sound = {path: int(value) for (name, path), value in samples.items()
             if name == "seenset_is_sound"}
    print(ascii(sound))
    readable = {path: int(value) for (name, path), value in samples.items()
                if name == "seenset_queue_is_readable"}
    if readable:
        print("queues:", ascii(readable))
    print(compared, "figures are those of JSON")


main()

"""Exact readers to hold `dedup -f` against: Python's csv and json.

    exact.py make FORMAT N    prints N records of csv or json, the same each time
    exact.py dedup FORMAT     reads such records, and prints what a dedup with an
                              exact set prints: by the field url of CSV, or the
                              value at .user.id of JSON. Records without it pass.
    exact.py planted FORMAT   the same with a fault: values are cut to 3 bytes

The records have quotes, doubled quotes, separators and newlines in fields, CRLF,
missing and empty fields, escapes, invalid UTF-8 and lines that are not JSON.
"""

import csv
import json
import random
import sys

ODD = [b'a""b', b"x,y", b"l1\nl2", b"cr\r\nlf", b'""', b"\xff\xfe", b"\xc3\xa9",
       b" lead", b"tab\there", b"", b'""""', b"\n\n", b",,,", b"\xe2\x82"]
PLAIN = [b'12" pipe', b'a"b"c', b"\xff\xfe", b"", b"\xc3\xa9", b" x ", b'z"']


def csv_url(pick, distinct):
    """The field that is the key, as it is written."""
    kind = pick.getrandbits(4)
    number = b"http://host/%d" % pick.randrange(distinct)
    if kind < 9:
        return number
    if kind < 12:
        return b'"' + number + b'"'
    if kind < 15:
        return b'"' + number + pick.choice(ODD) + b'"'
    return pick.choice(PLAIN) + number


def csv_record(pick, distinct):
    kind = pick.getrandbits(6)
    end = b"\r\n" if kind & 1 else b"\n"
    if kind == 2:
        return end
    if kind == 4:
        return b"only" + end
    first = b'"' + pick.choice(ODD) + b'"' if kind < 20 else b"%d" % kind
    url = csv_url(pick, distinct)
    if kind < 40:
        return first + b"," + url + end
    last = b'"' + pick.choice(ODD) + b'"' if kind < 50 else pick.choice(PLAIN)
    return first + b"," + url + b"," + last + end


def json_id(pick, distinct):
    kind = pick.getrandbits(4)
    number = b"%d" % pick.randrange(distinct)
    if kind < 6:
        return number
    if kind < 10:
        return b'"' + number + b'"'
    return b'"' + number + pick.choice(
        [b"\\u00e9", b"\xc3\xa9", b"\\n", b'\\"', b"\\ud83d\\ude00", b"\xff",
         b"\\/", b"\\\\", b"\\u0041", b"A", b"\\t"]) + b'"'


def json_record(pick, distinct):
    kind = pick.getrandbits(6)
    value = json_id(pick, distinct)
    if kind < 5:
        return [b"", b"{", b'{"user":3}', b'{"user":{"id":[1]}}', b'{} "x'][kind] \
            + b"\n"
    if kind < 10:
        value = [b"true", b"false", b"null", b"1e3", b"-0.50"][kind - 5]
    if kind < 20:
        return b'{"user":{"id":0,"x":[{"id":7}],"id":' + value + b"}}\n"
    if kind < 40:
        return b'{"id":1,"a":[1,{"user":2}],"user": { "id" : ' + value + b' } }\n'
    return b'{"user":{"id":' + value + b',"n":"x\\"y"},"z":%d}\n' % kind


def make(form, count, out):
    pick = random.Random(7)
    record = csv_record if form == "csv" else json_record
    if form == "csv":
        out.write(b"id,url,rest\r\n")
    for _ in range(count):
        out.write(record(pick, 1 + count // 3))


class Lines:
    """The lines of a file, which remembers those that were taken."""

    def __init__(self, file):
        self.file = file
        self.taken = []

    def __iter__(self):
        return self

    def __next__(self):
        line = self.file.readline()
        if not line:
            raise StopIteration
        self.taken.append(line)
        return line.decode("latin-1")

    def take(self):
        record = b"".join(self.taken)
        self.taken = []
        return record


def csv_records(file):
    """Each record as it is written, and its key or None."""
    lines = Lines(file)
    reader = csv.reader(lines)
    column = next(reader).index("url")
    yield lines.take(), None
    for row in reader:
        key = row[column] if column < len(row) else None
        yield lines.take(), key


def json_key(line):
    text = line.decode("utf-8", "surrogateescape")
    try:
        value = json.loads(text, parse_int=str, parse_float=str)["user"]["id"]
    except (ValueError, KeyError, TypeError):
        return None
    if isinstance(value, (dict, list)):
        return None
    names = {True: "true", False: "false", None: "null"}
    return value if isinstance(value, str) else names[value]


def json_records(file):
    for line in file:
        yield line, json_key(line)


def dedup(form, file, out, most):
    seen = set()
    records = csv_records if form == "csv" else json_records
    for record, key in records(file):
        if key is not None:
            key = key[:most]
        if key is None or key not in seen:
            out.write(record)
        if key is not None:
            seen.add(key)


def main():
    what, form = sys.argv[1:3]
    if what == "make":
        make(form, int(sys.argv[3]), sys.stdout.buffer)
    else:
        dedup(form, sys.stdin.buffer, sys.stdout.buffer,
              3 if what == "planted" else None)


main()

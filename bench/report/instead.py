#!/usr/bin/python3
"""The same job by seenset and by what people type today, side by side.

    instead.py BUILD [--lines N] [--rounds N] [PAGE.md]

BUILD is the folder with the built command and bench/urls. Every job is done by
each of its commands in turn, round after round, on the same lines in the page
cache; a command's figures are the median of its seconds, by the wall clock,
and the most memory of any of its processes. Where commands must print the
same, that is checked, and a difference ends the run. A command whose program
is not installed is left out. With a PAGE the table in it is replaced, otherwise
it is printed.
"""
import argparse
import hashlib
import os
import platform
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time

FIRST_MARK = "<!-- instead: made by bench/report/instead.py, do not edit -->"
LAST_MARK = "<!-- end of instead -->"

# A job: its title, what is done before each command, whether all commands must
# print the same lines ("same"), the same in any order ("sorted") or may differ
# (None), and the commands: a name, the program it needs, the shell line. Those
# of seenset come first. N, SOME and FEW are numbers of lines.
JOBS = [
    ("Each line once, in the order of the input", "", "same", [
        ("seenset", "seenset", "seenset dedup -p 1e-9 -n N < urls"),
        ("mawk", "mawk", "mawk '!seen[$0]++' < urls"),
        ("Python", "python3", "python3 -c 'import sys; "
         "sys.stdout.buffer.writelines(dict.fromkeys(sys.stdin.buffer))' "
         "< urls"),
    ]),
    ("Each line once, in any order", "", "sorted", [
        ("seenset", "seenset", "seenset dedup -p 1e-9 -n N < urls"),
        ("sort", "sort", "sort -u urls"),
    ]),
    ("Each value of the third field once", "", "same", [
        ("seenset", "seenset", "seenset dedup -p 1e-9 -n N -f 3 < fields"),
        ("mawk", "mawk", "mawk -F '\\t' '!seen[$3]++' < fields"),
    ]),
    ("Today's lines that were never there before", "cp base.set old.set; "
     "cp base old", "same", [
         ("seenset", "seenset", "seenset dedup --set old.set < today"),
         ("awk and a file", "mawk",
          "mawk 'NR == FNR { seen[$0]; next } !($0 in seen) && !again[$0]++ "
          "{ print; print >>\"old.new\" }' old today; cat old.new >> old; "
          "rm -f old.new"),
     ]),
    ("Which of these are on the list?", "", "same", [
        ("seenset", "seenset", "seenset has base.set < today"),
        ("grep", "grep", "grep -Fxf base today"),
        ("DCSO's bloom", "bloom", "bloom check base.dcso < today"),
        ("SQLite", "sqlite3", "{ echo 'create temp table t(k);'; "
         "echo '.mode ascii'; printf '.separator \"\\001\" \"\\\\n\"\\n'; "
         "echo '.import today t'; "
         "echo 'select k from t where k in (select k from seen);'; } | "
         "sqlite3 base.db"),
        ("Redis", "redis-cli", "python3 redis_lines.py SISMEMBER < today"),
    ]),
    ("Make the list", "rm -f new.set new.dcso new.db; redis-cli -s redis "
     "flushall >redis.out 2>&1", None, [
         ("seenset", "seenset", "seenset new -p 1e-9 -n N new.set && "
          "seenset add new.set < base"),
         ("DCSO's bloom", "bloom", "bloom create -p 1e-9 -n N new.dcso && "
          "bloom insert new.dcso < base"),
         ("SQLite", "sqlite3", "{ echo 'create table seen(k primary key) "
          "without rowid;'; "
          "echo '.mode ascii'; printf '.separator \"\\001\" \"\\\\n\"\\n'; "
          "echo '.import base seen'; } | sqlite3 new.db 2>new.err"),
         ("Redis", "redis-cli", "python3 redis_lines.py SADD < base"),
     ]),
    ("A crawl's queue: push, then pop and ack 100 at a time",
     "rm -rf crawl crawl.db", "sorted", [
         ("seenset", "seenset", "seenset queue push -n SOME crawl < some && "
          "while seenset queue pop -n 100 crawl > batch; do cut -f 2 batch; "
          "seenset queue ack crawl < batch; done"),
         ("SQLite", "sqlite3", "sh sqlite_queue.sh"),
     ]),
]

# SADD or SISMEMBER of each line, a thousand in flight. Prints the members.
REDIS_LINES = r'''
import itertools, socket, sys
name = sys.argv[1].encode()
with socket.socket(socket.AF_UNIX) as server:
    server.connect("redis")
    answers = server.makefile("rb")
    lines = iter(sys.stdin.buffer)
    while batch := list(itertools.islice(lines, 1000)):
        keys = [line.rstrip(b"\n") for line in batch]
        server.sendall(b"".join(
            b"*3\r\n$%d\r\n%s\r\n$1\r\ns\r\n$%d\r\n%s\r\n"
            % (len(name), name, len(key), key) for key in keys))
        for line in batch:
            if answers.readline() == b":1\r\n" and name == b"SISMEMBER":
                sys.stdout.buffer.write(line)
'''

# A table with a UNIQUE column, as one keeps a crawl in without a queue.
SQLITE_QUEUE = r'''
q() { sqlite3 -cmd '.timeout 60000' crawl.db "$@"; }
q 'pragma journal_mode = wal; create table queue(id integer primary key,
   url text unique on conflict ignore, state default 0);
   create index waiting on queue(id) where state = 0;' >crawl.out
{ echo 'create temp table t(url);'; echo '.mode ascii'
  printf '.separator "\001" "\\n"\n'; echo '.import some t'
  echo 'insert into queue(url) select url from t;'; } | q
while q -separator '	' 'update queue set state = 1 where id in (select id
    from queue where state = 0 order by id limit 100)
    returning id, url' >batch && [ -s batch ]; do
    cut -f 2 batch
    q "update queue set state = 2 where id in ($(cut -f 1 batch | paste -sd ,))"
done
'''


class Place:
    """A folder with the lines, the sets of the peers, and a Redis server."""

    def __init__(self, build, lines):
        self.folder = tempfile.mkdtemp(prefix="seenset-instead-")
        self.counts = {"SOME": lines // 50, "FEW": lines // 10, "N": lines}
        self.environment = dict(os.environ, LC_ALL="C", PATH=(
            f"{os.path.abspath(build)}:{os.environ['PATH']}"))
        self.server = None
        urls = os.path.abspath(f"{build}/bench/urls")
        self.run(f"{urls} {lines} > urls; {urls} {self.counts['FEW']} 7 > new")
        self.run("mawk '!seen[$0]++' urls > base; "
                 "head -n FEW base | cat - new | sort -R --random-source=urls "
                 "> today; head -n SOME base > some")
        self.run("mawk -F / -v OFS='\\t' '{ print NR, $3, $0, length($0), $4 }'"
                 " urls > fields")
        self.run("seenset new -p 1e-9 -n N base.set; "
                 "seenset add base.set < base")
        self.write("redis_lines.py", REDIS_LINES)
        self.write("sqlite_queue.sh", SQLITE_QUEUE)
        self.make_peers()

    def write(self, name, text):
        with open(os.path.join(self.folder, name), "w") as file:
            file.write(text)

    def spell(self, line):
        for name, count in self.counts.items():
            line = line.replace(f"-n {name}", f"-n {count}")
        return line

    def run(self, line):
        subprocess.run(["sh", "-ec", self.spell(line)], cwd=self.folder,
                       env=self.environment, check=True)

    def make_peers(self):
        for _, _, _, commands in JOBS:
            for name, program, line in commands:
                if name in ("DCSO's bloom", "SQLite") and "new." in line and \
                        shutil.which(program):
                    self.run(line.replace("new.", "base."))
        if shutil.which("redis-server"):
            self.server = subprocess.Popen(
                ["redis-server", "--port", "0", "--unixsocket", "redis",
                 "--save", "", "--appendonly", "no", "--daemonize", "no"],
                cwd=self.folder, stdout=subprocess.DEVNULL)
            self.wait_for_server()
            self.run("python3 redis_lines.py SADD < base")

    def wait_for_server(self):
        for _ in range(300):
            if os.path.exists(os.path.join(self.folder, "redis")):
                return
            time.sleep(0.01)
        sys.exit("instead: redis-server does not start")

    def server_mebibytes(self):
        with open(f"/proc/{self.server.pid}/status") as file:
            for line in file:
                if line.startswith("VmRSS"):
                    return int(line.split()[1]) / 1024
        return 0.0

    def close(self):
        if self.server is not None:
            self.server.send_signal(signal.SIGTERM)
            self.server.wait()
        shutil.rmtree(self.folder)


class Result:
    def __init__(self):
        self.seconds = []
        self.mebibytes = 0.0
        self.output = None


def digest(file, is_sorted):
    """Of the output's lines: in their order, or as a sum over all of them."""
    if not is_sorted:
        return hashlib.file_digest(file, "sha256").hexdigest()
    total = 0
    for line in file:
        total += int.from_bytes(hashlib.blake2b(line, digest_size=8).digest())
    return total


def children_of(pid):
    try:
        with open(f"/proc/{pid}/task/{pid}/children") as file:
            return [int(word) for word in file.read().split()]
    except OSError:
        return []


def resident(pid):
    try:
        with open(f"/proc/{pid}/status") as file:
            for line in file:
                if line.startswith("VmHWM"):
                    return int(line.split()[1]) / 1024
    except OSError:
        pass
    return 0.0


def watch(pid, ended, result):
    """Keeps the most memory of the process and of those that it started."""
    while not ended.wait(0.005):
        pids = [pid]
        for each in pids:
            pids += children_of(each)
            result.mebibytes = max(result.mebibytes, resident(each))


def run_once(place, line, output, result):
    start = time.monotonic()
    child = subprocess.Popen(["sh", "-c", place.spell(line)],
                             cwd=place.folder, env=place.environment,
                             stdout=output)
    ended = threading.Event()
    watcher = threading.Thread(target=watch, args=(child.pid, ended, result))
    watcher.start()
    status = child.wait()
    result.seconds.append(time.monotonic() - start)
    ended.set()
    watcher.join()
    if status not in (0, 1):
        sys.exit(f"instead: {line}: status {status}")


def run_command(place, job, command, result):
    title, before, sameness, _ = job
    name, _, line = command
    if before:
        subprocess.run(["sh", "-c", before], cwd=place.folder,
                       env=place.environment, check=False)
    with tempfile.TemporaryFile(dir=place.folder) as output:
        run_once(place, line, output, result)
        if name == "Redis":
            result.mebibytes = max(result.mebibytes, place.server_mebibytes())
        if sameness is not None and result.output is None:
            output.seek(0)
            result.output = digest(output, sameness == "sorted")


def measure(place, job, rounds):
    title, _, sameness, commands = job
    there = [c for c in commands if shutil.which(
        c[1], path=place.environment["PATH"])]
    results = {command[0]: Result() for command in there}
    for _ in range(rounds):
        for command in there:
            run_command(place, job, command, results[command[0]])
    outputs = {result.output for result in results.values()}
    if sameness is not None and len(outputs) != 1:
        sys.exit(f"instead: {title}: the commands print different lines")
    return [(command, results[command[0]]) for command in there]


def rows_of(title, measured):
    ours = statistics.median(measured[0][1].seconds)
    for i, (command, result) in enumerate(measured):
        seconds = statistics.median(result.seconds)
        yield (title if i == 0 else "", command[0], f"{seconds:.2f}",
               f"{result.mebibytes:,.0f}", f"{seconds / ours:.1f}")


def table(rows):
    lines = ["| job | with | s | MiB | times as long |",
             "|---|---|--:|--:|--:|"]
    return "\n".join(lines + ["| " + " | ".join(row) + " |"
                              for row in rows]) + "\n"


def processor():
    with open("/proc/cpuinfo") as file:
        for line in file:
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    return platform.machine()


def replace(page, text):
    with open(page) as file:
        old = file.read()
    first, last = old.index(FIRST_MARK), old.index(LAST_MARK)
    with open(page, "w") as file:
        file.write(f"{old[:first]}{FIRST_MARK}\n\n{text}\n{old[last:]}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build")
    parser.add_argument("page", nargs="?")
    parser.add_argument("--lines", type=int, default=5000000)
    parser.add_argument("--rounds", type=int, default=3)
    asked = parser.parse_args()
    place = Place(asked.build, asked.lines)
    rows = []
    try:
        for job in JOBS:
            rows += rows_of(job[0], measure(place, job, asked.rounds))
            print(f"instead: {job[0]}", file=sys.stderr)
    finally:
        place.close()
    text = table(rows) + (
        f"\n{asked.lines:,} lines, half of them repeats; medians of "
        f"{asked.rounds} runs;\n{processor()}, {os.cpu_count()} cores;\n"
        f"{time.strftime('%Y-%m-%d')}.\n")
    if asked.page:
        replace(asked.page, text)
    else:
        print(text)


if __name__ == "__main__":
    main()

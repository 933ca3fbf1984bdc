#!/usr/bin/env python3
"""Has the compiler of a build folder read each C file, and write nothing: it
warns while it reads.

    warnings.py BUILD_FOLDER

The folder is configured, not built. Fails on the first file with a warning, and
if a planted warning is not found.
"""
import concurrent.futures
import json
import os
import shlex
import subprocess
import sys
import tempfile


def read_by(command, file):
    """The words of the command, as ones that read the file and write none."""
    words = shlex.split(command)
    kept = [word for at, word in enumerate(words)
            if word not in ("-c", "-o") and words[at - 1] not in ("-c", "-o")]
    return kept + ["-fsyntax-only", file]


def once(entries):
    """Of those that read the same file in the same way one each: a file of
    several programs."""
    read = {tuple(read_by(one["command"], one["file"])): one for one in entries}
    return list(read.values())


def warns(entry, file):
    """What the compiler says, or nothing."""
    done = subprocess.run(read_by(entry["command"], file), text=True,
                          cwd=entry["directory"], capture_output=True)
    return done.stderr or ("" if done.returncode == 0 else "it failed")


def plant(entry):
    with tempfile.NamedTemporaryFile("w", suffix=".c") as file:
        file.write("int planted(void);\n"
                   "int planted(void)\n{\n    int unset;\n    return unset;\n}\n")
        file.flush()
        return warns(entry, file.name)


def main():
    with open(os.path.join(sys.argv[1], "compile_commands.json")) as file:
        entries = once([one for one in json.load(file)
                        if os.path.exists(one["file"])])
    if not plant(entries[0]):
        sys.exit("warnings: a planted one was not found")
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        said = pool.map(lambda one: warns(one, one["file"]), entries)
        for entry, words in zip(entries, said):
            if words:
                sys.exit(f"{entry['file']}:\n{words}")
    print(f"{len(entries)} files, no warning")


main()

"""Every exception: its name, its number, and what brings it about.

The others are raised where they belong, in the tests of sets, files and queues.
"""

import errno
import os
import pickle
import platform
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import seenset
from seenset import SeenSet

SOURCE = Path(os.environ["SEENSET_SOURCE"])
BAD = SOURCE / "tests/vectors/golden/bad"

NAMES = {
    "InvalidError": "EINVAL", "TooBigError": "ETOOBIG", "RateError": "ERATE",
    "FullError": "EFULL", "UnsupportedError": "EUNSUPPORTED",
    "ReadOnlyError": "EREADONLY", "MismatchError": "EMISMATCH",
    "FormatError": "EFORMAT", "VersionError": "EVERSION",
    "TruncatedError": "ETRUNCATED", "DamagedError": "ECORRUPT",
    "HashError": "EHASH", "InUseError": "EINUSE",
    "PoisonedError": "EPOISONED", "LeaseError": "ELEASE", "UrlError": "EURL",
    "BudgetError": "EBUDGET",
    "SecretError": "ESECRET", "JournalError": "EJOURNAL",
}


def codes_of_the_header():
    text = (SOURCE / "include/seenset/error.h").read_text()
    return {name: int(code) for name, code in
            re.findall(r"SEENSET_(E\w+) = (-\d+)", text)}


def test_each_error_of_the_library_is_an_exception():
    codes = codes_of_the_header()
    for exception, name in NAMES.items():
        kind = getattr(seenset, exception)
        assert issubclass(kind, seenset.SeensetError)
        assert (kind.name, kind.code) == (name, codes[name])
        assert kind.file is kind.offset is kind.reason is None
        assert len(kind.__doc__) > 20 and kind.__module__ == "seenset"
    # The first two are Python's own. Python makes the room for an answer, so
    # none is too small: ESPACE. A full disk is an OSError.
    others = set(codes) - set(NAMES.values())
    assert others == {"ENOMEM", "EIO", "EDAMAGED", "ESPACE"}


def test_families():
    assert issubclass(seenset.InvalidError, ValueError)
    assert issubclass(seenset.TruncatedError, seenset.DamagedError)
    assert issubclass(seenset.DamagedError, seenset.FormatError)
    assert issubclass(seenset.VersionError, seenset.FormatError)
    error = seenset.FullError("text of a program's own")
    assert error.name == "EFULL" and str(pickle.loads(pickle.dumps(error)))


@pytest.mark.parametrize("file, exception, offset", [
    ("a-byte-more", "DamagedError", 320),
    ("cut-in-header", "TruncatedError", 100),
    ("cut-in-payload", "TruncatedError", 319),
    ("empty", "TruncatedError", 0),
    ("header-bit", "DamagedError", 120),
    ("other-hash", "HashError", 24),
    ("other-hash-check", "HashError", 32),
    ("other-magic", "FormatError", 0),
    ("reserved-in-use", "VersionError", 88),
    ("version-5", "VersionError", 40),
    ("version-8", "VersionError", 8),
    ("v3-payload-bit", "DamagedError", 256),
])
def test_bad_files(file, exception, offset):
    path = BAD / f"{file}.seenset"
    kind = getattr(seenset, exception)
    with pytest.raises(kind) as caught:
        SeenSet.open(path, copy=True)
    error = caught.value
    assert type(error) is kind and error.name == kind.name
    assert (error.file, error.offset) == (path, offset)
    assert str(error) == f"{path}: {error.reason}, at byte {offset}"
    again = pickle.loads(pickle.dumps(error))
    assert vars(again) == vars(error)
    with pytest.raises(kind) as caught:
        SeenSet.from_bytes(path.read_bytes())
    assert caught.value.file is None


def test_no_memory():
    for call in (lambda: SeenSet(size_bits=2**50, hash_count=8),
                 lambda: seenset.Queue(size_bits=2**50, hash_count=8)):
        with pytest.raises(MemoryError):
            call()


# Files may have 4096 bytes, and no more.
SMALL_FILES = """
import resource, signal, sys, seenset
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
seen = seenset.SeenSet(1_000_000)
queue = seenset.Queue(sys.argv[1] + "/queue")
queue.push("before")
limit = resource.getrlimit(resource.RLIMIT_FSIZE)[1]
resource.setrlimit(resource.RLIMIT_FSIZE, (4096, limit))
for call in (lambda: queue.push("too long", bytes(10_000)),
             lambda: queue.push_many([("too long", bytes(10_000))]),
             lambda: seen.save(sys.argv[1] + "/set")):
    try:
        call()
    except OSError as error:
        print(error.errno, error.filename)
print([item.url for item in queue])
"""


def test_files_that_cannot_grow(tmp_path):
    done = subprocess.run([sys.executable, "-c", SMALL_FILES, tmp_path],
                          capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == [
        f"{errno.EFBIG} {tmp_path}/queue", f"{errno.EFBIG} {tmp_path}/queue",
        f"{errno.EFBIG} {tmp_path}/set", "['before']"]
    assert not (tmp_path / "set").exists()


# A disk in memory of 256 kB, which the kernel unmounts with the last process
# that sees it. All but two pages of it are taken when the queue is there.
FULL_DISK = """
import os, sys, seenset
root = sys.argv[1]
queue = seenset.Queue(root + "/queue", 1000)
queue.push("before")
seen = seenset.SeenSet(1_000_000)
small = seenset.SeenSet(1000)
small.add("a")
small.save(root + "/set")
free = os.statvfs(root)
with open(root + "/ballast", "wb") as ballast:
    ballast.write(bytes((free.f_bavail - 2) * free.f_frsize))
for call in (lambda: queue.push("too long", bytes(50_000)),
             lambda: queue.push_many([("too long", bytes(50_000))]),
             lambda: seen.save(root + "/new"),
             lambda: seen.save(root + "/set")):
    try:
        print("done:", call())
    except OSError as error:
        print(error.errno, error.filename.removeprefix(root))
print("a" in seenset.SeenSet.open(root + "/set"))
os.unlink(root + "/ballast")
print(queue.push("later"))
queue.close()
with seenset.Queue(root + "/queue") as queue:
    print([item.url for item in queue])
print(sorted(os.listdir(root)))
"""

# Root mounts it for itself; others are root in a namespace of their own, where
# the kernel lets them.
IN_SMALL_DISK = """
mount -t tmpfs -o size=256k tmpfs "$1" || exit 77
exec "$2" -c "$3" "$1"
"""


def test_a_disk_that_is_full(tmp_path):
    """What was there stays, and the queue goes on when there is room again."""
    user = ["--map-root-user"] if os.getuid() else []
    if shutil.which("unshare") is None:
        pytest.skip("no unshare here")
    done = subprocess.run(
        ["unshare", *user, "--mount", "sh", "-c", IN_SMALL_DISK, "sh", tmp_path,
         sys.executable, FULL_DISK], capture_output=True, text=True)
    if done.returncode == 77 or "unshare" in done.stderr:
        pytest.skip("nothing may be mounted here")
    assert done.stdout.splitlines() == [
        f"{errno.ENOSPC} /queue", f"{errno.ENOSPC} /queue",
        f"{errno.ENOSPC} /new", f"{errno.ENOSPC} /set", "True", "True",
        "['before', 'later']", "['queue', 'set']"], done.stderr


# From here on the kernel answers fdatasync with EIO, as a disk that fails does:
# a filter of system calls, which is a table of (code, if true, else, value).
FAILING_SYNC = """
import ctypes, struct, sys, seenset
LOAD, EQUAL, RETURN = 0x20, 0x15, 0x06
FDATASYNC, EIO = {"x86_64": (75, 5), "aarch64": (83, 5)}[sys.argv[2]]
rows = b"".join(struct.pack("HBBI", *row) for row in (
    (LOAD, 0, 0, 0), (EQUAL, 0, 1, FDATASYNC), (RETURN, 0, 0, 0x50000 | EIO),
    (RETURN, 0, 0, 0x7fff0000)))
table = ctypes.create_string_buffer(rows)
program = ctypes.create_string_buffer(
    struct.pack("HxxxxxxP", 4, ctypes.addressof(table)))
queue = seenset.Queue(sys.argv[1])
queue.push("before")
prctl = ctypes.CDLL(None).prctl
if prctl(38, 1, 0, 0, 0) or prctl(22, 2, program, 0, 0):
    sys.exit(77)
for call in (lambda: queue.push("after"), lambda: queue.push("later"),
             queue.pop, queue.sync, queue.close, queue.close):
    try:
        print(call())
    except (seenset.PoisonedError, OSError) as error:
        print(type(error).__name__)
        reason = str(error)
print(reason)
"""


def test_a_disk_that_fails_to_sync(tmp_path):
    """Nobody knows what is on the disk, so the queue does nothing more."""
    path = tmp_path / "queue"
    done = subprocess.run([sys.executable, "-c", FAILING_SYNC, path,
                           platform.machine()], capture_output=True, text=True)
    if done.returncode == 77:
        pytest.skip("no filters of system calls here")
    *said, reason = done.stdout.splitlines()
    assert said == ["OSError"] + 4 * ["PoisonedError"] + ["None"], done.stderr
    assert reason.startswith(str(path)) and "close the queue" in reason
    with seenset.Queue(path) as queue:
        assert queue.pop().url == "before"

"""The line that shows how far a long build is."""

import io

import pytest
import seenset
from seenset import _progress


class Terminal(io.StringIO):
    def isatty(self):
        return True

    @property
    def lines(self):
        text = self.getvalue()
        assert text.endswith("\n") and text.count("\n") == 1
        return [line.rstrip() for line in text.split("\r")[1:]]


@pytest.fixture
def clock(monkeypatch):
    """Goes on by so much for each key that is taken."""
    times = {"now": 0.0}
    monkeypatch.setattr(_progress, "monotonic", lambda: times["now"])

    def keys(count, seconds):
        for key in range(count):
            yield b"%d" % key
            times["now"] += seconds

    return keys


def test_a_line_five_times_a_second(clock):
    out = Terminal()
    keys = list(seenset.progress(clock(1000, 0.01), 1000, file=out))
    assert keys == [b"%d" % key for key in range(1000)]
    lines = out.lines
    # 10 seconds: 50 lines, and fewer where the clock is asked late.
    assert 30 <= len(lines) <= 51
    assert lines[-1] == "1,000 of 1,000 keys (100 %), 100/s"
    counts = [int(line.split()[0].replace(",", "")) for line in lines]
    assert counts == sorted(set(counts))
    for count, line in zip(counts[:-1], lines):
        assert line == (f"{count} of 1,000 keys ({count // 10} %), 100/s, "
                        f"{(1000 - count) / 100:.0f} s to go")


def test_a_number_of_keys_that_is_not_known(clock):
    out = Terminal()
    list(seenset.progress(clock(50, 0.1), file=out))
    assert out.lines[-1] == "50 keys, 10/s"
    assert all("of" not in line and "%" not in line for line in out.lines)
    out = Terminal()
    assert list(seenset.progress("abc", file=out)) == ["a", "b", "c"]
    assert out.lines[-1] == "3 of 3 keys (100 %), 0/s"
    out = Terminal()
    assert not list(seenset.progress([], file=out))
    assert out.lines == ["0 keys, 0/s"]


def test_more_keys_than_were_said(clock):
    out = Terminal()
    list(seenset.progress(clock(50, 0.1), 10, file=out))
    assert out.lines[-1] == "50 of 10 keys (100 %), 10/s"


def test_no_terminal(capsys):
    assert list(seenset.progress([1, 2, 3])) == [1, 2, 3]
    assert capsys.readouterr().err == ""


def test_a_build_that_fails(clock):
    """The line is ended, and the exception is the caller's own."""
    out = Terminal()
    seen = seenset.SeenSet(100)

    def keys():
        yield "a"
        raise OSError("gone")

    with pytest.raises(OSError, match="gone"):
        seen.update(seenset.progress(keys(), file=out))
    assert out.lines[-1].startswith("1 key,")


@pytest.mark.parametrize("build", [
    lambda keys: seenset.seal(keys, 1e-3),
    lambda keys: seenset.SeenSet(10_000).update(keys)])
def test_it_feeds_a_build(build):
    out = Terminal()
    build(seenset.progress(map(str, range(5000)), 5000, file=out))
    assert out.lines[-1].startswith("5,000 of 5,000 keys (100 %)")

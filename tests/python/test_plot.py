"""Stats.plot(): the figures that are drawn are those of the set."""

import math
import subprocess
import sys
from xml.etree import ElementTree

import pytest
import seenset
from seenset import SeenSet

LAYOUTS = ("blocked", "bloom", "counting", "fingerprint", "split_block")


def keys(first, last):
    return [f"https://example.com/{i}" for i in range(first, last)]


def curves(axes):
    """Each line by the first word of its label: (x, y)."""
    return {line.get_label().split(",")[0]:
            (list(line.get_xdata()), list(line.get_ydata()))
            for line in axes.get_lines()}


def at(curve, x):
    """The value of a curve at x, between the two points beside it."""
    pairs = list(zip(*curve))
    for (x0, y0), (x1, y1) in zip(pairs, pairs[1:]):
        if x0 <= x <= x1:
            return y0 + (y1 - y0) * (x - x0) / (x1 - x0)
    raise AssertionError(f"{x} is not on the curve")


def grown(count, steps, **options):
    """A set, and its stats() after each step."""
    seen, history = SeenSet(10_000, 1e-3, **options), []
    for step in range(steps):
        seen.update(keys(count * step // steps, count * (step + 1) // steps))
        history.append(seen.stats())
    return history


def test_the_points_are_the_stats():
    *earlier, last = history = grown(9000, 6)
    fill, rate = last.plot(earlier=iter(earlier)).axes
    numbers = [row.estimated_items for row in history]
    assert curves(fill)["measured"] == (numbers, [row.fill for row in history])
    assert curves(rate)["measured"] == (
        numbers, [row.current_fp_rate for row in history])
    assert curves(rate)["promised"][1] == [1e-3, 1e-3]
    for axes in (fill, rate):
        assert curves(axes)["capacity"][0] == [10_000, 10_000]
        assert axes.get_xlim()[0] == 0 and axes.get_xlim()[1] > 10_000
    assert rate.get_yscale() == "log" and fill.get_ylim() == (0, 1)
    low, high = rate.get_ylim()
    assert low < history[0].current_fp_rate and high > 1e-3


def test_a_picture_of_one_moment():
    fill, rate = grown(5000, 1)[0].plot().axes
    assert len(curves(fill)["measured"][0]) == 1
    assert len(curves(rate)["measured"][0]) == 1


@pytest.mark.parametrize("layout", LAYOUTS)
def test_sets_are_where_they_are_expected(layout):
    """The point of a set is near the curve, and a smaller one's is not."""
    stats = grown(9000, 1, layout=layout)[0]
    fill, rate = stats.plot().axes
    expected = at(curves(rate)["expected"], 9000)
    assert expected / 2 < stats.current_fp_rate < expected * 2
    assert ("expected" in curves(fill)) == (layout != "fingerprint")
    if layout != "fingerprint":
        # 72,000 draws or more: a standard deviation is under 0.002.
        assert at(curves(fill)["expected"], 9000) == pytest.approx(
            stats.fill, abs=0.012)
    # The oracle sees a set of a third of the keys.
    third = grown(3000, 1, layout=layout)[0]
    assert not expected / 2 < third.current_fp_rate < expected * 2


def test_sets_of_many_tables_have_no_curve():
    for stats in (grown(50_000, 1)[0], grown(50_000, 1, on_full="rotate")[0]):
        assert stats.tables > 1
        for axes in stats.plot().axes:
            assert "expected" not in curves(axes)
            assert "measured" in curves(axes)


def test_sets_past_their_capacity():
    stats = grown(30_000, 1, on_full="degrade")[0]
    rate = stats.plot().axes[1]
    assert curves(rate)["expected"][0][-1] > 25_000
    assert rate.get_ylim()[1] == 1 and stats.current_fp_rate > 0.1


@pytest.mark.parametrize("stats", [
    SeenSet(1000).stats(), SeenSet(1, 0.5).stats(),
    seenset.seal(keys(0, 1000)).stats(), seenset.seal([]).stats(),
    seenset.Queue().set_stats()])
def test_sets_at_the_ends(stats, tmp_path):
    figure = stats.plot(tmp_path / "end.png")
    assert (tmp_path / "end.png").stat().st_size > 1000
    assert stats.layout in figure._suptitle.get_text()


def test_a_set_whose_bits_are_all_set():
    stats = SeenSet(1, 0.5, on_full="degrade")
    stats.update(keys(0, 100_000))
    stats = stats.stats()
    assert stats.estimated_items == math.inf
    fill = stats.plot().axes[0]
    assert curves(fill)["measured"] == ([stats.added], [1.0])


def test_a_set_that_is_skewed():
    """No figure of it is to be trusted, and the picture says so."""
    sound = grown(100, 1)[0]
    values = list(sound)
    values[sound.__match_args__.index("is_skewed")] = True
    skewed = type(sound)(values)
    assert "skewed" in skewed.plot()._suptitle.get_text()
    assert "skewed" not in sound.plot()._suptitle.get_text()


def test_files(tmp_path):
    stats = grown(9000, 1)[0]
    png, svg = tmp_path / "a.png", tmp_path / "a.svg"
    stats.plot(png)
    stats.plot(str(svg))
    assert png.read_bytes().startswith(b"\x89PNG\r\n")
    assert ElementTree.parse(svg).getroot().tag.endswith("}svg")
    with pytest.raises(ValueError, match="xyz"):
        stats.plot(tmp_path / "a.xyz")
    with pytest.raises(FileNotFoundError):
        stats.plot(tmp_path / "none" / "a.png")


PROGRAM = """
import sys
if sys.argv[1] == "without":
    sys.modules["matplotlib"] = None
import seenset
assert "matplotlib" not in (sys.modules if sys.argv[1] != "without" else [])
try:
    seenset.SeenSet().stats().plot()
    print("matplotlib.pyplot" in sys.modules, "drawn")
except ImportError as error:
    print(error)
"""


@pytest.mark.parametrize("how, said", [
    ("with", "False drawn"),  # no window, no state of a notebook
    ("without", "Stats.plot() draws with matplotlib, which is not installed: "
                "pip install matplotlib, or on Debian "
                "apt install python3-matplotlib")])
def test_matplotlib_is_asked_for_when_it_is_needed(how, said):
    done = subprocess.run([sys.executable, "-c", PROGRAM, how],
                          capture_output=True, text=True, check=True)
    assert done.stdout.strip() == said


def test_help_has_it():
    assert "earlier" in seenset.Stats.plot.__doc__

"""Stats.plot(): how full a set is, and how often it is wrong, as a picture.

Two panels over the number of different keys. Each Stats is a point: its fill,
and the rate that its bits give. The lines are what to compare it with: the
capacity, the rate that was promised at it, and of a set of one table what the
formulas of seenset.plan() expect on the way there. A set of several tables has
no such curve, as each table is filled in its own time.

The figure has no window and needs no notebook: it belongs to no pyplot.
"""

import math
from collections.abc import Iterable
from os import PathLike
from typing import TYPE_CHECKING, Any

from ._native import Stats, plan

if TYPE_CHECKING:
    from matplotlib.figure import Figure  # type: ignore[import]

_POINTS = 60  # of a curve
_MEASURED, _EXPECTED, _PROMISED = "#0072B2", "#999999", "#D55E00"
_LOWEST_RATE = 1e-24  # below it a rate says nothing to a reader
# A key sets k bits of m in these; a fingerprint moves others.
_SETS_BITS = ("blocked", "bloom", "counting", "split_block")
_HAS_PLAN = (*_SETS_BITS, "fingerprint")


def plot(self: Stats, path: str | PathLike[str] | None = None, *,
         earlier: Iterable[Stats] = ()) -> "Figure":
    """Fill and false-positive rate by the number of keys, as a figure of
    matplotlib, which has to be installed:

        seen.stats().plot("seen.svg")     # or .png, .pdf

    Each is a point, beside the curve that is expected of a set of one table,
    the capacity and the promised rate. earlier has stats() of the same set from
    before, which become a line that leads to the point. Without a path nothing
    is written: the figure has savefig() for later.
    """
    figure = _new_figure()
    rows = [*earlier, self]
    fill, rate = figure.subplots(2, 1, sharex=True)
    keys = [_keys_of(row) for row in rows]
    most = max(*keys, self.capacity)
    _draw_expected(fill, rate, self, most)
    _draw_promised(fill, rate, self)
    _draw_measured(fill, keys, [row.fill for row in rows])
    _draw_measured(rate, keys, [_shown(row.current_fp_rate) for row in rows])
    _finish(figure, fill, rate, rows)
    if path is not None:
        figure.savefig(path)
    return figure


def _new_figure() -> Any:
    try:
        from matplotlib.figure import Figure
    except ImportError as error:
        raise ImportError(
            "Stats.plot() draws with matplotlib, which is not installed: "
            "pip install matplotlib, or on Debian "
            "apt install python3-matplotlib", name="matplotlib") from error
    return Figure(figsize=(7.2, 6.0), layout="constrained")


def _keys_of(row: Stats) -> float:
    """A table whose bits are all set has an infinite estimate."""
    is_known = math.isfinite(row.estimated_items)
    return row.estimated_items if is_known else float(row.added)


def _shown(rate: float) -> float:
    """An axis of powers of ten has no place for a rate of 0."""
    return rate if rate >= _LOWEST_RATE else math.nan


# ---- what is drawn ----


def _draw_expected(fill: Any, rate: Any, stats: Stats, most: float) -> None:
    if stats.tables != 1 or stats.layout not in _HAS_PLAN:
        return
    keys = sorted({round(most * i / _POINTS) for i in range(1, _POINTS + 1)})
    keys = [count for count in keys if count > 0]
    style = {"color": _EXPECTED, "label": "expected"}
    rate.plot(keys, [_shown(_expected_rate(stats, n)) for n in keys], **style)
    if stats.layout in _SETS_BITS:
        fill.plot(keys, [_expected_fill(stats, n) for n in keys], **style)


def _expected_rate(stats: Stats, keys: int) -> float:
    layout: Any = stats.layout  # one of _HAS_PLAN
    return plan(keys, m=stats.size_bits, k=stats.hash_count,
                layout=layout).expected_fp_rate


def _expected_fill(stats: Stats, keys: int) -> float:
    """1 - (1 - k/m)^n: each key sets a bit with a chance of k/m."""
    free = math.log1p(-min(stats.hash_count / stats.size_bits, 0.999))
    return -math.expm1(keys * free)


def _draw_promised(fill: Any, rate: Any, stats: Stats) -> None:
    for axes in (fill, rate):
        axes.axvline(stats.capacity, color=_PROMISED, linestyle=":",
                     label=f"capacity, {stats.capacity:,}")
    rate.axhline(stats.fp_rate, color=_PROMISED, linestyle="--",
                 label=f"promised, {stats.fp_rate:.3g}")


def _draw_measured(axes: Any, keys: list[float], values: list[float]) -> None:
    axes.plot(keys, values, color=_MEASURED, marker="o", markersize=4,
              label="measured")


# ---- the frame ----


def _finish(figure: Any, fill: Any, rate: Any, rows: list[Stats]) -> None:
    fill.set_ylim(0, 1)
    fill.set_ylabel("fill")
    rate.set_yscale("log")
    rate.set_ylim(*_rate_limits(rows))
    rate.set_ylabel("false-positive rate")
    rate.set_xlabel("different keys")
    rate.set_xlim(left=0)
    for axes in (fill, rate):
        axes.grid(alpha=0.3)
        axes.legend(fontsize="small")
    rate.xaxis.set_major_formatter("{x:,.0f}")
    figure.suptitle(_title(rows[-1]))


def _rate_limits(rows: list[Stats]) -> tuple[float, float]:
    """From a thousandth of the promise, or below the points, to above all."""
    rates = [row.current_fp_rate for row in rows
             if row.current_fp_rate >= _LOWEST_RATE]
    promised = rows[-1].fp_rate
    return (min(promised / 1000, *(rate / 10 for rate in rates), promised),
            min(1.0, 10 * max(promised, *rates, promised)))


def _title(stats: Stats) -> str:
    title = (f"{_keys_of(stats):,.0f} keys, {stats.layout}: fill "
             f"{100 * stats.fill:.1f} %, rate {stats.current_fp_rate:.3g}")
    if stats.is_skewed:
        title += "\nthe bits are skewed: no figure of them is to be trusted"
    return title

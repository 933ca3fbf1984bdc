"""The page for users: five figures of results.json, each beside its peers.

Prints nothing for a row whose figures a run does not have.
"""

KEYS = 1000000
MANY_KEYS = 100000000


def ns(value):
    return f"{value:.1f} ns" if value < 100 else f"{value:.0f} ns"


def call(figures, subject, **labels):
    return figures.median(subject=subject, **labels)


def calls_row(what, ours, peers):
    """ours: ns; peers: (name, ns) pairs, of which those not measured go."""
    known = [(name, value) for name, value in peers if value]
    if not ours or not known:
        return []
    return [[what, ns(ours),
             ", ".join(f"{name} {ns(value)}" for name, value in known),
             ", ".join(f"{value / ours:.1f}" for _, value in known)]]


def url_row(figures, what, operation, answer, names):
    """One call a key, a million URLs of 55 bytes."""
    labels = {"keys": "url55", "answer": answer, "items": KEYS}
    ours = call(figures, "blocked", operation=operation, fp_rate=0.01,
                batch=1, **labels)
    return calls_row(what, ours, [(name, call(figures, name, **labels))
                                  for name in names])


def large_row(figures):
    """A table that is larger than every cache, asked for new keys."""
    labels = {"keys": "number", "answer": "never", "items": MANY_KEYS,
              "fp_rate": 0.01}
    ours = call(figures, "blocked", operation="has_many", batch=4096, **labels)
    return calls_row("ask for a new number, 100 million keys, in batches",
                     ours, [("libbloom, one by one",
                             call(figures, "libbloom", **labels))])


def lines_cell(figure):
    return f"{figure['median']:.2f} s, {figure['peak_kib'] / 1024:,.0f} MiB"


def lines_row(figures):
    found = {f["subject"]: f for f in figures.find(unit="s",
                                                   operation="command")}
    ours = found.get("dedup -p 1e-6")
    peers = [(label, found[name])
             for label, name in (("`sort -u`", "sort -u"),
                                 ("`mawk`", "mawk !seen[$0]++"))
             if name in found]
    if not ours or not peers:
        return []
    return [["drop the repeats of 20 million lines, at 1e-6",
             lines_cell(ours),
             ", ".join(f"{label} {lines_cell(peer)}" for label, peer in peers),
             ", ".join(f"{peer['median'] / ours['median']:.0f}"
                       for _, peer in peers)]]


def summary_rows(figures):
    exact = ("GLib GHashTable", "Python set", "Redis")
    return (url_row(figures, "add a URL, 1 million keys", "add", "new",
                    ("libbloom",)) +
            url_row(figures, "ask for a URL, 1 million keys", "has", "seen",
                    ("libbloom",)) +
            url_row(figures, "the same beside exact sets", "has", "seen",
                    exact) +
            large_row(figures) + lines_row(figures))

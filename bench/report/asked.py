"""What the project asked of itself, line by line, and what was measured.

Each line is a ratio of two medians of one run and a bound on it. The worst
case counts: of all batch sizes and answers that a line speaks of, the one
furthest from its bound is shown.
"""
from collections import namedtuple

Line = namedtuple("Line", "asked measured verdict")
MANY, FEW = 100000000, 1000000
BATCHES = (64, 512, 4096)


def judge(asked, ratios, bound, at_most=True):
    """ratios: (ratio or None, where it was found)."""
    known = [(ratio, where) for ratio, where in ratios if ratio is not None]
    if not known:
        return Line(asked, "not measured", "")
    ratio, where = max(known) if at_most else min(known)
    is_met = ratio <= bound if at_most else ratio >= bound
    measured = f"{ratio:.2f}" + (f" ({where})" if where else "")
    if len(known) > 1:
        best = min(known) if at_most else max(known)
        measured += f"; best {best[0]:.2f}"
    return Line(asked, measured, "yes" if is_met else "**no**")


def over(a, b):
    return None if a is None or not b else a / b


RINGS = ((None, "the limit"), ("L1", "a ring into L1"))


def batch_lines(figures, operation, keys, items, level):
    """Each batch size and answer, over the limit of its kind."""
    kind = "read_write" if operation.startswith("add") else "read"
    limit = figures.limit(kind, items, level=level)
    for answer in ("new",) if kind == "read_write" else ("seen", "never"):
        for batch in BATCHES:
            value = figures.median(subject="blocked", fp_rate=0.01,
                                   operation=operation, keys=keys,
                                   items=items, batch=batch, answer=answer)
            yield over(value, limit), f"{answer}, batches of {batch}"


def batches(figures):
    bounds = (("add_hash_many", "hash", 1.15, 1.6),
              ("has_hash_many", "hash", 1.15, 1.6),
              ("add_many", "number", 1.3, 2.2),
              ("has_many", "number", 1.3, 2.2))
    for operation, keys, at_many, at_few in bounds:
        for items, bound in ((MANY, at_many), (FEW, at_few)):
            name = "1e8" if items == MANY else "1e6"
            for level, ring in RINGS:
                yield judge(f"{operation} at {name}: at most {bound}x {ring}",
                            batch_lines(figures, operation, keys, items,
                                        level), bound)


def builds(figures):
    def build(threads):
        return figures.median(subject="blocked", operation="build_hashes",
                              items=MANY, threads=threads)
    for level, ring in RINGS:
        limit = figures.limit("read_write", MANY, "all", level)
        yield judge(f"build of 1e8 hashes, one thread: at most 0.65x {ring}",
                    [(over(build(1), limit), "")], 0.65)
    yield judge("build of 1e8 hashes: two threads at least 1.7x one",
                [(over(build(1), build(2)), "")], 1.7, False)


def single(figures, subject, operation, keys, answer, items, fp_rate=0.01):
    return figures.median(subject=subject, operation=operation, keys=keys,
                          answer=answer, items=items, batch=1,
                          fp_rate=fp_rate)


def against_libbloom(figures, keys, operation, items):
    for answer in ("new",) if operation == "add" else ("seen", "never"):
        ratio = over(single(figures, "libbloom", operation, keys, answer,
                            items),
                     single(figures, "blocked", operation, keys, answer,
                            items))
        yield ratio, f"{operation}, {answer}"


def singles(figures):
    yield judge("single insert in cache, 64-bit keys: at least 20x libbloom",
                against_libbloom(figures, "number", "add", FEW), 20, False)
    yield judge("single query in cache, 64-bit keys: at least 8x libbloom",
                against_libbloom(figures, "number", "has", FEW), 8, False)
    strings = [*against_libbloom(figures, "url55", "add", FEW),
               *against_libbloom(figures, "url55", "has", FEW)]
    yield judge("single, in cache, 55-byte strings: at least 7x libbloom",
                strings, 7, False)
    add = single(figures, "blocked", "add", "number", "new", FEW)
    has = single(figures, "blocked", "has", "number", "seen", FEW)
    yield judge("single add in cache: at most 1.3x has",
                [(over(add, has), "")], 1.3)


def urls(figures):
    items = 10000000
    hashing = figures.median(subject="limit", operation="hash", keys="url56",
                             items=items)
    ratios, peers = [], []
    for operation, kind, answer in (("add_many", "read_write", "new"),
                                    ("has_many", "read", "seen"),
                                    ("has_many", "read", "never")):
        limit = figures.limit(kind, items)
        peer = single(figures, "libbloom", operation.split("_")[0], "url56",
                      answer, items)
        for batch in BATCHES:
            ours = figures.median(subject="blocked", operation=operation,
                                  keys="url56", answer=answer, items=items,
                                  batch=batch, fp_rate=0.01)
            where = f"{operation}, {answer}, batches of {batch}"
            ratios.append((over(ours, hashing + limit)
                           if hashing and limit else None, where))
            peers.append((over(peer, ours), where))
    yield judge("56-byte URLs at 1e7, batches: at most 1.3x hash + line",
                ratios, 1.3)
    yield judge("56-byte URLs at 1e7, batches: at least 15x libbloom", peers,
                15, False)


def classic(figures):
    ones, many, small_ones, small_many = [], [], [], []
    for operation, answer in (("add", "new"), ("has", "seen"),
                              ("has", "never")):
        peer = single(figures, "libbloom", operation, "number", answer, MANY)
        where = f"{operation}, {answer}"

        def ours(subject, fp_rate, batched, items=MANY, op=operation,
                 ans=answer):
            return figures.median(
                subject=subject, fp_rate=fp_rate, items=items, answer=ans,
                keys="number", batch=4096 if batched else 1,
                operation=op + "_many" if batched else op)
        ones.append((over(peer, ours("bloom", 0.01, False)), where))
        many.append((over(peer, ours("bloom", 0.01, True)), where))
        small_ones.append((over(ours("bloom", 1e-6, False),
                                ours("blocked", 1e-6, False)), where))
        small_many.append((over(ours("bloom", 1e-6, True),
                                ours("blocked", 1e-6, True)), where))
    yield judge("classic at 1e8, single: at least 1.5x libbloom", ones, 1.5,
                False)
    yield judge("classic at 1e8, batches: at least 3x libbloom single", many,
                3, False)
    yield judge("1e-6 at 1e8, single: two-line blocked at least 4x our "
                "classic", small_ones, 4, False)
    yield judge("1e-6 at 1e8, batches: two-line blocked at least 4x our "
                "classic", small_many, 4, False)


def command(figures, subject):
    return figures.median(subject=subject, operation="command")


def guessed(figures):
    """What a first capacity of 1,000 costs, where there are 10 million."""
    for where, rates in (("", ("1%", "1e-6")), (", from a pipe", ("1%",))):
        for what, part, bound in (("time", "median", 1.5),
                                  ("memory", "peak_kib", 1.8)):
            ratios = []
            for rate in rates:
                pair = [figures.find(subject=f"dedup {n}-p {rate}{where}",
                                     operation="command")
                        for n in ("-n 1000 ", "")]
                if all(pair):
                    ratios.append((over(pair[0][0][part], pair[1][0][part]),
                                   f"-p {rate}"))
            yield judge(f"dedup -n 1000{where}: at most {bound}x the {what} "
                        "with n right", ratios, bound)


def dedup(figures):
    floor = figures.median(operation="read + split by masks + hash")
    ours = {rate: command(figures, f"dedup -p {rate}")
            for rate in ("1%", "1e-6", "1e-9")}
    yield judge("dedup, one thread: at most 2.0x split + hash",
                [(over(value, floor), f"-p {rate}")
                 for rate, value in ours.items()], 2.0)
    for peer, bound in (("sort -u", 20), ("mawk !seen[$0]++", 60)):
        yield judge(f"dedup, one thread: at least {bound}x {peer.split()[0]}",
                    [(over(command(figures, peer), value), f"-p {rate}")
                     for rate, value in ours.items()], bound, False)
    yield judge("dedup, two threads: at most 0.65x one",
                [(over(command(figures, f"dedup -p {rate} --threads 2"),
                       ours[rate]), f"-p {rate}")
                 for rate in ("1%", "1e-6", "1e-9")], 0.65)
    yield from guessed(figures)
    yield from memory(figures)
    same = figures.median(operation="same output as awk")
    yield Line("dedup -p 1e-9: output identical to awk's",
               {None: "not measured", 1: "identical"}.get(same, "different"),
               {None: "", 1: "yes"}.get(same, "**no**"))


# Bits a key of the first table, which a set that grows plans for half the rate:
# seenset plan -n 10M -p 0.5%, and so on.
BITS = {"1%": 11.61, "1e-6": 31.76, "1e-9": 49.20}


def memory(figures):
    """What is resident beyond the set, in MiB."""
    extra = []
    for rate in BITS:
        found = figures.find(subject=f"dedup -p {rate}", operation="command")
        for figure in found:
            set_mib = figure["items"] / 2 * BITS[rate] / 8 / 2**20
            extra.append((figure["peak_kib"] / 1024 - set_mib, f"-p {rate}"))
    yield judge("dedup: resident memory at most the set + 8 MiB", extra, 8)


def asked_lines(figures):
    for part in (batches, builds, singles, urls, classic, dedup):
        yield from part(figures)

"""Reads results.json and finds figures in it by their labels."""
import json


class Figures:
    def __init__(self, path):
        with open(path, encoding="utf-8") as file:
            self.results = json.load(file)
        self.all = self.results["figures"]

    def find(self, **wanted):
        """The figures that have these labels; a callable label is a test."""
        def fits(figure):
            for name, value in wanted.items():
                have = figure.get(name)
                if not (value(have) if callable(value) else have == value):
                    return False
            return True
        return [figure for figure in self.all if fits(figure)]

    def median(self, **wanted):
        """The one median, or None where it was not measured."""
        found = self.find(**wanted)
        assert len(found) <= 1, f"{wanted} names {len(found)} figures"
        return found[0]["median"] if found else None

    def limit(self, operation, items, keys=None, level=None):
        """The best ring: the loop that fetches ahead, at its best depth, into
        the cache "L1" or "L2", or the better of them."""
        rings = self.find(subject="limit", operation=operation, items=items,
                          keys=keys, batch=lambda depth: depth > 0,
                          answer=lambda name: level in (None, name))
        return min((ring["median"] for ring in rings), default=None)

    def plain(self, operation, items, keys=None):
        """The loop that fetches nothing ahead."""
        return self.median(subject="limit", operation=operation, items=items,
                           keys=keys, batch=0)

    def sizes(self):
        return sorted({figure["items"] for figure in self.all
                       if figure["subject"] == "blocked"})

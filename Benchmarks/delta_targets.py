"""The promised figures of deltas, compared with this run's measurements alone."""

import statistics

from delta_pairs import FAR, NEAR, RENAMES
from delta_peers import CODEPUSH, MIB, OURS, ZSTD_TREE
from targets import Verdict

SMALL = 2048  # bytes: if the best peer needs no more, a ratio means little
MUCH_NEW = 100_000  # coded bytes from which a release counts as one with much new code


def median(entries, key, label, name):
    """Median of the rounds of one subject on one pair; None without a figure."""
    entry = entries.get(key, {}).get(label)
    values = [getattr(figures, name) for figures in entry.rounds] if entry else []
    return statistics.median(values) if values and None not in values else None


def worst(entries, key, label, name):
    entry = entries.get(key, {}).get(label)
    values = [getattr(figures, name) for figures in entry.rounds] if entry else []
    return max(values) if values and None not in values else None


def size(entries, key, label):
    return median(entries, key, label, "size")


def best_peer(entries, key):
    """(label, bytes) of the smallest update that is not packtool's delta."""
    sizes = {label: size(entries, key, label) for label in entries.get(key, {}) if label != OURS}
    known = {label: value for label, value in sizes.items() if value is not None}
    label = min(known, key=known.get, default=None)
    return label, known.get(label)


def size_ratio(entries, key, label):
    ours, theirs = size(entries, key, OURS), size(entries, key, label)
    return None if ours is None or not theirs else ours / theirs


def best_ratio(entries, key):
    ours, (_, theirs) = size(entries, key, OURS), best_peer(entries, key)
    return None if ours is None or not theirs else ours / theirs


def cpu_ratio(entries, key):
    """CPU of making, ours ÷ whole-tree zstd."""
    ours, theirs = (median(entries, key, label, "make_cpu") for label in (OURS, ZSTD_TREE))
    return None if ours is None or not theirs else ours / theirs


class Judge:
    def __init__(self, entries, meta, excuse):
        self.entries = entries
        self.excuse = excuse
        self.floor = meta["floor"]
        self.failed = sorted({place for place, _, _ in meta["failures"]})
        self.pairs = {(p["project"], p["old"], p["new"]): p for p in meta["pairs"]}

    def verdicts(self):
        return [*self._against_best(), *self._against_others(), *self._making(), *self._applying(),
                *self._memory(), *self._renames()]

    # -- one method for each group of lines of the target table

    def _against_best(self):
        figure = f"bytes vs the best of all peers, pairs above {SMALL:,} bytes"
        ratios = self._of((NEAR, FAR), best_ratio, self._worth_a_ratio)
        near = self._of((NEAR,), best_ratio, self._worth_a_ratio)
        yield self._median(figure, 0.65, ratios)
        yield self._median(f"{figure} (aim)", 0.45, ratios)
        yield self._median(f"{figure}, adjacent releases", 0.5, near)
        yield self._every(figure, "never > 1.03×", ratios, lambda ratio: ratio <= 1.03, max, "{:.3f}×")

    def _against_others(self):
        yield self._median("bytes vs `zstd -19 --patch-from` whole tree", 0.55,
                           self._of((NEAR, FAR), lambda e, k: size_ratio(e, k, ZSTD_TREE)))
        for kind, limit in ((NEAR, 0.03), (FAR, 0.17)):
            yield self._median(f"bytes vs changed files whole (CodePush style), {kind}", limit,
                               self._of((kind,), lambda e, k: size_ratio(e, k, CODEPUSH)))

    def _making(self):
        figure = "CPU to make vs `zstd -19 --patch-from` whole tree"
        ratios = self._of((NEAR, FAR), cpu_ratio)
        earlier = any(found[ZSTD_TREE].kept_from for found in self.entries.values()
                      if ZSTD_TREE in found)
        for limit, aim in ((3, ""), (1, " (aim)"), (0.6, " (aim)")):
            yield self._every(figure + aim, f"≤ {limit}× on every pair", ratios,
                              lambda ratio, limit=limit: ratio <= limit, max, "{:.2f}×",
                              "zstd's CPU is of an earlier run" if earlier else None)
        yield self._every("memory to make", "≤ 1 GiB in every round",
                          self._of((NEAR, FAR, RENAMES), lambda e, k: worst(e, k, OURS, "make_peak")),
                          lambda mib: mib <= 1024, max, "{:.0f} MiB")

    def _applying(self):
        speeds = self._of((RENAMES,), self._speed)
        for limit, aim in ((25, ""), (150, " (aim)")):
            yield self._every(f"apply, release that only renames{aim}",
                              f"≥ {limit} MB of changed files per CPU second", speeds,
                              lambda speed, limit=limit: speed >= limit, min, "{:.1f} MB/s")
        costs = self._of((NEAR, FAR), self._cost, self._has_much_new)
        for limit, aim in ((1, ""), (0.4, " (aim)")):
            yield self._every(f"apply, release with much new code{aim}",
                              f"≤ {limit} µs CPU a coded byte", costs,
                              lambda cost, limit=limit: cost <= limit, max, "{:.2f} µs")
        yield self._every("apply, any delta", "≤ 10 s CPU in every round",
                          self._of((NEAR, FAR, RENAMES), lambda e, k: worst(e, k, OURS, "apply_cpu")),
                          lambda seconds: seconds <= 10, max, "{:.2f} s")

    def _memory(self):
        beyond = self._of((NEAR, FAR, RENAMES), self._beyond)
        yield self._every("memory to apply beyond the old tree", "≤ 64 MiB in every round", beyond,
                          lambda mib: mib <= 64, max, "{:.1f} MiB")
        alone = self._of((NEAR, FAR, RENAMES), self._beyond_program)
        yield self._every("memory to apply beyond the old tree and the program itself (`--version`)",
                          "≤ 64 MiB in every round", alone,
                          lambda mib: mib <= 64, max, "{:.1f} MiB")
        yield self._every("memory to apply beyond the old tree and `packtool --version`",
                          "≤ what the delta states in every round",
                          self._of((NEAR, FAR, RENAMES), self._of_stated),
                          lambda share: share <= 1, max, "{:.2f}× of it")

    def _renames(self):
        yield self._every("pair that is identical but for renames",
                          "≤ 1 KB + 40 bytes a renamed file", self._of((RENAMES,), self._of_allowance),
                          lambda share: share <= 1, max, "{:.2f}× of it")

    # -- figures of one pair; `entries` comes first so that all have one shape

    def _worth_a_ratio(self, entries, key):
        return (best_peer(entries, key)[1] or 0) > SMALL

    def _speed(self, entries, key):
        cpu = median(entries, key, OURS, "apply_cpu")
        return None if not cpu else self.pairs[key]["changed_bytes"] / cpu / 1e6

    def _has_much_new(self, entries, key):
        return (median(entries, key, OURS, "coded") or 0) >= MUCH_NEW

    def _cost(self, entries, key):
        cpu, coded = (median(entries, key, OURS, name) for name in ("apply_cpu", "coded"))
        return None if cpu is None or not coded else cpu / coded * 1e6

    def _beyond(self, entries, key):
        peak = worst(entries, key, OURS, "apply_peak")
        return None if peak is None else max(0, peak - self.pairs[key]["old_bytes"] / MIB)

    def _beyond_program(self, entries, key):
        beyond = self._beyond(entries, key)
        return None if beyond is None else max(0, beyond - self.floor["packtool"])

    def _of_stated(self, entries, key):
        """The stated memory is the allocation for applying, so the process itself is subtracted."""
        beyond, stated = self._beyond_program(entries, key), median(entries, key, OURS, "memory")
        return None if beyond is None or not stated else beyond * MIB / stated

    def _of_allowance(self, entries, key):
        ours = size(entries, key, OURS)
        return None if ours is None else ours / (1000 + 40 * self.pairs[key]["renamed"])

    # -- how they are judged

    def _of(self, kinds, figure, wanted=lambda entries, key: True):
        """The figure of every pair of these kinds that has one."""
        found = {key: figure(self.entries, key) for key, pair in self.pairs.items()
                 if pair["kind"] in kinds and wanted(self.entries, key)}
        return {key: value for key, value in found.items() if value is not None}

    def _median(self, figure, limit, ratios):
        def measured():
            values = list(ratios.values())
            return (f"{statistics.median(values):.3f}× ({len(values)} pairs, "
                    f"{min(values):.3f}–{max(values):.3f})")

        return self._verdict(figure, f"median ≤ {limit}×", ratios, measured,
                             lambda: statistics.median(ratios.values()) <= limit)

    def _every(self, figure, target, values, good, pick, form, excuse=None):
        def measured():
            key = pick(values, key=values.get)
            middle = form.format(statistics.median(values.values()))
            return (f"{sum(map(good, values.values()))} of {len(values)}; worst "
                    f"{form.format(values[key])} ({' '.join(key)}); median {middle}")

        return self._verdict(figure, target, values, measured,
                             lambda: all(map(good, values.values())), excuse)

    def _verdict(self, figure, target, values, measured, reached, excuse=None):
        shown = measured() if values else "—"
        if self.failed:
            return Verdict(figure, target, shown, False, f"failed: {', '.join(self.failed)}")
        if self.excuse or excuse:
            return Verdict(figure, target, shown, None, self.excuse or excuse)
        if not values:
            return Verdict(figure, target, shown, None, "no pair has this figure")
        return Verdict(figure, target, shown, reached())

"""The promised figures, compared with this run's measurements alone."""

from dataclasses import dataclass

import topics as t

PEAK_LIMIT = 128.0  # MiB
NOT_THERE = "not measured, see below"


@dataclass
class Verdict:
    figure: str
    target: str
    measured: str
    reached: bool | None  # None: unknown, see note
    note: str = ""

    @property
    def word(self):
        return {True: "reached", False: "**not reached**", None: "not judged"}[self.reached]


class Judge:
    """`excuses` has for a topic the reason why its figures are not compared (quick run, corpus missing …)."""

    def __init__(self, results, excuses):
        self.results = results
        self.excuses = excuses

    def verdicts(self):
        return [*self._package(), *self._max(), *self._republish(), *self._hash(),
                *self._memory(), self._start_up()]

    # -- one method for each line of the target table

    def _package(self):
        figure = "default package vs `zip -9`"
        yield self._every("default", figure, "smaller on every corpus", t.OURS, t.ZIP9,
                          "net_size", lambda ratio: ratio < 1)
        yield self._every("default", figure, "CPU ≤ 0.8× on every corpus", t.OURS, t.ZIP9,
                          "cpu", lambda ratio: ratio <= 0.8)
        yield self._every("default", figure, "wall ≤ 0.5× on every corpus", t.OURS, t.ZIP9,
                          "wall", lambda ratio: ratio <= 0.5)

    def _max(self):
        figure = "`--level max` vs `7z -mx=9`"
        yield self._every("max", figure, "size ≤ 1.0005× on every corpus", t.OURS_MAX, t.SEVEN9,
                          "net_size", lambda ratio: ratio <= 1.0005)
        yield self._most("max", figure, "smaller on most", t.OURS_MAX, t.SEVEN9, "net_size")
        yield self._every("max", figure, "CPU ≤ 1/3 on every corpus", t.OURS_MAX, t.SEVEN9,
                          "cpu", lambda ratio: ratio <= 1 / 3)

    def _republish(self):
        corpus = self._publish_corpus("republish")
        for figure, label in (("republish, 1 % of bytes changed", t.REPUBLISH),
                              ("the same, with its delta made and proved", t.REPUBLISH_DELTA)):
            ratio = self._ratio("republish", corpus, t.ZIP9, label, "cpu")
            yield self._verdict("republish", figure, "CPU of `zip -9` ÷ CPU of publish ≥ 10", ratio,
                                lambda r=ratio: f"{r:.2f} ({corpus})", lambda r=ratio: r >= 10)

    def _hash(self):
        corpus = self._publish_corpus("hash")
        ratio = self._ratio("hash", corpus, t.OURS_HASH, t.OPENSSL, "cpu")
        yield self._verdict("hash", "`hash`", "CPU ≤ 1.2× of `openssl dgst -sha256`", ratio,
                            lambda: f"{ratio:.3f}× ({corpus})", lambda: ratio <= 1.2)
        wall = self.results.median("hash", corpus, t.OURS_HASH, "wall")
        cpu = self.results.median("hash", corpus, t.OURS_HASH, "cpu")
        yield self._verdict("hash", "`hash`", "both cores used (wall < CPU)", wall,
                            lambda: f"wall {wall:.3f} s, CPU {cpu:.3f} s ({corpus})",
                            lambda: wall < cpu)

    def _memory(self):
        corpus = self._publish_corpus("republish")
        for figure, label in (("peak memory, first publish", t.FIRST_PUBLISH),
                              ("peak memory, republish", t.REPUBLISH_DELTA)):
            # A peak is a limit, so the worst run counts here, not the median.
            peak = max(self.results.values("republish", corpus, label, "peak"), default=None)
            yield self._verdict("republish", figure, "≤ 128 MiB in every run", peak,
                                lambda p=peak: f"{p:.1f} MiB ({corpus})",
                                lambda p=peak: p <= PEAK_LIMIT)

    def _start_up(self):
        wall = self.results.median("startup", "-", t.START, "wall")
        return self._verdict("startup", "start-up (`--version`)", "≤ 10 ms", wall,
                             lambda: f"{wall * 1000:.2f} ms", lambda: wall <= 0.010)

    # -- how they are judged

    def _every(self, topic, figure, target, ours, theirs, name, good):
        ratios = self._ratios(topic, ours, theirs, name)
        digits = 5 if name == "net_size" else 3

        def measured():
            worst = max(ratios, key=ratios.get)
            passing = sum(map(good, ratios.values()))
            total = self._total_ratio(topic, ours, theirs, name)
            return (f"{passing} of {len(ratios)}; worst {ratios[worst]:.{digits}f}× ({worst}); "
                    f"all together {total:.{digits}f}×")

        return self._verdict(topic, figure, target, ratios or None, measured,
                             lambda: all(map(good, ratios.values())))

    def _most(self, topic, figure, target, ours, theirs, name):
        ratios = self._ratios(topic, ours, theirs, name)
        smaller = sum(ratio < 1 for ratio in ratios.values())
        return self._verdict(topic, figure, target, ratios or None,
                             lambda: f"{smaller} of {len(ratios)}",
                             lambda: smaller * 2 > len(ratios))

    def _verdict(self, topic, figure, target, known, measured, reached):
        failed = self.results.failed(topic)
        shown = measured() if known is not None else "—"
        if failed:
            where = ", ".join(corpus for _, corpus, _ in failed)
            return Verdict(figure, target, shown, False, f"failed: {where}")
        if known is None:
            return Verdict(figure, target, shown, None, self.excuses.get(topic, NOT_THERE))
        if topic in self.excuses:
            return Verdict(figure, target, shown, None, self.excuses[topic])
        return Verdict(figure, target, shown, reached())

    def _publish_corpus(self, topic):
        corpora = self.results.corpora(topic)
        return t.TREE_FOR_PUBLISH if t.TREE_FOR_PUBLISH in corpora else (corpora or ["-"])[-1]

    def _ratio(self, topic, corpus, above, below, name):
        """Ratio of two medians of the same run; None when one of them was not measured."""
        a = self.results.median(topic, corpus, above, name)
        b = self.results.median(topic, corpus, below, name)
        return None if a is None or not b else a / b

    def _ratios(self, topic, ours, theirs, name):
        ratios = {c: self._ratio(topic, c, ours, theirs, name) for c in self.results.corpora(topic)}
        return {corpus: ratio for corpus, ratio in ratios.items() if ratio is not None}

    def _total_ratio(self, topic, ours, theirs, name):
        corpora = self._ratios(topic, ours, theirs, name)
        above, below = (sum(self.results.median(topic, c, label, name) for c in corpora)
                        for label in (ours, theirs))
        return above / below

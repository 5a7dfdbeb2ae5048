"""Runs commands, interleaved, and records the resource usage of each run."""

import os
import shutil
import signal
import statistics
import subprocess
import sys
from dataclasses import asdict, dataclass, field
from pathlib import Path
from collections.abc import Callable

LAUNCHER = Path(__file__).resolve().parent / "launch.py"
MAXRSS_UNIT = 1 if sys.platform == "darwin" else 1024  # bytes on macOS, KiB on Linux

# The figures must not depend on who runs the benchmark: zip, unzip, xz and grep read options from
# the environment, sorting depends on the locale, and zip files on the time zone.
OPTION_VARIABLES = ("ZIPOPT", "ZIP", "UNZIP", "UNZIPOPT", "XZ_OPT", "GREP_OPTIONS",
                    "TAR_OPTIONS", "SOURCE_DATE_EPOCH", "POSIXLY_CORRECT", "ZSTD_CLEVEL",
                    "ZSTD_NBTHREADS", "XDELTA")


# A virtual machine's host may give the processors to other machines. If a command lost more than
# this share of its time to them, its measurement is repeated.
MOST_STOLEN = 0.05
MOST_TRIES = 6


class BenchmarkError(Exception):
    """A command failed or produced a wrong result: its figures mean nothing."""


class TimedOut(BenchmarkError):
    """A command ran longer than it may."""


def say(text):
    print(text, file=sys.stderr, flush=True)


@dataclass
class Command:
    label: str
    argv: list
    cwd: Path
    output: Path | None = None  # removed before each run; its size is recorded
    stdin: Path = Path(os.devnull)
    prepare: Callable | None = None  # before each run, outside the measured time
    check: Callable | None = None  # once, after the first run; gets the standard output
    discount: Callable | None = None  # how many bytes of the output do not count
    program: str | None = None  # the required program, if argv[0] only starts it

    @property
    def needs(self):
        return self.program or str(self.argv[0])


@dataclass
class Sample:
    topic: str
    corpus: str
    label: str
    round: int
    wall: float
    user: float
    system: float
    peak: float  # MiB, largest single process
    size: int | None = None  # of the output
    directory_bytes: int = 0  # part of the size: zip entries for directories
    stolen: float = 0  # share of the wall time that the host gave to others, of all processors
    tries: int = 1  # how often it was measured; the try with the smallest share counts

    @property
    def cpu(self):
        return self.user + self.system

    @property
    def net_size(self):
        return None if self.size is None else self.size - self.directory_bytes


@dataclass
class Results:
    """All samples of one run of the benchmarks, and the errors and missing tools."""

    samples: list = field(default_factory=list)
    failures: list = field(default_factory=list)  # (topic, corpus, message)

    def get(self, topic, corpus, label):
        return [s for s in self.samples if (s.topic, s.corpus, s.label) == (topic, corpus, label)]

    def corpora(self, topic):
        return list(dict.fromkeys(s.corpus for s in self.samples if s.topic == topic))

    def labels(self, topic, corpus):
        return list(dict.fromkeys(
            s.label for s in self.samples if (s.topic, s.corpus) == (topic, corpus)))

    def values(self, topic, corpus, label, name):
        values = [getattr(s, name) for s in self.get(topic, corpus, label)]
        return [value for value in values if value is not None]

    def median(self, topic, corpus, label, name):
        values = self.values(topic, corpus, label, name)
        return statistics.median(values) if values else None

    def failed(self, topic):
        return [f for f in self.failures if f[0] == topic]

    def raw(self):
        return [asdict(sample) for sample in self.samples]

    def keep(self, raw, topics):
        """Takes over the samples and failures that an earlier run has of these topics."""
        self.samples += [Sample(**sample) for sample in raw["samples"] if sample["topic"] in topics]
        self.failures += [tuple(f) for f in raw["failures"] if f[0] in topics]


class Runner:
    def __init__(self, scratch, results, timeout):
        self.scratch = Path(scratch)
        self.results = results
        self.timeout = timeout
        self.environment = {k: v for k, v in os.environ.items() if k not in OPTION_VARIABLES}
        self.environment.update(LC_ALL="C.UTF-8", TZ="UTC")

    def interleave(self, topic, corpus, commands, runs, method="fork"):
        """A B C A B C …: a slow minute of the machine then hits all of them alike."""
        for number in range(runs):
            for command in commands:
                sample = self._measure_undisturbed(command, topic, corpus, number, method)
                if number == 0 and command.check:
                    command.check(self.stdout())
                self.results.samples.append(sample)
                if method == "fork":
                    say(f"  {topic} · {corpus} · {number + 1}/{runs} · {command.label}: "
                        f"{sample.cpu:.2f} s CPU, {sample.wall:.2f} s, {sample.peak:.0f} MiB")
            self._forget_outputs(commands)

    def _measure_undisturbed(self, command, topic, corpus, number, method):
        best = None
        for count in range(1, MOST_TRIES + 1):
            self.prepare(command)
            before = stolen_seconds()
            sample = self.measure(command, topic, corpus, number, method)
            sample.stolen = (stolen_seconds() - before) / sample.wall
            best = sample if best is None or sample.stolen < best.stolen else best
            best.tries = count
            if best.stolen <= MOST_STOLEN:
                break
        return best

    def measure(self, command, topic="", corpus="", number=0, method="fork"):
        wall, user, system, peak, status = self._launch(command, method)
        if status != 0:
            raise BenchmarkError(self._explain(command, status))
        sample = Sample(topic, corpus, command.label, number, wall, user, system, peak)
        if command.output:
            if not command.output.is_file():
                raise BenchmarkError(f"{command.label} ended well but wrote no {command.output}")
            sample.size = command.output.stat().st_size
            if command.discount:
                sample.directory_bytes = command.discount(command.output)
        return sample

    def stdout(self):
        return (self.scratch / "stdout").read_bytes()

    def prepare(self, command):
        if command.output:
            command.output.unlink(missing_ok=True)
        if command.prepare:
            command.prepare()
        # Whatever the steps before left to be written back must not be on this run's bill.
        os.sync()

    def _forget_outputs(self, commands):
        for command in commands:
            if command.output:
                command.output.unlink(missing_ok=True)

    def _launch(self, command, method):
        result = self.scratch / "result"
        result.unlink(missing_ok=True)
        launcher = [sys.executable, "-I", "-S", LAUNCHER, method, result, command.stdin,
                    self.scratch / "stdout", self.scratch / "stderr", *command.argv]
        process = subprocess.Popen(list(map(str, launcher)), cwd=command.cwd,
                                   env=self.environment, start_new_session=True)
        try:
            process.wait(self.timeout)
        except BaseException as error:  # also Ctrl-C: leave nothing running behind
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            if isinstance(error, subprocess.TimeoutExpired):
                raise TimedOut(f"{command.label} ran longer than {self.timeout:.0f} s") from None
            raise
        if process.returncode != 0 or not result.is_file():
            raise BenchmarkError(f"launch.py failed for {command.label}: {self._stderr()}")
        wall, user, system, peak, status = result.read_text().split()
        peak_mib = int(peak) * MAXRSS_UNIT / (1 << 20)
        return int(wall) / 1e9, float(user), float(system), peak_mib, int(status)

    def _stderr(self):
        text = (self.scratch / "stderr").read_text(errors="replace").strip()
        return text[-2000:] or "(nothing on stderr)"

    def _explain(self, command, status):
        code = os.waitstatus_to_exitcode(status)
        how = f"exit status {code}" if code >= 0 else f"signal {-code}"
        shown = " ".join(map(str, command.argv))
        return f"{command.label} failed with {how}\n  command: {shown}\n  stderr: {self._stderr()}"


def stolen_seconds():
    """The time taken by the host of this virtual machine so far; 0 if unknown."""
    try:
        with open("/proc/stat") as stat:
            return int(stat.readline().split()[8]) / os.sysconf("SC_CLK_TCK")
    except (OSError, IndexError, ValueError):
        return 0.0


def available(command):
    return shutil.which(command.needs) is not None

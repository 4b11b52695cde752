"""A child process under watch: its answer, or the limit that it passed."""

import json
import os
import signal
import subprocess
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

PAGE_MB = os.sysconf("SC_PAGE_SIZE") / 2**20


@dataclass(frozen=True)
class Limits:
    seconds: float
    memory_gb: float


@dataclass(frozen=True)
class Outcome:
    status: str  # "ok", or what went wrong
    seconds: float  # of the whole process
    peak_mb: float
    output: str

    def answer(self) -> dict:
        """The JSON object that the child has printed last."""
        return json.loads(self.output.strip().splitlines()[-1])


def tree_mb(group: int) -> float:
    """Resident memory of a process group, workers included."""
    total = 0.0
    for status in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = status.read_text().rpartition(")")[2].split()
            if int(fields[2]) == group:
                total += int(fields[21]) * PAGE_MB
        except (FileNotFoundError, ProcessLookupError):
            continue  # it has ended meanwhile
    return total


def watched(command: Sequence[str], limits: Limits, threads: int) -> Outcome:
    """Runs a command in a process group of its own, with the threads of every known runtime set alike."""
    number = str(threads)
    pinned = {
        name: number for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "LOKY_MAX_CPU_COUNT")
    }
    start = time.perf_counter()
    with subprocess.Popen(
        command,
        env=os.environ | pinned,
        start_new_session=True,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as child:
        peak, status = 0.0, ""
        while not status:
            try:
                output, errors = child.communicate(timeout=0.2)
                status = (
                    "ok" if child.returncode == 0 else f"failed: {errors.strip().splitlines()[-1:] or child.returncode}"
                )
            except subprocess.TimeoutExpired:
                peak = max(peak, tree_mb(child.pid))
                if time.perf_counter() - start > limits.seconds:
                    status = f"more than {limits.seconds:g} s"
                elif peak > limits.memory_gb * 1024:
                    status = f"more than {limits.memory_gb:g} GB"
                if status:
                    os.killpg(child.pid, signal.SIGKILL)
                    output, errors = child.communicate()
        return Outcome(status, time.perf_counter() - start, peak, output)

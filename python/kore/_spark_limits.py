"""Check, before the work starts, whether a model fits into the memory of Spark's settings."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from pathlib import Path

from ._engine import gram_bytes_per_squared_column, gram_copies_of_a_distributed_fit
from ._partitions import fan_in_of

MEGABYTE = 2**20
# The JVM holds data about three times at once: as an Arrow batch, as rows, and as the message that is sent.
COPIES_IN_JAVA = 3
UNITS = {"b": 1, "k": 2**10, "m": 2**20, "g": 2**30, "t": 2**40, "p": 2**50}

# Cluster managers whose containers limit memory beyond the heap, and the share that is reserved for Python by default.
OVERHEAD_SHARE = {"yarn": "0.1", "k8s": "0.4"}
# The files with the memory limit of a container, in both versions of Linux's control groups: the limit, the memory in
# use, and the part of it that caches files and could be given back.
GROUP_FILES = {
    1: ("memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file"),
    2: ("memory.max", "memory.current", "inactive_file"),
}
# Address space that a Python process takes before it has any rows; spark.executor.pyspark.memory counts it.
PYTHON_ITSELF = 512 * MEGABYTE


@dataclass(frozen=True)
class Settings:
    """The memory that a fit may use, by Spark's settings and on this machine."""

    python_bytes: int  # for all Python processes of an executor
    python_setting: str  # what to change for more; empty where the machine itself is the limit
    tasks: int  # of an executor at the same time
    heap_bytes: int  # of the driver's JVM
    result_limit: int  # spark.driver.maxResultSize; 0 is none
    driver_bytes: int  # free on the driver's machine
    base_bytes: int = 0  # of a task's Python process, where the setting counts it

    @property
    def bytes_per_task(self) -> int:
        return max(0, self.python_bytes // self.tasks - self.base_bytes)


@dataclass(frozen=True)
class Need:
    """What the largest pass of a model with so many columns takes."""

    columns: int
    result_bytes: int
    task_bytes: int  # of one Python process on an executor
    driver_bytes: int  # of the driver's Python process


def need_of(columns: int) -> Need:
    """A Gram matrix of p columns has p^2 doubles. While rows are added it lies in strips, of up to four times as many
    numbers; for leave-one-out it is factored, inverted and spread, here and there; a merge has several beside their
    sum."""
    gram = gram_bytes_per_squared_column * columns * columns
    copies = gram_copies_of_a_distributed_fit
    return Need(columns, gram, max(copies, fan_in_of(gram) + 1) * gram, copies * gram)


def settings_of(get: Callable[[str, str], str], master: str, tasks: int) -> Settings:
    """From the session's settings; `get(name, default)` reads one."""
    executor = bytes_of(get("spark.executor.memory", "1g"), "m")
    manager = master.partition(":")[0]
    limit = get("spark.executor.pyspark.memory", "")
    overhead = get("spark.executor.memoryOverhead", "")
    base = 0
    if limit and bytes_of(limit, "m") > 0:
        python, setting, base = bytes_of(limit, "m"), "spark.executor.pyspark.memory", PYTHON_ITSELF
    elif master == "local" or master.startswith("local["):
        python, setting = _free_bytes(), ""  # all tasks are on this machine, and no setting limits them
    elif overhead:
        python, setting = bytes_of(overhead, "m"), "spark.executor.memoryOverhead"
    elif manager in OVERHEAD_SHARE:
        share = float(get("spark.executor.memoryOverheadFactor", OVERHEAD_SHARE[manager]))
        python = max(bytes_of(get("spark.executor.minMemoryOverhead", "384m"), "m"), int(share * executor))
        setting = "spark.executor.memoryOverhead"
    else:
        # Nothing limits Python there. Python is assumed to have as much memory as the heap of the executor.
        python, setting = executor, "spark.executor.memory"
    return Settings(
        python,
        setting,
        max(1, tasks),
        bytes_of(get("spark.driver.memory", "1g"), "m"),
        bytes_of(get("spark.driver.maxResultSize", "1g")),
        _free_bytes(),
        base,
    )


def check(need: Need, settings: Settings, parameters: Collection[str]) -> None:
    """Raise an error for a model that would run out of memory: one sentence says what is missing, one what to do, with
    the names of the estimator's parameters."""
    begin = f"A model of up to {need.columns:,} columns has a Gram matrix of {in_words(need.result_bytes)}"
    smaller = f"or make the model smaller: {_ways_to_shrink(parameters)}."
    if need.task_bytes > settings.bytes_per_task:
        wanted = settings.tasks * (need.task_bytes + settings.base_bytes)
        whose = "an executor's task" if settings.tasks == 1 else f"each of an executor's {settings.tasks} tasks"
        raise ValueError(
            f"{begin}: a task needs about {in_words(need.task_bytes)} of memory in Python, but Spark's settings leave "
            f"{in_words(settings.bytes_per_task)} to {whose}. {_advice(settings.python_setting, wanted)}, {smaller}"
        )
    if 0 < settings.result_limit < need.result_bytes:
        raise ValueError(
            f"{begin}, but spark.driver.maxResultSize lets {in_words(settings.result_limit)} come to the driver. Set "
            f"it to {_setting(2 * need.result_bytes)}, {smaller}"
        )
    if settings.heap_bytes < COPIES_IN_JAVA * need.result_bytes:
        raise ValueError(
            f"{begin}, which comes to the driver through a heap of {in_words(settings.heap_bytes)}. Set "
            f"spark.driver.memory to {_setting(2 * COPIES_IN_JAVA * need.result_bytes)}, {smaller}"
        )
    if settings.driver_bytes < need.driver_bytes:
        raise ValueError(
            f"{begin}: solving for it needs about {in_words(need.driver_bytes)} on the driver, which has "
            f"{in_words(settings.driver_bytes)} free. Take a larger driver, {smaller}"
        )


def _ways_to_shrink(parameters: Collection[str]) -> str:
    limits = " or ".join(name for name in ("max_G", "max_G_add", "max_G_pair") if name in parameters)
    if "pairs" not in parameters:
        return f"fewer features, or a smaller {limits}"
    # The advice to fit main effects alone is for KORERegressor; the pairwise estimator is used for its pairs.
    pairs = "pairs='none'" if "max_G_pair" in parameters else "fewer pairs"
    return f"fewer features, a smaller {limits}, or {pairs}"


def _advice(setting: str, wanted: int) -> str:
    return f"Set {setting} to {_setting(wanted)}" if setting else f"Take a machine with {in_words(wanted)} free"


def bytes_of(text: str, unit: str = "b") -> int:
    """A size as Spark writes it, such as 512m or 2g; a plain number counts in `unit`."""
    plain = text.strip().lower().removesuffix("b") or "0"
    factor = UNITS[unit]
    if plain[-1] in UNITS:
        plain, factor = plain[:-1], UNITS[plain[-1]]
    return int(float(plain) * factor)


def in_words(size: float) -> str:
    for unit, name in ((2**30, "GB"), (2**20, "MB")):
        if size >= unit:
            return f"{size / unit:.3g} {name}"
    return f"{size / 2**10:.3g} kB"


def _setting(size: int) -> str:
    """A size to type into a setting, not less than the given one."""
    return f"{-(-size // MEGABYTE)}m"


def _free_bytes() -> int:
    """Memory that this machine, or the container that it seems to be, could give to a process now."""
    try:
        with open("/proc/meminfo", encoding="ascii") as lines:
            machine = next(int(line.split()[1]) * 1024 for line in lines if line.startswith("MemAvailable"))
    except (OSError, StopIteration):
        machine = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return min([machine, *free_in_groups(Path("/"))])


def free_in_groups(root: Path) -> Iterator[int]:
    """What the control groups of this process, from its own to the outermost, leave to it."""
    try:
        lines = (root / "proc/self/cgroup").read_text().splitlines()
    except OSError:
        return
    for line in lines:
        _, controllers, path = line.split(":", 2)
        if controllers and "memory" not in controllers.split(","):
            continue
        version, top = (1, root / "sys/fs/cgroup/memory") if controllers else (2, root / "sys/fs/cgroup")
        inner = top / path.strip("/")
        for group in (inner, *inner.parents):
            if group.is_relative_to(top):
                yield from _free_in_group(group, *GROUP_FILES[version])


def _free_in_group(group: Path, limit: str, usage: str, of_files: str) -> Iterator[int]:
    """None where there is no limit or no such group: a container may see the path of its group but not the group."""
    try:
        most = (group / limit).read_text().strip()
        if most != "max":
            counts = dict(line.split() for line in (group / "memory.stat").read_text().splitlines())
            used = int((group / usage).read_text()) - int(counts.get(of_files, 0))
            yield max(0, int(most) - used)
    except (OSError, ValueError):
        return

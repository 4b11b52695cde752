#!/usr/bin/env python3
"""How many lines of the readers of bytes the fuzzers' inputs reach.

Usage: scripts/reader_coverage.py LLVM_COV FUZZER PROFILE [LEAST]

Files that hold readers and nothing else count whole. In the others (a Gram matrix can be read, but is mostly
sums) those functions count that read: they take a ByteReader, or open an envelope themselves. Which file is
which stands in tests/fuzz/CMakeLists.txt. Exits with 1 where fewer than LEAST per cent are reached.
"""

import json
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
READS = re.compile(r"\bByteReader\b|\bopen_(sealed|task|result|table_result)\(")


def mixed_files():
    cmake = (ROOT / "tests/fuzz/CMakeLists.txt").read_text()
    return set(re.search(r"set\(with_readers\s([^)]*)\)", cmake)[1].split())


def exported(llvm_cov, fuzzer, profile, form):
    command = [llvm_cov, "export", fuzzer, f"-instr-profile={profile}", f"-format={form}"]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def counts_of_lines(lcov):
    """For each file, how often each of its lines ran."""
    counts = {}
    for line in lcov.splitlines():
        if line.startswith("SF:"):
            own = counts.setdefault(line[3:], {})
        elif line.startswith("DA:"):
            at, times = line[3:].split(",")[:2]
            own[int(at)] = max(own.get(int(at), 0), int(times))
    return counts


def reading_lines(functions, file, text):
    """The lines of the functions of a file that read bytes."""
    wanted = set()
    for function in functions:
        if function["filenames"][0] != file:
            continue
        first, last = function["regions"][0][0], function["regions"][0][2]
        if "ByteReader" in function["name"] or READS.search("\n".join(text[first - 1 : last])):
            wanted.update(range(first, last + 1))
    return wanted


def main(llvm_cov, fuzzer, profile, least="0"):
    counts = counts_of_lines(exported(llvm_cov, fuzzer, profile, "lcov"))
    functions = json.loads(exported(llvm_cov, fuzzer, profile, "text"))["data"][0]["functions"]
    mixed = mixed_files()
    total = reached = 0
    for file, lines in sorted(counts.items()):
        name = file.rsplit("/src/", 1)[-1]
        what = "whole"
        if name in mixed:
            what = "its readers"
            wanted = reading_lines(functions, file, pathlib.Path(file).read_text().splitlines())
            lines = {at: times for at, times in lines.items() if at in wanted}
        hit = sum(times > 0 for times in lines.values())
        missing = ", ".join(str(at) for at, times in sorted(lines.items()) if times == 0)
        print(f"{name:32} {what:12} {hit:5} of {len(lines):5} lines  {missing}")
        total += len(lines)
        reached += hit
    print(f"{reached} of {total} lines of the readers are reached: {100 * reached / total:.1f} %")
    return 100 * reached < float(least) * total


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))

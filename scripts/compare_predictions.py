#!/usr/bin/env python3
"""Whether two files of predictions are the same, up to a relative difference of the given size; 0 is every bit.

Usage: compare_predictions.py FILE OTHER TOLERANCE
"""

import csv
import sys


def predictions(path):
    with open(path, newline="") as file:
        return [float(row["prediction"]) for row in csv.DictReader(file)]


def main():
    one, other, tolerance = predictions(sys.argv[1]), predictions(sys.argv[2]), float(sys.argv[3])
    if not one or len(one) != len(other):
        sys.exit(f"{sys.argv[1]} has {len(one)} predictions, and {sys.argv[2]} has {len(other)}.")
    size = max(map(abs, other))
    farthest = max(abs(a - b) for a, b in zip(one, other, strict=True)) / size
    equal = sum(a == b for a, b in zip(one, other, strict=True))
    print(
        f"{len(one)} predictions, {equal} the same bit for bit; the largest difference is {farthest:.2g} of the largest"
    )
    if not farthest <= tolerance:
        sys.exit(f"{sys.argv[1]} and {sys.argv[2]} differ by more than {tolerance:g}.")


if __name__ == "__main__":
    main()

"""The command `kore` of the Python package: the program that lies inside it, started in place of Python."""

import os
import signal
import sys

PROGRAM = os.path.join(os.path.dirname(os.path.abspath(__file__)), "kore", "_command", "bin", "kore")


def main() -> None:
    if not os.path.exists(PROGRAM):
        sys.exit("kore: this Python package was built without the command (KORE_DATA=OFF).")
    # Python ignores these signals, and what it starts would do so too: a closed pipe would end in a complaint.
    for name in (signal.SIGPIPE, signal.SIGXFSZ):
        signal.signal(name, signal.SIG_DFL)
    os.execv(PROGRAM, ["kore", *sys.argv[1:]])

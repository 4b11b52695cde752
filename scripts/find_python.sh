#!/usr/bin/env bash
# Prints the interpreter of a version of Python, such as 3.12: one on the path, or one of pyenv's. Nothing where there is none.
set -euo pipefail

version="${1:?usage: scripts/find_python.sh VERSION}"
for candidate in "python$version" "${PYENV_ROOT:-$HOME/.pyenv}"/versions/"$version".*/bin/python; do
  # The path of the interpreter itself, because what is on the path may be a script that looks for it.
  if found="$("$candidate" -c "import sys; print(sys.executable) if '%d.%d' % sys.version_info[:2] == '$version' else sys.exit(1)" 2>/dev/null)"; then
    echo "$found"
    exit
  fi
done

# The other scripts begin with it: it goes to the source, and says in $made where everything goes that is made or fetched (build/,
# third_party/, .venv/, out/ and the like). The variable KORE_BUILD names that folder, for a source that cannot be written to or is
# to stay as it is; without it, all of this is in the source.
if [[ -n ${KORE_BUILD:-} ]]; then KORE_BUILD="$(realpath -m -- "$KORE_BUILD")"; fi
cd "$(dirname "${BASH_SOURCE[0]}")/.."
made="${KORE_BUILD:-$PWD}"
if [[ $made == "$PWD" ]]; then
  unset KORE_BUILD KORE_BUILD_PREFIX
else
  # Presets know no conditions: in CMakePresets.json, this stands before the names of folders and is mostly empty.
  export KORE_BUILD="$made" KORE_BUILD_PREFIX="$made/"
  # What Python would leave beside its sources goes there, too.
  export PYTHONPYCACHEPREFIX="$made/build-python/compiled" RUFF_CACHE_DIR="$made/build-python/ruff"
  mkdir -p "$made"
fi

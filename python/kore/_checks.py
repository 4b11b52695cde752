"""Checks of arguments, with the messages of scikit-learn."""

from __future__ import annotations

import functools
import numbers
import os
import sys
import warnings
from collections.abc import Callable, Collection, Mapping
from typing import Any, ParamSpec, TypeVar

import joblib
import numpy as np
import numpy.typing as npt
from sklearn.utils.validation import _check_sample_weight, check_consistent_length, column_or_1d

from . import _tables
from ._engine import groups_of, option_record, precision_weights

P = ParamSpec("P")
R = TypeVar("R")
Doubles = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]

LEAST_ROWS = 2
ROWS_WORTH_THREADS = 4096  # predicting fewer takes about as long as starting a thread


def all_or_nothing(fit: Callable[P, R]) -> Callable[P, R]:
    """Make a method leave its object unchanged where it fails, so that an earlier fit still predicts."""

    @functools.wraps(fit)
    def fit_or_restore(*arguments: P.args, **named: P.kwargs) -> R:
        attributes = vars(arguments[0])
        before = dict(attributes)
        try:
            return fit(*arguments, **named)
        except BaseException:
            attributes.clear()
            attributes.update(before)
            raise

    return fit_or_restore


def check_target(y: Any, rows: int, estimator: str) -> Doubles:
    """The target as a dense vector of finite numbers."""
    if y is None:
        raise ValueError(f"This {estimator} estimator requires y to be passed, but the target y is None.")
    target: Doubles = np.ascontiguousarray(column_or_1d(y, warn=True, dtype=np.float64))
    if not np.isfinite(target).all():
        what = "NaN" if np.isnan(target).any() else "infinity or a value too large for dtype('float64')"
        raise ValueError(f"Input y contains {what}.")
    check_consistent_length(np.empty(rows), target)
    return target


def check_weights(sample_weight: Any, rows: int, precision: Any = None) -> Doubles | None:
    """Weights as a dense vector, or None where every row weighs one. Precisions become weights that add up to the
    number of rows."""
    if precision is not None and sample_weight is not None:
        raise ValueError(
            "sample_weight and precision cannot both be given: weights count rows, and of precisions only the ratios "
            "matter."
        )
    if precision is not None:
        if not np.isfinite(np.asarray(precision, dtype=np.float64)).all():
            raise ValueError("Input precision contains NaN or infinity.")
        return precision_weights(_dense_weights(precision, rows, "precision"))
    return None if sample_weight is None else _dense_weights(sample_weight, rows, "sample_weight")


def check_one_for_each_row(parameter: str, values: Any, rows: int) -> None:
    """scikit-learn's own check does not say of which of several vectors it speaks."""
    shape = np.shape(values)
    if len(shape) > 0 and shape[0] != rows:
        raise ValueError(f"{parameter} must have one value for each of the {rows} rows, got {shape[0]}")


def check_level(parameter: str, level: Any) -> float:
    if not _is_number(level) or not 0 < _as_float(level) < 1:
        raise ValueError(f"{parameter} must be a number between 0 and 1, for example 0.9, got {level!r}")
    return float(level)


def _dense_weights(weights: Any, rows: int, parameter: str) -> Doubles:
    if parameter != "sample_weight":
        check_one_for_each_row(parameter, weights, rows)
    checked = _check_sample_weight(weights, np.empty((rows, 1)), dtype=np.float64)
    if (checked < 0).any():
        raise ValueError(f"Negative values in data passed to `{parameter}`")
    return np.ascontiguousarray(checked)


def check_groups(groups: Any, rows: int) -> Doubles | None:
    """A number for the group of each row, by the rule of the command; None where there are no groups."""
    if groups is None:
        return None
    codes = groups_of(_tables.frame_of_column("groups", groups))
    if len(codes) != rows:
        raise ValueError(f"groups must have one value for each of the {rows} rows, got {len(codes)}")
    missing = int(np.count_nonzero(np.isnan(codes)))
    if missing:
        raise ValueError(f"groups has no value in {missing} of {rows} rows. Give every row a group.")
    return codes


def warn(sentence: str) -> None:
    """Warn at the line outside of this package that called it, however deep the call is inside."""
    package = os.path.dirname(__file__) + os.sep
    frame = sys._getframe(1)
    level = 2
    while frame.f_back is not None and frame.f_code.co_filename.startswith(package):
        frame = frame.f_back
        level += 1
    warnings.warn(sentence, UserWarning, stacklevel=level)


def check_max_levels(max_levels: int | None) -> int | None:
    if max_levels is None:
        return None
    if not _is_integer(max_levels) or max_levels < 1:
        raise ValueError(f"max_levels must be None or an integer of 1 or more, got {max_levels!r}")
    return int(max_levels)


def check_profile(profile: str) -> str:
    if profile not in ("default", "paper"):
        raise ValueError(f"profile must be 'default' or 'paper', got {profile!r}")
    return profile


def check_integer(parameter: str, value: Any, option: str) -> int:
    """A parameter that sets an integer option of the engine."""
    record = option_record(option)
    if not _is_integer(value) or not record.in_range(_as_float(value)):
        raise ValueError(f"{parameter} must be an integer {_of(record.allowed)}, got {value!r}")
    return int(value)


def check_count(parameter: str, value: Any, lowest: int) -> int:
    """A parameter of a method that says how many."""
    if not _is_integer(value) or value < lowest:
        raise ValueError(f"{parameter} must be an integer of {lowest} or more, got {value!r}")
    return int(value)


def check_flag(parameter: str, value: Any) -> bool:
    if not isinstance(value, (bool, np.bool_)):
        raise ValueError(f"{parameter} must be True or False, got {value!r}")
    return bool(value)


def check_verbose(verbose: Any) -> bool:
    if isinstance(verbose, (bool, np.bool_)) or (_is_integer(verbose) and verbose >= 0):
        return bool(verbose)
    raise ValueError(f"verbose must be True, False or an integer of 0 or more, got {verbose!r}")


def check_class_weight(class_weight: Any) -> None:
    """A dictionary of labels and their weights. Which labels there are is not known here."""
    if not isinstance(class_weight, Mapping):
        raise ValueError(
            f"class_weight must be None, 'balanced' or a dictionary such as {{'yes': 2}}, got {class_weight!r}"
        )
    for label, weight in class_weight.items():
        if not _is_number(weight) or not 0 <= _as_float(weight) < float("inf"):
            raise ValueError(f"class_weight must have finite numbers of at least 0, got {weight!r} for {label!r}")


def check_number(parameter: str, value: Any, option: str) -> float:
    """A parameter that sets an option of the engine which is a number."""
    record = option_record(option)
    if not _is_number(value) or not record.in_range(_as_float(value)):
        raise ValueError(f"{parameter} must be {record.allowed}, got {value!r}")
    return float(value)


def check_choice(parameter: str, value: Any, option: str) -> str:
    """A parameter that is one of the words of an option of the engine."""
    choices = option_record(option).choices
    if not isinstance(value, str) or value not in choices:
        raise ValueError(f"{parameter} must be {listed(choices)}, got {value!r}")
    return value


def check_table_size(names: list[str], rows: int, estimator: str) -> None:
    """Raise what scikit-learn's own check raises for arrays."""
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"There are two columns '{twice}' in X. Names must differ, as columns are matched by name.")
    shape = f"(shape=({rows}, {len(names)}))"
    if not names:
        raise ValueError(f"Found array with 0 feature(s) {shape} while a minimum of 1 is required by {estimator}.")
    if rows < LEAST_ROWS:
        raise ValueError(
            f"Found array with {rows} sample(s) {shape} while a minimum of {LEAST_ROWS} is required by {estimator}."
        )


def categorical_mask(wanted: Any, names: list[str]) -> list[bool]:
    """`categorical_features` as one entry per column."""
    if wanted is None:
        return [False] * len(names)
    chosen = np.asarray(wanted)
    if chosen.ndim != 1:
        raise ValueError(
            "categorical_features must be None, a list of names or positions of columns, or a mask with one entry per "
            f"feature, got {wanted!r}"
        )
    if chosen.dtype == bool:
        if len(chosen) != len(names):
            raise ValueError(
                f"categorical_features as a mask must have one entry per feature ({len(names)}), got {len(chosen)} "
                "entries"
            )
        return [bool(entry) for entry in chosen]
    places = {place_of(entry, names, "categorical_features") for entry in chosen.tolist()}
    return [place in places for place in range(len(names))]


def named_pair(pair: Any, names: list[str]) -> tuple[str, str]:
    if isinstance(pair, str) or not isinstance(pair, Collection) or len(pair) != 2:
        raise ValueError(f"pairs must hold pairs of columns such as (0, 1) or ('a', 'b'), got {pair!r}")
    left, right = (names[place_of(entry, names, "pairs")] for entry in pair)
    if left == right:
        raise ValueError(
            f"pairs must hold pairs of two different columns, got {pair!r}, which joins {left!r} with itself"
        )
    return left, right


def threads_of(n_jobs: int | None, rows: int | None = None) -> int:
    """Threads to use: all cores, or the share of a joblib worker. One, without counting cores, for few rows."""
    if n_jobs is None and rows is not None and rows < ROWS_WORTH_THREADS:
        return 1
    if n_jobs is None:
        limit = os.environ.get("OMP_NUM_THREADS", "")
        return int(limit) if limit.isdigit() and int(limit) > 0 else int(joblib.cpu_count())
    if not _is_integer(n_jobs) or not option_record("threads").in_range(abs(_as_float(n_jobs))):
        raise ValueError(f"n_jobs must be None or an integer other than 0, got {n_jobs!r}; -1 is all cores")
    if n_jobs == 0:
        raise ValueError("n_jobs must be None or an integer other than 0, got 0; -1 is all cores")
    if rows is not None and rows < ROWS_WORTH_THREADS:
        return 1
    # scikit-learn counts from the end: -1 is all cores, -2 all but one.
    return int(n_jobs) if n_jobs > 0 else max(1, int(joblib.cpu_count()) + 1 + int(n_jobs))


def name_of(y: Any) -> str:
    name = getattr(y, "name", None)
    return name if isinstance(name, str) and name else "y"


def _is_integer(value: Any) -> bool:
    return isinstance(value, numbers.Integral) and not isinstance(value, (bool, np.bool_))


def _is_number(value: Any) -> bool:
    return isinstance(value, numbers.Real) and not isinstance(value, (bool, np.bool_))


def _as_float(value: Any) -> float:
    """Integers of Python may be too large for a float, and are then out of every range."""
    try:
        return float(value)
    except OverflowError:
        return float("nan")


def _of(allowed: str) -> str:
    return f"of {allowed}" if allowed.startswith("at least") else allowed


def listed(words: list[str]) -> str:
    quoted = [repr(word) for word in words]
    return ", ".join(quoted[:-1]) + " or " + quoted[-1]


def _some(names: list[str], most: int = 8) -> str:
    return ", ".join([repr(name) for name in names[:most]] + (["..."] if len(names) > most else []))


def place_of(entry: int | str, names: list[str], parameter: str) -> int:
    if isinstance(entry, str):
        if entry not in names:
            raise ValueError(
                f"{parameter} names the column {entry!r}, which is not among the features: these are {_some(names)}."
            )
        return names.index(entry)
    if not _is_integer(entry):
        raise ValueError(f"{parameter} takes names of columns, or positions that are integers; got {entry!r}.")
    if not 0 <= entry < len(names):
        raise ValueError(f"{parameter} has the position {entry}, but the features are 0 to {len(names) - 1}.")
    return int(entry)

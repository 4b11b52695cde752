"""The check before a fit, and a comparison of KORE with the classical ways to choose a model."""

from __future__ import annotations

import json
from typing import Any

from . import _checks
from ._estimators import KORERegressor


def kore_diagnostic(
    X: Any, y: Any, sample_weight: Any = None, *, precision: Any = None, groups: Any = None, **parameters: Any
) -> dict[str, Any]:
    """Say whether the method suits a table, from the pilot fits.

    The keys are those of the published function (``suitable``, ``reason``, ``n``, ``d_onehot``,
    ``effective_density``, ``pilot_condition_number``, ``A_hat``, ``tau_hat``, ``G_dagger``, ``stability_margin``,
    ``recommendation``), and those that the command adds (``advice``, ``structure``, ``signal_score`` of the chosen
    model, ``additive_signal_score``, ``bracketed``, ``lift_over_linear``, ``use_kore``, ``r2_loo``, ``verdict``,
    ``notes``). ``precision`` and ``groups`` are those of ``fit``. Further arguments are parameters of
    :class:`KORERegressor`.
    """
    estimator = KORERegressor(**parameters)
    training, target, weights = estimator._prepare(X, y, sample_weight, precision)
    codes = _checks.check_groups(groups, len(target))
    answer: dict[str, Any] = json.loads(training.diagnose(target, weights, codes, estimator._options(training)))
    for note in answer["notes"]:
        _checks.warn(note)
    if answer["pilot_condition_number"] is None:
        answer["pilot_condition_number"] = float("inf")
    return answer


def compare(
    X: Any, y: Any, sample_weight: Any = None, *, folds: int = 3, seed: int = 0, **parameters: Any
) -> list[dict[str, Any]]:
    """Compare both profiles of KORE with cross-validation, GCV, Cp, AIC and BIC on the same rows: what each chooses,
    and how long it takes.

    One dictionary per method, with ``method``, ``structure``, ``G``, ``fits``, ``seconds``, ``score`` and
    ``score_meaning``. Cross-validation has ``folds`` folds, which ``seed`` draws. Further arguments are parameters of
    :class:`KORERegressor`, for both profiles. The paper's models end at 2,500 columns unless ``profile='paper'`` asks
    for larger ones.
    """
    limited = parameters.pop("profile", "default") != "paper"
    standard = KORERegressor(**parameters, profile="default")
    if parameters.get("family", "normal") != "normal":
        raise ValueError("compare is about the normal family: the paper profile and the classical ways have no other.")
    paper = KORERegressor(**(parameters | {"loss": "squared"}), profile="paper")
    training, target, weights = standard._prepare(X, y, sample_weight)
    published, _, _ = paper._prepare(X, y, sample_weight)
    rows: list[dict[str, Any]] = json.loads(
        training.compare(
            published,
            target,
            weights,
            standard._options(training),
            paper._options(published),
            folds,
            seed,
            limited,
        )
    )
    return rows

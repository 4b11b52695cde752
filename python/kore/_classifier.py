"""The classifier: labels become yes and no, and probabilities come back."""

from __future__ import annotations

import copy
import os
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
from sklearn.base import ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from . import _checks, _labels, _tables
from ._base import Categorical, Features, KoreEstimator, Pairs
from ._checks import Doubles
from ._engine import (
    DistributedTraining,
    JointClasses,
    Model,
    Options,
    StructureChoice,
    Training,
    join_classes,
    save_classes,
)
from ._estimators import STRUCTURES, set_finest
from ._rows import FittedRows

if TYPE_CHECKING:
    from typing_extensions import Self


class KOREClassifier(ClassifierMixin, KoreEstimator):  # type: ignore[misc]
    """Probabilities of classes: the log odds are a sum of main effects, with pairs and triples while these predict
    left-out rows clearly better.

    Two classes are one model, of the probability of the second one. More classes are one model per class against all
    others; exponents that left-out rows solve for turn their probabilities into those of all classes.

    Parameters
    ----------
    pairs, degree, max_G_add, max_G_pair, ridge, structure, categorical_features, features, max_levels, max_columns,
    max_terms, simple, n_jobs, verbose :
        as in :class:`KORERegressor`
    class_weight : 'balanced', dict of classes and weights, or None, default=None
        Weights of the rows of a class, as scikit-learn has them; they multiply ``sample_weight``. They count rows, so
        probabilities are then those of a table with so many rows of each class.

    Attributes
    ----------
    classes_ : the labels, sorted
    estimators_ : where there are more than two classes, one classifier per class, which tells the class from all
        others. ``effects``, ``plot``, ``report`` and everything else that explains a model is there.
    log_loss_, error_rate_ : where there are more than two classes, of left-out rows
    loo_ : the mean left-out deviance: twice the log loss
    loo_residuals_ : left-out residuals of the rows: 1 for the second class and 0 for the first, less the probability
    G_star_, structure_, fits_, phases_, candidates_, pairs_, effects_, influential_rows_, n_features_in_,
    feature_names_in_ :
        as in :class:`KORERegressor`; of more than two classes, only the last two
    """

    classes_: npt.NDArray[Any]
    estimators_: list[KOREClassifier]
    log_loss_: float
    error_rate_: float
    _joint: JointClasses

    family = "binomial"
    loss = "squared"
    profile = "default"
    target_scale = "auto"

    def __init__(
        self,
        pairs: Pairs = None,
        degree: int = 3,
        max_G_add: int | None = None,
        max_G_pair: int | None = None,
        ridge: float | None = None,
        *,
        structure: str = "auto",
        class_weight: dict[Any, float] | str | None = None,
        categorical_features: Categorical = None,
        features: Features = None,
        max_levels: int | None = None,
        max_columns: int | None = None,
        max_terms: int | None = None,
        simple: bool = False,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.pairs = pairs
        self.degree = degree
        self.max_G_add = max_G_add
        self.max_G_pair = max_G_pair
        self.ridge = ridge
        self.structure = structure
        self.class_weight = class_weight
        self.categorical_features = categorical_features
        self.features = features
        self.max_levels = max_levels
        self.max_columns = max_columns
        self.max_terms = max_terms
        self.simple = simple
        self.n_jobs = n_jobs
        self.verbose = verbose

    @_checks.all_or_nothing
    def fit(self, X: Any, y: Any, sample_weight: Any = None, *, groups: Any = None) -> Self:
        """Fit to a table and its labels.

        Parameters
        ----------
        X : array, or DataFrame of pandas, polars, pyarrow or anything with the Arrow C stream interface
            Texts and categoricals become categories. Missing values are allowed.
        y : array of shape (n_samples,)
            Labels of any kind: texts, numbers, booleans.
        sample_weight : array of shape (n_samples,), optional
            A weight counts rows: 2 is a row given twice, 0 a row left out.
        groups : array of shape (n_samples,), optional
            Rows with the same value are left out together, as in :class:`KORERegressor`.
        """
        for name in ("estimators_", "log_loss_", "error_rate_"):
            self.__dict__.pop(name, None)
        frame = self._read_training_table(X)
        labels = _labels.check_labels(y, frame.rows, type(self).__name__)
        self.classes_, codes = np.unique(labels, return_inverse=True)
        own = _checks.check_weights(sample_weight, frame.rows)
        weights = _labels.row_weights(self._class_weights(_labels.totals_of(codes, own)), codes, own)
        grouping = _checks.check_groups(groups, frame.rows)
        training = self._training(frame, _checks.name_of(y))

        def fit_one(one: KOREClassifier, options: Options, place: int) -> None:
            target: Doubles = np.ascontiguousarray(codes == place, dtype=np.float64)
            model = training.fit(target, weights, grouping, options, _tables.describe(X), self._progress())
            one._rows = FittedRows.of(training, target, weights)
            one._take_model(model, X)

        self._fit_classes(training, fit_one)
        self._tell(sample_weight is not None, training.warnings)
        return self

    def predict(self, X: Any) -> npt.NDArray[Any]:
        """The most probable class of each row."""
        shares = self.predict_proba(X)
        return np.asarray(self.classes_[np.argmax(shares, axis=1)])

    def predict_proba(self, X: Any) -> Doubles:
        """The probability of each class, a column for each of ``classes_``."""
        shares = self._shares(X)
        if len(self.classes_) == 2:
            return np.column_stack([1 - shares, shares])
        return self._joint.couple(np.ascontiguousarray(shares))

    def predict_log_proba(self, X: Any) -> Doubles:
        """The logarithms of ``predict_proba``."""
        return np.asarray(np.log(self.predict_proba(X)))

    def decision_function(self, X: Any) -> Doubles:
        """The log odds of the second class; of more than two classes, a column for each against all others."""
        shares = self._shares(X)
        return np.asarray(np.log(shares / (1 - shares)))

    def save(self, path: Any) -> None:
        """Save to a model file, which ``kore.load`` and the commands read. Labels are saved as texts."""
        check_is_fitted(self)
        if not hasattr(self, "estimators_"):
            super().save(path)
            return
        texts = [_labels.text_of(label) for label in self.classes_]
        save_classes(os.fspath(path), texts, [one._model for one in self.estimators_], self._joint)

    def _shares(self, X: Any) -> Doubles:
        """The probability that each model gives: one of the second class, or a column for each class."""
        check_is_fitted(self)
        frame = self._read_new_table(X)
        if not hasattr(self, "estimators_"):
            return self._means(frame)
        first, *others = self.estimators_
        threads = _checks.threads_of(self.n_jobs)
        # What the first model says about the table would be said by the others again.
        return np.column_stack([first._means(frame), *(one._model.predict(frame, threads)[0] for one in others)])

    def _fit_classes(
        self, training: Training | DistributedTraining, fit_one: Callable[[KOREClassifier, Options, int], None]
    ) -> None:
        """Fit one model of two classes, or one for each class against all others. `fit_one` gives a classifier the
        model of the class at a place."""
        texts = [_labels.text_of(label) for label in self.classes_]
        if len(texts) == 2:
            training.describe_target(texts, "")
            fit_one(self, self._options(training), 1)
            return
        blank = copy.copy(self)
        self.estimators_ = [copy.copy(blank) for _ in texts]
        held_out = []
        for place, one in enumerate(self.estimators_):
            one.classes_ = np.array([False, True])
            training.describe_target([f"not {texts[place]}", texts[place]], "")
            fit_one(one, self._options(training), place)
            held_out.append(training.held_out)
        self._join(join_classes(held_out))

    def _join(self, joint: JointClasses) -> None:
        self._forget_model()
        self._joint = joint
        if joint.rows:
            self.log_loss_ = joint.log_loss
            self.error_rate_ = joint.error_rate

    def _class_weights(self, totals: Doubles) -> Doubles | None:
        return _labels.weights_of_classes(self.class_weight, self.classes_, totals, type(self).__name__)

    def _tell(self, weighted: bool, told: list[str]) -> None:
        for warning in told:
            _checks.warn(warning)
        model = self._any_model()
        if weighted and self.class_weight is None and model.weight_note is not None:
            _checks.warn(model.weight_note)

    def _any_model(self) -> Model:
        return self.estimators_[0]._model if hasattr(self, "estimators_") else self._model

    @property
    def feature_importances_(self) -> Doubles:
        """As of a regressor; where there are more than two classes, the mean over their models."""
        if not hasattr(self, "estimators_"):
            return super().feature_importances_
        return np.asarray(np.mean([one.feature_importances_ for one in self.estimators_], axis=0))

    def _forget_model(self) -> None:
        """Attributes of an earlier fit to two classes are no longer true."""
        for name in _OF_ONE_MODEL:
            self.__dict__.pop(name, None)

    def _rows_to_report(
        self, y: Any, rows: int, sample_weight: Any, precision: Any, exposure: Any
    ) -> tuple[Doubles, Doubles | None]:
        if precision is not None or exposure is not None:
            raise ValueError("Labels have neither a precision nor an exposure.")
        labels = _labels.check_labels(y, rows, type(self).__name__)
        unknown = [label for label in np.unique(labels) if label not in self.classes_]
        if unknown:
            label = _labels.shown(unknown[0])
            raise ValueError(f"y has the label {label}, which is not one of the classes of the model.")
        target: Doubles = np.ascontiguousarray(labels == self.classes_[1], dtype=np.float64)
        weights = _checks.check_weights(sample_weight, rows)
        if self.class_weight is None:
            return target, weights
        classes, codes = np.unique(labels, return_inverse=True)
        by_class = _labels.class_weights(self.class_weight, classes, _labels.totals_of(codes, weights))
        return target, _labels.row_weights(by_class, codes, weights)

    def __getattr__(self, name: str) -> Any:
        if name in _OF_ONE_MODEL and "estimators_" in vars(self):
            raise AttributeError(
                f"This classifier has {len(self.classes_)} classes and so as many models. Each is explained by one of "
                "its estimators_, in the order of classes_."
            )
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "_model") or hasattr(self, "estimators_")

    def _given_pairs(self) -> Pairs:
        return self.pairs

    def _structure_choice(self) -> StructureChoice:
        return STRUCTURES[_checks.check_choice("structure", self.structure, "structure")]

    def _set_options(self, options: Options) -> None:
        set_finest(options, "max_G_add", self.max_G_add, "additive")
        set_finest(options, "max_G_pair", self.max_G_pair, "pairwise")


_OF_ONE_MODEL = (
    "_model",
    "_rows",
    "_loo_residuals",
    "_library",
    *("structure_", "G_star_", "fits_", "loo_", "target_scale_", "A_hat_", "tau_hat_", "G_dagger_", "candidates_"),
    *("pairs_", "effects_", "influential_rows_", "notes_", "phases_"),
)

"""What the estimators share. They check their arguments and call the engine, which does all computations."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence, Sized
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted, validate_data

from . import _checks, _features, _tables
from ._checks import Doubles, Integers
from ._engine import (
    ChunkedTraining,
    DistributedTraining,
    Family,
    Frame,
    Loss,
    Model,
    Options,
    PairChoice,
    StructureChoice,
    TargetScale,
    Training,
)
from ._report import ReportView
from ._rows import FittedRows
from ._view import ModelView

Pairs = Sequence[tuple[int, int]] | Sequence[tuple[str, str]] | str | None
Piece = tuple[Frame, Doubles, Doubles | None, Doubles | None]
Categorical = Sequence[int] | Sequence[str] | Sequence[bool] | None
Features = Mapping[str, str | Mapping[str, Any]] | Mapping[int, str | Mapping[str, Any]] | None

_SCALES = {
    "auto": TargetScale.automatic,
    "identity": TargetScale.identity,
    "sqrt": TargetScale.square_root,
    "log": TargetScale.logarithm,
}


class KoreEstimator(ModelView, ReportView, BaseEstimator):  # type: ignore[misc]
    """Base of the estimators. A subclass has parameters, and sets the options of the engine from them."""

    _why_no_rows: ClassVar[str] = "The rows of the fit are not here any more: fit again for loo_residuals_."

    degree: int
    ridge: float | None
    family: str
    loss: str
    profile: str
    categorical_features: Categorical
    features: Features
    max_levels: int | None
    max_terms: int | None
    max_columns: int | None
    simple: bool
    target_scale: str
    n_jobs: int | None
    verbose: int

    # Set by a fit:
    structure_: str
    G_star_: int
    fits_: int
    loo_: float
    target_scale_: str
    A_hat_: float
    tau_hat_: float
    G_dagger_: float
    candidates_: dict[str, dict[int, float]]
    pairs_: list[tuple[int, int]]
    effects_: list[dict[str, Any]]
    influential_rows_: list[dict[str, Any]]
    notes_: list[str]
    n_features_in_: int
    feature_names_in_: npt.NDArray[Any]

    _rows: FittedRows | None
    _loo_residuals: Doubles | None
    _column_names: list[str]

    def outside(self, X: Any) -> Integers:
        """In how many features each row of a table lies outside the training range; predictions there are guesses.

        Categories are never outside. A value that is missing is filled in, and lies inside.
        """
        check_is_fitted(self)
        return np.asarray(self._any_model().outside(self._read_new_table(X)), dtype=np.int64)

    @property
    def loo_residuals_(self) -> Doubles:
        """Leave-one-out residuals of the training rows, in their order: exact for the normal family, and by one Newton
        step for others.

        Computed on first use from the rows of ``fit``, which the estimator refers to without a copy. An estimator that
        was pickled or loaded has no rows.
        """
        check_is_fitted(self)
        if self._loo_residuals is None:
            if self._rows is None:
                raise AttributeError(self._why_no_rows)
            # Rows that were changed since are refused: the residuals would be those of another table.
            self._loo_residuals = self._rows.loo_residuals(self._model, _checks.threads_of(self.n_jobs))
        return self._loo_residuals

    def _take_model(self, model: Model, X: Any) -> None:
        """The model of a fit, and what it says about itself."""
        self._model = model
        self._library = _tables.library_of(X)
        self._read_story()

    def _any_model(self) -> Model:
        """A model that knows how the table is read."""
        return self._model

    def _finish_fit(self, model: Model, X: Any, told: list[str]) -> None:
        self._take_model(model, X)
        for warning in told:
            _checks.warn(warning)
        if model.weight_note is not None:
            _checks.warn(model.weight_note)
        if self._structure_choice() is StructureChoice.pairwise and self.structure_ == "additive" and self.notes_:
            _checks.warn(self.notes_[-1])

    def _structure_choice(self) -> StructureChoice:
        """The structures that compete."""
        raise NotImplementedError

    def _set_options(self, options: Options) -> None:
        """Set the options that only this estimator has."""
        raise NotImplementedError

    def _given_pairs(self) -> Pairs:
        return None

    def _training(self, frame: Frame, target: str) -> Training:
        """The table, ready to be learned from; the first thing that a fit does with it."""
        self._column_names = frame.names
        training = Training(
            frame,
            target,
            _checks.check_profile(self.profile),
            self._categorical_mask(frame.names),
            _checks.threads_of(self.n_jobs),
            _checks.check_max_levels(self.max_levels),
        )
        self._set_curves(training, frame.names)
        return training

    def _categorical_mask(self, names: list[str]) -> list[bool]:
        """Which columns are categories by `categorical_features` or by `features`."""
        chosen = _features.categories(self.features, names)
        return [
            given or name in chosen
            for given, name in zip(_checks.categorical_mask(self.categorical_features, names), names, strict=True)
        ]

    def _set_curves(self, training: Training | ChunkedTraining | DistributedTraining, names: list[str]) -> None:
        _features.set_curves(training, self.features, names)

    def _options(self, training: Training | ChunkedTraining | DistributedTraining) -> Options:
        options = self._options_without_rows()
        options.pairs = training.feature_pairs(self._named_pairs(self._column_names))
        return options

    def _check_options(self, names: list[str]) -> None:
        """Check the parameters for a table with these columns, before its rows are read."""
        _checks.check_profile(self.profile)
        self._categorical_mask(names)
        _checks.check_max_levels(self.max_levels)
        self._named_pairs(names)
        options = self._options_without_rows()
        options.structure = StructureChoice.automatic  # where there are too few rows for pairs, there will be none
        options.check(len(names))

    def _named_pairs(self, names: list[str]) -> list[tuple[str, str]]:
        """The pairs that are given, by the names of their columns."""
        pairs = self._given_pairs()
        if isinstance(pairs, str) or not isinstance(pairs, Iterable):
            return []  # what is wrong with them is said where options are made
        return [_checks.named_pair(pair, names) for pair in pairs]

    def _options_without_rows(self) -> Options:
        options = Options.paper() if self.profile == "paper" else Options()
        options.structure = self._structure_choice()
        options.degree = _checks.check_integer("degree", self.degree, "degree")
        options.threads = _checks.threads_of(self.n_jobs)
        if self.ridge is not None:
            options.ridge = _checks.check_number("ridge", self.ridge, "ridge")
        self._set_options(options)
        if self.max_columns is not None:
            options.max_columns = _checks.check_integer("max_columns", self.max_columns, "max_columns")
        self._set_loss(options)
        self._set_simplicity(options)
        self._set_family(options)
        scale = _SCALES[_checks.check_choice("target_scale", self.target_scale, "target_scale")]
        if not options.is_published:
            options.grown.target_scale = scale
        elif scale in (TargetScale.square_root, TargetScale.logarithm):
            raise ValueError(
                f"target_scale={self.target_scale!r} belongs to the default profile. "
                "The paper profile fits the target as it is."
            )
        pairs = self._given_pairs()
        if options.structure is StructureChoice.additive and _demands_pairs(pairs):
            raise ValueError(
                f"pairs={pairs!r} asks for pairs, and structure='additive' has none. Leave one of them out."
            )
        if isinstance(pairs, str):
            choices = {"auto": options.pair_choice, "all": PairChoice.all, "none": PairChoice.none}
            if pairs not in choices:
                raise ValueError(f"pairs must be 'auto', 'all', 'none' or a list of pairs of columns, got {pairs!r}")
            options.pair_choice = choices[pairs]
        elif pairs is not None:
            if not isinstance(pairs, Sized):
                raise ValueError(f"pairs must be 'auto', 'all', 'none' or a list of pairs of columns, got {pairs!r}")
            options.pair_choice = PairChoice.given if len(pairs) > 0 else PairChoice.none
        return options

    def _set_loss(self, options: Options) -> None:
        if _checks.check_choice("loss", self.loss, "loss") == "squared":
            return
        if options.is_published:
            raise ValueError(
                "loss='robust' belongs to the default profile. The paper profile minimises squared errors."
            )
        options.grown.loss = Loss.robust

    def _set_simplicity(self, options: Options) -> None:
        simple = _checks.check_flag("simple", self.simple)
        terms = 0 if self.max_terms is None else _checks.check_count("max_terms", self.max_terms, 1)
        if not simple and terms == 0:
            return
        if options.is_published:
            raise ValueError(
                "simple and max_terms belong to the default profile. The paper profile keeps all terms of a structure."
            )
        options.grown.simplest = simple
        options.grown.max_terms = _checks.check_integer("max_terms", terms, "max_terms")

    def _means(self, frame: Frame) -> Doubles:
        prediction, notes = self._model.predict(frame, _checks.threads_of(self.n_jobs, frame.rows))
        for note in notes:
            _checks.warn(note)
        return np.asarray(prediction)

    def _set_family(self, options: Options) -> None:
        if _checks.check_choice("family", self.family, "family") == "normal":
            return
        if options.is_published:
            raise ValueError(
                f"family={self.family!r} belongs to the default profile. The paper profile has the normal family only."
            )
        if self.loss != "squared":
            raise ValueError(f"loss={self.loss!r} belongs to family='normal'; other families minimise their deviance.")
        if self.target_scale in ("sqrt", "log"):
            raise ValueError(
                f"target_scale={self.target_scale!r} belongs to family='normal'; other families have a link of their "
                "own."
            )
        options.grown.family = getattr(Family, self.family)

    def _read_training_table(self, X: Any) -> Frame:
        if not _tables.is_table(X):
            array = _tables.checked_array(X, self, _checks.LEAST_ROWS)
            validate_data(self, array, reset=True, skip_check_array=True)
            return _tables.frame_of_array(array, _tables.default_names(array.shape[1]))
        frame = _tables.frame_of_table(X)
        _checks.check_table_size(frame.names, frame.rows, type(self).__name__)
        if _tables.is_pandas(X):
            validate_data(self, X, reset=True, skip_check_array=True)
        else:
            self.n_features_in_ = len(frame.names)
            self.feature_names_in_ = np.array(frame.names, dtype=object)
        return frame

    def _read_new_table(self, X: Any) -> Frame:
        if not self._any_model().knows_order and not _tables.is_table(X):
            raise ValueError(
                "The model file does not say in which order its columns were: give a table with column names."
            )
        return self._read_similar_table(X)

    def _read_similar_table(self, X: Any) -> Frame:
        """A table with the columns of the first one."""
        if not hasattr(self, "feature_names_in_") and _tables.is_plain_matrix(X, self.n_features_in_):
            return _tables.frame_of_array(X, self._column_names)
        if not _tables.is_table(X):
            array = validate_data(self, X, reset=False, dtype=None, ensure_all_finite=False)
            return _tables.frame_of_array(array, self._column_names)
        frame = _tables.frame_of_table(X)
        if not hasattr(self, "feature_names_in_"):
            # Fitted without names: columns are matched by position, and scikit-learn warns that this may be a mistake.
            if _tables.is_pandas(X):
                validate_data(self, X, reset=False, skip_check_array=True)
            frame.rename(self._column_names)
        return frame

    def _progress(self) -> Callable[[str], None] | None:
        return (lambda fit: print(f"[kore] {fit}")) if _checks.check_verbose(self.verbose) else None

    def _read_story(self) -> None:
        """Set the published attributes from the JSON that the command prints."""
        story = json.loads(self._model.to_json())
        families = story["families"]
        # In the default profile, the resolution and the law are those of the main effects.
        chosen = families.get("additive" if story["stages"] else story["structure"], {})
        self.structure_ = story["structure"]
        self.G_star_ = story["G"]
        self.fits_ = story["fits"]
        self.phases_ = story["phases"]
        self.loo_ = _number(story["loo"])
        self.target_scale_ = story["scale"]
        self.A_hat_ = _number(chosen.get("A_hat", 0.0))
        self.tau_hat_ = _number(chosen.get("tau_hat", 0.0))
        self.G_dagger_ = _number(chosen.get("G_dagger", 1.0))
        self.candidates_ = {
            name: {point["G"]: _number(point["loo"]) for point in family["curve"]} for name, family in families.items()
        }
        places = {name: place for place, name in enumerate(self._column_names)}
        self.pairs_ = [(places[left], places[right]) for left, right in self._model.column_pairs]
        self.effects_ = [
            {**effect, "features": tuple(effect["features"])}
            for effect in sorted(story["effects"], key=lambda effect: -effect["share"])
        ]
        self.influential_rows_ = story["influential_rows"]["rows"]
        self.notes_ = story["notes"]
        self._loo_residuals = None

    def __getstate__(self) -> dict[str, Any]:
        state: dict[str, Any] = super().__getstate__()
        return {**state, "_rows": None} if "_rows" in state else state

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "_model")

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.categorical = True
        return tags


def _demands_pairs(pairs: Pairs) -> bool:
    if isinstance(pairs, str):
        return pairs == "all"
    return isinstance(pairs, Sized) and len(pairs) > 0


def _number(value: float | None) -> float:
    """JSON has no infinity: a leave-one-out error that is null is infinite."""
    return float("inf") if value is None else float(value)

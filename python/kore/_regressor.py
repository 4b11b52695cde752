"""What the regressors share: fits to numbers, and predictions of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, overload

from sklearn.base import RegressorMixin
from sklearn.metrics import r2_score
from sklearn.utils.validation import check_is_fitted

from . import _checks, _rows, _tables
from ._base import KoreEstimator, Piece
from ._checks import Doubles
from ._engine import ChunkedTraining, OffsetUse, Training
from ._offsets import Offset, check_offset
from ._rows import FittedRows, Rates

if TYPE_CHECKING:
    from typing_extensions import Self

Chunk = tuple[Any, Any] | tuple[Any, Any, Any] | tuple[Any, Any, Any, Any]


class KoreRegressor(RegressorMixin, KoreEstimator):  # type: ignore[misc]
    """Base of the regressors. A subclass has parameters, and sets the options of the engine from them."""

    @_checks.all_or_nothing
    def fit(
        self,
        X: Any,
        y: Any,
        sample_weight: Any = None,
        *,
        precision: Any = None,
        groups: Any = None,
        exposure: Any = None,
        offset: Any = None,
    ) -> Self:
        """Fit to a table and its target.

        Parameters
        ----------
        X : array, or DataFrame of pandas, polars, pyarrow or anything with the Arrow C stream interface
            Texts and categoricals become categories. Missing values are allowed. Both are treated as in the command.
        y : array of shape (n_samples,)
        sample_weight : array of shape (n_samples,), optional
            A weight counts rows: 2 is a row given twice, 0 a row left out.
        precision : array of shape (n_samples,), optional, in place of sample_weight
            The inverse variance of each row's noise, up to a factor: only the ratios matter. The noise and the
            stated errors are those of a row of average precision; intervals are too narrow for rows of low precision.
        groups : array of shape (n_samples,), optional
            Rows with the same value (a patient, a shop, a day) are left out together, so that the choice of the model,
            ``accuracy`` and intervals are those for new groups. Texts, numbers, dates or tuples; no feature.
        exposure : array of shape (n_samples,), optional, with ``family='poisson'``
            How much each count had the time or the room to happen: policy years, kilometres, visitors. The model is
            one of rates, counts per unit of exposure.
        offset : array of shape (n_samples,), optional, with the families 'normal', 'gamma' and 'poisson'
            A known part of the linear predictor: the logarithm of an exposure ('poisson'), of a factor ('gamma'), or a
            part of the target ('normal').
        """
        training, target, weights = self._prepare(X, y, sample_weight, precision)
        codes = _checks.check_groups(groups, len(target))
        options = self._options(training)
        known = self._offset_of(offset, len(target), exposure)
        if known is not None:
            training.describe_offset(_rows.column_name(offset, "offset"), known.use)
        if known is not None and known.use == OffsetUse.exposure:
            exposure = known.factor
        over = self._exposure_of(exposure, len(target), precision)
        if known is not None and over is None:
            target, over = known.taken_out(target), known.factor
        elif over is not None:
            rates = Rates.of(target, over, weights)
            target, weights = rates.target, rates.weights
            options.grown.dispersion = rates.dispersion
            training.describe_target([], _rows.column_name(exposure if known is None else offset, "exposure"))
        model = training.fit(target, weights, codes, options, _tables.describe(X), self._progress())
        self._rows = FittedRows.of(training, target, weights, over)
        self._finish_fit(model, X, training.warnings)
        return self

    @_checks.all_or_nothing
    def fit_chunks(self, chunks: Callable[[], Iterable[Chunk]] | Sequence[Chunk], *, precision: bool = False) -> Self:
        """Fit to a table that is larger than memory, read in pieces as often as the engine needs.

        Parameters
        ----------
        chunks : function that gives an iterator over pieces, or a list of them
            A piece is ``(X, y)``, ``(X, y, sample_weight)`` or ``(X, y, sample_weight, groups)``, each as in ``fit``;
            the weights may be None. The pieces must be the same every time they are read. Memory does not depend on
            their number.
        precision : bool
            The third element of a piece is a precision, as in ``fit``, and not a weight.
        """

        def read() -> Iterator[Piece]:
            for X, y, *beside in chunks() if callable(chunks) else chunks:
                frame = self._read_similar_table(X)
                target = _checks.check_target(y, frame.rows, type(self).__name__)
                weights = _checks.check_weights(beside[0] if beside else None, frame.rows)
                if precision and weights is None:
                    raise ValueError("With precision=True every piece needs a precision for each of its rows.")
                yield frame, target, weights, _checks.check_groups(beside[1] if len(beside) > 1 else None, frame.rows)

        if not callable(chunks) and (isinstance(chunks, Iterator) or not isinstance(chunks, Iterable)):
            raise ValueError(
                "chunks must be a list of pieces, or a function that gives a new iterator each time, because they are "
                f"read more than once; got a value of type {type(chunks).__name__}"
            )
        first = next(iter(chunks() if callable(chunks) else chunks), None)
        if first is None:
            raise ValueError("There are no chunks to fit.")
        if not isinstance(first, Sequence) or not 2 <= len(first) <= 4:
            raise ValueError(
                "A piece must be (X, y), (X, y, sample_weight) or (X, y, sample_weight, groups); "
                f"got a value of type {type(first).__name__}"
            )
        self._column_names = self._read_training_table(first[0]).names
        training = ChunkedTraining(
            read,
            _checks.name_of(first[1]),
            _checks.check_profile(self.profile),
            self._categorical_mask(self._column_names),
            _checks.check_max_levels(self.max_levels),
            precision,
        )
        self._set_curves(training, self._column_names)
        self._rows = None
        model = training.fit(self._options(training), "chunks of rows", self._progress())
        self._finish_fit(model, first[0], training.warnings)
        return self

    @overload
    def predict(self, X: Any, return_interval: None = None, *, exposure: Any = None, offset: Any = None) -> Doubles: ...
    @overload
    def predict(
        self, X: Any, return_interval: float, *, exposure: Any = None, offset: Any = None
    ) -> tuple[Doubles, Doubles, Doubles]: ...
    def predict(
        self, X: Any, return_interval: float | None = None, *, exposure: Any = None, offset: Any = None
    ) -> Doubles | tuple[Doubles, Doubles, Doubles]:
        """Predict the means of the rows of a table; columns with names are matched by name.

        With ``return_interval=0.9`` also the ends of intervals that cover a new target with that probability, as
        ``(prediction, lower, upper)``. Intervals of rows outside the training range are wider (see ``outside``).
        A model that was fitted with exposures predicts rates, and counts where ``exposure`` is given. One that was
        fitted with an offset predicts for an offset of 0 where none is given.
        """
        if not hasattr(self, "_model"):
            check_is_fitted(self)  # scikit-learn's way to say so takes as long as predicting a few rows
        frame = self._read_new_table(X)
        known = self._new_offset(offset, frame.rows)
        if known is not None and known.use == OffsetUse.exposure:
            exposure, known = known.factor, None
        over = None if exposure is None else self._new_exposure(exposure, frame.rows)
        if return_interval is not None:
            return_interval = _checks.check_level("return_interval", return_interval)
            _rows.check_intervals(self._model, over is not None)
        prediction = self._means(frame)
        if over is not None:
            prediction = prediction * over
        if return_interval is None:
            return prediction if known is None else known.put_back(prediction)
        ends = self._model.interval_ends(prediction, return_interval, self._model.widening(frame))
        if warning := self._model.interval_warning(return_interval):
            _checks.warn(warning)
        lower, upper = ends
        if known is None:
            return prediction, lower, upper
        return known.put_back(prediction), known.put_back(lower), known.put_back(upper)

    def score(self, X: Any, y: Any, sample_weight: Any = None, *, exposure: Any = None, offset: Any = None) -> float:
        """R² of the predictions. A model of rates needs the ``exposure`` of the rows, and one with an offset theirs."""
        check_is_fitted(self)
        if self._model.offset and offset is None:
            raise ValueError("The model was fitted with an offset: score needs the offset of the rows.")
        if self._model.exposure and exposure is None and offset is None:
            raise ValueError("The model was fitted with exposures: score needs the exposure of the rows.")
        return float(r2_score(y, self.predict(X, exposure=exposure, offset=offset), sample_weight=sample_weight))

    def _prepare(
        self, X: Any, y: Any, sample_weight: Any, precision: Any = None
    ) -> tuple[Training, Doubles, Doubles | None]:
        frame = self._read_training_table(X)
        target = _checks.check_target(y, frame.rows, type(self).__name__)
        weights = _checks.check_weights(sample_weight, frame.rows, precision)
        return self._training(frame, _checks.name_of(y)), target, weights

    def _rows_to_report(
        self, y: Any, rows: int, sample_weight: Any, precision: Any, exposure: Any
    ) -> tuple[Doubles, Doubles | None]:
        target = _checks.check_target(y, rows, type(self).__name__)
        weights = _checks.check_weights(sample_weight, rows, precision)
        if self._model.offset:
            raise ValueError("The model was fitted with an offset: a report on rows of your choice cannot have theirs.")
        if exposure is None and self._model.exposure:
            raise ValueError("The model was fitted with exposures: a report on rows needs theirs.")
        if exposure is None:
            return target, weights
        rates = Rates.of(target, self._new_exposure(exposure, rows), weights)
        return rates.target, rates.weights

    def _exposure_of(self, exposure: Any, rows: int, precision: Any) -> Doubles | None:
        if exposure is None:
            return None
        self._check_exposure_goes(precision)
        return _rows.check_exposure(exposure, rows)

    def _offset_of(self, offset: Any, rows: int, exposure: Any) -> Offset | None:
        if offset is None:
            return None
        if exposure is not None:
            raise ValueError("exposure and offset cannot both be given: an offset is the logarithm of an exposure.")
        return Offset.of(offset, rows, self.family)

    def _new_offset(self, offset: Any, rows: int) -> Offset | None:
        if offset is None:
            return None
        if not self._model.offset:
            raise ValueError("The model was fitted without an offset, so predictions have none either.")
        return Offset(check_offset(offset, rows), self._model.offset_use)

    def _check_exposure_goes(self, precision: Any) -> None:
        if self.family != "poisson":
            raise ValueError(
                f"exposure belongs to family='poisson', whose counts it turns into rates; the family is "
                f"{self.family!r}."
            )
        if precision is not None:
            raise ValueError("exposure and precision cannot both be given: exposures are the precisions of rates.")

    def _new_exposure(self, exposure: Any, rows: int) -> Doubles:
        _rows.check_known_exposure(self._model)
        return _rows.check_exposure(exposure, rows)

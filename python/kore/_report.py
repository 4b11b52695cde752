"""A fitted model as one HTML file that explains it."""

from __future__ import annotations

import os
from typing import Any

from sklearn.utils.validation import check_is_fitted

from . import _checks
from ._checks import Doubles
from ._engine import Frame, Model, write_report, write_report_on
from ._rows import FittedRows


class ReportView:
    """The method of an estimator that writes a report."""

    n_jobs: int | None

    _model: Model
    _rows: FittedRows | None

    def report(
        self,
        path: str | os.PathLike[str],
        X: Any = None,
        y: Any = None,
        sample_weight: Any = None,
        *,
        precision: Any = None,
        exposure: Any = None,
    ) -> None:
        """Write one HTML file that explains the model and needs no network.

        Parameters
        ----------
        path : where to write; an interrupted report leaves an earlier one whole
        X, y, sample_weight, precision, exposure : a table and its target, optional
            Show where rows lie and how errors look. Without them the rows of ``fit`` do, if they are still there: an
            estimator that was loaded or pickled has none, and its report tells what the model alone knows.
        """
        check_is_fitted(self)
        place = os.fspath(path)
        threads = _checks.threads_of(self.n_jobs)
        if (X is None) != (y is None):
            raise ValueError("A report on rows needs both X and y.")
        if X is not None:
            frame = self._read_new_table(X)
            target, weights = self._rows_to_report(y, frame.rows, sample_weight, precision, exposure)
            write_report_on(self._model, frame, target, weights, place, threads)
        elif self._rows is not None:
            rows = self._rows
            rows.check_unchanged()
            rows.training.report(self._model, rows.target, rows.weights, place, threads)
        else:
            write_report(self._model, place)

    def _rows_to_report(
        self, y: Any, rows: int, sample_weight: Any, precision: Any, exposure: Any
    ) -> tuple[Doubles, Doubles | None]:
        """The target of rows and their weights, as the model sees them."""
        raise NotImplementedError

    def _read_new_table(self, X: Any) -> Frame:
        raise NotImplementedError

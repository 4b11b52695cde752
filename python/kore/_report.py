"""A fitted model as one HTML file that explains it."""

from __future__ import annotations

import os
from typing import Any

from sklearn.utils.validation import check_is_fitted

from . import _checks
from ._checks import Doubles
from ._engine import Frame, Model, Training, write_report, write_report_on


class ReportView:
    """The method of an estimator that writes a report."""

    n_jobs: int | None

    _model: Model
    _rows: tuple[Training, Doubles, Doubles | None] | None

    def report(
        self,
        path: str | os.PathLike[str],
        X: Any = None,
        y: Any = None,
        sample_weight: Any = None,
        *,
        precision: Any = None,
    ) -> None:
        """Write one HTML file that explains the model and needs no network.

        Parameters
        ----------
        path : where to write; an interrupted report leaves an earlier one whole
        X, y, sample_weight, precision : a table and its target, optional
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
            target = _checks.check_target(y, frame.rows, type(self).__name__)
            weights = _checks.check_weights(sample_weight, frame.rows, precision)
            write_report_on(self._model, frame, target, weights, place, threads)
        elif self._rows is not None:
            training, target, weights = self._rows
            training.report(self._model, target, weights, place, threads)
        else:
            write_report(self._model, place)

    def _read_new_table(self, X: Any) -> Frame:
        raise NotImplementedError

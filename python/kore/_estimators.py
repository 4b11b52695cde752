"""The estimators: their parameters, and what these mean to the engine."""

from __future__ import annotations

from ._base import Categorical, KoreRegressor, Pairs
from ._engine import StructureChoice, Options


class KORERegressor(KoreRegressor):
    """Main effects, with pairs and triples of features while they predict left-out rows clearly better.

    The resolution of the splines is solved for, not searched: two pilot fits determine a law of the error, its
    minimum is the resolution, and exact leave-one-out errors around it check the choice.

    Parameters
    ----------
    pairs : list of pairs of columns (positions or names), 'auto', 'all', 'none' or None, default=None
        Pairs that may interact. None is 'auto': the pairs that explain most, and triples of them; in the paper profile
        all pairs.
    degree : int, default=3
        Degree of the splines, 1 to 7.
    max_G_add, max_G_pair : int, default=None
        Largest resolutions tried (numbers of knot intervals). None is 64 and 16; in the paper profile 20 and 8.
    ridge : float, default=None
        Added to the diagonal of the normal equations. None is 1e-10 of the mean diagonal entry; in the paper profile
        1e-8.
    radius : int, default=None
        Resolutions fitted on either side of the solution, in the paper profile; None is 3 for main effects and 1 for
        pairs.
    profile : {'default', 'paper'}, default='default'
        'paper' is the published algorithm with its constants.
    categorical_features : list of names, positions or a mask, default=None
        Numbers to treat as categories; texts and categoricals always are.
    n_jobs : int, default=None
        Threads; None and -1 are all cores. The result does not depend on it.
    verbose : int, default=0
        Print every fit.

    Attributes
    ----------
    G_star_, structure_, fits_ : resolution, 'additive', 'pairwise' or 'threeway', and the number of fits made
    G_dagger_, A_hat_, tau_hat_ : the solution of the law and its constants, of the main effects; in the paper profile
        of the chosen structure
    loo_, loo_residuals_ : exact leave-one-out mean squared error, and the left-out residuals of the rows
    candidates_ : the leave-one-out error of every resolution fitted, per structure
    pairs_ : the pairs of columns in the model; in the paper profile the candidates
    effects_ : the terms with their share of the variance
    n_features_in_, feature_names_in_ : as in scikit-learn
    """

    def __init__(
        self,
        pairs: Pairs = None,
        degree: int = 3,
        max_G_add: int | None = None,
        max_G_pair: int | None = None,
        ridge: float | None = None,
        radius: int | None = None,
        *,
        profile: str = "default",
        categorical_features: Categorical = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.pairs = pairs
        self.degree = degree
        self.max_G_add = max_G_add
        self.max_G_pair = max_G_pair
        self.ridge = ridge
        self.radius = radius
        self.profile = profile
        self.categorical_features = categorical_features
        self.n_jobs = n_jobs
        self.verbose = verbose

    def _given_pairs(self) -> Pairs:
        return self.pairs

    def _set_options(self, options: Options) -> None:
        if self.max_G_add is not None:
            options.max_resolution_additive = self.max_G_add
        if self.max_G_pair is not None:
            options.max_resolution_pairwise = self.max_G_pair
        if self.radius is not None:
            options.radius_additive = self.radius
            options.radius_pairwise = self.radius


class KOREAdditiveRegressor(KoreRegressor):
    """A curve for every feature and nothing else. Parameters as in :class:`KORERegressor`."""

    _structure = StructureChoice.additive

    def __init__(
        self,
        degree: int = 3,
        max_G: int | None = None,
        ridge: float | None = None,
        radius: int = 3,
        *,
        profile: str = "default",
        categorical_features: Categorical = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.degree = degree
        self.max_G = max_G
        self.ridge = ridge
        self.radius = radius
        self.profile = profile
        self.categorical_features = categorical_features
        self.n_jobs = n_jobs
        self.verbose = verbose

    def _set_options(self, options: Options) -> None:
        if self.max_G is not None:
            options.max_resolution_additive = self.max_G
        options.radius_additive = self.radius


class KOREPairwiseRegressor(KoreRegressor):
    """A curve for every feature and a surface for every pair. Parameters as in :class:`KORERegressor`."""

    _structure = StructureChoice.pairwise

    def __init__(
        self,
        pairs: Pairs = None,
        degree: int = 3,
        max_G: int | None = None,
        ridge: float | None = None,
        radius: int = 1,
        *,
        profile: str = "default",
        categorical_features: Categorical = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.pairs = pairs
        self.degree = degree
        self.max_G = max_G
        self.ridge = ridge
        self.radius = radius
        self.profile = profile
        self.categorical_features = categorical_features
        self.n_jobs = n_jobs
        self.verbose = verbose

    def _given_pairs(self) -> Pairs:
        return self.pairs

    def _set_options(self, options: Options) -> None:
        options.max_order = 2
        if self.max_G is not None:
            options.max_resolution_pairwise = self.max_G
        options.radius_pairwise = self.radius

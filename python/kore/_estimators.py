"""The estimators: their parameters, and what these mean to the engine."""

from __future__ import annotations

from . import _checks
from ._base import Categorical, Features, Pairs
from ._engine import Options, StructureChoice
from ._regressor import KoreRegressor

STRUCTURES = {
    "auto": StructureChoice.automatic,
    "additive": StructureChoice.additive,
    "pairwise": StructureChoice.pairwise,
}


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
    structure : {'auto', 'additive', 'pairwise'}, default='auto'
        'additive' is a curve for every feature and nothing else, 'pairwise' only models with interactions, 'auto' what
        predicts left-out rows best.
    family : {'normal', 'poisson', 'gamma', 'negative_binomial', 'binomial'}, default='normal'
        The distribution of the target around its mean: any number; counts; positive amounts whose deviation grows with
        their mean; counts that vary by more than Poisson's; 0 and 1 (see :class:`KOREClassifier` for labels). Effects
        of all but the first are on the scale of a link, the logarithm or the log odds, and predictions are means.
        Default profile only.
    loss : {'squared', 'robust'}, default='squared'
        'robust' levels off, so that gross errors in the target cannot bend the fit; default profile only.
    profile : {'default', 'paper'}, default='default'
        'paper' is the published algorithm with its constants.
    categorical_features : list of names, positions or a mask, default=None
        Numbers to treat as categories; texts and categoricals always are.
    features : dict, default=None
        What single columns are, by name or position: 'category', 'linear' (a straight line in place of a curve),
        'cyclic' (values begin again, so that the curve meets itself) or 'curve', as in ``{'zip': 'category', 'age':
        'linear'}``. Or a dictionary, ``{'hour': {'max_resolution': 24, 'cyclic': True}}``: the largest number of knot
        intervals, and True or the period, such as 360.
    max_levels : int, default=None
        Levels of a category with an effect of their own; rarer ones share one. None is automatic: the 50 most frequent,
        and all with three rows or more, 500 in all columns.
    max_columns : int, default=None
        Models with more columns (coefficients) are not tried; 0 is no limit. None is 2,500; in the paper profile no
        limit. Memory grows with the square of the columns, and time with their cube.
    max_terms : int, default=None
        The most terms of the model: those that matter most are kept and fitted again without the others. Default
        profile only.
    simple : bool, default=False
        Take the simplest model whose error on left-out rows is within one standard error of the best one's. Models of
        the 1, 2, 3, 5, 8 and 13 terms that matter most compete too. Default profile only.
    target_scale : {'auto', 'identity', 'sqrt', 'log'}, default='auto'
        The scale on which the target is a sum of terms; predictions are means in its own units. 'sqrt' needs targets of
        at least 0, 'log' positive ones; 'auto' is what predicts left-out rows best. The paper profile has 'identity',
        and so have families other than the normal one.
    n_jobs : int, default=None
        Threads; None and -1 are all cores. The result does not depend on it.
    verbose : int, default=0
        Print every fit.

    Attributes
    ----------
    G_star_, structure_, fits_ : resolution, 'additive', 'pairwise' or 'threeway', and the number of fits made
    phases_ : where the time of the fit went: dictionaries with name, times, seconds and parts, which are phases again
    G_dagger_, A_hat_, tau_hat_ : the solution of the law and its constants, of the main effects; in the paper profile
        of the chosen structure
    target_scale_ : the scale of the fit, 'identity', 'sqrt' or 'log'
    loo_, loo_residuals_ : exact leave-one-out mean squared error, on the scale of the fit, and the left-out residuals
        of the rows, in units of the target; for families other than the normal one, loo_ is the mean left-out deviance
    candidates_ : the leave-one-out error of every resolution fitted, per structure
    pairs_ : the pairs of columns in the model; in the paper profile the candidates
    effects_ : the terms with their share of the variance
    influential_rows_ : training rows with a leverage above 0.9, and where they lie far from the others
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
        structure: str = "auto",
        family: str = "normal",
        loss: str = "squared",
        profile: str = "default",
        categorical_features: Categorical = None,
        features: Features = None,
        max_levels: int | None = None,
        max_columns: int | None = None,
        max_terms: int | None = None,
        simple: bool = False,
        target_scale: str = "auto",
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.pairs = pairs
        self.degree = degree
        self.max_G_add = max_G_add
        self.max_G_pair = max_G_pair
        self.ridge = ridge
        self.radius = radius
        self.structure = structure
        self.family = family
        self.loss = loss
        self.profile = profile
        self.categorical_features = categorical_features
        self.features = features
        self.max_levels = max_levels
        self.max_columns = max_columns
        self.max_terms = max_terms
        self.simple = simple
        self.target_scale = target_scale
        self.n_jobs = n_jobs
        self.verbose = verbose

    def _given_pairs(self) -> Pairs:
        return self.pairs

    def _structure_choice(self) -> StructureChoice:
        return STRUCTURES[_checks.check_choice("structure", self.structure, "structure")]

    def _set_options(self, options: Options) -> None:
        set_finest(options, "max_G_add", self.max_G_add, "additive")
        set_finest(options, "max_G_pair", self.max_G_pair, "pairwise")
        _set_radius(options, self.radius, ("additive", "pairwise"))


class KOREAdditiveRegressor(KoreRegressor):
    """A curve for every feature and nothing else. Parameters as in :class:`KORERegressor`."""

    def __init__(
        self,
        degree: int = 3,
        max_G: int | None = None,
        ridge: float | None = None,
        radius: int | None = 3,
        *,
        family: str = "normal",
        loss: str = "squared",
        profile: str = "default",
        categorical_features: Categorical = None,
        features: Features = None,
        max_levels: int | None = None,
        max_columns: int | None = None,
        max_terms: int | None = None,
        simple: bool = False,
        target_scale: str = "auto",
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.degree = degree
        self.max_G = max_G
        self.ridge = ridge
        self.radius = radius
        self.family = family
        self.loss = loss
        self.profile = profile
        self.categorical_features = categorical_features
        self.features = features
        self.max_levels = max_levels
        self.max_columns = max_columns
        self.max_terms = max_terms
        self.simple = simple
        self.target_scale = target_scale
        self.n_jobs = n_jobs
        self.verbose = verbose

    def _structure_choice(self) -> StructureChoice:
        return StructureChoice.additive

    def _set_options(self, options: Options) -> None:
        set_finest(options, "max_G", self.max_G, "additive")
        _set_radius(options, self.radius, ("additive",))


class KOREPairwiseRegressor(KoreRegressor):
    """A curve for every feature and a surface for every pair. Parameters as in :class:`KORERegressor`."""

    def __init__(
        self,
        pairs: Pairs = None,
        degree: int = 3,
        max_G: int | None = None,
        ridge: float | None = None,
        radius: int | None = 1,
        *,
        family: str = "normal",
        loss: str = "squared",
        profile: str = "default",
        categorical_features: Categorical = None,
        features: Features = None,
        max_levels: int | None = None,
        max_columns: int | None = None,
        max_terms: int | None = None,
        simple: bool = False,
        target_scale: str = "auto",
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.pairs = pairs
        self.degree = degree
        self.max_G = max_G
        self.ridge = ridge
        self.radius = radius
        self.family = family
        self.loss = loss
        self.profile = profile
        self.categorical_features = categorical_features
        self.features = features
        self.max_levels = max_levels
        self.max_columns = max_columns
        self.max_terms = max_terms
        self.simple = simple
        self.target_scale = target_scale
        self.n_jobs = n_jobs
        self.verbose = verbose

    def _given_pairs(self) -> Pairs:
        return self.pairs

    def _structure_choice(self) -> StructureChoice:
        return StructureChoice.pairwise

    def _set_options(self, options: Options) -> None:
        set_finest(options, "max_G", self.max_G, "pairwise")
        _set_radius(options, self.radius, ("pairwise",))
        if not options.is_published:
            options.grown.max_order = 2


def set_finest(options: Options, parameter: str, resolution: int | None, structure: str) -> None:
    """The largest resolution of a structure, where it was given."""
    option = f"max_resolution_{structure}"
    if resolution is not None:
        setattr(options, option, _checks.check_integer(parameter, resolution, option))


def _set_radius(options: Options, radius: int | None, structures: tuple[str, ...]) -> None:
    """How far around the solution resolutions are fitted; None is the published radius. Checked in both profiles,
    though only the published method has such a radius."""
    if radius is None:
        return
    for structure in structures:
        option = f"radius_{structure}"
        checked = _checks.check_integer("radius", radius, option)
        if options.is_published:
            setattr(options.published, option, checked)

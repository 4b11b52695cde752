"""Inside scikit-learn: a pipeline, cross-validation and a grid search over what is left to choose."""

from kore import KOREAdditiveRegressor, KORERegressor
from sklearn.datasets import load_diabetes
from sklearn.linear_model import LinearRegression
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import QuantileTransformer

X, y = load_diabetes(return_X_y=True, as_frame=True, scaled=False)

for name, estimator in {
    "straight lines": LinearRegression(),
    "main effects": KOREAdditiveRegressor(),
    "with pairs": KORERegressor(),
}.items():
    print(f"{name:15} R² {cross_val_score(estimator, X, y, cv=5).mean():.3f}")

# The model solves for its resolution. A grid search is still useful for the steps before the model.
pipeline = make_pipeline(QuantileTransformer(n_quantiles=50), KOREAdditiveRegressor())
search = GridSearchCV(
    pipeline,
    {"quantiletransformer__output_distribution": ["uniform", "normal"], "koreadditiveregressor__degree": [1, 2, 3]},
    cv=5,
    n_jobs=2,
)
search.fit(X, y)
print(f"best of the search: R² {search.best_score_:.3f} with {search.best_params_}")

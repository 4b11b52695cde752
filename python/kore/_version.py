"""The version of the engine, which is that of the package."""

from ._engine import version as __version__

__all__ = ["__version__"]

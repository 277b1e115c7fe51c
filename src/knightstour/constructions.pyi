"""The public names of `knightstour.constructions`, each with the module it comes from."""

from .core.constructions.implicit import ImplicitTour as ImplicitTour
from .core.constructions.implicit import implicit_tour as implicit_tour
from .core.formats.streaming import stream_tour as stream_tour
